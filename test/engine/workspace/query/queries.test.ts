import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { ExportInfo, QueryReply, QueryRows } from '../../../../engine/api/types.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const line = (path: string, status = 200, minute = 0): string =>
  `192.0.2.${status % 7} - - [20/Nov/2026:10:${String(minute).padStart(2, '0')}:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl"\n`;

let engine: Engine;

beforeEach(() => {
  engine = new Engine();
});
afterEach(() => engine.workspace.stop());

async function open(name: string, text: string): Promise<number> {
  const id = await engine.open(engine.file(name, text));
  await engine.settled(id);
  return id;
}

async function rowsOf(sql: string): Promise<QueryRows> {
  const reply = await engine.ask('query.run', { sql });
  if (reply.kind !== 'rows') throw new Error(JSON.stringify(reply));
  return reply;
}

const cells = async (sql: string): Promise<QueryRows['rows']> => (await rowsOf(sql)).rows;
const filesOf = (): string[] => {
  const folder = join(engine.folder, 'store');
  return readdirSync(folder).flatMap((name) => (name.startsWith('tables-') ? readdirSync(join(folder, name)) : []));
};

describe('a query', () => {
  it('finds each source as a table with typed columns, and all of them as messages', async () => {
    const access = await open('access.log', line('/a') + line('/b', 404) + 'no log line\n');
    const other = await open('other.log', line('/c', 500));
    expect(await engine.ask('query.tables', {})).toMatchObject([
      { name: 'access', sources: [access], rows: 3 },
      { name: 'other', sources: [other], rows: 1 },
      { name: 'messages', sources: [access, other], rows: 4 },
    ]);
    const [table] = await engine.ask('query.tables', {});
    expect(table?.columns[0]).toEqual({ name: 'Timestamp', type: 'TIMESTAMP_NS', variable: { name: 'Timestamp', type: 'number' } });
    expect(table?.columns.find(({ name }) => name === 'status')).toEqual({
      name: 'status',
      type: 'DOUBLE',
      variable: { name: 'Fields[status]', type: 'number' },
    });
    expect(await rowsOf('SELECT status, count(*) AS n FROM access GROUP BY 1 ORDER BY 1')).toMatchObject({
      columns: [
        { name: 'status', type: 'DOUBLE' },
        { name: 'n', type: 'BIGINT' },
      ],
      rows: [
        [200, 1],
        [404, 1],
        [null, 1],
      ],
      more: false,
    });
    expect((await rowsOf('SELECT status, count(*) FROM access WHERE status < 500 GROUP BY 1')).records).toEqual({
      sources: [access],
      keys: [{ kind: 'value', variable: { name: 'Fields[status]', type: 'number' } }, null],
      where: { op: '<', variable: { name: 'Fields[status]', type: 'number' }, value: 500 },
      whole: true,
    });
    expect(await cells('SELECT "table", count(*) FROM messages GROUP BY 1 ORDER BY 1')).toEqual([
      ['access', 3],
      ['other', 1],
    ]);
    const described = await cells('DESCRIBE access');
    expect(described.map(([name, type]) => [name, type])).toEqual(table?.columns.map(({ name, type }) => [name, type]));
    const all = (await engine.ask('query.tables', {})).at(-1);
    expect((await cells('DESCRIBE messages')).map(([name, type]) => [name, type])).toEqual(
      all?.columns.map(({ name, type }) => [name, type]),
    );
  });

  it('sees what has come until it begins, and writes that alone', async () => {
    const id = await open('access.log', line('/a'));
    expect(await cells('SELECT count(*) FROM access')).toEqual([[1]]);
    expect(filesOf()).toHaveLength(1);
    for (let n = 2; n < 14; n++) {
      appendFileSync(join(engine.folder, 'access.log'), line(`/${n}`));
      await until(
        () => (engine.workspace.source(id).info().records === n ? true : null),
        () => `${n} records`,
      );
      expect((await engine.ask('query.tables', {}))[0]).toMatchObject({ rows: n });
      expect(filesOf().length).toBeLessThanOrEqual(9);
    }
    expect(await cells('SELECT count(*), count(DISTINCT request) FROM access')).toEqual([[13, 13]]);
  });

  it('forgets a source that was closed, and reads one anew that was decoded by another', async () => {
    const id = await open('access.log', line('/a'));
    const other = await open('other.log', line('/b'));
    expect(await cells('SELECT count(*) FROM messages')).toEqual([[2]]);
    await engine.ask('source.close', { id: other });
    expect(await cells('SELECT count(*) FROM messages')).toEqual([[1]]);
    expect(await engine.ask('query.run', { sql: 'SELECT * FROM other' })).toMatchObject({ kind: 'problem' });
    await engine.ask('source.decoder', { id, decoder: null });
    await until(
      () => (engine.workspace.source(id).info().decoder === null && engine.workspace.source(id).info().records === 1 ? true : null),
      () => 'raw records',
    );
    expect(await cells('SELECT Payload FROM access')).toEqual([[line('/a').trimEnd()]]);
  });

  it('says where its mistake is', async () => {
    await open('access.log', line('/a'));
    const reply = (await engine.ask('query.run', { sql: "SELECT 'ä',\n  stats FROM access" })) as Extract<QueryReply, { kind: 'problem' }>;
    expect(reply.text).toContain('Referenced column "stats" not found');
    expect(reply.at).toBe("SELECT 'ä',\n  ".length);
    expect(await engine.ask('query.run', { sql: 'SELECT 1; SELECT 2' })).toEqual({
      kind: 'problem',
      text: 'a query is one statement, not 2',
      at: null,
    });
    expect(await engine.ask('query.run', { sql: 'PIVOT access ON status USING count(*)' })).toMatchObject({
      kind: 'problem',
      text: expect.stringContaining('ON status IN (200, 404)') as string,
    });
    expect(await engine.ask('query.run', { sql: 'PIVOT access ON status IN (200) USING count(*)' })).toMatchObject({ kind: 'rows' });
    expect(await engine.ask('query.run', { sql: "COPY access TO '/tmp/x'" })).toMatchObject({ kind: 'problem' });
  });

  it('sends the first rows and cuts long values', async () => {
    const { rows, more } = await rowsOf("SELECT i, repeat('x', 3000) FROM range(100000) t(i)");
    expect(more).toBe(true);
    expect(rows.length).toBeLessThanOrEqual(10_000);
    expect(rows[0]?.[1]).toBe(`${'x'.repeat(2000)}…`);
    expect((await rowsOf('SELECT * FROM range(10001)')).rows).toHaveLength(10_000);
    expect(await cells('SELECT 9007199254740993, 1::DECIMAL(4,2), [1,2], NULL, true, 0.5::DOUBLE')).toEqual([
      ['9007199254740993', '1.00', '[1,2]', null, true, 0.5],
    ]);
  });

  it('is one at a time, and can be canceled', async () => {
    const endless = engine.ask('query.run', { sql: 'SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b' });
    await expect(engine.ask('query.run', { sql: 'SELECT 1' })).rejects.toMatchObject({ code: 'query.busy' });
    await engine.ask('query.cancel', {});
    expect(await endless).toEqual({ kind: 'canceled' });
    expect(await cells('SELECT 1')).toEqual([[1]]);
  });

  it('leaves nothing behind, not even when the engine was killed', async () => {
    await open('access.log', line('/a'));
    await cells('SELECT count(*) FROM access');
    expect(filesOf()).toHaveLength(1);
    await engine.workspace.stop();
    expect(filesOf()).toEqual([]);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const left = join(engine.folder, 'store', `tables-${dead}-abc`);
    mkdirSync(left);
    const next = new Engine(engine.folder);
    await next.workspace.stop();
    expect(existsSync(left)).toBe(false);
  });
});

describe('the rows of a query', () => {
  const ended = async (): Promise<ExportInfo> =>
    until(
      () =>
        engine.events.flatMap(({ name, data }) => (name === 'export' ? [data as ExportInfo] : [])).find(({ state }) => state !== 'running'),
      () => 'the end of the export',
    );

  test.each([
    ['exact-csv', 'n,t\r\n1,=x\r\n2,=x\r\n'],
    ['csv', 'n,t\r\n1,"\'=x"\r\n2,"\'=x"\r\n'],
    ['json', '{"n":1,"t":"=x"}\n{"n":2,"t":"=x"}\n'],
  ] as const)('are written as %s, all of them', async (format, text) => {
    const path = join(engine.folder, 'out');
    await engine.grant(path);
    await engine.ask('query.export', { sql: "SELECT i + 1 AS n, '=x' AS t FROM range(2) r(i)", format, path });
    expect(await ended()).toMatchObject({ state: 'done', what: 'row', written: 2 });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('are written as Parquet', async () => {
    const path = join(engine.folder, 'out.parquet');
    await engine.grant(path);
    await engine.ask('query.export', { sql: 'SELECT * FROM range(20000)', format: 'parquet', path });
    expect(await ended()).toMatchObject({ state: 'done', written: 20_000 });
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1');
  });

  it('are not written where a mistake is', async () => {
    const path = join(engine.folder, 'out');
    await engine.grant(path);
    await engine.ask('query.export', { sql: 'SELECT nothing', format: 'csv', path });
    expect(await ended()).toMatchObject({ state: 'failed' });
    expect(existsSync(path)).toBe(false);
  });
});

describe('saved queries', () => {
  it('are kept in the workspace file and survive a restart', async () => {
    const sql = 'SELECT *\nFROM "access" -- 100 %\nWHERE a = \'\\\'';
    await engine.ask('query.save', { name: 'Top "ten"', sql: 'SELECT 1' });
    await engine.ask('query.save', { name: 'Top "ten"', sql });
    await engine.ask('query.save', { name: 'b', sql: 'SELECT 2' });
    await engine.ask('query.forget', { name: 'b' });
    await engine.workspace.stop();
    const next = new Engine(engine.folder);
    expect(await next.ask('query.saved', {})).toEqual([{ name: 'Top "ten"', sql }]);
    expect(next.workspace.notices.list()).toEqual([]);
    await next.workspace.stop();
  });

  it('that are wrong in the file are said and left out', async () => {
    await engine.ask('query.save', { name: 'b', sql: 'SELECT 2' });
    await engine.workspace.stop();
    appendFileSync(join(engine.folder, 'workspace.toml'), 'c = 7\nd = ""\n');
    const next = new Engine(engine.folder);
    expect(await next.ask('query.saved', {})).toEqual([{ name: 'b', sql: 'SELECT 2' }]);
    await until(
      () => (next.workspace.notices.list().length === 2 ? true : null),
      () => 'the notices',
    );
    expect(next.workspace.notices.list()[0]?.text).toContain('a saved query is its name and its SQL');
    await next.workspace.stop();
  });
});
