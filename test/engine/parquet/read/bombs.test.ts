/** Parquet files of strangers: none takes more memory than its bounds, however little it has. */
import { constants, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Codec, Encoding, Page, Physical } from '../../../../engine/parquet/column.ts';
import { ByteReader, MemoryBudget, ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import { readLeaf, type Leaf, type LeafKind } from '../../../../engine/parquet/read/chunk.ts';
import { ReadColumn } from '../../../../engine/parquet/read/column-slice.ts';
import { metadataOf } from '../../../../engine/parquet/read/metadata.ts';
import { TableReader } from '../../../../engine/parquet/read/table-reader.ts';
import { readStruct, ThriftView } from '../../../../engine/parquet/read/thrift-reader.ts';

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}

/** A structure whose fields are numbers, or structures of numbers. */
function struct(fields: Readonly<Record<number, number | Readonly<Record<number, number>>>>): number[] {
  let id = 0;
  const bytes = Object.entries(fields).flatMap(([key, value]) => {
    const head = (Number(key) - id) << 4;
    id = Number(key);
    return typeof value === 'number' ? [head | 5, ...varint(value * 2)] : [head | 12, ...struct(value)];
  });
  return [...bytes, 0];
}

const dataPage = (stored: Uint8Array, length: number, places: number, encoding: number = Encoding.PLAIN): Buffer =>
  Buffer.concat([Buffer.from(struct({ 1: Page.DATA, 2: length, 3: stored.length, 5: { 1: places, 2: encoding } })), stored]);

const dictionaryPage = (stored: Uint8Array, length: number, values: number): Buffer =>
  Buffer.concat([Buffer.from(struct({ 1: Page.DICTIONARY, 2: length, 3: stored.length, 7: { 1: values, 2: Encoding.PLAIN } })), stored]);

function leafOf(pages: readonly Buffer[], places: number, kind: LeafKind, codec: number, budget?: MemoryBudget): Leaf {
  const meta = new ThriftView(
    new Map([
      [1, Physical.BYTE_ARRAY],
      [4, codec],
      [5, places],
      [9, 0],
    ]),
  );
  return readLeaf(Buffer.concat(pages), meta, kind, budget);
}

const PLAIN_CODEC = 0;
/** Levels of rows that have no value, or all have one, as one run. */
function levels(places: number, level: 0 | 1): Buffer {
  const run = Buffer.from([...varint(places * 2), level]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(run.length);
  return Buffer.concat([length, run]);
}

const zeros = (bytes: number): Buffer => zstdCompressSync(Buffer.alloc(bytes), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });

describe('a Parquet file', () => {
  it.each<[what: string, read: () => unknown, says: RegExp]>([
    [
      'pages that unpack to more than it may take',
      () => {
        const page = dictionaryPage(zeros(4 << 20), 4 << 20, 0);
        return leafOf([page, page, page], 1, 'required', Codec.ZSTD, new MemoryBudget(10 << 20));
      },
      /it takes too much memory/,
    ],
    [
      'a page that says that it has more than two gigabytes',
      () => leafOf([dataPage(zeros(100), 2 ** 30 * 3, 1)], 1, 'required', Codec.ZSTD),
      /it takes too much memory/,
    ],
    ['a page that says too little', () => leafOf([dataPage(zeros(64 << 20), 1000, 1)], 1, 'required', Codec.ZSTD), /cannot be unpacked/],
    [
      'pages of a few bytes with millions of rows',
      () => {
        const rows = 1 << 20;
        const page = dataPage(levels(rows, 0), levels(rows, 0).length, rows);
        return leafOf(Array<Buffer>(100).fill(page), rows * 100, 'optional', PLAIN_CODEC, new MemoryBudget(100 << 20));
      },
      /it takes too much memory/,
    ],
    [
      'a page of rows without end',
      () => leafOf([dataPage(levels(1 << 27, 0), levels(1 << 27, 0).length, 1 << 27)], 1 << 27, 'optional', PLAIN_CODEC),
      /says that it has 134217728 rows/,
    ],
    [
      'a long text that each row has by the dictionary',
      () => {
        const text = Buffer.alloc((1 << 20) + 4, 'x');
        text.writeUInt32LE(1 << 20);
        const ids = Buffer.concat([levels(4096, 1), Buffer.from([1, ...varint(4096 * 2), 0])]);
        const leaf = leafOf(
          [dictionaryPage(text, text.length, 1), dataPage(ids, ids.length, 4096, Encoding.RLE_DICTIONARY)],
          4096,
          'optional',
          PLAIN_CODEC,
        );
        return new ReadColumn(leaf, 4096).slice(0, 4096).values.texts();
      },
      /its values are too large/,
    ],
    [
      'metadata without end',
      () => {
        const file = Buffer.alloc(40 << 20);
        file.writeUInt32LE(39 << 20, file.length - 8);
        file.write('PAR1', file.length - 4);
        return metadataOf(file);
      },
      /its metadata are too large/,
    ],
    [
      'lists of nothing in its metadata',
      () => readStruct(new ByteReader(Buffer.concat([Buffer.from([0x19, 0xf1, ...varint(2 << 20)]), Buffer.alloc(3 << 20)]))),
      /a list of its metadata is too long/,
    ],
    [
      'lists within lists in its metadata',
      () => readStruct(new ByteReader(Buffer.concat([Buffer.from([0x19]), Buffer.alloc(1 << 20, 0x19)]))),
      /nested too deeply/,
    ],
    ['an end that is not one', () => TableReader.of(Buffer.from('PAR1aaaaaaaaaaaaPAR1')), /its metadata are cut/],
  ])('with %s is refused', (_, read, says) => {
    const before = process.memoryUsage().rss;
    expect(read).toThrow(ParquetError);
    expect(read).toThrow(says);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
  });
});
