import { describe, expect, it } from 'vitest';
import { parquetReadObjects } from 'hyparquet';
import { Codec, Encoding, Physical, writeChunk } from '../../../engine/parquet/column.ts';
import { GrowingBytes } from '../../../engine/parquet/growing.ts';
import { Levels } from '../../../engine/parquet/levels.ts';
import { BlobStore, BoolStore } from '../../../engine/parquet/values.ts';
import { fileOf } from './one-leaf.ts';

function blobs(values: readonly string[]): BlobStore {
  const store = new BlobStore();
  for (const value of values) store.add(Buffer.from(value), 0, Buffer.byteLength(value));
  return store;
}

function levelsOf(rows: readonly boolean[]): Levels {
  const levels = new Levels();
  rows.forEach((isThere, row) => isThere && levels.present(row));
  levels.fill(rows.length);
  return levels;
}

const chunkOf = (texts: readonly string[], packing: 'all' | 'texts' = 'all') =>
  writeChunk(
    new GrowingBytes(),
    { type: Physical.BYTE_ARRAY, path: ['a'], levels: null, isList: false, rows: texts.length, values: blobs(texts).finish() },
    packing,
  );

describe('writeChunk', () => {
  it('takes a dictionary where values come again', () => {
    const [same, other] = [chunkOf(Array.from({ length: 100 }, (_, i) => `value ${i % 3}`)), chunkOf(['a', 'b', 'c'])];
    expect([same.encodings.includes(Encoding.RLE_DICTIONARY), same.dictionaryAt, same.dataAt > 0]).toEqual([true, 0, true]);
    expect([other.encodings, other.dictionaryAt, other.dataAt]).toEqual([[Encoding.PLAIN, Encoding.RLE], null, 0]);
    expect([same.bounds?.min, same.bounds?.max].map(String)).toEqual(['value 0', 'value 2']);
  });

  it('compresses what is large', () => {
    const [small, large] = [chunkOf(['a'.repeat(1000)]), chunkOf(['a'.repeat(2000)])];
    expect([small.codec, large.codec]).toEqual([Codec.NONE, Codec.ZSTD]);
    expect(large.compressed).toBeLessThan(large.uncompressed / 10);
    expect(small.compressed).toBe(small.uncompressed);
  });

  it('writes what another reader reads', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => (i % 7 === 0 ? null : `text ${i % 100}`));
    const levels = levelsOf(rows.map((value) => value !== null));
    const values = blobs(rows.filter((value) => value !== null)).finish();
    const { file } = fileOf(
      'optional',
      { name: 'a', type: Physical.BYTE_ARRAY, meaning: 'text' },
      { levels, isList: false, rows: rows.length, values },
      'texts',
    );
    const read = await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer });
    expect(read.map(({ a }) => (a as string | undefined) ?? null)).toEqual(rows);
  });

  it('counts rows without a value', () => {
    const store = new BoolStore();
    store.add(Uint8Array.of(1, 0), 0, 2);
    const levels = levelsOf([true, false, true, false]);
    const chunk = writeChunk(
      new GrowingBytes(),
      { type: Physical.BOOLEAN, path: ['a'], levels, isList: false, rows: 4, values: store.finish() },
      'all',
    );
    expect([chunk.places, chunk.nulls]).toEqual([4, 2]);
  });
});
