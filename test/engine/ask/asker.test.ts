import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, QueryError } from '../../../engine/ask/asker.ts';
import { openTables } from '../../../engine/ask/database.ts';
import type { Question, ResultValue } from '../../../engine/ask/protocol.ts';
import { prepared } from '../../../engine/ask/statement.ts';
import { askedTables } from '../../../engine/ask/tables.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { MessageTable } from '../../../engine/parquet/message-table.ts';
import { testMs } from '../../patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-attacks-'));
const store = join(folder, 'store.parquet');
const secret = join(folder, 'secret.txt');
const otherTable = join(folder, 'other.parquet');
let requests = 0;
const server = createServer((_request, response) => {
  requests++;
  response.end('a,b\n1,2\n');
});
let url = '';
let before: Buffer;

function tableFile(): {
  readonly bytes: Buffer;
  readonly layout: ReturnType<MessageTable['file']>['layout'];
  readonly unused: readonly string[];
} {
  const table = new MessageTable({ uuids: false });
  table.add(
    batchOf([1n, 2n, 3n].map((n) => ({ uuid: new Uint8Array(16), timestamp: n, fields: [{ name: 'n', valueType: 2, values: [n] }] }))),
  );
  return table.file('test');
}

beforeAll(async () => {
  writeFileSync(secret, 'the secret');
  writeFileSync(store, tableFile().bytes);
  writeFileSync(otherTable, tableFile().bytes);
  before = readFileSync(store);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function question(memoryMib = 256): Omit<Question, 'sql'> {
  const { layout, unused } = tableFile();
  return {
    tables: askedTables([{ name: 't', files: [{ path: store, layout, unused }] }]),
    files: [store],
    spill: join(folder, 'spill'),
    memoryMib,
  };
}

async function query(sql: string, signal = new AbortController().signal, memoryMib = 256): Promise<readonly (readonly ResultValue[])[]> {
  return ask({ ...question(memoryMib), sql }, signal, async ({ rows }) => {
    const all: (readonly ResultValue[])[] = [];
    for await (const chunk of rows) all.push(...chunk);
    return all;
  });
}

/** Each with `SECRET`, `OUT`, `STORE`, `OTHER`, `FOLDER` and `URL` in place of what they stand for. */
const REFUSED: readonly string[] = [
  // Writing.
  "COPY t TO 'OUT'",
  "COPY (SELECT * FROM t) TO 'STORE' (FORMAT parquet)",
  "EXPLAIN ANALYZE COPY t TO 'OUT'",
  "EXPLAIN COPY t TO 'OUT'",
  "EXPORT DATABASE 'OUT'",
  "ATTACH 'OUT' AS db",
  'CREATE TABLE x AS SELECT * FROM t',
  'CREATE VIEW x AS SELECT * FROM t',
  'DROP VIEW t',
  'INSERT INTO t VALUES (1)',
  'CHECKPOINT',
  "PREPARE p AS COPY t TO 'OUT'",
  'CREATE SECRET s (TYPE http)',
  "CREATE MACRO m() AS TABLE FROM read_text('SECRET')",
  'WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x',
  "SELECT * FROM enable_logging(storage := 'file', storage_path := 'FOLDER')",
  "SELECT * FROM t, LATERAL (SELECT * FROM \"Enable_Logging\"(storage := 'file', storage_path := 'FOLDER'))",
  "DESCRIBE SELECT * FROM enable_logging(storage := 'file', storage_path := 'FOLDER')",
  "SELECT * FROM enable_profiling(save_location := 'OUT')",
  'SELECT * FROM arrow_scan(1::UBIGINT::POINTER, 2::UBIGINT::POINTER, 3::UBIGINT::POINTER)',
  "SELECT write_log('x')",
  "CALL enable_logging(storage = 'file', storage_path = 'FOLDER')",
  "PRAGMA enable_profiling='json'",
  "PRAGMA profiling_output='OUT'",
  "COPY (SELECT 1) TO 'OUT' (FORMAT blob)",
  "COPY t FROM 'SECRET'",
  "COPY FROM DATABASE memory TO 'OUT'",
  "EXPORT DATABASE 'OUT' (FORMAT parquet)",
  "ATTACH 'OUT' (TYPE duckdb)",
  "ATTACH ':memory:' AS other",
  'DETACH memory',
  'UPDATE t SET n = 1',
  'DELETE FROM t',
  'TRUNCATE t',
  'MERGE INTO t USING (SELECT 1 AS n) s ON t.n = s.n WHEN MATCHED THEN DELETE',
  'ALTER VIEW t RENAME TO u',
  "COMMENT ON VIEW t IS 'x'",
  'CREATE TEMP TABLE x (i INT)',
  'CREATE SEQUENCE s',
  "CREATE TYPE mood AS ENUM ('a')",
  "CREATE OR REPLACE TEMP MACRO sum(x) AS (SELECT content FROM read_text('SECRET'))",
  "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')",
  "PRAGMA add_parquet_key('k', '0123456789112345')",
  "PRAGMA import_database('FOLDER')",
  "PRAGMA copy_database('memory', 'x')",
  'EXPLAIN ANALYZE SELECT 1',
  'EXPLAIN (FORMAT json) SELECT 1',
  'CALL force_checkpoint()',
  // Reading other files.
  "SELECT * FROM read_text('SECRET')",
  "SELECT * FROM read_blob('SECRET')",
  "SELECT * FROM read_csv('SECRET')",
  "SELECT * FROM read_csv_auto('/etc/passwd')",
  "SELECT * FROM sniff_csv('SECRET')",
  "SELECT * FROM read_json('SECRET')",
  "SELECT * FROM read_ndjson_objects('SECRET')",
  "SELECT * FROM 'SECRET'",
  "SELECT * FROM 'OTHER'",
  "SELECT * FROM read_parquet('OTHER')",
  "SELECT * FROM read_parquet('FOLDER/*.parquet')",
  "SELECT * FROM read_parquet('STORE/../other.parquet')",
  "SELECT * FROM parquet_metadata('OTHER')",
  "SELECT * FROM parquet_schema('OTHER')",
  "SELECT * FROM glob('FOLDER/*')",
  "SELECT * FROM query('COPY t TO ''OUT''')",
  "SELECT * FROM query('SELECT * FROM read_text(''SECRET'')')",
  "SELECT * FROM query_table('SECRET')",
  "FROM read_text('SECRET')",
  "SELECT (SELECT content FROM read_text('SECRET'))",
  "SUMMARIZE SELECT * FROM read_text('SECRET')",
  "DESCRIBE SELECT * FROM read_parquet('OTHER')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''SECRET'')'))",
  "IMPORT DATABASE 'FOLDER'",
  "SELECT getenv('HOME')",
  'SELECT * FROM "SECRET"',
  "TABLE 'SECRET'",
  "PIVOT read_csv('SECRET') ON 1",
  "SELECT * FROM (VALUES (1)) v(x) WHERE EXISTS (FROM read_text('SECRET'))",
  'WITH x AS MATERIALIZED (FROM "READ_TEXT"(\'SECRET\')) FROM x',
  "SELECT * FROM main.read_text('SECRET')",
  "SELECT * FROM system.main.read_text('SECRET')",
  "SELECT list_transform(['SECRET'], lambda x: (SELECT content FROM read_text(x)))",
  "SELECT * FROM t ORDER BY (SELECT content FROM read_text('SECRET'))",
  "SELECT 1 UNION ALL SELECT size FROM read_blob('SECRET')",
  "FROM t SELECT COLUMNS(*) QUALIFY (SELECT count(*) FROM glob('FOLDER/*')) > 0",
  "SELECT * FROM parquet_kv_metadata('OTHER')",
  "SELECT * FROM parquet_file_metadata('OTHER')",
  "SELECT * FROM parquet_bloom_probe('OTHER', 'n', 1)",
  "SELECT * FROM parquet_scan('OTHER')",
  "SELECT * FROM read_duckdb('OTHER')",
  "SELECT * FROM read_json_objects_auto('/proc/self/environ')",
  "SELECT * FROM seq_scan('SECRET')",
  'SELECT * FROM python_map_function()',
  'SELECT * FROM duckdb_logs()',
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_views()',
  'FROM duckdb_views',
  'SELECT * FROM pg_settings',
  'TABLE pg_catalog.pg_settings',
  'SELECT (SELECT max(setting) FROM pg_settings)',
  'SUMMARIZE pg_settings',
  'SUMMARIZE pg_catalog."pg_settings"',
  'SUMMARIZE (FROM pg_settings)',
  'FROM pg_views',
  'WITH x AS (FROM SQLITE_MASTER) FROM x',
  'FROM "sqlite_schema"',
  'SELECT view_definition FROM information_schema.views',
  'SUMMARIZE system.information_schema.views',
  "FROM query_table('pg_settings')",
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_temporary_files()',
  "SELECT * FROM which_secret('s3://a', 's3')",
  "SELECT * FROM pragma_storage_info('t')",
  'PRAGMA database_list',
  "EXECUTE p('SECRET')",
  "LOAD 'OTHER'",
  "FROM 'SECRET' SELECT *",
  "SELECT * FROM '/proc/self/environ'",
  "SELECT * FROM '/dev/stdin'",
  "SELECT * FROM 'file://SECRET'",
  "SELECT * FROM '~/.bashrc'",
  "SELECT * FROM 'FOLDER/*.parquet'",
  "SELECT * FROM (SUMMARIZE 'OTHER')",
  "SELECT * FROM (DESCRIBE 'OTHER')",
  "DESCRIBE 'OTHER'",
  "SUMMARIZE 'OTHER'",
  "PIVOT 'OTHER' ON n",
  "UNPIVOT 'OTHER' ON n",
  "SELECT * FROM histogram('OTHER', n)",
  "SELECT * FROM histogram_values('SECRET', content)",
  "SELECT * FROM pragma_table_info('OTHER')",
  "SELECT * FROM query_table(['t', 'OTHER'])",
  "SELECT json_serialize_plan('SELECT * FROM read_parquet(''OTHER'')')",
  "SELECT JSON_SERIALIZE_PLAN('SELECT * FROM read_text(''SECRET'')', optimize := true)",
  "SELECT main.json_serialize_plan('SELECT 1')",
  "SELECT current_setting('allowed_paths')",
  'SELECT "current_setting"(\'home_directory\')',
  "SELECT * FROM t WHERE n = (SELECT current_setting('threads')::INT)",
  "SET VARIABLE v = (SELECT content FROM read_text('SECRET'))",
  "SELECT * FROM t, read_text('SECRET') AS r",
  "SELECT * FROM t JOIN 'OTHER' AS o USING (n)",
  "SELECT * FROM t POSITIONAL JOIN 'OTHER'",
  "SELECT * FROM t WHERE n IN (FROM 'OTHER' SELECT n)",
  "WITH RECURSIVE x AS (SELECT content FROM read_text('SECRET') UNION ALL SELECT content FROM x) FROM x",
  "SELECT struct_pack(a := (SELECT max(content) FROM read_text('SECRET')))",
  "SELECT [content FOR content IN (SELECT list(content) FROM read_text('SECRET'))]",
  "VALUES ((SELECT content FROM read_text('SECRET')))",
  "(SELECT 1) UNION BY NAME (FROM read_text('SECRET'))",
  "SELECT sum(n) OVER (ORDER BY (SELECT size FROM read_blob('SECRET'))) FROM t",
  "SELECT n FROM t GROUP BY n HAVING EXISTS (FROM read_text('SECRET'))",
  "SELECT n FROM t LIMIT (SELECT count(*) FROM read_text('SECRET'))",
  "SELECT * FROM sqlite_scan('OTHER', 't')",
  "SELECT * FROM read_xlsx('SECRET')",
  "SELECT * FROM st_read('SECRET')",
  "SELECT * FROM delta_scan('FOLDER')",
  "SELECT * FROM iceberg_scan('FOLDER')",
  "SELECT * FROM sql_auto_complete('SELECT * FROM ''FOLDER/')",
  'EXECUTE x',
  // The network.
  "SELECT * FROM 'https://127.0.0.1/a.csv'",
  "ATTACH 'URL/a.duckdb' AS db",
  "ATTACH 'host=127.0.0.1' AS db (TYPE postgres)",
  "SELECT http_get('URL')",
  "SELECT '127.0.0.1'::INET",
  'UPDATE EXTENSIONS',
  "SELECT * FROM read_csv('URL/a.csv')",
  "SELECT * FROM 'URL/a.parquet'",
  "SELECT * FROM read_parquet('s3://bucket/a.parquet')",
  'INSTALL httpfs',
  'LOAD httpfs',
  "INSTALL x FROM 'URL'",
  'FORCE INSTALL httpfs FROM community',
  // Configuration, and more than one statement.
  'SET enable_external_access = true',
  'SET lock_configuration = false',
  'RESET allowed_paths',
  'PRAGMA enable_external_access=true',
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY t TO 'OUT'",
  '',
  '-- nothing',
  'SELECT $1',
  'BEGIN',
  'USE memory',
  'VACUUM',
  'RESET ALL',
  'SET SESSION enable_external_access = true',
  'SET GLOBAL allowed_directories = []',
  "SET allowed_paths = ['/']",
  'SET autoinstall_known_extensions = true',
  "SET temp_directory = 'FOLDER'",
  'RESET enable_external_access',
  'RESET lock_configuration',
  "SELECT set_config('enable_external_access', 'true', false)",
  'PREPARE x AS SELECT 1',
  'DEALLOCATE x',
  'SELECT ?',
  'SELECT $name',
  'ANALYZE',
  'ROLLBACK',
];

describe('a query', () => {
  it('reads the tables, and describes them', async () => {
    expect(await query('SELECT sum(n)::BIGINT FROM t')).toEqual([[6n]]);
    expect(await query('SELECT count(*) FROM messages WHERE "table" = \'t\'')).toEqual([[3n]]);
    expect((await query('DESCRIBE t')).map(([name, type]) => [name, type])).toEqual([
      ['Timestamp', 'TIMESTAMP_NS'],
      ['n', 'BIGINT'],
    ]);
    const kinds = await query("SELECT [1, NULL], {'a': 'x'}, TIMESTAMP '2026-01-01', 1.5::DECIMAL(4,2), 'ab'::BLOB");
    expect(kinds).toEqual([[[1, null], { a: 'x' }, '2026-01-01 00:00:00', '1.50', new Uint8Array(Buffer.from('ab'))]]);
    expect(await query("SELECT count(*) FROM range(3), json_each('[1,2]')")).toEqual([[6n]]);
  });

  it('cannot write, read another file, reach the network or change the configuration', async () => {
    const out = join(folder, 'out.csv');
    const places: Readonly<Record<string, string>> = {
      SECRET: secret,
      OUT: out,
      STORE: store,
      OTHER: otherTable,
      FOLDER: folder,
      URL: url,
    };
    const files = readdirSync(folder).sort();
    const through: string[] = [];
    const connection = await openTables(question());
    for (const attack of REFUSED) {
      const sql = attack.replace(/SECRET|OUT|STORE|OTHER|FOLDER|URL/g, (word, at: number) =>
        /\w/.test(attack[at - 1] ?? '') ? word : (places[word] as string),
      );
      try {
        const result = await (await prepared(connection, sql)).statement.run();
        through.push(`${attack} → ${JSON.stringify(await result.getRowsJson())}`);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
    connection.closeSync();
    expect(through).toEqual([]);
    expect(
      readdirSync(folder)
        .filter((name) => name !== 'spill')
        .sort(),
    ).toEqual(files);
    expect(readFileSync(store).equals(before)).toBe(true);
    expect(existsSync(out)).toBe(false);
    expect(requests).toBe(0);
  });

  it('cannot run a tree of a statement, which a pragma would turn into SQL before it is looked at', async () => {
    const connection = await openTables(question());
    for (const hidden of [`SELECT * FROM read_text('${secret}')`, 'SELECT 1']) {
      const [tree] = await query(`SELECT json_serialize_sql('${hidden.replaceAll("'", "''")}')`);
      const pragma = `PRAGMA json_execute_serialized_sql('${(tree?.[0] as string).replaceAll("'", "''")}')`;
      await expect(prepared(connection, pragma)).rejects.toThrow('a query is a SELECT');
    }
    connection.closeSync();
  });

  it('may call those table functions alone that were looked at', async () => {
    const connection = await openTables(question());
    const listed = await connection.runAndReadAll(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro', 'pragma') ORDER BY 1",
    );
    const names = listed.getRows().map(([name]) => String(name));
    expect(names).toContain('read_parquet');
    const allowed: string[] = [];
    for (const name of names) {
      const said = await prepared(connection, `SELECT * FROM "${name}"('${secret}')`).then(
        () => '',
        (error: Error) => error.message,
      );
      if (!said.includes(`may not read from ${name}()`)) allowed.push(name);
    }
    connection.closeSync();
    expect(allowed).toEqual([
      ...['duckdb_columns', 'duckdb_functions', 'duckdb_keywords', 'duckdb_tables', 'duckdb_types'],
      ...[
        'generate_series',
        'histogram',
        'histogram_values',
        'json_each',
        'json_tree',
        'pragma_table_info',
        'range',
        'repeat',
        'repeat_row',
      ],
      ...['summary', 'unnest'],
    ]);
  });

  it('has no functions but those that were looked at whose names tell of files, SQL or settings', async () => {
    const connection = await openTables(question());
    const words = 'file|dir|path|read|write|env|exec|sql|plan|secret|http|load|setting|config|variable|extension|shell|system';
    const listed = await connection.runAndReadAll(
      `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'macro', 'aggregate') AND regexp_matches(function_name, '${words}') ORDER BY 1`,
    );
    connection.closeSync();
    expect(listed.getRows().map(([name]) => name)).toEqual([
      ...['current_setting', 'getvariable', 'in_search_path', 'json_deserialize_sql', 'json_extract_path', 'json_extract_path_text'],
      ...[
        'json_serialize_plan',
        'json_serialize_sql',
        'parse_dirname',
        'parse_dirpath',
        'parse_filename',
        'parse_path',
        'pg_conf_load_time',
      ],
      ...['pg_ts_config_is_visible', 'write_log'],
    ]);
  });

  it('that is nested beyond measure is refused, and ends no more than its process', { timeout: 2 * testMs() }, async () => {
    for (const sql of [
      `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
      `SELECT ${'-'.repeat(1)}${'1+'.repeat(100_000)}1`,
      `SELECT ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `${'WITH x AS ('.repeat(5000)}SELECT 1`,
      "SELECT '\0'; \0",
      'SELECT \ud800',
    ])
      await expect(query(sql)).rejects.toThrow(QueryError);
  });

  it('is refused by the process that asks, too', async () => {
    await expect(query(`COPY t TO '${join(folder, 'out.csv')}'`)).rejects.toThrow('a query is a SELECT');
    await expect(query(`SELECT * FROM read_text('${secret}')`)).rejects.toThrow('may not read from read_text()');
    await expect(query(`SELECT * FROM '${secret}'`)).rejects.toThrow(QueryError);
  });

  it('that would never end is gone at once when it is interrupted', async () => {
    const stop = new AbortController();
    const asked = query('SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b', stop.signal);
    setTimeout(() => stop.abort(), 500);
    await expect(asked).rejects.toThrow(QueryError);
  });

  it('that would take all memory ends with a word about it', async () => {
    const asked = query("SELECT string_agg(repeat('x', 1000000) || r, '') FROM range(100000) t(r)", undefined, 64);
    await expect(asked).rejects.toThrow(/^Out of Memory Error: (?!.*SET)/s);
  });

  it.each([
    ['a long text', "SELECT repeat('x', 1000000000)"],
    ['a long text that is not shown', "SELECT length(rpad('', 1000000000, 'x') || rpad('', 1000000000, 'y'))"],
    ['many long texts', "SELECT repeat('x', 1000000) FROM range(1000)"],
    ['a long list', 'SELECT range(100000000)'],
    ['a list that grows', 'SELECT list(i) FROM range(1000000000) t(i)'],
    ['a large map', 'SELECT map(range(10000000), range(10000000))'],
    ['a text that grows', "SELECT string_agg(repeat('x', 1000), '') FROM range(10000000)"],
    ['a text that doubles', "WITH RECURSIVE r(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM r) SELECT length(s) FROM r"],
  ])('with %s takes no more memory than it may', async (_, sql) => {
    const before = process.memoryUsage().rss;
    await expect(query(sql, undefined, 64)).rejects.toThrow(/^Out of Memory Error/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  });

  it.each([
    ['a text', "SELECT 1, repeat('x', 40000000) AS long"],
    ['bytes', "SELECT repeat('x', 40000000)::BLOB AS long"],
    ['texts in a list', "SELECT [repeat('x', 20000000), repeat('y', 20000000)] AS long"],
  ])('answers no row with %s without end', async (_, sql) => {
    await expect(query(sql, undefined, 1024)).rejects.toThrow(/^a row is too large at its column long: at most 33,554,432 characters/);
  });

  it('answers rows whole that are large', async () => {
    const rows = await query("SELECT repeat('x', 3000000) FROM range(5)");
    expect(rows.map(([text]) => typeof text === 'string' && text.length)).toEqual(Array.from({ length: 5 }, () => 3_000_000));
  });

  it('says where its mistake is', async () => {
    await expect(query('SELECT m FROM t')).rejects.toThrow(/LINE 1: SELECT m FROM t\n {15}\^/);
  });
});
