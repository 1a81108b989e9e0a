import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FileInputOptions } from '../../../../engine/inputs/file/options.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { follow } from './follow.ts';

const RECORDS = 5;
const recordsOf = (file: number): string[] => Array.from({ length: RECORDS }, (_, i) => `file ${file}: record ${i} of a log`);
const textOf = (file: number): string =>
  recordsOf(file)
    .map((record) => `${record}\n`)
    .join('');
const bytesOf = (...files: number[]): number => files.reduce((sum, file) => sum + textOf(file).length, 0);
const upTo = (files: number): string[] => Array.from({ length: files }, (_, file) => recordsOf(file)).flat();

/** A sink that takes nothing until it is opened. */
class ShutSink extends TestSink {
  readonly #open = Promise.withResolvers<void>();
  offered = 0;
  override gate = async (): Promise<void> => {
    this.offered++;
    await this.#open.promise;
  };

  open(): void {
    this.#open.resolve();
  }
}

type Rotation = 'rename' | 'copytruncate' | 'delayed gzip';

/** Rotates a log of which three older files are kept, and writes the next one. */
function rotate(log: string, rotation: Rotation, file: number): void {
  rmSync(`${log}.3`, { force: true });
  rmSync(`${log}.3.gz`, { force: true });
  for (const [from, to] of [
    ['.2', '.3'],
    ['.2.gz', '.3.gz'],
    ['.1', '.2'],
  ] as const)
    if (existsSync(log + from)) renameSync(log + from, log + to);
  if (rotation === 'delayed gzip' && existsSync(`${log}.2`)) {
    writeFileSync(`${log}.2.gz`, gzipSync(readFileSync(`${log}.2`)));
    rmSync(`${log}.2`);
  }
  if (rotation === 'copytruncate') {
    copyFileSync(log, `${log}.1`);
    truncateSync(log);
  } else renameSync(log, `${log}.1`);
  writeFileSync(log, textOf(file));
}

interface Lag {
  readonly rotation: Rotation;
  readonly pattern: string;
  readonly files: number;
  readonly options?: Partial<FileInputOptions>;
}

/** Records and notices of a log that is rotated again and again while nothing of it is taken. */
async function readLagging({ rotation, pattern, files, options = {} }: Lag): Promise<ShutSink & { readonly figures: object }> {
  await using folder = await temporaryFolder();
  const log = folder.file('app.log');
  writeFileSync(log, textOf(0));
  const sink = new ShutSink();
  await using run = await follow([join(folder.path, pattern)], { pollMs: 20, flushMs: 100, ...options }, sink);
  await until(() => sink.offered > 0);
  const lost = (): number => run.input.figures()['LostFileBytes'] ?? 0;
  const known = (): number => run.input.stats().totalBytes + lost();
  for (let file = 1; file < files; file++) {
    const before = known();
    rotate(log, rotation, file);
    // Names are looked at though nothing is taken.
    await until(
      () => known() >= before + bytesOf(file),
      () => `file ${file}: ${before}, then ${known()} bytes are known`,
    );
  }
  sink.open();
  await until(
    () => sink.payloads.join('\n').length + sink.records.length + lost() >= bytesOf(...Array.from({ length: files }, (_, i) => i)),
    () => JSON.stringify(sink.payloads),
  );
  // A packed file is left alone for a second before it is read.
  await until(() => run.input.stats().totalBytes <= run.input.stats().bytes);
  return Object.assign(sink, { figures: run.input.figures() });
}

describe('an input whose records are not taken', () => {
  for (const rotation of ['rename', 'copytruncate', 'delayed gzip'] as const) {
    for (const pattern of ['app.log', 'app.log*']) {
      it(`loses nothing of a log of which three files are kept: ${rotation}, ${pattern}`, async () => {
        const sink = await readLagging({ rotation, pattern, files: 9 });
        expect(sink.payloads.toSorted()).toEqual(upTo(9).toSorted());
        expect(sink.figures).toEqual({ LostFileCount: 0, LostFileBytes: 0 });
        expect(sink.codes).not.toContain('file.lost');
      });
    }
  }

  it('reads the files in the order in which they were written', async () => {
    const sink = await readLagging({ rotation: 'rename', pattern: 'app.log', files: 7 });
    expect(sink.payloads).toEqual(upTo(7));
  });

  it('names and counts what was removed while more files waited than are held open', async () => {
    const sink = await readLagging({ rotation: 'rename', pattern: 'app.log*', files: 9, options: { maxOpenFiles: 3 } });
    const lost = sink.notices.filter(({ code }) => code === 'file.lost');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost[0]?.text).toMatch(/app\.log(\.\d)? was removed before it was read: 130 bytes of it are lost\./);
    expect(sink.records).toHaveLength((9 - lost.length) * RECORDS);
    expect(sink.figures).toEqual({ LostFileCount: lost.length, LostFileBytes: lost.length * bytesOf(0) });
    expect(sink.codes.filter((code) => code === 'file.not-held')).toHaveLength(1);
  });

  it('says how much was lost of a file that was emptied without a copy', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    const sink = new ShutSink();
    await using run = await follow([log], { pollMs: 20 }, sink);
    await until(() => sink.offered > 0);
    const before = run.input.stats().totalBytes;
    writeFileSync(log, textOf(1), { flag: 'a' });
    await until(() => run.input.stats().totalBytes > before);
    truncateSync(log);
    writeFileSync(log, textOf(2));
    sink.open();
    await run.expect([...recordsOf(0), ...recordsOf(2)]);
    expect(await run.notice('file.lost')).toContain(`${bytesOf(1)} bytes are lost`);
    expect(run.input.figures()).toEqual({ LostFileCount: 1, LostFileBytes: bytesOf(1) });
  });

  it('says at its end how much it leaves of files that have no name any more', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    const sink = new ShutSink();
    const run = await follow([log], { pollMs: 20, stateDirectory: folder.file('state') }, sink);
    await until(() => sink.offered > 0);
    rmSync(log);
    await run.input.stop();
    expect(await run.notice('file.lost')).toContain(`${bytesOf(0)} bytes are lost`);
  });

  it('reads a file that was removed to its end when it was seen before', async () => {
    await using folder = await temporaryFolder();
    const sink = new ShutSink();
    for (const file of [0, 1, 2]) writeFileSync(folder.file(`${file}.log`), textOf(file));
    await using run = await follow([folder.file('*.log')], { pollMs: 20 }, sink);
    await until(() => sink.offered > 0);
    for (const file of [0, 1, 2]) rmSync(folder.file(`${file}.log`));
    sink.open();
    await run.expect(upTo(3));
  });

  it('reads a file once that is being packed beside what is read', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    const sink = new ShutSink();
    await using run = await follow([`${log}*`], { pollMs: 20, flushMs: 100 }, sink);
    await until(() => sink.offered > 0);
    renameSync(log, `${log}.1`);
    writeFileSync(log, textOf(1));
    await until(() => run.input.files().length === 2);
    renameSync(`${log}.1`, `${log}.2`);
    renameSync(log, `${log}.1`);
    const packed = gzipSync(readFileSync(`${log}.1`));
    writeFileSync(`${log}.1.gz`, packed);
    await until(() => run.input.files().length === 3);
    sink.open();
    await run.expect(upTo(2));
    rmSync(`${log}.1`);
    await until(() => run.input.stats().totalBytes <= run.input.stats().bytes);
    expect(sink.payloads).toEqual(upTo(2));
  });

  it('reads a packed file behind the rest that came to its original while that was delivered', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    const sink = new ShutSink();
    await using run = await follow([`${log}*`], { pollMs: 20, flushMs: 100 }, sink);
    await until(() => sink.offered > 0);
    const known = (): number => run.input.stats().totalBytes;
    writeFileSync(log, textOf(1), { flag: 'a' });
    await until(() => known() >= bytesOf(0, 1));
    renameSync(log, `${log}.1`);
    writeFileSync(log, textOf(2));
    await until(() => known() >= bytesOf(0, 1, 2));
    writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(`${log}.1`)));
    await until(() => run.input.files().length === 3);
    rmSync(`${log}.1`);
    // A packed file is left alone for a second before it is compared.
    await delay(1100);
    sink.open();
    await until(() => sink.records.length >= 3 * RECORDS);
    await until(() => run.input.stats().totalBytes <= run.input.stats().bytes);
    expect(sink.payloads).toEqual(upTo(3));
  });

  it('reads nothing again of a file whose packing comes to a halt', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    await using run = await follow([`${log}*`], { pollMs: 20, flushMs: 100 });
    await run.expect(upTo(1));
    renameSync(log, `${log}.1`);
    writeFileSync(log, textOf(1));
    await run.expect(upTo(2));
    const packed = gzipSync(textOf(0), { level: 0 });
    for (const bytes of [5, 80, packed.length]) {
      writeFileSync(`${log}.1.gz`, packed.subarray(0, bytes));
      await until(() => run.input.files().some(({ size }) => size === bytes));
      // Longer than a packed file is left alone.
      await delay(1200);
    }
    rmSync(`${log}.1`);
    writeFileSync(log, textOf(2), { flag: 'a' });
    await run.expect(upTo(3));
  });

  it('reads what comes behind a longer packed file of its log that is read already', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    // Its text is longer than the next file, its bytes are fewer.
    writeFileSync(`${log}.2.gz`, gzipSync(textOf(0) + textOf(1)));
    await using run = await follow([`${log}*`], { pollMs: 20, flushMs: 100 });
    await run.expect(upTo(2));
    writeFileSync(`${log}.1`, textOf(2));
    await run.expect(upTo(3));
  });

  it('says that files may be missing of a log that is rotated more often between two looks than files are kept', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('app.log');
    writeFileSync(log, textOf(0));
    await using run = await follow([log], { pollMs: 20 });
    await run.expect(upTo(1));
    // In one go: nobody looks meanwhile.
    for (const file of [1, 2, 3, 4, 5, 6]) rotate(log, 'rename', file);
    await until(() => run.sink.payloads.includes(recordsOf(6).at(-1) as string));
    expect(run.sink.payloads).toEqual([0, 3, 4, 5, 6].flatMap(recordsOf));
    expect(await run.notice('file.data-missing')).toContain('app.log was rotated more often between two looks');
  });
});
