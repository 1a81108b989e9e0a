import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { QueryResult } from '../../../engine/ask/asker.ts';
import type { ResultValue } from '../../../engine/ask/protocol.ts';
import { parquetOf } from '../../../engine/ask/result-parquet.ts';

async function readBack(type: string, values: readonly ResultValue[]): Promise<unknown[]> {
  async function* rows(): AsyncGenerator<QueryResult['rows'] extends AsyncIterable<infer T> ? T : never> {
    yield await Promise.resolve(values.map((value) => [value]));
  }
  const { bytes } = await parquetOf({ columns: [{ name: 'n', type }], rows: rows(), selection: null });
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const objects: readonly Record<string, unknown>[] = await parquetReadObjects({ file });
  return objects.map((row) => row['n']);
}

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

test.each<{ type: string; values: ResultValue[]; read: unknown[] }>([
  { type: 'BIGINT', values: [LEAST, null, MOST], read: [LEAST, null, MOST] },
  { type: 'HUGEINT', values: [LEAST, null, MOST], read: [LEAST, null, MOST] },
  { type: 'HUGEINT', values: [1n, null, 2n ** 63n, 3n], read: ['1', null, '9223372036854775808', '3'] },
  { type: 'UBIGINT', values: [0n, 7n], read: [0n, 7n] },
  { type: 'HUGEINT', values: [null], read: [null] },
  { type: 'INTEGER', values: [-1, null], read: [-1n, null] },
  { type: 'DECIMAL(4,2)', values: ['1.50', null], read: ['1.50', null] },
  { type: 'DOUBLE', values: [NaN, -0, null], read: [NaN, -0, null] },
])('$type $values is read back as $read', async ({ type, values, read }) => {
  expect(await readBack(type, values)).toEqual(read);
});
