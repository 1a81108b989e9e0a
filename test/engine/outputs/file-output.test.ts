import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pieces } from '../../../engine/outputs/writers.ts';
import { RetriedWriter } from '../../../engine/outputs/delivery.ts';
import { FileWriter, type FileWriterOptions } from '../../../engine/outputs/file-output.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-file-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  return rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const options = (more: Partial<FileWriterOptions> = {}): FileWriterOptions => ({
  path: at('out.log'),
  perm: 0o644,
  folderPerm: 0o700,
  flushInterval: 1000,
  flushCount: 1,
  flushOperator: 'AND',
  ...more,
});

describe('a file that is rotated', () => {
  it('goes on in a new one, also in new folders', async () => {
    let now = Date.parse('2021-03-05T22:59:00Z');
    const writer = new FileWriter(options({ path: at('%Y/%m-%d/out-%H.log'), rotationInterval: 1, now: () => now }));
    await writer.opened();
    expect(existsSync(at('2021/03-05/out-22.log'))).toBe(true);
    await writer.write(['a\n']);
    now = Date.parse('2021-03-05T23:00:00Z');
    await writer.write(['b\n']);
    now = Date.parse('2021-03-06T07:30:00Z');
    await writer.write(['c\n']);
    await writer.write(['d\n']);
    await writer.close();
    const text = (name: string): string => readFileSync(at(name), 'utf8');
    expect([text('2021/03-05/out-22.log'), text('2021/03-05/out-23.log'), text('2021/03-06/out-07.log')]).toEqual(['a\n', 'b\n', 'c\nd\n']);
    expect(statSync(at('2021/03-05')).mode & 0o777).toBe(0o700);
  });

  it('has the name of the time that the clock is set to', async () => {
    const times: readonly (readonly [time: string, text: string])[] = [
      ['2021-03-05T22:59:00Z', 'a'],
      ['2031-03-05T22:59:00Z', 'ten years ahead'],
      ['2021-03-05T22:59:30Z', 'b'],
      ['2021-03-05T23:00:00Z', 'c'],
      ['2021-03-05T22:59:59Z', 'corrected by a second'],
      ['2021-03-05T20:10:00Z', 'set back'],
    ];
    let now = Date.parse('2021-03-05T22:00:00Z');
    const writer = new FileWriter(options({ path: at('%Y-%H.log'), rotationInterval: 1, now: () => now }));
    for (const [time, text] of times) {
      now = Date.parse(time);
      await writer.write([`${text}\n`]);
    }
    await writer.close();
    const files = (await readdir(folder)).sort().map((name) => [name, readFileSync(at(name), 'utf8')]);
    expect(files).toEqual([
      ['2021-20.log', 'set back\n'],
      ['2021-22.log', 'a\nb\n'],
      ['2021-23.log', 'c\ncorrected by a second\n'],
      ['2031-22.log', 'ten years ahead\n'],
    ]);
  });

  it('is opened anew by the name that it has', async () => {
    let now = Date.parse('2021-03-05T22:59:00Z');
    const writer = new FileWriter(options({ path: at('%H.log'), rotationInterval: 1, now: () => now }));
    await writer.write(['a\n']);
    await rename(at('22.log'), at('moved'));
    await writer.reopen();
    await writer.write(['b\n']);
    now += 3_600_000;
    await writer.write(['c\n']);
    await writer.close();
    expect((await readdir(folder)).sort()).toEqual(['22.log', '23.log', 'moved']);
    expect(readFileSync(at('22.log'), 'utf8')).toBe('b\n');
  });

  it('keeps specifiers in its name when it is not rotated', async () => {
    const writer = new FileWriter(options({ path: at('100%d.log') }));
    await writer.write(['a\n']);
    await writer.close();
    expect(existsSync(at('100%d.log'))).toBe(true);
  });
});

it('a file that cannot be opened is tried again with the next messages', async () => {
  const writer = new FileWriter(options({ path: at('sub/out.log') }));
  await writer.write(['a\n']);
  await rm(at('sub'), { recursive: true });
  await writeFile(at('sub'), 'in the way');
  await expect(writer.reopen()).rejects.toThrow();
  await expect(writer.write(['b\n'])).rejects.toThrow();
  await rm(at('sub'));
  await writer.write(['c\n']);
  await writer.close();
  expect(readFileSync(at('sub/out.log'), 'utf8')).toBe('c\n');
});

it('a buffered file is written to again until that works', async () => {
  let fails = 2;
  const written: unknown[] = [];
  const writer = {
    write: async (pieces: Pieces): Promise<void> => {
      if (fails-- > 0) throw new Error('no space left');
      written.push(...pieces);
    },
    close: () => Promise.resolve(),
  };
  const said: string[] = [];
  const retries = { delay: 1, max_delay: 1, max_jitter: 0, max_retries: -1 };
  const retried = new RetriedWriter(writer, { retries, onProblem: (text) => said.push(text) });
  await retried.write(['a']);
  expect(written).toEqual(['a']);
  expect(said).toEqual(['cannot be delivered to and is tried again: no space left', 'is delivered to again']);
  fails = Infinity;
  const given = retried.write(['b']);
  given.catch(() => undefined);
  await retried.close();
  await expect(given).rejects.toThrow('was not delivered to: no space left');
});

/** The methods that all open files share. */
async function methods(): Promise<FileHandle> {
  const handle = await open(at('any'), 'w');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

type Write = (this: FileHandle, bytes: Buffer, at: number, length: number, position: null) => Promise<{ readonly bytesWritten: number }>;

/** Has so many bytes at most be written by a write, which fails then; null: it goes on as it is. */
async function breakWrites(breaks: (handle: FileHandle) => { readonly bytes: number; readonly code: string } | null): Promise<void> {
  const shared = (await methods()) as unknown as { write: Write };
  const { write } = shared;
  vi.spyOn(shared, 'write').mockImplementation(async function (this: FileHandle, bytes, at, length, position) {
    const broken = breaks(this);
    if (broken === null) return write.call(this, bytes, at, length, position);
    await write.call(this, bytes, at, Math.min(length, broken.bytes), position);
    throw failure(broken.code);
  });
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: it fails`), { code });

/** Makes so many appends write the first bytes only, and fail. */
async function failAppends(times: number, code: string, bytes = 0): Promise<void> {
  let left = times;
  await breakWrites(() => (left-- > 0 ? { bytes, code } : null));
}

describe('a file that cannot be written for a while', () => {
  it.each([
    ['ENOSPC', 'free some space on its disk'],
    ['EDQUOT', 'free some space, or raise the quota'],
    ['EFBIG', 'ulimit -f'],
    ['EROFS', 'make its file system writable'],
    ['EIO', 'look at its disk'],
    ['EWHAT', 'EWHAT: it fails)'],
  ])('is tried again, and said once: %s', async (code, advice) => {
    const said: string[] = [];
    const writer = new FileWriter(options());
    const retries = { delay: 1, max_delay: 1, max_jitter: 0, max_retries: -1 };
    const retried = new RetriedWriter(writer, { retries, onProblem: (text) => said.push(text) });
    await retried.write(['before\n']);
    await failAppends(3, code, 4);
    await retried.write(['one\n', 'two\n']);
    await retried.write(['three\n']);
    await retried.close();
    expect(readFileSync(at('out.log'), 'utf8')).toBe('before\none\ntwo\nthree\n');
    expect(said).toEqual([expect.stringContaining(`${at('out.log')} cannot be written (${code}: it fails)`), 'is delivered to again']);
    expect(said[0]).toContain(advice);
  });

  it('is begun anew when it was moved away to make room', async () => {
    const writer = new FileWriter(options());
    await writer.write(['before\n']);
    await failAppends(2, 'ENOSPC', 2);
    await expect(writer.write(['one\n'])).rejects.toThrow('free some space');
    await expect(writer.write(['one\n'])).rejects.toThrow('free some space');
    await rename(at('out.log'), at('moved'));
    await writer.write(['one\n']);
    await writer.close();
    expect([readFileSync(at('moved'), 'utf8'), readFileSync(at('out.log'), 'utf8')]).toEqual(['before\n', 'one\n']);
  });

  it('has half a message cut off later, when that fails too', async () => {
    const writer = new FileWriter(options());
    await writer.write(['before\n']);
    await failAppends(1, 'EIO', 3);
    const shared = await methods();
    const refused = vi.spyOn(shared, 'truncate').mockRejectedValueOnce(failure('EIO')).mockRejectedValueOnce(failure('EIO'));
    await expect(writer.write(['one\n'])).rejects.toThrow('cannot be written');
    await expect(writer.write(['one\n'])).rejects.toThrow('cannot be written');
    expect(readFileSync(at('out.log'), 'utf8')).toBe('before\none');
    await writer.write(['one\n']);
    await writer.close();
    expect(refused).toHaveBeenCalledTimes(3);
    expect(readFileSync(at('out.log'), 'utf8')).toBe('before\none\n');
  });

  it('is left without half a message when it is closed', async () => {
    const writer = new FileWriter(options());
    await failAppends(1, 'EIO', 3);
    vi.spyOn(await methods(), 'truncate').mockRejectedValueOnce(failure('EIO'));
    await expect(writer.write(['one\n'])).rejects.toThrow('cannot be written');
    await writer.close();
    expect(readFileSync(at('out.log'), 'utf8')).toBe('');
  });

  it('has a batch once whose sync failed, and those before it are counted', async () => {
    const said: string[] = [];
    const writer = new FileWriter(options({ flushCount: 3, flushInterval: 0, onProblem: (text) => said.push(text) }));
    await writer.write(['a\n', 'b\n']);
    vi.spyOn(await methods(), 'sync').mockRejectedValueOnce(failure('ENOSPC'));
    await expect(writer.write(['c\n'])).rejects.toThrow('free some space');
    await writer.write(['c\n']);
    await writer.close();
    expect(readFileSync(at('out.log'), 'utf8')).toBe('a\nb\nc\n');
    expect(said).toEqual([`2 messages that were written to ${at('out.log')} may not have reached the disk: ENOSPC: it fails`]);
  });

  it('is not written twice when it is one that has no disk', async () => {
    vi.spyOn(await methods(), 'sync').mockRejectedValue(failure('EINVAL'));
    const writer = new FileWriter(options({ flushInterval: 0 }));
    await writer.write(['a\n']);
    await writer.close();
    expect(readFileSync(at('out.log'), 'utf8')).toBe('a\n');
  });
});

describe('a file on a mount that goes away', () => {
  it('is opened anew, and has what was written in part once', async () => {
    const shared = await methods();
    const dead = new Set<FileHandle>();
    const { stat, truncate } = shared;
    let breaks = false;
    await breakWrites((handle) => {
      if (!breaks) return null;
      breaks = false;
      dead.add(handle);
      return { bytes: 3, code: 'ESTALE' };
    });
    const stale = function (this: FileHandle, work: () => unknown): unknown {
      if (dead.has(this)) throw failure('ESTALE');
      return work();
    };
    vi.spyOn(shared, 'stat').mockImplementation(async function (this: FileHandle, ...args: []) {
      return stale.call(this, () => stat.apply(this, args)) as never;
    });
    vi.spyOn(shared, 'truncate').mockImplementation(async function (this: FileHandle, size) {
      await stale.call(this, () => truncate.call(this, size));
    });
    const writer = new FileWriter(options());
    await writer.write(['one\n']);
    breaks = true;
    await expect(writer.write(['two\n', 'three\n'])).rejects.toThrow('ESTALE');
    await writer.write(['two\n', 'three\n']);
    await writer.write(['four\n']);
    await writer.close();
    expect(readFileSync(at('out.log'), 'utf8')).toBe('one\ntwo\nthree\nfour\n');
  });
});
