import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parquetReadObjects } from 'hyparquet';
import { spawn } from 'node:child_process';
import { useLookups } from '../../../../engine/lookup/folder.ts';
import { testMs } from '../../../patience.ts';
import { cliMain, fileOf, sluicebox } from '../run-cli.ts';

const line = (status: number, path: string): string =>
  `127.0.0.1 - - [10/Feb/2025:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl/8"\n`;
const access = (): string => fileOf('access.log', line(200, '/a') + line(404, '/b,c') + line(200, '/d'));

const foldersIn = (temporary: string): string[] => readdirSync(temporary).filter((name) => name.startsWith('sluicebox-query-'));

describe('sluicebox query', { timeout: 2 * testMs() }, () => {
  it('asks lookups, which the process of the query reads, and nothing beside them', async () => {
    const lookups = mkdtempSync(join(tmpdir(), 'sluicebox-lookups-'));
    writeFileSync(join(lookups, 'sites.csv'), 'network,site\n127.0.0.0/8,here\n');
    const query = (sql: string, ...args: string[]): ReturnType<typeof sluicebox> =>
      sluicebox(['query', '-q', '--format', 'csv', '--lookups', lookups, ...args, access(), sql]);
    try {
      const sql =
        "SELECT lookup(remote_addr, 'sites', 'site') AS s, in_lookup(status::VARCHAR, 'sites') AS i, count(*) AS n FROM access GROUP BY ALL";
      expect(await query(sql, '-w', 'status:200 remote_addr@sites.site:here')).toMatchObject({
        code: 0,
        out: 's,i,n\nhere,false,2\n',
        err: '',
      });
      expect((await query("SELECT lookup('a', 'site', 'x')")).err).toContain('did you mean sites?');
      expect((await query("SELECT in_lookup('a', '../lookups/sites')")).err).toContain('there is no lookup ../lookups/sites');
    } finally {
      useLookups(null);
      rmSync(lookups, { recursive: true });
    }
  });

  it('asks files by SQL, those with one stem as one table and all of them as messages', async () => {
    const rotated = fileOf('access.log.1', line(500, '/old'));
    const other = fileOf('notes.txt', 'a line\nanother line\n');
    const sql =
      'SELECT "table", status::INT AS status, count(*) AS n, min(Timestamp) AS t FROM messages GROUP BY ALL ORDER BY 1, 2 NULLS LAST';
    const { code, out, err } = await sluicebox(['query', '--format', 'json', access(), rotated, other, sql]);
    expect(err).toContain('decoded by nginx_access');
    const rows = out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as Record<string, unknown>);
    expect(rows.map(({ table, status, n }) => [table, status, n])).toEqual([
      ['access', 200, 2],
      ['access', 404, 1],
      ['access', 500, 1],
      ['notes', null, 2],
    ]);
    expect(rows[0]?.t).toBe('2025-02-10 10:00:00');
    expect(code).toBe(0);
  });

  it('keeps records that no decoder takes, and says how many there are', async () => {
    const file = fileOf('part.log', `${line(200, '/a').repeat(20)}garbage\n`);
    const { code, out, err } = await sluicebox(['query', '-q', '--format', 'csv', file, 'SELECT count(*) AS n FROM part']);
    expect([code, out]).toEqual([0, 'n\n21\n']);
    expect(err).toContain('1 record was refused, and in the table part with decode_error; the first one: line 21');
    const only = await sluicebox(['query', '-q', '--only-decoded', '--strict', '--format', 'csv', file, 'SELECT count(*) AS n FROM part']);
    expect([only.code, only.out]).toEqual([1, 'n\n20\n']);
  });

  it.each<[string, string, string, string]>([
    ['the header of a CSV file', 'h.csv', 'time,n\n2026-03-05T10:00:00Z,1\n2026-03-05T10:00:01Z,2\n', '2|2026-03-05 10:00:00|3'],
    [
      'a header that comes again, and a line of the same text as a value',
      'h.csv',
      `time,n,message\n${'2026-03-05T10:00:00Z,1,n\n'.repeat(8)}time,n,message\n2026-03-05T10:00:01Z,2,n\n`,
      '9|2026-03-05 10:00:00|10',
    ],
    [
      'the lines of a web server about its log',
      'h.log',
      `#Version: 1.0\n#Fields: date time c-ip n\n${'2026-03-05 10:00:00 10.0.0.1 1\n'.repeat(2)}#Date: 2026-03-06\n2026-03-05 10:00:01 10.0.0.2 1\n`,
      '3|2026-03-05 10:00:00|3',
    ],
  ])('leaves out %s', async (_, name, text, expected) => {
    const sql = 'SELECT count(*), min(Timestamp), sum(n::INT) FROM h';
    const decoder = name.endsWith('.csv') ? 'csv' : 'w3c_extended';
    const { code, out, err } = await sluicebox(['query', '-q', '--decoder', decoder, '--format', 'csv', fileOf(name, text), sql]);
    expect([code, out.split('\n')[1], err]).toEqual([0, expected.replaceAll('|', ','), '']);
  });

  it('takes a value for a row that is spelt as its line', async () => {
    const file = fileOf('one.csv', 'message\nfirst\nsecond\n');
    const { out } = await sluicebox(['query', '-q', '--decoder', 'csv', '--format', 'csv', file, 'SELECT Payload FROM one']);
    expect(out).toBe('Payload\nfirst\nsecond\n');
  });

  it('prints tables and CSV', async () => {
    const file = access();
    const table = await sluicebox([
      'query',
      '-q',
      file,
      'SELECT status::INT AS status, request, NULL AS nothing FROM access WHERE status < 500 LIMIT 2',
    ]);
    expect(table.out.split('\n')).toEqual([
      'status  request            nothing',
      '------  -----------------  -------',
      '   200  GET /a HTTP/1.1',
      '   404  GET /b,c HTTP/1.1',
      '',
    ]);
    const sql = "SELECT '' AS e, NULL AS n, request FROM access WHERE status = 404";
    const csv = await sluicebox(['query', '-q', '--format', 'csv', file, sql]);
    expect(csv.out).toBe('e,n,request\n"",,"GET /b,c HTTP/1.1"\n');
    const exact = await sluicebox(['query', '-q', '--format', 'csv', '--crlf', file, sql]);
    expect(exact.out).toBe('e,n,request\r\n"",,"GET /b,c HTTP/1.1"\r\n');
  });

  it('reads standard input with a decoder that is named, and writes Parquet', async () => {
    const args = [
      'query',
      '--format',
      'parquet',
      '--decoder',
      'logfmt',
      '-',
      'SELECT a, 2::BIGINT AS two, [1] AS list FROM stdin ORDER BY a',
    ];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, ...args]);
    child.stdin.end('a=x b=1\na=y b=2\n');
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    expect(await parquetReadObjects({ file })).toEqual([
      { a: 'x', two: 2n, list: '[1]' },
      { a: 'y', two: 2n, list: '[1]' },
    ]);
  });

  it('shows the place of a mistake, and leaves nothing behind', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'sluicebox-left-'));
    const { code, out, err } = await sluicebox(['query', '-q', access(), 'SELECT stat FROM access'], '', { TMPDIR: temporary });
    expect(err).toContain('LINE 1: SELECT stat FROM access\n               ^');
    expect([code, out]).toEqual([2, '']);
    expect(foldersIn(temporary)).toEqual([]);
  });

  it('refuses a memory that is none', async () => {
    for (const memory of ['9', '00', '1e3']) expect((await sluicebox(['query', '--memory', memory, access(), 'SELECT 1'])).code).toBe(2);
    expect((await sluicebox(['query', '--memory', '00', access(), 'SELECT 1'])).err).toContain(
      '--memory must be a number of MiB from 10 on',
    );
  });

  it('says how a query gets more memory', async () => {
    const sql = "SELECT length(string_agg(repeat('x', 1000000) || r, '')) FROM range(100000) t(r)";
    const { code, err } = await sluicebox(['query', '-q', '--memory', '64', access(), sql]);
    expect(err).toMatch(/^sluicebox: Out of Memory Error: .* Give the query more by --memory MIB, or .* TMPDIR names\n/);
    expect(code).toBe(2);
  });

  it('removes what a killed query has left', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'sluicebox-left-'));
    const args = ['--disable-warning=ExperimentalWarning', cliMain, 'query', '--decoder', 'logfmt', '-', 'SELECT 1'];
    const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: temporary } });
    const closed = new Promise((done) => child.on('close', done));
    await expect.poll(() => foldersIn(temporary)).toHaveLength(1);
    child.kill('SIGKILL');
    await closed;
    expect(foldersIn(temporary)).toHaveLength(1);
    await sluicebox(['query', '-q', access(), 'SELECT 1'], '', { TMPDIR: temporary });
    expect(foldersIn(temporary)).toEqual([]);
  });

  it('tells what it cannot read, and answers from the rest', async () => {
    const { code, out, err } = await sluicebox(['query', '-q', access(), 'missing.log', 'SELECT count(*) AS n FROM messages']);
    expect(err).toContain('missing.log');
    expect(out).toBe('n\n-\n3\n');
    expect(code).toBe(2);
  });
});
