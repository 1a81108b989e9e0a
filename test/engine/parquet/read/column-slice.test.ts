import { describe, expect, it } from 'vitest';
import { ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import type { Leaf, LeafValues } from '../../../../engine/parquet/read/chunk.ts';
import { ReadColumn } from '../../../../engine/parquet/read/column-slice.ts';

const blobs = (...values: string[]): LeafValues => {
  const ends = Uint32Array.from(values.map((_, i) => Buffer.byteLength(values.slice(0, i + 1).join(''))));
  return {
    kind: 'blobs',
    bytes: Buffer.from(values.join('')),
    starts: Uint32Array.from([0, ...ends.subarray(0, -1)].slice(0, values.length)),
    ends,
  };
};
const words = (width: number, values: ArrayLike<number> & { buffer: ArrayBufferLike }): LeafValues => ({
  kind: 'words',
  width,
  bytes: new Uint8Array(values.buffer),
});
const leaf = (values: LeafValues, definitions: number[] | null = null, repetitions: number[] | null = null): Leaf => ({
  values,
  definitions: definitions && Uint32Array.from(definitions),
  repetitions: repetitions && Uint32Array.from(repetitions),
});
const listed = ({ text, starts, ends }: { text: string; starts: Uint32Array; ends: Uint32Array }): string[] =>
  Array.from(starts, (start, i) => text.slice(start, ends[i]));

describe('rows of a column', () => {
  const sparse = new ReadColumn(leaf(blobs('a', 'é', 'c'), [1, 0, 1, 0, 1]), 5);

  it('are those that have an entry', () => {
    const { rows, entries, offsets, values } = sparse.slice(1, 5);
    expect([rows && [...rows], entries, offsets, listed(values.texts())]).toEqual([[1, 3], 2, null, ['é', 'c']]);
    expect(sparse.slice(1, 2)).toMatchObject({ entries: 0 });
    expect(sparse.slice(2, 3)).toMatchObject({ rows: null, entries: 1 });
  });

  it('of lists have the places of their values', () => {
    const lists = new ReadColumn(leaf(blobs('a', 'b', 'c'), [2, 2, 0, 1, 2], [0, 1, 0, 0, 0]), 4);
    const { rows, entries, offsets, values } = lists.slice(1, 4);
    expect([rows && [...rows], entries, offsets && [...offsets], listed(values.texts())]).toEqual([[1, 2], 2, [0, 0, 1], ['c']]);
  });

  it.each<[name: string, of: Leaf, rows: number]>([
    ['fewer', leaf(blobs('a'), [1]), 2],
    ['more', leaf(words(8, Float64Array.of(1, 2))), 1],
    ['texts without levels', leaf(blobs('a')), 1],
  ])('that are %s are refused', (_, of, rows) => expect(() => new ReadColumn(of, rows)).toThrow(ParquetError));
});

describe('values', () => {
  it('of numbers have their own memory', () => {
    const { values } = new ReadColumn(leaf(words(8, BigInt64Array.of(1n, -2n, 3n) as never)), 3).slice(1, 3);
    expect([...values.bigints()]).toEqual([-2n, 3n]);
    expect(() => values.ints()).toThrow(ParquetError);
    expect(() => values.texts()).toThrow(ParquetError);
    expect([...new ReadColumn(leaf(words(8, Float64Array.of(1.5))), 1).slice(0, 1).values.doubles()]).toEqual([1.5]);
    expect([...new ReadColumn(leaf(words(4, Int32Array.of(5, 6))), 2).slice(0, 2).values.ints()]).toEqual([5, 6]);
    expect(new ReadColumn(leaf(words(16, new Uint8Array(32))), 2).slice(0, 1).values.uuids()).toHaveLength(16);
  });

  it('of truth', () => {
    const { values } = new ReadColumn(leaf({ kind: 'bools', values: Uint8Array.of(1, 0, 1) }, [1, 1, 1]), 3).slice(1, 3);
    expect([...values.bools()]).toEqual([0, 1]);
  });

  it('are constant when the dictionary says so', () => {
    const same: LeafValues = { kind: 'blobs', bytes: Buffer.from('abx'), starts: Uint32Array.of(0, 0, 2), ends: Uint32Array.of(2, 2, 3) };
    const column = new ReadColumn(leaf(same, [1, 1, 1]), 3);
    expect([column.slice(0, 2), column.slice(0, 3), column.slice(1, 1)].map(({ values }) => values.constant())).toEqual(['ab', null, null]);
  });
});
