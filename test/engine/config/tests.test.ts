import { describe, expect, it } from 'vitest';
import { checkTests, plainOf, type TestPlaces } from '../../../engine/config/tests.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const PLACES: TestPlaces = { inputs: named('in1'), filters: named('f1'), outputs: named('out1') };
const origin = (path: readonly PropertyKey[]) => ({ file: 'f', line: Number(path[1]) + 1 });
const check = (tests: unknown, places = PLACES) => checkTests(tests, places, origin);

describe('checkTests', () => {
  it('takes tests with their places', () => {
    const { tests, findings } = check([
      { title: 'a', input: 'in1', in: ['x'], out: ['y'] },
      { title: 'a', in: ['x'], out: [{ Payload: 'y' }], output: 'f1' },
    ]);
    expect(findings).toEqual([]);
    expect(tests.map(({ output, origin: at, in: given }) => [output, at.line, given])).toEqual([
      ['out1', 1, ['x']],
      ['f1', 2, ['x']],
    ]);
  });

  it.each<[test: object, places: TestPlaces, path: PropertyKey[], text: RegExp]>([
    [{ title: 'a', in: ['x'], out: ['y'], input: 'nope' }, PLACES, [0, 'input'], /is not an input of this configuration$/],
    [
      { title: 'a', in: ['x'], out: ['y'], output: 'nope' },
      PLACES,
      [0, 'output'],
      /is not an output, filter or input of this configuration$/,
    ],
    [
      { title: 'a', in: ['x'], out: ['y'] },
      { ...PLACES, outputs: named('a', 'b') },
      [0, 'output'],
      /^is required: there is not just one output$/,
    ],
    [
      { title: 'a', in: ['x'], out: ['y'], output: 'f1' },
      PLACES,
      [0, 'out', 0],
      /^must be a message as a table: only outputs write texts$/,
    ],
    [{ title: 'a', in: [{ Paylod: 'x' }], out: ['y'] }, PLACES, [0, 'in', 0, 'Paylod'], /^is not a part of a message$/],
    [{ title: 'a', in: [{ Severity: 'x' }], out: ['y'] }, PLACES, [0, 'in', 0], /^is not a message: /],
  ])('%j', (test, places, path, text) => {
    const { findings } = check([test], places);
    const found = findings.find((finding) => JSON.stringify(finding.path) === JSON.stringify(path));
    expect(found?.text).toMatch(text);
  });

  it('leaves out what is wrong, and keeps the others', () => {
    const { tests, findings } = check([{ in: 7 }, { title: 'a', in: ['x'], out: ['y'] }]);
    expect(tests).toHaveLength(1);
    expect(findings.every(({ path }) => path[0] === 0)).toBe(true);
  });

  it('of none are none', () => expect([check(undefined), check('x')]).toEqual(Array(2).fill({ tests: [], findings: [] })));
});

it('dates become texts', () => {
  expect(plainOf({ a: [new Date(0), { b: 1n }], c: null })).toEqual({ a: ['1970-01-01T00:00:00.000Z', { b: 1n }], c: null });
});
