import { beforeEach, describe, expect, it } from 'vitest';
import { Consents, type ConsentRecord } from '../../../electron/main/consents.ts';
import type { Question } from '../../../electron/main/questions.ts';
import type { Demand } from '../../../engine/api/wire.ts';

const demand = (key: string, part: Partial<Demand> = {}): Demand => ({
  key,
  by: 'window',
  kind: 'command',
  section: '',
  text: key,
  local: false,
  ...part,
});

let shown: Question[];
let answers: boolean[];
let record: { value: ConsentRecord; save(value: ConsentRecord): void };
let now: number;
let consents: Consents;

const begin = (): Consents =>
  new Consents({
    show: (question) => {
      shown.push(question);
      return Promise.resolve(answers.shift() ?? false);
    },
    record,
    now: () => now,
  });

beforeEach(() => {
  shown = [];
  answers = [];
  now = 0;
  record = { value: { keys: [] }, save: (value) => void (record.value = value) };
  consents = begin();
});

describe('consents', () => {
  it('ask once for a command, and never again once it is confirmed', async () => {
    answers = [true];
    expect(await consents.allowed([demand('ls')])).toEqual(['ls']);
    expect(await consents.allowed([demand('ls')])).toEqual(['ls']);
    expect(await begin().allowed([demand('ls', { by: 'file' })])).toEqual(['ls']);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({ message: 'Run this command?', confirm: 'Run' });
  });

  it.each([
    ['a part of Sluicebox', { by: 'product' }, true],
    ['a listener of the window for this machine', { kind: 'listener', local: true }, true],
    ['a listener of the window for all', { kind: 'listener' }, false],
    ['a listener for this machine in a foreign workspace file', { kind: 'listener', local: true, by: 'file' }, false],
    ['a client of a foreign workspace file', { kind: 'client', by: 'file' }, false],
    ['a file that a parameter names', { kind: 'file' }, false],
  ] as const)('of %s', async (_what, part, isFree) => {
    expect(await consents.allowed([demand('x', part)])).toEqual(isFree ? ['x'] : []);
    expect(shown).toHaveLength(isFree ? 0 : 1);
    // A demand that the window made without a question is known when the workspace file is read at the next start.
    expect(await begin().allowed([demand('x', { ...part, by: 'file' })])).toEqual(isFree ? ['x'] : []);
  });

  it('ask for the sections of a workspace file together, and after a refusal at the next start only', async () => {
    const sections = [demand('one', { by: 'file', section: 'a' }), demand('two', { by: 'file', section: 'b' })];
    expect(await consents.allowed(sections)).toEqual([]);
    expect(await consents.allowed(sections)).toEqual([]);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.pages[0]).toMatch('│ [a]\nruns the command\n│ one\n\n│ [b]\nruns the command\n│ two');
    expect(shown[0]?.message).toContain('(2 commands)');
    answers = [true];
    expect(await begin().allowed(sections)).toEqual(['one', 'two']);
  });

  it('ask the window’s questions one at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    consents = new Consents({ show: () => promise, record, now: () => now });
    const first = consents.allowed([demand('one')]);
    expect(await consents.allowed([demand('two')])).toEqual([]);
    resolve(true);
    expect(await first).toEqual(['one']);
  });

  it.each([null, 'all', { a: 1 }])('know nothing from a damaged record: %j', async (keys) => {
    record.value = { keys: keys as never };
    expect(await consents.allowed([demand('ls')])).toEqual([]);
    answers = [true];
    expect(await consents.allowed([demand('ls')])).toEqual(['ls']);
  });

  it('ask no more after three refusals within a minute', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) expect(await consents.allowed([demand(key)])).toEqual([]);
    expect(shown).toHaveLength(3);
    now = 60_001;
    answers = [true];
    expect(await consents.allowed([demand('f')])).toEqual(['f']);
  });

  it('ask once for all of a workspace, and again when it is opened again', async () => {
    const demands = [demand('a', { by: 'workspace', kind: 'script' }), demand('b', { by: 'workspace', kind: 'listener', local: true })];
    answers = [false, true];
    expect(await consents.allowed(demands)).toEqual([]);
    expect(await consents.allowed(demands)).toEqual(['a', 'b']);
    expect(await consents.allowed(demands)).toEqual(['a', 'b']);
    expect(shown.map(({ confirm }) => confirm)).toEqual(['Open', 'Open']);
  });
});
