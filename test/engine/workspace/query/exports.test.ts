import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { ExportInfo, ExportRequest } from '../../../../engine/api/types.ts';
import { Engine } from '../engine-fixture.ts';

const line = (path: string, status = 200): string =>
  `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl"\n`;
const within = { interval: 10 };

let engine: Engine;
let target: string;

beforeEach(() => {
  engine = new Engine();
  target = join(engine.folder, 'out.log');
});
afterEach(() => engine.workspace.stop());

const news = (): ExportInfo[] => engine.events.flatMap(({ name, data }) => (name === 'export' ? [data as ExportInfo] : []));
const ended = async (): Promise<ExportInfo> => {
  await expect.poll(() => news().at(-1)?.state, within).not.toMatch(/running|undefined/);
  return news().at(-1) as ExportInfo;
};

async function open(name: string, text: string): Promise<number> {
  const id = await engine.open(engine.file(name, text));
  await engine.settled(id);
  return id;
}

/** Chooses the file as a dialog does, and writes it. */
async function write(request: Partial<ExportRequest> = {}): Promise<{ id: number }> {
  await engine.grant(target);
  return engine.ask('export.start', { query: {}, format: 'raw', columns: [], path: target, ...request });
}

describe('an export', () => {
  it('writes the lines as they were read', async () => {
    const text = line('/a') + 'no log line\n' + line('/ü', 500);
    await open('access.log', text);
    await write();
    expect(await ended()).toMatchObject({ state: 'done', path: target, written: 3, total: 3 });
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  test.each([
    ['a matcher', { matcher: 'Fields[status] == 500' }, ['/b']],
    ['a text', { text: '/A ' }, ['/a']],
    ['a text that hides', { text: '/a ', exclude: true }, ['/b', '/c']],
    ['nothing that is there', { text: 'nowhere' }, []],
  ])('writes what %s selects', async (_what, query, paths) => {
    await open('access.log', line('/a') + line('/b', 500) + line('/c', 404));
    await write({ query });
    await ended();
    expect(readFileSync(target, 'utf8').match(/\/\w(?= HTTP)/g) ?? []).toEqual(paths);
  });

  it('writes messages as lines of JSON', async () => {
    await open('access.log', line('/a') + line('/b'));
    await write({ format: 'json' });
    await ended();
    const messages = readFileSync(target, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { Type: string; Fields: { name: string; value: unknown[] }[] });
    expect(messages.map(({ Type }) => Type)).toEqual(['nginx.access', 'nginx.access']);
    expect(messages[1]?.Fields.find(({ name }) => name === 'request')?.value).toEqual(['GET /b HTTP/1.1']);
    // Data that the store keeps beside the message is no part of it.
    expect(messages[0]?.Fields.map(({ name }) => name)).toEqual(['remote_addr', 'request', 'status']);
  });

  it('writes marks and notes with tables and messages', async () => {
    await open('access.log', line('/a') + line('/b') + line('/c'));
    const { rows } = await engine.ask('view.rows', { ...(await engine.ask('view.open', { query: {} })), start: 0, count: 3, columns: [] });
    for (const { id } of rows.slice(1)) await engine.ask('mark.set', { record: id, on: true });
    const marks = await engine.ask('mark.list', {});
    await engine.ask('mark.note', { key: marks[1]?.key ?? -1, note: 'why, "so"?' });
    await write({ format: 'csv' });
    await ended();
    const lines = readFileSync(target, 'utf8').trimEnd().split('\r\n');
    expect(lines.map((text) => /(Mark,Note|,(marked)?,(".*")?)$/.exec(text)?.[0])).toEqual([
      'Mark,Note',
      ',,',
      ',marked,',
      ',marked,"why, ""so""?"',
    ]);
    await write({ format: 'json' });
    await expect.poll(() => readFileSync(target, 'utf8').startsWith('{'), within).toBe(true);
    const fields = readFileSync(target, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { Fields: { name: string; value: unknown[] }[] }).Fields.slice(3));
    expect(fields.map((list) => list.map(({ name, value }) => [name, ...value]))).toEqual([
      [],
      [['marked', true]],
      [
        ['marked', true],
        ['note', 'why, "so"?'],
      ],
    ]);
  });

  it('writes a table as CSV', async () => {
    await open('access.log', line('/a,b'));
    await write({ format: 'csv', columns: ['status', 'request', 'missing'] });
    await ended();
    const raw = line('/a,b').trimEnd().replaceAll('"', '""');
    expect(readFileSync(target, 'utf8')).toBe(
      `Time,Severity,Source,Type,status,request,missing,Text\r\n2026-11-20T10:00:00Z,,access.log,nginx.access,200,"GET /a,b HTTP/1.1",,"${raw}"\r\n`,
    );
  });

  it.each([
    ['csv', `"'=HYPERLINK(""http://x"")"`],
    ['exact-csv', '"=HYPERLINK(""http://x"")"'],
  ] as const)('writes %s with formulas as %s', async (format, cell) => {
    await open('plain.log', '=HYPERLINK("http://x")\n');
    await write({ format, columns: [] });
    await ended();
    expect(
      readFileSync(target, 'utf8')
        .split(/,(?=[^,]*$)/)
        .at(-1),
    ).toBe(`${cell}\r\n`);
  });

  it('brings several files together by time, as the view shows them', async () => {
    const at = (minute: number): string => line(`/${minute}`).replace('10:00:00', `10:0${minute}:00`);
    await open('one.log', at(1) + at(3));
    await open('two.log', at(2) + at(4));
    await write();
    await ended();
    expect(readFileSync(target, 'utf8')).toBe(at(1) + at(2) + at(3) + at(4));
  });

  it('writes what was there when it began', async () => {
    const log = join(engine.folder, 'access.log');
    const id = await open('access.log', line('/a').repeat(9000));
    await write();
    await expect.poll(() => news()[0]?.total, within).toBe(9000);
    appendFileSync(log, line('/late').repeat(500));
    expect(await ended()).toMatchObject({ state: 'done', written: 9000 });
    await expect.poll(async () => (await engine.source(id))?.records, within).toBe(9500);
    expect(readFileSync(target, 'utf8')).toBe(line('/a').repeat(9000));
  });

  it('leaves the file as it was when it is canceled, and nothing beside it', async () => {
    await open('access.log', line('/a').repeat(20_000));
    writeFileSync(target, 'before');
    const { id } = await write();
    await engine.ask('export.cancel', { id });
    expect(await ended()).toMatchObject({ state: 'canceled' });
    expect(readFileSync(target, 'utf8')).toBe('before');
    expect(readdirSync(engine.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([
    ['no/such/folder/out.log', 'ENOENT: no such file or directory; check that the folder above it is there'],
    ['access.log/out.log', 'ENOTDIR: not a directory; a part of its path is a file: name a folder instead'],
    ['folder', 'a folder is in its place'],
    ['pipe', 'a device, pipe or socket is in its place'],
  ])('says why %s cannot be written, and leaves what is there', async (name, problem) => {
    await open('access.log', line('/a'));
    mkdirSync(join(engine.folder, 'folder'));
    execFileSync('mkfifo', [join(engine.folder, 'pipe')]);
    target = join(engine.folder, name);
    const modeNow = (): number | null => (existsSync(target) ? lstatSync(target).mode : null);
    const before = modeNow();
    await write();
    expect(await ended()).toMatchObject({ state: 'failed', problem });
    expect(modeNow()).toBe(before);
    expect(readdirSync(engine.folder).filter((one) => one.endsWith('.part'))).toEqual([]);
  });

  it('goes only where somebody chose to, once', async () => {
    await open('access.log', line('/a'));
    const refused = { query: {}, format: 'raw', columns: [], path: target } as const;
    await expect(engine.ask('export.start', refused)).rejects.toMatchObject({ code: 'export.place' });
    await write();
    await ended();
    await expect(engine.ask('export.start', refused)).rejects.toMatchObject({ code: 'export.place' });
  });

  it('does not write over a log that is being read, nor begin with a wrong query', async () => {
    await open('out.log', line('/a'));
    await expect(write()).rejects.toMatchObject({ code: 'export.source' });
    expect(readFileSync(target, 'utf8')).toBe(line('/a'));
    target = join(engine.folder, 'other.log');
    await expect(write({ query: { matcher: 'Type ==' } })).rejects.toMatchObject({ code: 'query.matcher' });
    expect(existsSync(target)).toBe(false);
  });
});

describe('a view that begins behind a record', () => {
  it('shows what came after it', async () => {
    const log = join(engine.folder, 'access.log');
    expect(await engine.ask('record.last', {})).toEqual({ last: null });
    await open('access.log', line('/a') + line('/b'));
    const { last } = await engine.ask('record.last', {});
    expect(last).toBe(1);
    expect((await engine.rows({ after: 0 })).rows.map(({ id }) => id)).toEqual([1]);
    const { view } = await engine.ask('view.open', { query: { after: last as number } });
    appendFileSync(log, line('/c'));
    await expect
      .poll(async () => (await engine.ask('view.rows', { view, start: 0, count: 9, columns: [] })).rows.map(({ id }) => id), within)
      .toEqual([2]);
    expect((await engine.rows({ after: 1, text: '/b' })).total).toBe(0);
    expect((await engine.rows({ after: 0, text: '/b' })).total).toBe(1);
  });
});
