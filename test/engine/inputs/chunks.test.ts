import { mkdtempSync, rmSync, writeFileSync, openSync, closeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { copies, fdChunks, fileChunks, streamChunks, textChunks, unpackedChunks, type Chunks } from '../../../engine/inputs/chunks.ts';

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

describe('a text that is no plain lines of UTF-8', () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const swapped = (text: string): Buffer => Buffer.from(utf16(text)).swap16();
  const cases: [title: string, parts: readonly (string | Buffer)[], text: string][] = [
    ['UTF-16 with bytes of line feeds in its characters', [utf16('\ufeff以上\n上'), utf16('上海\n'), utf16('\n上')], '以上\n上上海\n\n上'],
    ['carriage returns alone', ['a\rb\rc'], 'a\nb\nc'],
    ['carriage returns of a progress bar', ['1%\r2%\r\nb\n'], '1%\r2%\r\nb\n'],
    ['NUL between messages', ['<1>a\0<2>b\0'], '<1>a\n<2>b\n'],
    ['UTF-16 that goes on in ASCII', [utf16('\ufeffaé\r\nb\r\n'), 'c\r\nd\n'], 'aé\r\nb\r\nc\r\nd\n'],
    ['the same, and UTF-16 again', [utf16('\ufeffa\n'), 'bc\n', utf16('\ufeffd\n中文\n')], 'a\nbc\nd\n中文\n'],
    ['the same, most significant byte first', [swapped('\ufeffa\n'), 'bc\n', swapped('d\n')], 'a\nbc\nd\n'],
    ['Chinese in UTF-16', [utf16('\ufeff' + '你好世界'.repeat(20) + '\n')], '你好世界'.repeat(20) + '\n'],
  ];
  it.each(cases)('%s', async (_title, parts, text) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    // The first piece of a text tells what ends its lines.
    const sizes = parts.length > 1 ? [bytes.length, 64, 7, 1] : [bytes.length, 64];
    for (const size of sizes) expect(await all(textChunks(pieces(bytes, size), 'x'))).toBe(text);
  });
});
