/** Slow query logs of a real MariaDB. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decoders } from './support/decode.ts';
import { installed, reachable, ServerFolder } from './support/server.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

const server = new ServerFolder();
const decoders = new Decoders();
const started = Date.now();
const QUERIES = [
  "SELECT 'first'",
  "SELECT 'two\nlines; and a semicolon'",
  'INSERT INTO shop.t VALUES (1), (2), (3)',
  'SELECT a FROM shop.t ORDER BY a DESC',
  'SELECT SLEEP(0.02)',
];

beforeAll(async () => {
  const port = await freePort();
  const base = installed('usr/sbin/mariadbd').replace(/\/sbin\/mariadbd$/, '');
  const data = server.folder('data');
  const common = [
    `--datadir=${data}`,
    `--lc-messages-dir=${join(base, 'share/mysql')}`,
    `--character-sets-dir=${join(base, 'share/mysql/charsets')}`,
  ];
  const log = [`--slow-query-log=1`, `--slow-query-log-file=${server.path}/slow.log`, '--long-query-time=0', '--log-output=FILE'];
  const small = [
    '--innodb-buffer-pool-size=8M',
    '--innodb-log-file-size=4M',
    '--aria-pagecache-buffer-size=1M',
    '--key-buffer-size=1M',
    '--skip-log-bin',
  ];
  const network = [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${server.path}/s`,
    `--pid-file=${server.path}/pid`,
    '--skip-name-resolve',
  ];
  // Without tables of users everybody is let in: only we know the port, and only for a moment.
  const args = ['--no-defaults', '--skip-grant-tables', ...common, ...log, ...small, ...network];
  await server.start(installed('usr/sbin/mariadbd'), args, () => reachable(port));
  const client = (host: readonly string[], sql: string): Promise<string> =>
    server.run(installed('usr/bin/mariadb'), ['--no-defaults', ...host, '--user=shop-web_1', '--comments'], sql);
  const tcp = ['--protocol=tcp', '--host=127.0.0.1', `--port=${port}`];
  await client(tcp, `CREATE DATABASE shop; CREATE TABLE shop.t (a INT) ENGINE=Aria; ${QUERIES.map((sql) => `${sql};`).join('\n')}`);
  await client(
    [`--socket=${server.path}/s`],
    "SET SESSION log_slow_verbosity='query_plan,explain,innodb'; USE shop; SELECT a FROM t WHERE a > 1 ORDER BY a;",
  );
  // The server answers first and writes then, so that entries of two clients may come in any order.
  const last = ['SELECT SLEEP(0.02)', 'WHERE a > 1 ORDER BY a'];
  await until(() => last.every((query) => server.read('slow.log').includes(`${query};\n`)), 'the last query of each client');
});
afterAll(async () => {
  await decoders.close();
  await server.close();
});

/** Statement that was sent to the server. The line end belongs to it where the time of a new second stands behind it, in front of the next entry. */
const statementOf = ({ Payload }: Readonly<Record<string, unknown>>): string => String(Payload).replace(/;\n?$/, '');

it('decodes the entries of all queries', async () => {
  const { records, failures } = await decoders.decode(`${server.path}/slow.log`, 'mariadb_slow_query');
  // The server's messages at its start are no entries.
  expect(failures).toEqual([]);
  const sent = records.filter((record) => QUERIES.includes(statementOf(record)));
  expect(sent.map(statementOf)).toEqual(QUERIES);
  for (const record of sent) {
    expect(record).toMatchObject({ Type: 'mariadb.slow-query', Hostname: '127.0.0.1', Query_time: expect.any(Number) as number });
    expect(Math.abs((record['Time'] as number) - started)).toBeLessThan(120_000);
  }
  expect(sent[2]).toMatchObject({ Rows_affected: 3 });
  expect(sent[3]).toMatchObject({ Rows_sent: 3, Rows_examined: expect.any(Number) as number });
  expect(sent[4]?.['Query_time']).toBeGreaterThanOrEqual(0.02);
});

it('decodes the plan of a query by the socket', async () => {
  const { records } = await decoders.decode(`${server.path}/slow.log`, 'mariadb_slow_query');
  const planned = records.find(({ Payload }) => String(Payload).includes('WHERE a > 1'));
  expect(planned).toMatchObject({ Schema: 'shop', Rows_sent: 2, Full_scan: 'Yes' });
  expect(planned?.['explain']).toMatch(/select_type/);
});

it('finds out that the log is one of MariaDB', async () => {
  expect(await decoders.detect(server.read('slow.log'))).toMatchObject({ name: 'mariadb_slow_query', confidence: 1 });
});
