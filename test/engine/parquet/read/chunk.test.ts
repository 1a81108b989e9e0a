import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Physical } from '../../../../engine/parquet/column.ts';
import type { Leaf as LeafType } from '../../../../engine/parquet/footer.ts';
import { Levels } from '../../../../engine/parquet/levels.ts';
import { ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import { readLeaf, type Leaf } from '../../../../engine/parquet/read/chunk.ts';
import { BlobStore, BoolStore, int64Bounds, NumberStore } from '../../../../engine/parquet/values.ts';
import { fileOf } from '../one-leaf.ts';

const TEXT: LeafType = { name: 'a', type: Physical.BYTE_ARRAY, meaning: 'text' };

function textsOf({ values }: Leaf): string[] {
  if (values.kind !== 'blobs') throw new Error(values.kind);
  return Array.from(values.starts, (start, i) => values.bytes.toString('utf8', start, values.ends[i]));
}

function textFile(rows: readonly (readonly string[] | null)[], isList: boolean): ReturnType<typeof fileOf> {
  const [store, levels] = [new BlobStore(), new Levels()];
  for (const [row, texts] of rows.entries()) {
    if (texts === null) continue;
    if (isList) levels.list(row, texts.length);
    else levels.present(row);
    for (const text of texts) store.add(Buffer.from(text), 0, Buffer.byteLength(text));
  }
  levels.fill(rows.length);
  return fileOf(isList ? 'list' : 'optional', TEXT, { levels, isList, rows: rows.length, values: store.finish() });
}

describe('readLeaf', () => {
  const text = fc.oneof(
    fc.constantFrom('a', 'bb', ''),
    fc.string({ maxLength: 300 }).map((value) => value.toWellFormed()),
  );

  it('reads texts that rows may lack', () => {
    fc.assert(
      fc.property(fc.array(fc.option(text, { nil: null }), { minLength: 1, maxLength: 40 }), (rows) => {
        const { file, meta } = textFile(
          rows.map((value) => (value === null ? null : [value])),
          false,
        );
        const leaf = readLeaf(file, meta, 'optional');
        expect(textsOf(leaf)).toEqual(rows.filter((value) => value !== null));
        expect([...(leaf.definitions ?? [])]).toEqual(rows.map((value) => (value === null ? 0 : 1)));
        expect(leaf.repetitions).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('reads lists', () => {
    const leaf = readLeaf(...argumentsOf(textFile([['a', 'b'], null, [], ['c']], true), 'list'));
    expect(textsOf(leaf)).toEqual(['a', 'b', 'c']);
    expect([...(leaf.definitions ?? [])]).toEqual([2, 2, 0, 1, 2]);
    expect([...(leaf.repetitions ?? [])]).toEqual([0, 1, 0, 0, 0]);
  });

  it('reads numbers and truth values', () => {
    const numbers = new NumberStore(2, int64Bounds);
    numbers.add(new Int32Array(BigInt64Array.of(5n, -1n, 5n).buffer), 0, 3);
    const int = fileOf(
      'required',
      { name: 'n', type: Physical.INT64, meaning: null },
      { levels: null, isList: false, rows: 3, values: numbers.finish() },
    );
    const { values } = readLeaf(int.file, int.meta, 'required');
    if (values.kind !== 'words') throw new Error(values.kind);
    expect([values.width, [...new BigInt64Array(new Uint8Array(values.bytes).buffer)]]).toEqual([8, [5n, -1n, 5n]]);

    const [bools, levels] = [new BoolStore(), new Levels()];
    bools.add(Uint8Array.of(1, 0, 1), 0, 3);
    levels.present(0, 3);
    const bool = fileOf(
      'optional',
      { name: 'b', type: Physical.BOOLEAN, meaning: null },
      { levels, isList: false, rows: 3, values: bools.finish() },
    );
    expect(readLeaf(bool.file, bool.meta, 'optional').values).toEqual({ kind: 'bools', values: Uint8Array.of(1, 0, 1) });
  });

  it('refuses a page that was changed', () => {
    const { file, meta } = textFile([['a'.repeat(50)]], false);
    file[file.indexOf('aaaa') + 1] = 0x62;
    expect(() => readLeaf(file, meta, 'optional')).toThrow(ParquetError);
  });
});

const argumentsOf = ({ file, meta }: ReturnType<typeof fileOf>, kind: 'list'): Parameters<typeof readLeaf> => [file, meta, kind];
