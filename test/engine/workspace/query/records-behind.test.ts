import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { QueryTable, RecordsBehind } from '../../../../engine/api/types.ts';
import { openTables } from '../../../../engine/ask/database.ts';
import { selectionOf } from '../../../../engine/ask/selection.ts';
import { prepared } from '../../../../engine/ask/statement.ts';
import { recordsBehind } from '../../../../engine/workspace/query/records-behind.ts';

const status = { name: 'Fields[status]', type: 'number' } as const;
const request = { name: 'Fields[request]', type: 'string' } as const;
const TABLES: readonly QueryTable[] = ['access', 'messages'].map((name) => ({
  name,
  sources: [1],
  rows: 0,
  columns: [
    { name: 'table', type: 'VARCHAR', variable: null },
    { name: 'Timestamp', type: 'TIMESTAMP_NS', variable: { name: 'Timestamp', type: 'number' } },
    { name: 'status', type: 'BIGINT', variable: status },
    { name: 'request', type: 'VARCHAR', variable: request },
  ],
}));
const ROWS = `SELECT 'x' AS "table", TIMESTAMP_NS '2026-01-01 00:00:00' AS "Timestamp", 200 AS status, 'GET /' AS request`;

let connection: DuckDBConnection;
beforeAll(async () => {
  const tables = ['access', 'messages'].map((name) => ({ name, select: ROWS }));
  connection = await openTables({ tables, files: [], spill: '', memoryMib: 64 });
});
afterAll(() => connection.closeSync());

async function behind(sql: string): Promise<RecordsBehind | null> {
  const { statement, tree } = await prepared(connection, sql);
  const result = await statement.run();
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, i) => ({ name, type: String(types[i]) }));
  return recordsBehind(selectionOf(tree), columns, TABLES);
}

describe('the records behind a row', () => {
  test.each<[string, object | null]>([
    ['SELECT status, count(*) FROM access GROUP BY 1', { keys: [{ kind: 'value', variable: status }, null], where: null, whole: true }],
    ['SELECT count(*), status AS s FROM access a GROUP BY a.status', { keys: [null, { kind: 'value', variable: status }], whole: true }],
    ['SELECT count(*) FROM access WHERE status >= 500', { keys: [null], where: { op: '>=', variable: status, value: 500 }, whole: true }],
    [
      'SELECT date_trunc(\'hour\', "Timestamp") AS h, count(*) FROM access GROUP BY h',
      { keys: [{ kind: 'time', unit: 'hour' }, null], whole: true },
    ],
    ['SELECT count(*) FROM access GROUP BY status', { whole: false }],
    ['SELECT upper(request), count(*) FROM access GROUP BY ALL', { keys: [null, null], whole: false }],
    [
      "SELECT count(*) FROM access WHERE request LIKE '%a%' AND status = 200",
      { whole: false, where: { op: 'and', terms: [{ op: '==', variable: status, value: 200 }] } },
    ],
    ["SELECT count(*) FROM access WHERE request LIKE '%a%' OR status = 200", { whole: false, where: null }],
    [
      "SELECT count(*) FROM access WHERE request IN ('a', 'b') OR status IS NULL",
      {
        whole: true,
        where: {
          op: 'or',
          terms: [
            {
              op: 'or',
              terms: [
                { op: '==', variable: request, value: 'a' },
                { op: '==', variable: request, value: 'b' },
              ],
            },
            { op: 'missing', variable: status },
          ],
        },
      },
    ],
    ['SELECT "table", count(*) FROM messages GROUP BY 1', { keys: [{ kind: 'table' }, null], whole: true }],
    ['SELECT a.status FROM access a, access b', null],
    ['WITH access AS (SELECT 1 AS status) SELECT status FROM access', null],
    ['SELECT status FROM access UNION ALL SELECT status FROM access', null],
    ['SELECT 1', null],
  ])('of %s', async (sql, expected) => {
    const found = await behind(sql);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ sources: [1], ...expected });
  });

  it('of all columns are found by their names', async () => {
    const keys = (await behind('SELECT 1, * FROM access'))?.keys;
    expect(keys).toEqual([
      null,
      null,
      { kind: 'time', unit: null },
      { kind: 'value', variable: status },
      { kind: 'value', variable: request },
    ]);
  });
});
