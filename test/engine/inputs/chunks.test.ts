import { mkdtempSync, rmSync, writeFileSync, openSync, closeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  copies,
  fdChunks,
  fileChunks,
  streamChunks,
  textChunks,
  unpackedChunks,
  wholeUtf16,
  type Chunks,
} from '../../../engine/inputs/chunks.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-chunks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function all(chunks: Chunks): Promise<string> {
  const read: Buffer[] = [];
  for await (const chunk of copies(chunks)) read.push(chunk);
  return Buffer.concat(read).toString();
}

async function* pieces(bytes: Buffer, size: number): Chunks {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

describe('a file', () => {
  const path = join(folder, 'large');
  const text = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('');
  writeFileSync(path, text);

  it('is read to its end, from a position', async () => {
    const handle = await open(path);
    expect(await all(fileChunks(handle))).toBe(text);
    expect(await all(fileChunks(handle, text.length - 5))).toBe(text.slice(-5));
    expect(await all(fileChunks(handle, text.length))).toBe('');
    await handle.close();
  });

  it('is read under a number', async () => {
    const fd = openSync(path, 'r');
    expect(await all(fdChunks(fd))).toBe(text);
    closeSync(fd);
  });

  it('can be closed when the reading is left', async () => {
    const handle = await open(path);
    for await (const chunk of fileChunks(handle)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await handle.close();
  });
});

it('a stream is bytes, also when it gives texts', async () => {
  expect(await all(streamChunks(Readable.from(['ä', Buffer.from('b')])))).toBe('äb');
});

describe('the text of a source', () => {
  const TEXT = 'aä😀\nb';
  const utf16 = (text: string, big: boolean): Buffer => (big ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
  const sources: Record<string, Buffer> = {
    'UTF-8': Buffer.from(TEXT),
    'UTF-8 with a mark': Buffer.from(`\ufeff${TEXT}`),
    'UTF-16LE': utf16(`\ufeff${TEXT}`, false),
    'UTF-16BE': utf16(`\ufeff${TEXT}`, true),
    gzip: gzipSync(TEXT),
    'gzip within gzip': gzipSync(gzipSync(`\ufeff${TEXT}`)),
  };
  it.each(Object.keys(sources).flatMap((name) => [1, 3, 1000].map((size) => [name, size] as const)))(
    '%s, in pieces of %d bytes',
    async (name, size) => {
      expect(await all(textChunks(pieces(sources[name] as Buffer, size), 'x'))).toBe(TEXT);
    },
  );

  it('is refused when it is none, unless bytes are taken as they are', async () => {
    const bytes = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0, 1, 2, 3, 0]);
    await expect(all(textChunks(pieces(bytes, 100), 'name'))).rejects.toMatchObject({
      code: 'file.binary',
      message: expect.stringMatching(/^name is /) as unknown,
    });
    expect(await all(textChunks(pieces(bytes, 100), 'name', { binary: true }))).toBe(bytes.toString());
  });

  it('of bytes that are only unpacked', async () => {
    expect(await all(unpackedChunks(pieces(gzipSync('\ufeffx'), 3), 'x'))).toBe('\ufeffx');
    expect(await all(unpackedChunks(pieces(Buffer.from('\ufeffx'), 3), 'x'))).toBe('\ufeffx');
  });
});

describe('whole characters of UTF-16', () => {
  it.each(['utf-16le', 'utf-16be'] as const)('%s: no pair is cut through', (encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 10 }), fc.nat(40), (text, cut) => {
        const bytes = Buffer.from(text, 'utf16le');
        const part = (encoding === 'utf-16le' ? bytes : bytes.swap16()).subarray(0, cut);
        const whole = wholeUtf16(part, encoding);
        expect(part.length - whole).toBeLessThan(4);
        const units = encoding === 'utf-16le' ? Buffer.from(part.subarray(0, whole)) : Buffer.from(part.subarray(0, whole)).swap16();
        expect(text.startsWith(units.toString('utf16le'))).toBe(true);
        expect(units.toString('utf16le').isWellFormed()).toBe(true);
      }),
    );
  });
});
