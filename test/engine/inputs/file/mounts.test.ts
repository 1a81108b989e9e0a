import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, open, rename, rm, symlink, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CheckpointFile } from '../../../../engine/inputs/checkpoint.ts';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const lines = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `line number ${from + i} of a log`);
const text = (from: number, to: number): string =>
  lines(from, to)
    .map((line) => `${line}\n`)
    .join('');

async function started(paths: string[], state: string, sink = new TestSink()): Promise<{ input: FileInput; sink: TestSink }> {
  const input = new FileInput({ name: 'test', paths, pollMs: 20, flushMs: 100, stateDirectory: state });
  cleanups.push(() => input.stop());
  await input.start(sink);
  return { input, sink };
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: it is away`), { code });

/** The methods that all open files share. */
async function methods(path: string): Promise<FileHandle> {
  const handle = await open(path);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

describe.each(['EIO', 'ESTALE', 'ENOTCONN'])('a file that answers %s', (code) => {
  it('is opened anew when it can be read again: nothing is lost or doubled, and it is said once', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, text(0, 10));
    const shared = await methods(log);
    const { read } = shared;
    const dead = new WeakSet<FileHandle>();
    let away = false;
    vi.spyOn(shared, 'read').mockImplementation(async function (this: FileHandle, ...args: Parameters<typeof read>) {
      // A handle that is opened while the mount is away stays dead when it is back.
      if (away) dead.add(this);
      if (dead.has(this)) throw failure(code);
      return read.apply(this, args);
    });
    const { sink } = await started([log], folder.file('state'));
    await until(() => sink.payloads.length === 10);
    for (const from of [10, 20]) {
      away = true;
      await appendFile(log, text(from, from + 10));
      await until(() => sink.codes.filter((told) => told === 'file.unreadable').length === from / 10, 'the problem');
      away = false;
      await until(() => sink.payloads.length === from + 10, 'what was written meanwhile');
    }
    expect(sink.payloads).toEqual(lines(0, 30));
    expect(sink.codes).toEqual(['file.unreadable', 'file.readable', 'file.unreadable', 'file.readable']);
  });
});

it('a file without a name on a mount that is away does not hold up others', async () => {
  await using folder = await temporaryFolder();
  const [log, other] = [folder.file('a.log'), folder.file('b.log')];
  await writeFile(log, text(0, 3));
  await writeFile(other, '');
  const { sink, input } = await started([log, other], folder.file('state'));
  await until(() => sink.payloads.length === 3);
  const shared = await methods(log);
  const { stat } = shared;
  vi.spyOn(shared, 'stat').mockImplementation(async function (this: FileHandle, ...args: Parameters<typeof stat>) {
    if (args[0]?.bigint === true) throw failure('ESTALE');
    return stat.apply(this, args);
  });
  await rm(log);
  await until(() => sink.codes.includes('file.vanished'));
  await appendFile(other, text(3, 6));
  await until(() => sink.payloads.length === 6);
  expect(sink.codes).not.toContain('input.failed');
  // It writes its checkpoint into the folder.
  await input.stop();
});

describe('a checkpoint', () => {
  it('is written again when its folder is another one', async () => {
    await using folder = await temporaryFolder();
    const state = folder.file('state');
    const checkpoint = new CheckpointFile(state, 'test', () => undefined);
    await checkpoint.save([]);
    await rename(state, folder.file('away'));
    await mkdir(state);
    await checkpoint.save([]);
    expect(existsSync(checkpoint.path)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('whose disk is away is no reason to read all files again', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, text(0, 3));
    const first = await started([log], folder.file('state'));
    await until(() => first.sink.payloads.length === 3);
    await first.input.stop();
    const checkpoint = folder.file('state/test.json');
    await rename(checkpoint, folder.file('kept'));
    // Reading the memory of a process at address 0 is answered by EIO.
    await symlink('/proc/self/mem', checkpoint);
    const input = new FileInput({ name: 'test', paths: [log], stateDirectory: folder.file('state') });
    await expect(input.start(new TestSink())).rejects.toThrow(/EIO.*Start again when its disk is back/);
    await rename(folder.file('kept'), checkpoint);
    const second = await started([log], folder.file('state'));
    await appendFile(log, text(3, 5));
    await until(() => second.sink.payloads.length === 2);
    expect(second.sink.payloads).toEqual(lines(3, 5));
  });
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts();

/** Whether file systems can be mounted here: in many containers even root may not. */
function mounts(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.runIf(canMount)('a folder that is unmounted and mounted again', () => {
  const mount = (...args: string[]): void => void execFileSync('mount', args);
  const unmount = (path: string): void => void spawnSync('umount', ['-l', path], { stdio: 'ignore' });

  it.each([
    ['as the same', false, 'file'],
    ['as a copy, with other numbers', true, 'file'],
    ['as the same, with a pattern', false, 'pattern'],
    ['as a copy, with a pattern', true, 'pattern'],
  ])('%s: nothing is lost or read twice', async (_what, copied, named) => {
    await using folder = await temporaryFolder();
    const [place, disk, copy] = [folder.file('mnt'), folder.file('disk'), folder.file('copy')];
    for (const path of [place, disk, copy]) await mkdir(path);
    using _unmounts = { [Symbol.dispose]: () => [copy, place].forEach(unmount) };
    if (copied) mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', copy);
    const log = join(place, 'a.log');
    mount('--bind', disk, place);
    await writeFile(log, text(0, 10));
    const paths = [named === 'file' ? log : join(place, '*.log')];
    const { sink, input } = await started(paths, folder.file('state'));
    await until(() => sink.payloads.length === 10);
    unmount(place);
    // The mount point is empty, and is no file that was truncated.
    await until(
      () => sink.codes.includes('file.vanished'),
      () => sink.codes.join(),
    );
    const source = copied ? copy : disk;
    if (copied) await copyFile(join(disk, 'a.log'), join(copy, 'a.log'));
    await appendFile(join(source, 'a.log'), text(10, 15));
    mount('--bind', source, place);
    await until(() => sink.payloads.length >= 15, 'what was written meanwhile');
    await appendFile(log, text(15, 20));
    await until(() => sink.payloads.length >= 20);
    expect(sink.payloads).toEqual(lines(0, 20));
    await input.stop();
    const again = await started(paths, folder.file('state'));
    await appendFile(log, text(20, 21));
    await until(() => again.sink.payloads.length > 0);
    expect(again.sink.payloads).toEqual(lines(20, 21));
    await again.input.stop();
  });
});
