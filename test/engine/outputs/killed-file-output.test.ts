import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileWriter } from '../../../engine/outputs/file-output.ts';
import type { Receipt } from '../../../engine/outputs/writers.ts';

let folder: string;
/** The writers of a test: files of killed ones, which are not closed before its end, would be closed with their objects, which Node forbids. */
let writers: FileWriter[];
const at = (name: string): string => join(folder, name);
const text = (): string => readFileSync(at('out.log'), 'latin1');

beforeEach(async () => {
  writers = [];
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-killed-'));
});

afterEach(async () => {
  for (const writer of writers) await writer.close();
  await rm(folder, { recursive: true, force: true });
});

function fileWriter(onProblem?: (problem: string) => void): FileWriter {
  const flush = { flushInterval: 1000, flushCount: 1, flushOperator: 'AND' } as const;
  const stated = { stateFolder: at('state'), ...(onProblem ? { onProblem } : {}) };
  const writer = new FileWriter({ path: at('out.log'), perm: 0o644, folderPerm: 0o700, ...flush, ...stated });
  writers.push(writer);
  return writer;
}

const receipt = (mark: string): Receipt => ({ mark: () => mark, taken: () => Promise.resolve() });

/** Writes two batches and is killed when so many bytes of the second one are in the file. */
async function killedAt(bytes: number): Promise<void> {
  const writer = fileWriter();
  await writer.write(['first\n'], receipt('0 10'));
  await writer.write(['second\n', 'third\n'], receipt('0 30'));
  truncateSync(at('out.log'), 'first\n'.length + bytes);
}

describe('a file whose writer was killed', () => {
  it.each([
    ['before anything of the batch was written', 0],
    ['in the middle of its first record', 3],
    ['between two records', 7],
    ['one byte before its end', 12],
    ['behind its end', 13],
  ])('has whole batches after the next start: %s', async (_title, bytes) => {
    await killedAt(bytes);
    const writer = fileWriter();
    await writer.opened();
    expect([text(), writer.resumedAt]).toEqual(['first\nsecond\nthird\n', '0 30']);
    await writer.write(['fourth\n'], receipt('0 40'));
    await writer.close();
    expect(text()).toBe('first\nsecond\nthird\nfourth\n');
    expect(await readdir(at('state'))).toEqual([]);
  });

  it('keeps what others have written behind it', async () => {
    await killedAt(13);
    appendFileSync(at('out.log'), 'of another\n');
    const writer = fileWriter();
    await writer.opened();
    expect([text(), writer.resumedAt]).toEqual(['first\nsecond\nthird\nof another\n', '0 30']);
  });

  it.each<[title: string, bytes: number, change: () => void, files: Readonly<Record<string, string>>, mark: string | null]>([
    ['in the midst of the batch', 3, () => undefined, { 'out.log': '', 'out.log.1': 'first\nsecond\nthird\n' }, '0 30'],
    ['behind the batch', 13, () => undefined, { 'out.log': '', 'out.log.1': 'first\nsecond\nthird\n' }, '0 30'],
    ['before the batch, which comes again', 0, () => undefined, { 'out.log': '', 'out.log.1': 'first\n' }, null],
    [
      'and another one has its name',
      3,
      () => writeFileSync(at('out.log'), 'first\nsec'),
      { 'out.log': 'first\nsec', 'out.log.1': 'first\nsecond\nthird\n' },
      '0 30',
    ],
    [
      'and others wrote behind half of the batch',
      3,
      () => appendFileSync(at('out.log.1'), 'of another\n'),
      { 'out.log': '', 'out.log.1': 'first\nsecof another\n' },
      null,
    ],
  ])('has whole batches when it was renamed since: killed %s', async (_title, bytes, change, files, mark) => {
    await killedAt(bytes);
    renameSync(at('out.log'), at('out.log.1'));
    change();
    const writer = fileWriter();
    await writer.opened();
    const names = (await readdir(folder)).filter((name) => name.startsWith('out'));
    expect(Object.fromEntries(names.map((name) => [name, readFileSync(at(name), 'latin1')]))).toEqual(files);
    expect(writer.resumedAt).toBe(mark);
    await writer.close();
  });

  it.each<[title: string, change: () => void, left: string]>([
    [
      'others wrote where its batch was to be',
      () => (truncateSync(at('out.log'), 6), appendFileSync(at('out.log'), 'of another\n')),
      'first\nof another\n',
    ],
    ['its file is another one', () => (rmSync(at('out.log')), writeFileSync(at('out.log'), 'first\nsec')), 'first\nsec'],
    ['its file was emptied', () => truncateSync(at('out.log'), 0), ''],
    ['its file is gone', () => rmSync(at('out.log')), ''],
  ])('is left alone when %s', async (_title, change, left) => {
    await killedAt(3);
    change();
    const writer = fileWriter();
    await writer.opened();
    expect([text(), writer.resumedAt]).toEqual([left, null]);
  });

  it.each([1, 8, 40, 150])('goes by the batch before when only %d bytes of the note were written', async (bytes) => {
    const writer = fileWriter();
    await writer.write(['first\n'], receipt('0 10'));
    await writer.write(['second\n'], receipt('0 20'));
    truncateSync(at('out.log'), 'first\n'.length);
    truncateSync(at('state/appended-0'), Math.min(bytes, statSync(at('state/appended-0')).size - 1));
    const next = fileWriter();
    await next.opened();
    expect([text(), next.resumedAt]).toEqual(['first\n', '0 10']);
  });

  it('writes on when it cannot note its batches, and says so once', async () => {
    writeFileSync(at('state'), 'in the way');
    const said: string[] = [];
    const writer = fileWriter((problem) => void said.push(problem));
    await writer.write(['first\n']);
    await writer.write(['second\n']);
    expect(text()).toBe('first\nsecond\n');
    expect(said).toEqual([expect.stringContaining('half a batch may stay in')]);
  });
});
