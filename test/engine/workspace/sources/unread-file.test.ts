import { appendFileSync, utimesSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordQuery, RecordRow, UnreadPage, UnreadRecord } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const END = Number.MAX_SAFE_INTEGER;
const COLUMNS = ['request', 'status', 'msg', 'Logger', 'Hostname', 'Pid'];
const PAGE = 900;

let engine: Engine;
beforeEach(() => void (engine = new Engine(undefined, startSandboxes())));
afterEach(() => engine.stop());

const two = (number: number): string => String(number).padStart(2, '0');
const clock = (seconds: number): string => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
const repeat = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('');

const access = (i: number, end = '\n'): string =>
  `192.0.2.${i % 200} - - [20/Nov/2026:${clock(i)} +0000] "GET /${i}/${'é'.repeat(i % 5)} HTTP/1.1" ${i % 7 === 0 ? 500 : 200} 12 "-" "curl"${end}`;
const trace = (i: number): string => {
  const begin = `2026-11-20 ${clock(i)},${100 + (i % 900)} ERROR [main] com.example.App - failed ${i}\n`;
  return i % 3 === 0
    ? `${begin}java.lang.IllegalStateException: no ${i}\n${repeat(i % 40, (at) => `\tat com.example.App.run${at}(App.java:${at})\n`)}`
    : begin;
};
const syslog = (day: string, i: number): string => `${day} ${clock(i)} host app[${i}]: message ${i}\n`;
/** Days of two years, without their years. */
const yearless = repeat(6000, (i) => syslog(`${i < 3000 ? 'Dec' : 'Jan'} ${String(1 + (Math.floor(i / 100) % 28)).padStart(2)}`, i % 100));
/** Lines without a time among others. */
const mixed = (i: number): string =>
  i % 50 === 0 ? `${access(i)}some text\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: ${i}\n` : access(i);

const CASES: readonly (readonly [what: string, content: string | Uint8Array])[] = [
  ['lines', repeat(2500, access)],
  ['lines with CR LF', repeat(2500, (i) => access(i, '\r\n'))],
  ['a byte order mark', `\uFEFF${repeat(2500, access)}`],
  ['windows-1252', Buffer.from(repeat(2500, access), 'latin1')],
  ['a last line without its end', repeat(2000, access).slice(0, -1)],
  ['fewer records than a page', repeat(5, access)],
  ['one record', access(1)],
  ['nothing', ''],
  ['empty lines at the end', `${repeat(2000, access)}\n\n\n`],
  ['records of several lines', repeat(1000, trace)],
  ['a last record of several lines', `${repeat(800, trace)}${trace(39)}`],
  [
    'a record that is longer than what is decoded at once',
    `${repeat(500, access)}${access(1).replace('/1/', `/${'x'.repeat(700_000)}`)}${repeat(500, access)}`,
  ],
  ['dates without a year', yearless],
  ['lines of other forms', repeat(2000, mixed)],
  ['JSON', repeat(3000, (i) => `{"time":"2026-11-20T${clock(i)}Z","level":"info","msg":"m ${i}"}\n`)],
  ['lines that no decoder knows', repeat(9000, (i) => `just words, number ${i}\n`)],
];

const page = (
  id: number,
  at: UnreadPage['first'] | { time: number },
  more: { before?: number; count?: number; query?: RecordQuery } = {},
): Promise<UnreadPage | null> =>
  engine.ask('source.unread', { id, at, before: more.before ?? 0, count: more.count ?? PAGE, columns: COLUMNS, query: more.query ?? {} });

/** Opens a file that nobody has written for a while. */
async function opened(content: string | Uint8Array, name = 'a.log'): Promise<number> {
  const path = engine.file(name, content);
  utimesSync(path, new Date('2027-01-31T00:00:00Z'), new Date('2026-02-20T00:00:00Z'));
  const id = await engine.open(path);
  await engine.settled(id);
  return id;
}

/** All records of a view, by their numbers. */
async function allRows(query: RecordQuery = {}): Promise<RecordRow[]> {
  const { view } = await engine.ask('view.open', { query });
  await until(() => engine.workspace.views.get(view).complete, 'the view');
  const rows: RecordRow[] = [];
  for (;;) {
    const reply = await engine.ask('view.rows', { view, start: rows.length, count: 1000, columns: COLUMNS });
    rows.push(...reply.rows);
    if (rows.length >= reply.total) return rows;
  }
}

/** All records of a file, page by page from its end to its beginning. */
async function backwards(id: number, query: RecordQuery = {}): Promise<UnreadRecord[]> {
  const records: UnreadRecord[] = [];
  for (let at = END; at > 0;) {
    const found = await page(id, at, { before: PAGE, query });
    if (found === null) throw new Error(`no page before ${at}`);
    const before = found.records.filter((record) => record.at < at);
    records.unshift(...before);
    if (found.first === at || found.first <= 3) return records;
    at = found.first;
  }
  return records;
}

async function forwards(id: number): Promise<UnreadRecord[]> {
  const records: UnreadRecord[] = [];
  for (let at = 0; ;) {
    const found = await page(id, at);
    if (found === null) throw new Error(`no page at ${at}`);
    records.push(...found.records);
    if (found.end >= found.size) return records;
    at = found.end;
  }
}

/** The content of a record, without its number. */
const said = (rows: readonly (RecordRow | UnreadRecord)[]): unknown[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'id' && key !== 'at')));

describe('the records of a file from any place', () => {
  it.each(CASES)('are those that reading from its beginning gives: %s', async (_what, content) => {
    const id = await opened(content);
    const all = said(await allRows());
    expect(said(await backwards(id))).toEqual(all);
    expect(said(await forwards(id))).toEqual(all);
    const last = await page(id, END, { before: 20, count: 20 });
    expect(said(last?.records ?? [])).toEqual(all.slice(-20));
    expect(last?.end).toBe(last?.size);
  });
});

it('have the times that the order of the file gives them, where a clock shows an hour twice', async () => {
  // From midnight in Berlin, when its clock is set back at three.
  const shown = (i: number): string => {
    const seconds = 3 * i;
    return new Date(Date.UTC(2024, 9, 27) + 1000 * (seconds < 3 * 3600 ? seconds : seconds - 3600))
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
  };
  const id = await opened(repeat(6000, (i) => `${shown(i)} INFO message ${i} of a program that says a little more than others\n`));
  await engine.ask('source.decoder', { id, decoder: 'generic', config: { tz: 'Europe/Berlin' } });
  await until(async () => {
    const { decoder, records, state } = (await engine.source(id)) ?? {};
    return decoder?.config['tz'] !== undefined && records === 6000 && state === 'following';
  }, 'all records by that decoder');
  const all = await allRows();
  expect(new Set(all.slice(1).map(({ time }, i) => time - (all[i] as RecordRow).time))).toEqual(new Set([3000]));
  expect(said(await backwards(id))).toEqual(said(all));
  expect(said(await forwards(id))).toEqual(said(all));
});

it('are those that a filter selects', async () => {
  const id = await opened(repeat(6000, access));
  for (const query of [
    { matcher: 'Fields[status] == 500' },
    { text: '/77' },
    { from: Date.UTC(2026, 10, 20, 1, 0), to: Date.UTC(2026, 10, 20, 1, 10) },
  ]) {
    const all = said(await allRows(query));
    expect(all.length).toBeGreaterThan(10);
    expect(said(await backwards(id, query))).toEqual(all);
  }
  const none = await page(id, END, { before: 20, count: 20, query: { text: 'nowhere' } });
  expect(none).toMatchObject({ records: [], first: 0 });
  await expect(page(id, END, { query: { matcher: '((' } })).rejects.toMatchObject({ code: 'query.matcher' });
});

it('are looked for only so far at once, and on from there', async () => {
  const id = await opened(`${access(1).replace('/1/', '/rare/')}${repeat(80_000, access)}`);
  let at = END;
  let asked = 0;
  let found: UnreadRecord[] = [];
  for (; found.length === 0 && asked < 10; asked++) {
    const reply = await page(id, at, { before: 5, count: 5, query: { text: '/rare/' } });
    expect(reply?.first).toBeLessThan(at);
    found = [...(reply?.records ?? [])];
    at = reply?.first ?? 0;
  }
  expect(found.map((record) => record.at)).toEqual([0]);
  expect(asked).toBeGreaterThan(1);
});

it('begin with the first one at or after a time', async () => {
  const id = await opened(repeat(6000, access));
  const at = async (second: number): Promise<string | null | undefined> =>
    (await page(id, { time: Date.UTC(2026, 10, 20) + 1000 * second }, { count: 3 }))?.records[0]?.values[0];
  expect(await at(-5)).toMatch(/^GET \/0\//);
  expect(await at(2999.5)).toMatch(/^GET \/3000\//);
  expect(await at(5999)).toMatch(/^GET \/5999\//);
  expect(await at(9999)).toBeUndefined();
});

it('are there while the file is read, and without the last one while that is being written', async () => {
  const path = engine.file('a.log', repeat(40_000, access));
  const id = await engine.open(path);
  await engine.ask('source.pause', { id });
  const { records: read = 0 } = (await engine.source(id)) ?? {};
  expect(read).toBeLessThan(40_000);
  const lastOf = async (): Promise<string | undefined> => (await page(id, END, { before: 3, count: 3 }))?.records.at(-1)?.text;
  expect(await lastOf()).toContain('GET /39999/');
  appendFileSync(path, `${access(40_000)}${access(40_001).slice(0, -20)}`);
  // Nobody has written to it for a while, unless the answer comes at once.
  const growing = await until(async () => {
    const now = Date.now();
    utimesSync(path, now / 1000, now / 1000);
    const found = await page(id, END, { before: 3, count: 3 });
    return Date.now() - now < 250 && found;
  }, 'an answer at once');
  expect(growing?.records.at(-1)?.values[0]).toMatch(/^GET \/40000\//);
  expect(growing?.end).toBe(growing?.size);
  await until(async () => (await lastOf())?.includes('GET /40001/') === true, 'the line that nobody goes on with');
  // Nothing of it is counted as read.
  await until(() => engine.workspace.source(id).queued === 0, 'what was read to be stored');
  expect((await engine.source(id))?.records).toBe((await allRows()).length);
});

it.each([
  ['packed files', 'a.log.gz', gzipSync(repeat(500, access))],
  ['UTF-16', 'a.log', Buffer.from(`\uFEFF${repeat(500, access)}`, 'utf16le')],
  [
    'tables, whose head is at their beginning',
    'a.csv',
    `time,level,text\n${repeat(500, (i) => `2026-11-20T${clock(i)}Z,info,"text ${i}"\n`)}`,
  ],
])('are not told of %s', async (_what, name, content) => {
  const id = await opened(content, name);
  expect((await allRows()).length).toBeGreaterThanOrEqual(500);
  expect(await page(id, END, { before: 20, count: 20 })).toBeNull();
});
