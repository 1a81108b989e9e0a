import { mkdtempSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { bytesBefore, compressionOf, firstBytes, isAt, matchUnpacked } from '../../../../engine/inputs/file/identity.ts';
import { GUARD_BYTES, positionHash } from '../../../../engine/inputs/position-hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-test-'));
const open_: FileHandle[] = [];
afterEach(async () => {
  for (const handle of open_.splice(0)) await handle.close();
});

async function fileOf(content: string | Buffer): Promise<FileHandle> {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const handle = await open(path);
  open_.push(handle);
  return handle;
}
const LONG = Array.from({ length: 400 }, (_, i) => `line ${i}\n`).join('');
const position = (text: string, offset: number) => ({
  offset,
  hash: positionHash(Buffer.from(text.slice(Math.max(0, offset - GUARD_BYTES), offset))),
});

describe('a place in a file', () => {
  it('is told by the bytes before it', async () => {
    const file = await fileOf(LONG);
    expect((await bytesBefore(file, 4))?.toString()).toBe('line');
    expect((await bytesBefore(file, 2000))?.toString()).toBe(LONG.slice(2000 - GUARD_BYTES, 2000));
    expect([await bytesBefore(file, 0), await bytesBefore(file, 1e6)]).toEqual([Buffer.alloc(0), null]);
    expect([await isAt(position(LONG, 2000), file), await isAt(position(LONG, 0), file)]).toEqual([true, true]);
    expect([
      await isAt({ ...position(LONG, 2000), offset: 2001 }, file),
      await isAt({ ...position(LONG, 2000), offset: 1e6 }, file),
    ]).toEqual([false, false]);
  });

  it('is found in a packed copy, the last one of several', async () => {
    const packed = await fileOf(gzipSync(LONG));
    const places = [position(LONG, 100), position(LONG, 3000), { ...position(LONG, 500), offset: 3500 }];
    const found = await matchUnpacked(packed, places);
    expect(found?.match).toBe(places[1]);
    expect(found?.guard.toString()).toBe(LONG.slice(3000 - GUARD_BYTES, 3000));
    expect(await matchUnpacked(await fileOf(gzipSync('other')), places)).toBeNull();
  });
});

it('a file begins with its first bytes, unless it is packed', async () => {
  expect((await firstBytes(await fileOf('abc')))?.toString()).toBe('abc');
  expect(await firstBytes(await fileOf(''))).toBeNull();
  expect(await firstBytes(await fileOf(gzipSync('abc')))).toEqual(Buffer.alloc(0));
  expect([await compressionOf(await fileOf(gzipSync('a'))), await compressionOf(await fileOf('a'))]).toEqual(['gzip', null]);
});
