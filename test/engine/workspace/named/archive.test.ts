import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ArchiveReader, writeArchive } from '../../../../engine/workspace/named/archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-archive-'));
const path = join(folder, 'a.archive');
afterAll(() => rmSync(folder, { recursive: true }));

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
  await Promise.resolve();
}

/** Writes an archive of these parts; returns the bytes that it says to have taken. */
async function write(head: unknown, ...parts: Uint8Array[][]): Promise<number> {
  const written: Uint8Array[] = [];
  let taken = 0;
  const target = {
    signal: new AbortController().signal,
    write: (bytes: Uint8Array, more: number) => {
      written.push(bytes);
      taken += more;
      return Promise.resolve();
    },
  };
  await writeArchive(
    head,
    parts.map((part) => pieces(...part)),
    target as unknown as Parameters<typeof writeArchive>[2],
  );
  writeFileSync(path, Buffer.concat(written));
  return taken;
}

async function read(parts: number): Promise<{ head: unknown; parts: Buffer[] }> {
  await using reader = new ArchiveReader(path);
  const head = await reader.head();
  const found: Buffer[] = [];
  for (let i = 0; i < parts; i++) {
    const content: Uint8Array[] = [];
    for await (const piece of reader.part()) content.push(piece);
    found.push(Buffer.concat(content));
  }
  await reader.end();
  return { head, parts: found };
}

/** A text as an archive would hold it. */
const damaged = (content: string | Buffer): void => writeFileSync(path, zstdCompressSync(content));
const REFUSED = (why: string) => ({ code: 'workspace.damaged', message: expect.stringContaining(why) as string });

describe('an archive', () => {
  it('is read as it was written, also with parts that are large or empty', async () => {
    const large = Buffer.alloc(3 << 20, 'x');
    expect(await write({ a: 'é\n' }, [Buffer.from('one'), Buffer.from('two')], [], [large])).toBe(6 + large.length);
    const { head, parts } = await read(3);
    expect(head).toEqual({ a: 'é\n' });
    expect(parts.map((part) => part.length)).toEqual([6, 0, large.length]);
    expect(parts[2]?.equals(large)).toBe(true);
  });

  it.each<[string, () => void, string]>([
    ['it is cut', () => writeFileSync(path, readFileSync(path).subarray(0, -9)), ''],
    [
      'a byte of it is another',
      () =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => (i === 30 ? byte ^ 1 : byte)),
        ),
      '',
    ],
    ['it has more parts', () => damaged(Buffer.from('1\n\0\0\0\0\0\0\0\0')), 'more follows than it says'],
    ['something follows it', () => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('more')])), ''],
    ['a part is missing', () => damaged('1\n'), 'it ends too early'],
    ['a piece is too long', () => damaged(Buffer.from('1\n\xff\0\0\0', 'latin1')), 'a piece of it is too long'],
    ['its first line is another', () => damaged('{\n'), 'its first line is not JSON'],
    ['its first line is deep', () => damaged(`${'['.repeat(1000)}\n`), 'too many values'],
    ['it has no line', () => damaged('{}'), 'it ends too early'],
    ['it is something else', () => writeFileSync(path, 'something else'), ''],
  ])('is refused where %s', async (_what, damage, why) => {
    await write({}, [Buffer.from('x'.repeat(40))]);
    damage();
    await expect(read(1)).rejects.toMatchObject(REFUSED(why));
  });
});
