import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressed, isDamaged } from '../../../engine/inputs/decompress.ts';

const TEXT = Array.from({ length: 20_000 }, (_, i) => `line ${i * 7919}\n`).join('');
const PACK = { gzip: (text: string) => gzipSync(text), zstd: (text: string) => zstdCompressSync(Buffer.from(text)) };

/** All that comes out of some bytes, in chunks of this size, and the error at the end. */
async function unpack(bytes: Buffer, format: 'gzip' | 'zstd', size = 10_000): Promise<{ readonly text: string; readonly error: unknown }> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const read: Buffer[] = [];
  try {
    for await (const chunk of decompressed(chunks(), format)) read.push(chunk);
    return { text: Buffer.concat(read).toString(), error: null };
  } catch (error) {
    return { text: Buffer.concat(read).toString(), error };
  }
}

describe.each(['gzip', 'zstd'] as const)('%s', (format) => {
  const packed = PACK[format](TEXT);

  it.each([1000, 1 << 20])('gives the text, from chunks of %d bytes', async (size) => {
    expect(await unpack(packed, format, size)).toEqual({ text: TEXT, error: null });
  });

  it('reads several members', async () => {
    expect(await unpack(Buffer.concat([PACK[format]('a'), PACK[format]('b')]), format)).toEqual({ text: 'ab', error: null });
  });

  it('gives what can be read of a stream that ends too early', async () => {
    const { text, error } = await unpack(packed.subarray(0, packed.length - 4), format);
    expect(TEXT.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(TEXT.length / 2);
    expect(isDamaged(error)).toBe(true);
  });

  it('ends its source when it is left', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield await Promise.resolve(packed);
      } finally {
        ended = true;
      }
    }
    for await (const _ of decompressed(source(), format)) break;
    expect(ended).toBe(true);
  });
});

it('gives everything before a checksum that is wrong', async () => {
  const packed = PACK.gzip(TEXT);
  packed[packed.length - 6] = (packed[packed.length - 6] as number) ^ 1;
  const { text, error } = await unpack(packed, 'gzip');
  expect(text).toBe(TEXT);
  expect(isDamaged(error)).toBe(true);
});

it.each([
  [Object.assign(new Error('x'), { code: 'Z_BUF_ERROR' }), true],
  [Object.assign(new Error('x'), { code: 'ZSTD_error_corruption_detected' }), true],
  [Object.assign(new Error('x'), { code: 'ENOENT' }), false],
  [new Error('x'), false],
  ['Z_DATA_ERROR', false],
])('damage: case %#', (error, is) => expect(isDamaged(error)).toBe(is));
