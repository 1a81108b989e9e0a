import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';

const ENTRY = `# Time: 2021-03-05T13:07:59.123456Z
# User@Host: app[app] @ dbone [10.1.2.3]  Id:    42
# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000
SET timestamp=1614949679;
SELECT *
FROM orders;
`;
const MEMORY = 'MemTotal:        2048000 kB\nMemFree:          10 kB\nHugePages_Total:       3\n';

let engine: Engine;
beforeAll(() => (engine = new Engine(undefined, startSandboxes({ hosts: 1 }))));
afterAll(() => engine.workspace.stop());

it('cuts a slow query log into its entries', async () => {
  const id = await engine.open(engine.file('slow.log', ENTRY.repeat(3)));
  await engine.settled(id);
  const { records, failures, decoder } = (await engine.source(id)) ?? {};
  // The time in front of the first entry is no record of its own.
  expect({ records, failures, decoder }).toMatchObject({ records: 3, failures: 0, decoder: { name: 'mysql_slow_query', confidence: 1 } });
  const { rows } = await engine.rows({ matcher: 'Type == "mysql.slow-query"' }, ['Query_time', 'Payload']);
  expect(rows.map(({ values }) => values)).toEqual(new Array(3).fill(['3.5', 'SELECT *\nFROM orders;\n']));
});

it('cuts by lines again when the user wants them raw', async () => {
  const id = await engine.open(engine.file('other.log', ENTRY));
  await engine.settled(id);
  await engine.ask('source.decoder', { id, decoder: null });
  await engine.settled(id);
  await expect.poll(async () => (await engine.source(id))?.records).toBe(6);
});

it('takes a file of /proc as one record', async () => {
  const id = await engine.open(engine.file('meminfo', MEMORY));
  await engine.settled(id);
  expect(await engine.source(id)).toMatchObject({ decoder: { name: 'linux_memstats' }, failures: 0 });
});

it.each([
  ['a table, whose columns repeat its records', 'orders.csv', 'id,customer,city\n1,ann,Oslo\n2,bob,Lyon\n3,cleo,Porto\n', true, false],
  ['records with texts of their own', 'app.jsonl', '{"id":1,"customer":"anna","message":"on","city":"Porto"}\n{"id":2}\n', false, true],
])('tells %s, and how long their values are', async (_, name, content, tabular, texts) => {
  const id = await engine.open(engine.file(name, content));
  await engine.settled(id);
  expect(await engine.source(id)).toMatchObject({ tabular, lengths: { id: 1, customer: 4, city: 5 } });
  const { facts } = await engine.rows({ sources: [id] }, []);
  expect(facts.texts).toBe(texts);
});

it('shows the loggers of records that have several, and says which headers records have', async () => {
  const line = (logger: string, thread: string): string => `2021-03-05 13:07:59,250 INFO  [${thread}] ${logger} - open\n`;
  const id = await engine.open(engine.file('app.log', line('org.example.Shop', 'main') + line('org.example.Cart', 'pool-1')));
  await engine.settled(id);
  const source = await engine.source(id);
  expect(source?.columns).toEqual(['Logger', 'thread']);
  expect(source?.headers).toContain('Logger');
  expect(source?.headers).not.toContain('Pid');
  const { rows } = await engine.rows({ sources: [id] }, ['Logger', 'Fields[thread]']);
  expect(rows.map(({ values }) => values)).toEqual([
    ['org.example.Shop', 'main'],
    ['org.example.Cart', 'pool-1'],
  ]);
});

describe('tables for SQL', () => {
  const cells = async (sql: string): Promise<unknown> => {
    const reply = await engine.ask('query.run', { sql });
    return reply.kind === 'rows' ? reply.rows : reply;
  };

  it('have no headers and comments of files, however they came', async () => {
    const path = engine.file('parcels.csv', 'id,customer,city\n1,ann,Oslo\n2,bob,Lyon\n3,cleo,Porto\n');
    const id = await engine.open(path);
    await engine.settled(id);
    expect(await cells('SELECT id, customer FROM parcels ORDER BY 1')).toEqual([
      [1, 'ann'],
      [2, 'bob'],
      [3, 'cleo'],
    ]);
    // A line that is like the header is one; a row that the decoder refuses is none.
    appendFileSync(path, '4,dan,Rome\nid,customer,city\nno,row\n5,eve,Bern\n');
    await expect.poll(async () => (await engine.source(id))?.records).toBe(8);
    await expect.poll(() => cells('SELECT count(*), max(id) FROM parcels')).toEqual([[6, 5]]);
    const tables = await engine.ask('query.tables', {});
    expect(tables.find(({ name }) => name === 'parcels')).toMatchObject({ rows: 6 });
  });
});
