import { expect, it } from 'vitest';
import { neededTables } from '../../../engine/ask/needed-tables.ts';

const TABLES = ['access', 'Syslog', 'messages'].map((name) => ({ name, select: '' }));

it.each([
  ['SELECT status FROM access', ['access']],
  ['SELECT a.status FROM access a JOIN "syslog" s ON a.status = s.status', ['access', 'Syslog']],
  ['SELECT status FROM acess', ['access', 'Syslog', 'messages']],
  ['SELECT * FROM access', ['access', 'Syslog', 'messages']],
  ['SELECT view_name FROM duckdb_views()', ['access', 'Syslog', 'messages']],
  ['DESCRIBE access', ['access', 'Syslog', 'messages']],
  ["SELECT 'access' FROM messages", ['messages']],
])('%s may mean %j', (sql, names) => {
  expect(neededTables(TABLES, sql).map(({ name }) => name)).toEqual(names);
});
