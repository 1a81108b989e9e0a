import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DuckDBConnection } from '@duckdb/node-api';
import { openTables } from '../../../engine/ask/database.ts';
import { useLookups } from '../../../engine/lookup/folder.ts';
import { mmdbOf } from '../lookup/mmdb-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'lookups-'));
let connection: DuckDBConnection;
beforeAll(async () => {
  writeFileSync(join(folder, 'hosts.csv'), 'key,owner,rack\n10.0.0.0/8,ops,7\ndb1,dba,\n');
  writeFileSync(join(folder, 'geo.mmdb'), mmdbOf({ '10.0.0.0/8': { country: { iso_code: 'DE' }, hosting: true } }));
  useLookups(folder);
  connection = await openTables({ tables: [], files: [], spill: '', memoryMib: 200 });
});
afterAll(() => {
  connection.closeSync();
  useLookups(null);
  rmSync(folder, { recursive: true });
});

const KEYS = "(VALUES (1, '10.1.2.3'), (2, 'db1'), (3, NULL), (4, '192.0.2.1')) t(n, a)";

it.each([
  ["in_lookup(a, 'hosts')", [true, true, null, false]],
  ["lookup(a, 'hosts', 'owner')", ['ops', 'dba', null, null]],
  ["lookup(a, 'hosts', 'rack')::INTEGER + 1", [8, null, null, null]],
  ["lookup(a, 'geo', 'country')", ['DE', null, null, null]],
  ["lookup(a, 'geo', 'hosting')::BOOLEAN", [true, null, null, null]],
  ["lookup(a, CASE n WHEN 1 THEN 'geo' WHEN 2 THEN 'hosts' END, if(n = 1, 'country', 'rack'))", ['DE', null, null, null]],
])('%s', async (call, expected) => {
  const result = await connection.run(`SELECT ${call} FROM ${KEYS} ORDER BY n`);
  expect((await result.getRows()).map(([value]) => value)).toEqual(expected);
});

it('answers for many rows', async () => {
  const result = await connection.run(
    "SELECT count(*) FROM range(70000) t(n) WHERE in_lookup((n % 20) || '.0.' || (n // 256 % 256) || '.' || (n % 256), 'hosts')",
  );
  expect(await result.getRows()).toEqual([[3500n]]);
});

it.each([
  ["in_lookup('a', 'host')", 'there is no lookup host in '],
  ["lookup('a', 'hosts', 'owners')", 'did you mean owner?'],
])('%s is refused', async (call, reason) => {
  await expect(connection.run(`SELECT ${call}`)).rejects.toThrow(reason);
});
