import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, open as openFile, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskQueue, type DiskQueueOptions, type QueueChunk } from '../../../engine/queue/disk-queue.ts';
import { encodeRecord } from '../../../engine/queue/record.ts';
import { QueueFolder } from '../../../engine/queue/segments.ts';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { bytesLeft } from '../../../engine/queue/state.ts';

let folder: string;
let problems: string[];
const open: DiskQueue[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-queue-'));
  problems = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((queue) => queue.close()));
  await rm(folder, { recursive: true, force: true });
});

async function openQueue(more: Partial<DiskQueueOptions> = {}): Promise<DiskQueue> {
  const queue = await DiskQueue.open({
    path: folder,
    maxFileSize: 0,
    maxBufferSize: 0,
    cursorUpdateCount: 0,
    onProblem: (text) => problems.push(text),
    ...more,
  });
  open.push(queue);
  return queue;
}

const record = (text: string): Uint8Array => encodeRecord(Buffer.from(text), { loop: 0, injected: false });
const texts = ({ records }: QueueChunk): string[] => records.map(({ message }) => Buffer.from(message).toString());
const checkpoint = (): string => readFileSync(join(folder, 'checkpoint.txt'), 'utf8').trim();
const segments = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `message ${from + i}`);

const readers = new WeakMap<DiskQueue, QueueChunk[]>();

/** Reads and acknowledges what is there, or reads `count` records without acknowledging them. Queues have one reader for ever. */
async function readAll(queue: DiskQueue, count?: number): Promise<string[]> {
  let chunks = readers.get(queue);
  if (chunks === undefined) {
    const kept: QueueChunk[] = [];
    chunks = kept;
    readers.set(queue, kept);
    void (async () => {
      for (let chunk = await queue.read(); chunk !== null; chunk = await queue.read()) kept.push(chunk);
    })();
  }
  const found: string[] = [];
  const isDone = (): boolean => (count === undefined ? queue.isEmpty : found.length >= count);
  for (const end = performance.now() + patienceMs(); performance.now() < end && !isDone();) {
    for (const chunk of chunks.splice(0)) {
      found.push(...texts(chunk));
      if (count === undefined) await queue.acknowledge(chunk);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return found;
}

describe('a queue on disk', () => {
  it('gives what was appended, and again what was not acknowledged', async () => {
    const first = await openQueue();
    await first.append(numbered(3).map(record));
    expect(await readAll(first)).toEqual(numbered(3));
    await first.append(numbered(2, 3).map(record));
    await first.sync();
    expect(await readAll(first, 2)).toEqual(numbered(2, 3));
    const bytes = numbered(3).reduce((sum, text) => sum + record(text).length, 0);
    await first.close();
    expect(checkpoint()).toBe(`0 ${bytes}`);
    const second = await openQueue();
    expect(await segments()).toEqual(['0.log', '1.log']);
    await second.append(numbered(1, 5).map(record));
    expect(await readAll(second)).toEqual(numbered(3, 3));
    expect(second.isEmpty).toBe(true);
    expect(second.size).toBe(0);
    await second.close();
    expect(await segments()).toEqual(['1.log']);
    expect(problems).toEqual([]);
  });

  it('begins new segments and removes finished ones', async () => {
    const queue = await openQueue({ maxFileSize: record('message 0').length * 3 });
    await queue.append(numbered(10).map(record));
    expect(await segments()).toEqual(['0.log', '1.log', '2.log', '3.log']);
    expect(await readAll(queue)).toEqual(numbered(10));
    await queue.close();
    expect(await segments()).toEqual(['3.log']);
    expect(checkpoint()).toBe(`3 ${record('message 9').length}`);
  });

  it('has each record once when a segment could not be ended or begun at first', async () => {
    const queue = await openQueue({ maxFileSize: record('message 0').length * 3 });
    const handle = await openFile(folder, 'r');
    await handle.close();
    vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync').mockRejectedValueOnce(new Error('ENOSPC'));
    let left = numbered(7).map(record);
    const append = (): Promise<void> => {
      const given = left;
      return queue.append(given, (count) => (left = left.slice(count)));
    };
    await expect(append()).rejects.toThrow('ENOSPC');
    expect(left).toHaveLength(4);
    writeFileSync(join(folder, '1.log'), 'in the way');
    await expect(append()).rejects.toThrow('EEXIST');
    await rm(join(folder, '1.log'));
    await append();
    expect(await readAll(queue)).toEqual(numbered(7));
    expect(problems).toEqual([]);
  });

  it('makes room of what is delivered when the disk is full', async () => {
    const queue = await openQueue();
    await queue.append(numbered(5).map(record));
    const handle = await openFile(folder, 'r');
    await handle.close();
    expect(await readAll(queue)).toEqual(numbered(5));
    vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'write').mockRejectedValueOnce(new Error('ENOSPC'));
    const write = QueueFolder.prototype.writeCheckpoint;
    vi.spyOn(QueueFolder.prototype, 'writeCheckpoint').mockImplementation(function (this: QueueFolder, cursor) {
      return existsSync(join(folder, '0.log')) ? Promise.reject(new Error('ENOSPC')) : write.call(this, cursor);
    });
    await expect(queue.append([record('message 5')])).rejects.toThrow('ENOSPC');
    await expect.poll(segments).toEqual(['1.log']);
    await expect.poll(checkpoint).toBe('1 0');
    await queue.append([record('message 5')]);
    expect(await readAll(queue)).toEqual(['message 5']);
    expect(problems).toEqual([]);
  });

  it('says once that its checkpoint cannot be written, and that it can be again', async () => {
    const queue = await openQueue();
    const refuse = vi
      .spyOn(QueueFolder.prototype, 'writeCheckpoint')
      .mockRejectedValue(Object.assign(new Error('EROFS'), { code: 'EROFS' }));
    for (const text of ['a', 'b']) {
      await queue.append([record(text)]);
      expect(await readAll(queue)).toEqual([text]);
    }
    await expect.poll(() => refuse.mock.calls.length).toBe(4);
    refuse.mockRestore();
    await queue.append([record('c')]);
    expect(await readAll(queue)).toEqual(['c']);
    await queue.close();
    const why = `messages may come again, for its checkpoint in ${folder} cannot be written (EROFS); make its file system writable`;
    expect(problems).toEqual([why, 'its checkpoint can be written again']);
  });

  it('takes a record that is longer than a segment', async () => {
    const queue = await openQueue({ maxFileSize: 20 });
    await queue.append(['a', 'b'.repeat(100), 'c'].map(record));
    expect(await segments()).toEqual(['0.log', '1.log', '2.log']);
    expect(await readAll(queue)).toEqual(['a', 'b'.repeat(100), 'c']);
  });

  it('says what is left in a folder', async () => {
    expect(await bytesLeft(join(folder, 'absent'))).toBe(0);
    const queue = await openQueue();
    await queue.append(numbered(2).map(record));
    await queue.close();
    expect(await bytesLeft(folder)).toBe(2 * record('message 0').length);
  });

  it('has room for what fits, and counts what waits', async () => {
    const one = record('message 0').length;
    const queue = await openQueue({ maxBufferSize: one * 4 });
    const records = numbered(6).map(record);
    expect(queue.room(records)).toBe(4);
    await queue.append(records.slice(0, 3));
    expect(queue.room(records)).toBe(1);
    expect(queue.fullness).toBe(0.75);
    const chunk = (await queue.read()) as QueueChunk;
    expect(queue.room(records)).toBe(1);
    await queue.acknowledge(chunk);
    expect(queue.room(records)).toBe(4);
    expect(queue.isTooLarge(record('x'.repeat(one * 4)))).toBe(true);
  });

  it.each<[string, string | null, string[], string]>([
    ['without a checkpoint at the lowest segment', null, ['4', '6', '7'], ''],
    ['at the checkpoint', `6 ${record('6').length}`, ['7'], ''],
    ['behind a segment that is gone', '5 400', ['6', '7'], ''],
    ['behind all of them', '9 10', [], ''],
    ['with a segment that is shorter than the checkpoint says', '6 999', ['7'], ''],
    ['at the lowest segment when the checkpoint is damaged', '6 x', ['4', '6', '7'], 'cannot be understood'],
  ])('begins %s', async (_title, cursor, wanted, said) => {
    for (const name of ['4', '6', '7']) writeFileSync(join(folder, `${name}.log`), record(name));
    writeFileSync(join(folder, 'notes.txt'), 'not mine');
    if (cursor !== null) writeFileSync(join(folder, 'checkpoint.txt'), cursor);
    const queue = await openQueue();
    expect(await readAll(queue)).toEqual(wanted);
    expect(queue.size).toBe(0);
    if (said === '') expect(problems).toEqual([]);
    else expect(problems.join()).toContain(said);
    await queue.append([record('new')]);
    expect(await readAll(queue)).toEqual(['new']);
    expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
  });

  it('passes over what is damaged, and says so', async () => {
    const first = await openQueue({ maxFileSize: 2000 });
    await first.append(numbered(200).map(record));
    await first.close();
    const path = join(folder, '1.log');
    const bytes = readFileSync(path);
    const length = record('message 110').length;
    bytes.fill(0xff, 10, 10 + length);
    writeFileSync(path, bytes);
    const last = (await segments()).at(-1) as string;
    truncateSync(join(folder, last), readFileSync(join(folder, last)).length - 3);
    const second = await openQueue({ maxFileSize: 2000 });
    const found = await readAll(second);
    expect(found).toHaveLength(200 - 2 - 1);
    expect(
      numbered(200)
        .filter((text) => !found.includes(text))
        .at(-1),
    ).toBe('message 199');
    expect(problems).toEqual([
      expect.stringMatching(/^\d+ bytes of .*1\.log are not a whole record: the file is damaged/) as string,
      expect.stringMatching(/are not a whole record: the last record was not written to its end/) as string,
    ]);
    expect(second.size).toBe(0);
  });

  it('goes on with the next segment when one is gone', async () => {
    const first = await openQueue({ maxFileSize: 100 });
    await first.append(numbered(12).map(record));
    await first.close();
    const second = await openQueue({ maxFileSize: 100 });
    await rm(join(folder, '1.log'));
    const found = await readAll(second);
    expect(found.length).toBeGreaterThan(5);
    expect(found.at(-1)).toBe('message 11');
    expect(second.size).toBe(0);
  });

  it('writes the checkpoint after more than so many messages', async () => {
    const queue = await openQueue({ cursorUpdateCount: 5 });
    for (let i = 0; i < 6; i++) {
      await queue.append([record(`${i}`)]);
      await queue.acknowledge((await queue.read()) as QueueChunk);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(existsSync(join(folder, 'checkpoint.txt'))).toBe(i === 5);
    }
  });

  it('notes what is delivered of a chunk, record by record', async () => {
    const queue = await openQueue();
    await queue.append(numbered(5).map(record));
    const chunk = (await queue.read()) as QueueChunk;
    const size = record('message 0').length;
    for (const count of [1, 3, 3, 2]) await queue.acknowledge(chunk, count);
    expect([checkpoint(), queue.size]).toEqual([`0 ${3 * size}`, 2 * size]);
    await queue.acknowledge(chunk);
    expect([checkpoint(), queue.size, queue.isEmpty]).toEqual([`0 ${5 * size}`, 0, true]);
  });

  it.each<[title: string, mark: (size: number) => string, left: string[], saved: (size: number) => string]>([
    ['ahead of the checkpoint', (size) => `0 ${3 * size}`, numbered(2, 3), (size) => `0 ${3 * size}`],
    ['behind the checkpoint', () => '0 0', numbered(4, 1), (size) => `0 ${size}`],
    ['behind the end of its segment', (size) => `0 ${9 * size}`, numbered(4, 1), (size) => `0 ${size}`],
    ['in a segment that is not there', () => '7 0', numbered(4, 1), (size) => `0 ${size}`],
    ['that is none', () => 'nonsense', numbered(4, 1), (size) => `0 ${size}`],
  ])("goes on at its reader's own mark: %s", async (_title, mark, left, saved) => {
    const size = record('message 0').length;
    const first = await openQueue();
    await first.append(numbered(5).map(record));
    await first.acknowledge((await first.read()) as QueueChunk, 1);
    await first.close();
    const second = await openQueue({ delivered: mark(size) });
    expect(checkpoint()).toBe(saved(size));
    expect(await readAll(second, left.length)).toEqual(left);
  });

  it('delivers everything once and in order, however it is written, read and closed', async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 40 }), isKnown: fc.boolean() }),
      fc.constant('read' as const),
      fc.constant('reopen' as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 20, max: 600 }),
        fc.nat(3000),
        async (steps, maxFileSize, recentBytes) => {
          await rm(folder, { recursive: true, force: true });
          let queue = await openQueue({ maxFileSize, recentBytes });
          let appended = 0;
          const delivered: string[] = [];
          for (const next of steps) {
            if (next === 'reopen') {
              await queue.close();
              queue = await openQueue({ maxFileSize, recentBytes });
            } else if (next === 'read') {
              delivered.push(...(await readAll(queue)));
            } else {
              const sent = numbered(next.append, appended);
              const known = { messages: sent.map((text) => Buffer.from(text)), path: { loop: 0, injected: false }, of: null, from: 0 };
              await queue.append(sent.map(record), undefined, next.isKnown ? known : undefined);
              appended += next.append;
            }
          }
          delivered.push(...(await readAll(queue)));
          expect(delivered).toEqual(numbered(appended));
          await queue.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});

type WriteArguments = [bytes: Uint8Array, offset: number, length: number, position: number];

describe('a queue whose disk fails', () => {
  /** The methods that all open files share. */
  const methods = async (): Promise<FileHandle> => {
    const handle = await openFile(folder, 'r');
    await handle.close();
    return Object.getPrototypeOf(handle) as FileHandle;
  };
  const failure = (code: string): Error => Object.assign(new Error(`${code}: it fails`), { code });

  /** Simulates a disk that has what was written since it failed last, once it is synced: the system takes the rest for written. */
  async function forgetfulDisk(): Promise<{ readonly has: Map<number, number>; failNext: () => void }> {
    const shared = await methods();
    const write = shared.write as (this: FileHandle, ...args: WriteArguments) => Promise<{ bytesWritten: number }>;
    let fails = false;
    let dirty: [position: number, length: number][] = [];
    const has = new Map<number, number>();
    vi.spyOn(shared, 'write').mockImplementation(async function (this: FileHandle, ...args: WriteArguments) {
      const result = await write.apply(this, args);
      dirty.push([args[3], result.bytesWritten]);
      return result;
    } as never);
    vi.spyOn(shared, 'datasync').mockImplementation(() => {
      const lost = fails;
      if (!lost) for (const [position, length] of dirty) has.set(position, length);
      dirty = [];
      fails = false;
      return lost ? Promise.reject(failure('EIO')) : Promise.resolve();
    });
    return { has, failNext: () => (fails = true) };
  }

  it('writes again what a sync did not bring to the disk', async () => {
    const queue = await openQueue();
    const disk = await forgetfulDisk();
    const size = record('message 0').length;
    await queue.append([record('message 0')]);
    await queue.sync();
    await queue.append([record('message 1')]);
    disk.failNext();
    await expect(queue.sync()).rejects.toThrow('EIO');
    await queue.append([record('message 2')]);
    await queue.sync();
    expect([...disk.has].toSorted(([a], [b]) => a - b)).toEqual([
      [0, size],
      [size, 2 * size],
      [2 * size, size],
    ]);
    expect(await readAll(queue)).toEqual(numbered(3));
  });

  it('ends no segment before the disk has all of it', async () => {
    const size = record('message 0').length;
    const queue = await openQueue({ maxFileSize: size });
    const disk = await forgetfulDisk();
    await queue.append([record('message 0')]);
    disk.failNext();
    await expect(queue.append([record('message 1')])).rejects.toThrow('EIO');
    await queue.append([record('message 1')]);
    expect([...disk.has]).toEqual([[0, size]]);
    expect(await readAll(queue)).toEqual(numbered(2));
  });

  it('fails to append when the system takes nothing and says no error', async () => {
    const queue = await openQueue();
    vi.spyOn(await methods(), 'write').mockResolvedValueOnce({ bytesWritten: 0, buffer: Buffer.alloc(0) } as never);
    await expect(queue.append([record('message 0')])).rejects.toThrow('takes nothing more');
    await queue.append([record('message 0')]);
    expect(await readAll(queue)).toEqual(numbered(1));
  });

  it.each<[step: string, method: 'write' | 'datasync', code: string]>([
    ['a record is written', 'write', 'ENOSPC'],
    ['a record is written', 'write', 'EIO'],
    ['a record is written', 'write', 'EDQUOT'],
    ['a segment is brought to the disk', 'datasync', 'ENOSPC'],
    ['a segment is brought to the disk', 'datasync', 'EIO'],
  ])('has each record once, and in order, when %s: %s fails with %s', async (_step, method, code) => {
    const queue = await openQueue({ maxFileSize: record('message 0').length * 3 });
    const shared = await methods();
    vi.spyOn(shared, method).mockRejectedValueOnce(failure(code));
    let left = numbered(10).map(record);
    for (let attempt = 0; left.length > 0 && attempt < 3; attempt++) {
      const given = left;
      await queue.append(given, (count) => (left = left.slice(count))).catch(() => undefined);
    }
    await queue.sync();
    expect(await readAll(queue)).toEqual(numbered(10));
    expect(problems).toEqual([]);
  });

  it('gives all whole records of a segment that is cut at any byte, and says what is left of the next one', async () => {
    const size = record('message 0').length;
    const whole = Buffer.concat(numbered(3).map(record));
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(join(folder, '0.log'), whole.subarray(0, cut));
      const queue = await openQueue();
      expect(await readAll(queue)).toEqual(numbered(Math.floor(cut / size)));
      expect(problems.splice(0)).toEqual(cut % size === 0 ? [] : [expect.stringContaining(`${cut % size} bytes of`)]);
      await queue.close();
      for (const name of await readdir(folder)) await rm(join(folder, name));
    }
  });
});

describe('a queue on a mount that goes away', () => {
  it('waits for what it has, and passes over nothing', async () => {
    const queue = await openQueue({ maxFileSize: 200 });
    const all = numbered(30);
    await queue.append(all.map(record));
    expect((await segments()).length).toBeGreaterThan(3);
    await rename(folder, `${folder}.away`);
    try {
      const came = readAll(queue);
      await until(() => problems.length > 0, 'the problem');
      await rename(`${folder}.away`, folder);
      expect(await came).toEqual(all);
      expect(problems).toEqual([expect.stringContaining('cannot be read')]);
    } finally {
      await rm(`${folder}.away`, { recursive: true, force: true });
    }
  });

  it('opens its segment anew, and has what was written in part once', async () => {
    const queue = await openQueue();
    await queue.append(numbered(2).map(record));
    const handle = await openFile(join(folder, 'any'), 'w');
    await handle.close();
    const shared = Object.getPrototypeOf(handle) as FileHandle;
    const dead = new Set<FileHandle>();
    const { truncate } = shared;
    const write = shared.write as (this: FileHandle, ...args: WriteArguments) => Promise<unknown>;
    const stale = (): Error => Object.assign(new Error('ESTALE: it is away'), { code: 'ESTALE' });
    let breaks = true;
    const fails = async function (this: FileHandle, ...args: WriteArguments): Promise<unknown> {
      if (breaks) {
        breaks = false;
        dead.add(this);
        await write.call(this, args[0], args[1], 5, args[3]);
      }
      if (dead.has(this)) throw stale();
      return write.apply(this, args);
    };
    vi.spyOn(shared, 'write').mockImplementation(fails as never);
    vi.spyOn(shared, 'truncate').mockImplementation(async function (this: FileHandle, size) {
      if (dead.has(this)) throw stale();
      await truncate.call(this, size);
    });
    await expect(queue.append(numbered(2, 2).map(record))).rejects.toThrow('ESTALE');
    await queue.append(numbered(2, 2).map(record));
    expect(await readAll(queue)).toEqual(numbered(4));
    expect(problems).toEqual([]);
  });
});
