import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRegularFile, readRegularFileSync, type RegularFile } from '../../../../engine/base/files/regular-file.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluicebox-regular-')));
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

type Read = (path: string, maxBytes: number, allow?: (place: string) => void) => Promise<RegularFile>;

describe.each<[string, Read]>([
  ['at once', async (...args) => Promise.resolve(readRegularFileSync(...args))],
  ['in the background', readRegularFile],
])('reading a regular file %s', (_, read) => {
  it('returns its bytes and its place without links', async () => {
    const path = write('a.txt', 'häh');
    rmSync(at('link'), { force: true });
    symlinkSync(path, at('link'));
    expect(await read(at('link'), 4)).toEqual({ place: path, bytes: Buffer.from('häh') });
    expect((await read(write('empty', ''), 0)).bytes).toHaveLength(0);
  });

  it('reads files of the system, which have no size', async () => {
    expect((await read('/proc/self/status', 1 << 20)).bytes.toString()).toContain('Pid:');
    await expect(read('/proc/self/status', 10)).rejects.toThrow('it is too large: at most 10 bytes are read');
  });

  it('refuses what is no regular file, without waiting for it', async () => {
    rmSync(at('pipe'), { force: true });
    execFileSync('mkfifo', [at('pipe')]);
    rmSync(at('zero'), { force: true });
    symlinkSync('/dev/zero', at('zero'));
    mkdirSync(at('dir'), { recursive: true });
    await expect(read(at('pipe'), 10)).rejects.toThrow('it is a pipe, not a regular file');
    await expect(read(at('zero'), 10)).rejects.toThrow('it is a device, not a regular file');
    await expect(read(at('dir'), 10)).rejects.toThrow('it is a folder, not a regular file');
    await expect(read(at('none'), 10)).rejects.toThrow('ENOENT');
  });

  it('refuses what is larger, also when it grows after it was looked at', async () => {
    await expect(read(write('large', '123456'), 5)).rejects.toThrow('it is too large: at most 5 bytes are read');
    const growing = write('growing', '123');
    await expect(read(growing, 5, () => appendFileSync(growing, '456'))).rejects.toThrow('it is too large');
  });

  it('reads the file whose place was allowed, though another takes its path', async () => {
    rmSync(at('swapped'), { force: true });
    const path = write('swapped', 'own');
    const secret = write('secret', 'secret');
    const swap = (): void => {
      rmSync(path);
      symlinkSync(secret, path);
    };
    expect(await read(path, 10, swap)).toEqual({ place: path, bytes: Buffer.from('own') });
    const places: string[] = [];
    await read(path, 10, (place) => places.push(place));
    expect(places).toEqual([secret]);
  });

  it('reads nothing that is not allowed', async () => {
    const refused = new Error('not that');
    await expect(
      read(write('b.txt', 'b'), 10, () => {
        throw refused;
      }),
    ).rejects.toBe(refused);
  });
});
