import { Physical } from '../parquet/column.ts';
import { fileOf, leafPart, type Part } from '../parquet/file.ts';
import type { Leaf } from '../parquet/footer.ts';
import { Levels } from '../parquet/levels.ts';
import { TextBytes } from '../parquet/text-bytes.ts';
import { BlobStore, BoolStore, doubleBounds, int64Bounds, NumberStore, type ValueStore } from '../parquet/values.ts';
import type { QueryResult } from './asker.ts';
import type { ResultColumn, ResultValue } from './protocol.ts';
import { plainText } from './result-text.ts';

/** Rows of a result that is written whole. */
const MAX_ROWS = 5_000_000;

/** A result that is too large for its form. */
export class ResultTooLargeError extends Error {
  override readonly name = 'ResultTooLargeError';
}

/**
 * A result as a Parquet file: integers of up to 64 bits, doubles, truth values, bytes, and all else as text. Sums are of wider types; they are integers of 64 bits
 * where all of them fit.
 */
export async function parquetOf({ columns, rows }: QueryResult): Promise<{ readonly bytes: Buffer; readonly rows: number }> {
  const texts = new TextBytes();
  const builders = columns.map((column) => builderFor(column, texts));
  let count = 0;
  for await (const chunk of rows) {
    for (const row of chunk) {
      row.forEach((value, i) => builders[i]?.add(count, value));
      count++;
    }
    if (count > MAX_ROWS)
      throw new ResultTooLargeError(`a result of more than ${MAX_ROWS} rows is not written as Parquet: write CSV, or use LIMIT`);
  }
  const parts = builders.map((builder) => builder.part(count));
  return { bytes: fileOf(parts, { rows: count, metadata: {}, createdBy: 'sluicebox' }), rows: count };
}

interface ResultBuilder {
  add(row: number, value: ResultValue): void;
  part(rows: number): Part;
}

function builderFor({ name, type }: ResultColumn, texts: TextBytes): ResultBuilder {
  if (/^(?:HUGEINT|UBIGINT|UHUGEINT)$/.test(type)) return wideBuilder(name, texts);
  const levels = new Levels();
  const make = (leaf: Omit<Leaf, 'name'>, store: ValueStore, put: (value: Exclude<ResultValue, null>) => void): ResultBuilder => ({
    add: (row, value) => {
      if (value === null) return;
      levels.present(row);
      put(value);
    },
    part: (rows) => {
      levels.fill(rows);
      return leafPart({ kind: 'optional', leaf: { name, ...leaf } }, { levels, rows, store });
    },
  });
  if (/^(?:TINYINT|SMALLINT|INTEGER|BIGINT|UTINYINT|USMALLINT|UINTEGER)$/.test(type)) {
    const store = new NumberStore(2, int64Bounds);
    const put = (value: unknown): void => store.add(new Int32Array(BigInt64Array.of(BigInt(value as number)).buffer), 0, 1);
    return make({ type: Physical.INT64, meaning: null }, store, put);
  }
  if (/^(?:DOUBLE|FLOAT)$/.test(type)) {
    const store = new NumberStore(2, doubleBounds);
    const put = (value: unknown): void => store.add(new Int32Array(Float64Array.of(value as number).buffer), 0, 1);
    return make({ type: Physical.DOUBLE, meaning: null }, store, put);
  }
  if (type === 'BOOLEAN') {
    const store = new BoolStore();
    return make({ type: Physical.BOOLEAN, meaning: null }, store, (value) => store.add(Uint8Array.of(value === true ? 1 : 0), 0, 1));
  }
  const store = new BlobStore();
  if (type === 'BLOB') {
    const put = (value: unknown): void => store.add(value as Uint8Array, 0, (value as Uint8Array).length);
    return make({ type: Physical.BYTE_ARRAY, meaning: null }, store, put);
  }
  return make({ type: Physical.BYTE_ARRAY, meaning: 'text' }, store, (value) => texts.addText(store, plainText(value)));
}

/** Integers of types beyond 64 bits: both forms are made, since the last value may be the one that does not fit. */
function wideBuilder(name: string, texts: TextBytes): ResultBuilder {
  const integers = builderFor({ name, type: 'BIGINT' }, texts);
  const others = builderFor({ name, type: 'VARCHAR' }, texts);
  let fit = true;
  return {
    add: (row, value) => {
      fit &&= typeof value !== 'bigint' || BigInt.asIntN(64, value) === value;
      if (fit) integers.add(row, value);
      others.add(row, value);
    },
    part: (rows) => (fit ? integers : others).part(rows),
  };
}
