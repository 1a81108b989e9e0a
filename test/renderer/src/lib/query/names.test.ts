import { expect, it } from 'vitest';
import { identifier } from '../../../../../renderer/src/lib/query/names.ts';
import { duckdb } from '../../../../engine/parquet/readers.ts';

it('puts names in quotes that SQL would not take', async () => {
  expect(['status', 'a.b', '1st', 'über', 'Select', 'a"b', ''].map(identifier)).toEqual([
    'status',
    '"a.b"',
    '"1st"',
    '"über"',
    '"Select"',
    '"a""b"',
    '""',
  ]);
  const words = await (await duckdb()).runAndReadAll('SELECT keyword_name FROM duckdb_keywords()');
  for (const [word] of words.getRows()) {
    const name = identifier(String(word));
    const sql = `SELECT ${name}, sum(${name}) FROM (SELECT 7 AS "${String(word)}") AS ${name} GROUP BY 1`;
    expect((await (await duckdb()).runAndReadAll(sql)).getRows(), sql).toEqual([[7, 7n]]);
  }
});
