import { writeFileSync } from 'node:fs';
import { open as openFile, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { until } from '../../until.ts';
import { numbered, queueBench, readAll, record } from './queue-bench.ts';

const { openQueue, segments, folder, problems } = queueBench();

type WriteArguments = [bytes: Uint8Array, offset: number, length: number, position: number];

describe('a queue whose disk fails', () => {
  /** The methods that all open files share. */
  const methods = async (): Promise<FileHandle> => {
    const handle = await openFile(folder(), 'r');
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
    expect(problems()).toEqual([]);
  });

  it('gives all whole records of a segment that is cut at any byte, and says what is left of the next one', async () => {
    const size = record('message 0').length;
    const whole = Buffer.concat(numbered(3).map(record));
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(join(folder(), '0.log'), whole.subarray(0, cut));
      const queue = await openQueue();
      expect(await readAll(queue)).toEqual(numbered(Math.floor(cut / size)));
      expect(problems().splice(0)).toEqual(cut % size === 0 ? [] : [expect.stringContaining(`${cut % size} bytes of`)]);
      await queue.close();
      for (const name of await readdir(folder())) await rm(join(folder(), name));
    }
  });
});

describe('a queue on a mount that goes away', () => {
  it('waits for what it has, and passes over nothing', async () => {
    const queue = await openQueue({ maxFileSize: 200 });
    const all = numbered(30);
    await queue.append(all.map(record));
    expect((await segments()).length).toBeGreaterThan(3);
    await rename(folder(), `${folder()}.away`);
    try {
      const came = readAll(queue);
      await until(() => problems().length > 0, 'the problem');
      await rename(`${folder()}.away`, folder());
      expect(await came).toEqual(all);
      expect(problems()).toEqual([expect.stringContaining('cannot be read')]);
    } finally {
      await rm(`${folder()}.away`, { recursive: true, force: true });
    }
  });

  it('opens its segment anew, and has what was written in part once', async () => {
    const queue = await openQueue();
    await queue.append(numbered(2).map(record));
    const handle = await openFile(join(folder(), 'any'), 'w');
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
    expect(problems()).toEqual([]);
  });
});
