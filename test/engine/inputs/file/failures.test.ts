import { appendFile, open, rename, rm, stat, utimes, writeFile, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:os';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { until } from '../../../until.ts';
import { temporaryFolder } from '../harness.ts';
import { follow } from './follow.ts';

afterEach(() => void vi.restoreAllMocks());

/** As Node tells the errors of the system that it has no names for. */
function failure(name: 'ESTALE' | 'EIO'): Error {
  const code = name === 'EIO' ? name : `Unknown system error -${constants.errno[name]}`;
  return Object.assign(new Error(`${code}: ${code}, read`), { code, errno: -constants.errno[name] });
}

/** Lets all reads of files fail until it is told that they may go on; `forEver`: files that are read meanwhile are dead from then on. */
async function failing(path: string, error: Error, forEver: boolean): Promise<() => void> {
  const handle = await open(path);
  await handle.close();
  const shared = Object.getPrototypeOf(handle) as FileHandle;
  const { read, stat } = shared;
  const dead = new WeakSet<FileHandle>();
  let away = true;
  vi.spyOn(shared, 'read').mockImplementation(async function (this: FileHandle, ...args: Parameters<typeof read>) {
    if (away && forEver) dead.add(this);
    if (away || dead.has(this)) throw error;
    return read.apply(this, args);
  });
  vi.spyOn(shared, 'stat').mockImplementation(async function (this: FileHandle, ...args: Parameters<typeof stat>) {
    if (away && forEver) dead.add(this);
    if (dead.has(this)) throw error;
    return stat.apply(this, args);
  });
  return () => void (away = false);
}

it('a log that is rotated while its server is away is read to its end before the next one', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('app.log');
  await writeFile(log, '1\n');
  await using run = await follow([log], { pollMs: 20 });
  await run.expect(['1']);
  const isBack = await failing(log, failure('ESTALE'), true);
  await appendFile(log, '2\n');
  expect(await run.notice('file.unreadable')).toContain('ESTALE: stale file handle, read');
  await rename(log, `${log}.1`);
  await writeFile(log, '3\n');
  await until(() => run.input.files().length === 2);
  isBack();
  await run.expect(['1', '2', '3']);
  expect(run.sink.codes.filter((code) => code === 'file.unreadable')).toHaveLength(1);
});

it('a packed file that has grown is read on when its server is back', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('app.log.gz');
  await writeFile(log, gzipSync('1\n'));
  await using run = await follow([log], { pollMs: 20 });
  await run.expect(['1']);
  const isBack = await failing(log, failure('ESTALE'), true);
  await appendFile(log, gzipSync('2\n'));
  await run.notice('file.unreadable');
  isBack();
  await run.expect(['1', '2']);
});

it('a log that nobody has read is read of what it was packed to while its server was away', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('app.log');
  const records = [0, 1, 2].map((number) => `${number} ${'x'.repeat(100)}`);
  const [first, second, third] = records.map((record) => `${record}\n`) as [string, string, string];
  await writeFile(log, first);
  await using run = await follow([log], { pollMs: 20 });
  await run.expect(records.slice(0, 1));
  const isBack = await failing(log, failure('ESTALE'), true);
  for (const [text, count] of [
    [second, 2],
    [third, 3],
  ] as const) {
    await rename(log, `${log}.${4 - count}`);
    await writeFile(log, text);
    await until(() => run.input.files().length === count);
  }
  const { mtime } = await stat(`${log}.1`);
  await writeFile(`${log}.2.gz`, gzipSync(second));
  await utimes(`${log}.2.gz`, mtime, mtime);
  await rm(`${log}.1`);
  isBack();
  await run.expect(records);
  expect(run.input.figures()).toEqual({ LostFileCount: 0, LostFileBytes: 0 });
});

it('a file that was removed is kept open while its disk fails', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('app.log');
  await writeFile(log, '1\n');
  await using run = await follow([log], { pollMs: 20 });
  await run.expect(['1']);
  const isBack = await failing(log, failure('EIO'), false);
  await appendFile(log, '2\n');
  await run.notice('file.unreadable');
  await appendFile(log, '3\n');
  await rm(log);
  await run.notice('file.vanished');
  isBack();
  await run.expect(['1', '2', '3']);
  expect(run.input.figures()).toEqual({ LostFileCount: 0, LostFileBytes: 0 });
});

it.runIf(process.platform === 'linux')('a file that a pattern fits and whose name is not UTF-8 is told, beside what is read', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('app.log'), '1\n');
  await writeFile(Buffer.concat([Buffer.from(folder.file('bad')), Buffer.from([0xff]), Buffer.from('.log')]), '2\n');
  await using run = await follow([folder.file('*.log')], { pollMs: 20 });
  await run.expect(['1']);
  expect(await run.notice('file.missing')).toContain('bad\ufffd.log does not exist, or its name is not UTF-8');
});
