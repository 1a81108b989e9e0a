import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DuckDBConnection } from '@duckdb/node-api';
import { openTables } from '../../../engine/ask/database.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await openTables({ tables: [], files: [], spill: '', memoryMib: 200 });
});
afterAll(() => connection.closeSync());

it('has durations in seconds and sizes in bytes', async () => {
  const result = await connection.run(
    "SELECT quantity_number(t) FROM (VALUES (1, '2h5m'), (2, '1.5kB'), (3, 'soon'), (4, NULL)) v(n, t) ORDER BY n",
  );
  expect(await result.getRows()).toEqual([[7500], [1500], [null], [null]]);
});
