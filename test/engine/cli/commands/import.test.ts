import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../../engine/lake/store.ts';
import { testMs } from '../../../patience.ts';
import { cliMain, sluicebox, type CliResult } from '../run-cli.ts';

let folder: string;
let store: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-import-'));
  store = join(folder, 'store');
  log = join(folder, 'access.log');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const line = (number: number, status = 200): string =>
  `127.0.0.1 - - [10/Feb/2025:10:00:${String(number % 60).padStart(2, '0')} +0000] "GET /${number} HTTP/1.1" ${status} 12 "-" "curl/8"\n`;
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => line(from + i)).join('');

const imports = (...files: string[]): Promise<CliResult> => sluicebox(['import', '-q', '--store', store, ...files]);
const ask = async (sql: string): Promise<string> => {
  const { out, err, code } = await sluicebox(['query', '--format', 'csv', '--store', store, sql]);
  return code === 0 ? out.split('\n').slice(1, -1).join(' ') : `${code}: ${err}`;
};
const REQUESTS = 'SELECT count(*), count(DISTINCT request), max(status)::INT FROM access';
/** Runs the command with a limit for the size of files, in KiB. */
async function limited(kib: number, args: readonly string[]): Promise<{ readonly code: number | null; readonly err: string }> {
  const command = `ulimit -f ${kib}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', command, process.execPath, '--disable-warning=ExperimentalWarning', cliMain, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, err };
}

/** The one file of a table. */
function fileOf(table: string): string {
  using opened = Store.toRead(store);
  return opened.manifest.files().find((file) => file.table === table)?.name as string;
}
const stored = (): string[] => readdirSync(join(store, 'files')).sort();

describe('sluicebox import', { timeout: 5 * testMs() }, () => {
  it('keeps a log, which is asked at once, and takes what was added', async () => {
    writeFileSync(log, lines(0, 30));
    expect(await imports(log)).toMatchObject({ code: 0, err: '', out: '' });
    expect(await ask(REQUESTS)).toBe('30,30,200');
    const before = stored();
    expect((await imports(log)).code).toBe(0);
    expect(stored()).toEqual(before);
    // A line without its end is a record, and is read again when it has grown.
    appendFileSync(log, `${lines(30, 40)}${line(40).slice(0, -1)}`);
    await imports(log);
    expect(await ask(REQUESTS)).toBe('41,41,200');
    appendFileSync(log, `\n${line(41, 503)}`);
    await imports(log);
    expect(await ask(REQUESTS)).toBe('42,42,503');
    const { lines: listed } = await sluicebox(['store', 'list', '--store', store]);
    expect(listed()).toMatchObject([
      { file: log, table: 'access', decoder: 'nginx_access', rows: 42, from: '2025-02-10T10:00:00.000Z', files: 1 },
    ]);
  });

  it('keeps the lines as they were written, when it is told to', async () => {
    writeFileSync(log, `${lines(0, 2)}no request\n${line(2).replace('curl', 'kürl')}`);
    await sluicebox(['import', '-q', '--store', store, log]);
    appendFileSync(log, line(3));
    const again = await sluicebox(['import', '-q', '--raw', '--store', store, log]);
    expect(again.code).toBe(0);
    const decoded = 'SELECT RawLine FROM access WHERE request IS NOT NULL ORDER BY request';
    const { lines: rows } = await sluicebox(['query', '--format', 'json', '--store', store, decoded]);
    expect(rows().map(({ RawLine }) => RawLine)).toEqual(
      [0, 1, 2, 3].map((n) =>
        line(n)
          .replace('curl', n === 2 ? 'kürl' : 'curl')
          .trimEnd(),
      ),
    );
    expect(await ask('SELECT count(RawLine) FROM messages')).toBe('5');
    const plain = join(folder, 'plain.log');
    writeFileSync(plain, line(0));
    await imports(plain);
    expect(await ask('SELECT "table", count(RawLine) FROM messages GROUP BY 1 ORDER BY 1')).toBe('access,5 plain,0');
  });

  it('knows a log that was rotated, packed or copied', async () => {
    writeFileSync(log, lines(0, 30));
    await imports(log);
    renameSync(log, `${log}.1`);
    writeFileSync(log, lines(100, 110));
    await imports(log, `${log}.1`);
    expect(await ask(REQUESTS)).toBe('40,40,200');
    writeFileSync(`${log}.2.gz`, gzipSync(`${lines(0, 30)}${lines(30, 35)}`));
    rmSync(`${log}.1`);
    await imports(folder);
    expect(await ask(REQUESTS)).toBe('45,45,200');
    await imports(folder);
    expect(await ask(REQUESTS)).toBe('45,45,200');
  });

  it('reads a log anew that was changed, cut, or is decoded by another decoder', async () => {
    writeFileSync(log, lines(0, 100));
    await imports(log);
    truncateSync(log, lines(0, 60).length);
    const cut = await imports(log);
    expect([cut.code, cut.err]).toEqual([0, expect.stringContaining('was changed since it was imported')]);
    expect(await ask(REQUESTS)).toBe('60,60,200');
    const other = await sluicebox(['import', '--store', store, '--decoder', 'generic', log]);
    expect([other.code, other.err]).toEqual([0, expect.stringContaining('it had another decoder')]);
    expect(await ask('SELECT count(*) FROM access')).toBe('60');
  });

  it('reads a log anew when its decoder has other settings', async () => {
    writeFileSync(log, 'a;1\nb;2\n');
    const withColumns = (columns: string): Promise<CliResult> =>
      sluicebox(['import', '--store', store, '--decoder', 'csv', '-s', `header=${columns}`, '-s', 'delimiter=;', log]);
    expect(await withColumns('x;y')).toMatchObject({ code: 0, err: '' });
    expect(await withColumns('x;y')).toMatchObject({ code: 0, err: '' });
    const other = await withColumns('x;z');
    expect([other.code, other.err]).toEqual([0, expect.stringContaining('its decoder had other settings, so it is read anew')]);
    expect(await ask('SELECT count(*), max(z) FROM access')).toBe('2,2');
  });

  it('reads a log anew whose records are not lines', async () => {
    const script = join(folder, 'blocks.js');
    writeFileSync(
      script,
      `export const meta = { name: 'blocks', kind: 'decoder', summary: 'x', stateless: true, split: { before: '\\\\[' } };
export function process_message() { inject_message({ Payload: read_message('Payload').trimEnd() }); return 0; }`,
    );
    writeFileSync(log, '[1] a\n[2] b\n');
    const again = (): Promise<CliResult> => sluicebox(['import', '--store', store, '--decoder', script, log]);
    expect(await again()).toMatchObject({ code: 0, err: '' });
    appendFileSync(log, ' of two\n[3] c\n');
    await again();
    expect(await ask('SELECT string_agg(replace(Payload, chr(10), $$|$$), $$,$$ ORDER BY Payload) FROM access')).toBe(
      '"[1] a,[2] b| of two,[3] c"',
    );
    expect(stored().length).toBe(1);
  });

  it('knows a script of the user again by its path, also where it is not named', async () => {
    const script = join(folder, 'own.js');
    writeFileSync(
      script,
      `export const meta = { name: 'own', kind: 'decoder', summary: 'x', stateless: true };
export function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`,
    );
    writeFileSync(log, 'a\n');
    for (const decoder of [['--decoder', script], ['--decoder', relative('.', script)], []]) {
      expect(await sluicebox(['import', '--store', store, ...decoder, log])).toMatchObject({ code: 0, err: '' });
      appendFileSync(log, 'b\n');
    }
    expect(await ask('SELECT count(*) FROM access')).toBe('3');
  });

  it('reads a log anew when its script, or what that imports, was edited', async () => {
    const script = join(folder, 'own.js');
    const part = join(folder, 'part.js');
    const write = (says: string, partSays: string): void => {
      writeFileSync(part, `export const part = '${partSays}';`);
      writeFileSync(
        script,
        `import { part } from './part.js';
export const meta = { name: 'own', kind: 'decoder', summary: 'x', stateless: true };
export function process_message() { inject_message({ Payload: '${says} ' + part }); return 0; }`,
      );
    };
    writeFileSync(log, 'a\n');
    const steps: [said: string, part: string, decoder: string[], isAnew: boolean][] = [
      ['one', 'x', ['--decoder', script], false],
      ['one', 'x', ['--decoder', script], false],
      ['two', 'x', ['--decoder', script], true],
      ['two', 'y', ['--decoder', script], true],
      ['two', 'y', [], false],
      ['three', 'y', [], true],
    ];
    for (const [says, partSays, decoder, isAnew] of steps) {
      write(says, partSays);
      const { code, err } = await sluicebox(['import', '--store', store, ...decoder, log]);
      expect([code, err]).toEqual([0, isAnew ? expect.stringContaining('its decoder was edited, so it is read anew') : '']);
      expect(await ask('SELECT string_agg(Payload, $$,$$) FROM access')).toBe(`${says} ${partSays}`);
    }
  });

  it('sets a damaged file aside, answers from the others, and mends it from its log', async () => {
    const other = join(folder, 'other.log');
    writeFileSync(log, lines(0, 30));
    writeFileSync(other, lines(0, 5));
    await imports(log, other);
    const name = fileOf('access');
    truncateSync(join(store, 'files', name), 500);
    const { code, out, err } = await sluicebox(['query', '--format', 'csv', '--store', store, 'SELECT count(*) AS n FROM messages']);
    expect([code, out]).toEqual([2, 'n\n5\n']);
    expect(err).toContain(`${name} is damaged (it has 500 bytes`);
    const mended = await imports(log);
    expect([mended.code, mended.err]).toEqual([1, expect.stringContaining(`${name} is damaged`)]);
    expect(existsSync(join(store, 'broken', name))).toBe(true);
    expect(await ask('SELECT count(*) FROM messages')).toBe('35');
  });

  it('finds damage in the description of a file', async () => {
    writeFileSync(log, lines(0, 30));
    await imports(log);
    const path = join(store, 'files', fileOf('access'));
    const file = openSync(path, 'r+');
    const byte = Buffer.alloc(1);
    const at = readSync(file, Buffer.alloc(1 << 20), 0, 1 << 20, 0) - 40;
    readSync(file, byte, 0, 1, at);
    writeSync(file, Buffer.from([(byte[0] as number) ^ 1]), 0, 1, at);
    expect(await ask('SELECT 1')).toMatch(/^2: .*is damaged \(its metadata are not those/);
  });

  it('answers without a file whose values are damaged, names it, and mends it when it is removed', async () => {
    const other = join(folder, 'other.log');
    writeFileSync(log, lines(0, 3000));
    writeFileSync(other, lines(0, 5));
    await imports(log, other);
    const name = fileOf('access');
    const path = join(store, 'files', name);
    const bytes = readFileSync(path);
    // Of the same size and with the same description: only reading finds it.
    for (let at = 64; at < bytes.length - 3000; at += 7) bytes[at] = (bytes[at] as number) ^ 0x55;
    writeFileSync(path, bytes);
    const sql = 'SELECT count(DISTINCT request) AS n FROM messages';
    const { code, out, err } = await sluicebox(['query', '--format', 'csv', '--store', store, sql]);
    expect([code, out]).toEqual([2, 'n\n5\n']);
    expect(err).toContain(`${name} is damaged (a page is not what was written)`);
    const checked = await sluicebox(['store', 'check', '--store', store]);
    expect([checked.code, checked.lines(), checked.err]).toEqual([1, [{ files: 2, damaged: 1 }], expect.stringContaining(name)]);
    rmSync(path);
    await imports(log);
    expect(await ask(sql)).toBe('3000');
    expect((await sluicebox(['store', 'check', '--store', store])).lines()).toEqual([{ files: 2, damaged: 0 }]);
  });

  it('says what is not a store, what is damaged, locked, or not to be written', async () => {
    expect(await ask('SELECT 1')).toMatch(/is not a store/);
    expect((await sluicebox(['store', 'list', '--store', store])).code).toBe(1);
    expect((await sluicebox(['store', 'remove', '--store', store, log])).err).toContain('is not a store');
    writeFileSync(log, lines(0, 5));
    const piped = await sluicebox(['import', '--store', store, '-'], 'x\n');
    expect([piped.code, existsSync(store)]).toEqual([2, false]);
    const below = await sluicebox(['import', '--store', join(log, 'store'), log]);
    expect([below.code, below.err]).toEqual([2, expect.stringContaining('Name a folder')]);
    await imports(log);
    {
      using held = await Store.toWrite(store, { create: false });
      expect(held.broken).toEqual([]);
      const busy = await imports(log);
      expect([busy.code, busy.err]).toEqual([2, expect.stringContaining('another process writes to the store')]);
      expect(await ask('SELECT count(*) FROM access')).toBe('5');
    }
    writeFileSync(join(store, 'manifest.sqlite'), 'no database at all, but long enough to be looked at as if it were one'.repeat(20));
    expect(await ask('SELECT 1')).toMatch(/^2: .*manifest.sqlite is damaged \(file is not a database\)/);
    expect((await imports(log)).code).toBe(2);
  });

  it.skipIf(process.getuid?.() === 0)('asks a store that may not be written', async () => {
    writeFileSync(log, lines(0, 5));
    await imports(log);
    for (const path of [join(store, 'files'), store]) chmodSync(path, 0o500);
    chmodSync(join(store, 'manifest.sqlite'), 0o400);
    expect(await ask('SELECT count(*) FROM access')).toBe('5');
    appendFileSync(log, lines(5, 6));
    expect((await imports(log)).err).toContain('cannot be written');
    chmodSync(store, 0o700);
  });

  it.skipIf(process.platform === 'win32')('stays as it was when the disk is full', async () => {
    const other = join(folder, 'other.log');
    writeFileSync(log, lines(0, 5));
    await imports(log);
    const before = stored();
    const noise = Array.from({ length: 4000 }, (_, i) => line(i).replace('curl', randomBytes(24).toString('base64')));
    writeFileSync(other, noise.join(''));
    // The largest file that it may write: 64 blocks of 1024 bytes.
    const { code, err } = await limited(64, ['import', '-q', '--store', store, other]);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be written')]);
    expect(stored()).toEqual(before);
    expect(await ask('SELECT count(*) FROM messages')).toBe('5');
    await imports(other);
    expect(await ask('SELECT count(*) FROM messages')).toBe('4005');
  });

  it('keeps files that lost their list', async () => {
    writeFileSync(log, lines(0, 5));
    await imports(log);
    const [name] = stored();
    rmSync(join(store, 'manifest.sqlite'));
    writeFileSync(join(store, 'files', 'notes.txt'), 'mine');
    await imports(log);
    expect(readdirSync(join(store, 'broken'))).toEqual([name]);
    expect(stored()).toContain('notes.txt');
    expect(await ask('SELECT count(*) FROM access')).toBe('5');
  });
});

describe('sluicebox store', { timeout: 5 * testMs() }, () => {
  it('removes a log with its files, and what is too old or too much', async () => {
    mkdirSync(join(folder, 'logs'));
    const old = join(folder, 'logs', 'old.log');
    writeFileSync(log, lines(0, 5));
    writeFileSync(old, lines(0, 7).replaceAll('2025', '2024'));
    await imports(log, old);
    expect((await sluicebox(['store', 'remove', '--store', store, join(folder, 'nothing.log')])).code).toBe(1);
    const kept = await sluicebox(['store', 'expire', '--store', store, '--size', '1']);
    expect(kept.lines()).toMatchObject([{ removed: 0, left: 2 }]);
    const days = Math.floor((Date.now() - Date.parse('2025-02-10T00:00:00Z')) / 86_400_000) + 30;
    const expired = await sluicebox(['store', 'expire', '--store', store, '--days', String(days)]);
    expect(expired.lines()).toMatchObject([{ removed: 1, left: 1 }]);
    // It is not imported again as long as it is the same.
    await imports(log, old);
    expect(await ask('SELECT count(*) FROM messages')).toBe('5');
    expect((await sluicebox(['store', 'remove', '--store', store, log])).code).toBe(0);
    expect(stored()).toEqual([]);
    await imports(log);
    expect(await ask('SELECT count(*) FROM messages')).toBe('5');
  });
});
