import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressed, isDamaged } from '../../../engine/inputs/decompress.ts';
import { TooLargeError } from '../../../engine/inputs/packed/errors.ts';
import { compressionBy } from '../../../engine/inputs/probe.ts';
import type { Compression } from '../../../engine/inputs/probe.ts';
import fc from '../../fast-check.ts';
import { packed, packedNuls, TEXT } from './packed/fixtures.ts';

const NULS = Buffer.alloc(4 << 20);

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function unpack(
  bytes: Buffer,
  format: Compression,
  { size = 64 << 10, bounds }: { size?: number; bounds?: { ratio: number; freeBytes: number } } = {},
) {
  const found: Buffer[] = [];
  let error: unknown = null;
  try {
    for await (const chunk of decompressed(pieces(bytes, size), format, bounds)) found.push(Buffer.from(chunk));
  } catch (caught) {
    error = caught;
  }
  return { text: Buffer.concat(found), error };
}

const FORMS: readonly [title: string, format: Compression, bytes: Buffer][] = [
  ['gzip', 'gzip', gzipSync(TEXT)],
  ['zstd', 'zstd', zstdCompressSync(TEXT, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
  ['bzip2', 'bzip2', packed('bzip2')],
  ['xz', 'xz', packed('xz')],
  ['lz4', 'lz4', packed('lz4')],
  ['lz4 of the legacy form', 'lz4', packed('lz4Legacy')],
];

describe.each(FORMS)('a text packed by %s', (_title, format, bytes) => {
  it('is known by its first bytes, and read as it was', async () => {
    expect(compressionBy(bytes)).toBe(format);
    for (const size of [1, 7, 64 << 10]) expect(await unpack(bytes, format, { size })).toEqual({ text: TEXT, error: null });
  });

  it('may be several one after the other', async () => {
    expect(await unpack(Buffer.concat([bytes, bytes, bytes]), format, { size: 11 })).toEqual({
      text: Buffer.concat([TEXT, TEXT, TEXT]),
      error: null,
    });
  });

  it('that is cut gives what can be read, and tells', async () => {
    for (const length of [bytes.length - 1, bytes.length >> 1, 12]) {
      const { text, error } = await unpack(bytes.subarray(0, length), format);
      expect(TEXT.subarray(0, text.length)).toEqual(text);
      expect(isDamaged(error)).toBe(true);
    }
    const { text, error } = await unpack(Buffer.concat([bytes, bytes.subarray(0, -1)]), format);
    expect(text.subarray(0, TEXT.length)).toEqual(TEXT);
    expect(isDamaged(error)).toBe(true);
  });
});

const CHECKED = FORMS.filter(([title]) => title !== 'lz4 of the legacy form');

it.each(CHECKED)(
  'a text packed by %s, with a checksum, that is damaged is never another one without a word',
  async (_title, format, bytes) => {
    for (let at = 12; at < bytes.length - 12; at += 17) {
      const bad = Buffer.from(bytes);
      bad[at] = (bad[at] as number) ^ 0x24;
      const { text, error } = await unpack(bad, format);
      expect(text.equals(TEXT) || isDamaged(error)).toBe(true);
    }
  },
);

describe.each<[Compression, Buffer]>([
  ['gzip', gzipSync(NULS)],
  ['zstd', zstdCompressSync(NULS)],
  ['bzip2', packedNuls('bzip2')],
  ['xz', packedNuls('xz')],
])('a bomb of %s', (format, bytes) => {
  it('is read up to the bound', async () => {
    const { text, error } = await unpack(bytes, format, { bounds: { ratio: 100, freeBytes: 1 << 20 } });
    expect(error).toBeInstanceOf(TooLargeError);
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(1 << 20);
    expect((await unpack(bytes, format, { bounds: { ratio: 100, freeBytes: 8 << 20 } })).text.length).toBe(NULS.length);
  });
});

describe('a bomb of lz4', () => {
  it('is read up to the bound', async () => {
    const literal = Buffer.from([0x1f, 0, 1, 0, ...Array<number>(250).fill(255), 0, 0x50, 0, 0, 0, 0, 0]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(literal.length);
    const bomb = Buffer.concat([
      Buffer.from([0x02, 0x21, 0x4c, 0x18]),
      ...Array.from({ length: 40 }, () => Buffer.concat([size, literal])),
    ]);
    const { text, error } = await unpack(bomb, 'lz4', { bounds: { ratio: 20, freeBytes: 200_000 } });
    expect(error).toBeInstanceOf(TooLargeError);
    expect(text.length).toBeLessThanOrEqual(200_000);
  });
});

it.each([
  ['gzip', (bytes: Buffer) => gzipSync(bytes)],
  ['zstd', (bytes: Buffer) => zstdCompressSync(bytes)],
] as const)('what is packed by %s is read back, whatever it is', async (format, pack) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.integer({ min: 1, max: 900 }), async (bytes, size) => {
      const text = Buffer.from(bytes);
      expect(await unpack(pack(text), format, { size })).toEqual({ text, error: null });
    }),
    { numRuns: 30 },
  );
});

it('the source of a text is ended when the text is left', async () => {
  let ended = false;
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield await Promise.resolve(gzipSync(TEXT));
    } finally {
      ended = true;
    }
  }
  for await (const _ of decompressed(source(), 'gzip')) break;
  expect(ended).toBe(true);
});

it.each([
  [Object.assign(new Error('x'), { code: 'Z_BUF_ERROR' }), true],
  [Object.assign(new Error('x'), { code: 'ZSTD_error_corruption_detected' }), true],
  [Object.assign(new Error('x'), { code: 'ENOENT' }), false],
  [new Error('x'), false],
  ['Z_DATA_ERROR', false],
])('damage: case %#', (error, is) => expect(isDamaged(error)).toBe(is));
