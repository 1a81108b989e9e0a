import { copyFile, open, rename, stat, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { Lineage } from '../../../../engine/inputs/file/lineage.ts';
import { OpenFiles } from '../../../../engine/inputs/file/open-files.ts';
import { guardBefore, Tail } from '../../../../engine/inputs/file/tail.ts';
import { TailQueue } from '../../../../engine/inputs/file/tail-queue.ts';
import { TailReader } from '../../../../engine/inputs/file/tail-reader.ts';
import { makeSplitter } from '../../../../engine/inputs/splitters/index.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';

const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => `record ${from + i} of a log\n`).join('');

/** A log of which 50 of 100 records were read in an earlier run, and a rotated file of it that was read as well. */
async function readBefore(
  log: string,
): Promise<{ readonly lineage: Lineage; readonly tails: Map<string, Tail>; readonly current: Tail; close(): Promise<void> }> {
  const text = Buffer.from(lines(100, 200));
  const half = lines(100, 150).length;
  await writeFile(`${log}.1`, lines(0, 100));
  await writeFile(log, text);
  const tailOf = async (path: string, position: number): Promise<Tail> => {
    const tail = new Tail(path, path, await stat(path, { bigint: true }), log);
    const bytes = path === log ? text : Buffer.from(lines(0, 100));
    const mark = { position, guard: guardBefore(bytes, position), state: { line: 1, skipping: false, midLine: false } };
    tail.startAt(mark, 'utf-8');
    return tail;
  };
  const known = [await tailOf(`${log}.1`, lines(0, 100).length), await tailOf(log, half)];
  const entries = known.map((tail) => tail.checkpoint(tail.mark, false));
  const current = new Tail(log, log, await stat(log, { bigint: true }));
  current.fresh = 'first';
  const tails = new Map([[current.key, current]]);
  const files = new OpenFiles(10);
  const lineage = new Lineage(entries, tails, new TailQueue(), files, 'beginning', () => undefined);
  return { lineage, tails, current, close: () => files.closeAll() };
}

it('a file that began without a name is not begun anew when it gets one while its first records are delivered', async () => {
  await using folder = await temporaryFolder();
  const { lineage, tails, current, close } = await readBefore(folder.file('a.log'));
  current.fresh = null;
  current.retiredAt = 1;
  expect(await lineage.begins(current)).toBe(true);
  current.retiredAt = 0;
  current.after = [...tails.values()][0] ?? null;
  expect(await lineage.begins(current)).toBe(true);
  await close();
});

describe('a log that is rotated by copying while its input starts', () => {
  it('goes on in the copy where it stood, and is read behind it', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const { lineage, tails, current, close } = await readBefore(log);
    await lineage.settle(current);
    const { position } = current.mark;
    await rename(`${log}.1`, `${log}.2`);
    await copyFile(log, `${log}.1`);
    await truncate(log);
    await writeFile(log, lines(200, 300));
    await lineage.recover(() => current);
    const copy = [...tails.values()].find(({ path }) => path === `${log}.1`);
    expect(copy).toMatchObject({ fresh: null, mark: { position }, acknowledged: { position } });
    expect(current).toMatchObject({ mark: { position: 0 }, after: copy });
    await close();
  });

  it('goes on in the copy also when that has the number of a file that was removed before it was read', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const { lineage, tails, current, close } = await readBefore(log);
    await lineage.settle(current);
    await rename(`${log}.1`, `${log}.2`);
    await copyFile(log, `${log}.1`);
    await writeFile(log, lines(200, 300));
    const info = await stat(`${log}.1`, { bigint: true });
    const removed = new Tail(`${log}.9`, `${log}.9`, Object.assign(info, { birthtimeNs: info.birthtimeNs - 1n }), log);
    removed.fresh = 'later';
    removed.retiredAt = performance.now();
    tails.set(removed.key, removed);
    current.waitFor(removed);
    await lineage.recover(() => current);
    expect(tails.get(removed.key)).toMatchObject({ path: `${log}.1`, fresh: null });
    expect(removed).toMatchObject({ drained: true });
    expect(current.after).toBe(tails.get(removed.key));
    await close();
  });

  it.each([
    ['just begun', 0],
    ['half made', 1000],
    ['made', 1e6],
  ])('is read on as long as it has all it held: the copy is %s', async (_, bytes) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const { lineage, tails, current, close } = await readBefore(log);
    await lineage.settle(current);
    await rename(`${log}.1`, `${log}.2`);
    await writeFile(`${log}.1`, lines(100, 200).slice(0, bytes));
    await lineage.recover(() => current);
    expect([...tails.values()].map(({ path }) => path)).not.toContain(`${log}.1`);
    expect(current.mark.position).toBe(lines(100, 150).length);
    await close();
  });
});

describe('records of a log that was rotated by copying', () => {
  it.each([
    ['are read again from the copy when they were not acknowledged', false, lines(0, 6)],
    ['and acknowledged after that are not read again', true, lines(5, 6)],
  ])('%s', async (_, acknowledged, again) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, lines(0, 5));
    const options = { name: 'in', paths: [log], stateDirectory: folder.file('state') };
    const first = new TestSink();
    first.acknowledges = false;
    const input = new FileInput(options);
    await input.start(first);
    await until(() => first.records.length === 5);
    await copyFile(log, `${log}.1`);
    await truncate(log);
    await until(() => first.codes.includes('file.truncated'));
    if (acknowledged) for (const batch of first.batches) batch.acknowledge();
    await input.stop();
    const second = new TestSink();
    const next = new FileInput(options);
    await next.start(second);
    await writeFile(log, lines(5, 6), { flag: 'a' });
    const wanted = again.trimEnd().split('\n');
    await until(() => second.records.length >= wanted.length);
    expect(second.payloads).toEqual(wanted);
    await next.stop();
  });
});

it('a file that is written anew between two reads is not read as one text', async () => {
  await using folder = await temporaryFolder();
  const path = folder.file('a.log');
  await writeFile(path, lines(0, 10));
  const handle = await open(path);
  let reads = 0;
  // As a system does that is interrupted: the first read ends with the file, and before the second the file is another one, and longer.
  const rewritten = {
    read: async (buffer: Buffer, offset: number, length: number, position: number) => {
      if (reads++ === 1) await writeFile(path, lines(500, 600));
      return handle.read(buffer, offset, length, position);
    },
  } as unknown as FileHandle;
  const tail = new Tail(path, path, await stat(path, { bigint: true }));
  const reader = new TailReader(makeSplitter({ kind: 'line' }));
  let records = 0;
  for await (const { count } of reader.read(tail, rewritten)) records += count;
  expect({ records, position: tail.mark.position }).toEqual({ records: 10, position: lines(0, 10).length });
  await handle.close();
});
