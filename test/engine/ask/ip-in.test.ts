import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DuckDBConnection } from '@duckdb/node-api';
import { openTables } from '../../../engine/ask/database.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await openTables({ tables: [], files: [], spill: '', memoryMib: 200 });
});
afterAll(() => connection.closeSync());

const rows = async (sql: string): Promise<unknown[]> => (await (await connection.run(sql)).getRows()).map((row) => row[0]);

it('finds the addresses of a network, as a matcher does', async () => {
  const values = "(VALUES (1, '10.1.2.3'), (2, '11.0.0.1'), (3, '::ffff:10.0.0.1'), (4, 'web1'), (5, NULL), (6, '2001:db8::7')) t(n, a)";
  expect(await rows(`SELECT ip_in(a, '10.0.0.0/8') FROM ${values} ORDER BY n`)).toEqual([true, false, true, false, null, false]);
  expect(await rows(`SELECT n FROM ${values} WHERE ip_in(a, '2001:db8::/32, 11.0.0.1') ORDER BY n`)).toEqual([2, 6]);
  expect(await rows(`SELECT count(*) FROM range(10000) t(n) WHERE ip_in('10.' || n % 256 || '.0.1', '10.0.0.0/' || 9)`)).toEqual([5008n]);
});

it.each([
  ["ip_in('10.1.2.3', '10.0.0.0/33')", "ip_in: '10.0.0.0/33' in column 1 of the networks is none: the number behind the slash is 0 to 32"],
  ["ip_in('10.1.2.3', '::1, 10.0.0/8')", "ip_in: '10.0.0/8' in column 6 of the networks is none: an address is written"],
])('%s is refused', async (call, reason) => {
  await expect(connection.run(`SELECT ${call}`)).rejects.toThrow(reason);
});
