import { appendFileSync, utimesSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordQuery, RecordRow, UnreadPage, UnreadRecord } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const END = Number.MAX_SAFE_INTEGER;
const COLUMNS = ['request', 'status', 'msg', 'Logger', 'Hostname', 'Pid'];
const PAGE = 150;

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
  return i % 3 === 0 ? `${begin}java.lang.IllegalStateException: no ${i}\n${repeat(i % 40, (at) => `\tat com.example.App.run${at}(App.java:${at})\n`)}` : begin;
};
const syslog = (day: string, i: number): string => `${day} ${clock(i)} host app[${i}]: message ${i}\n`;
/** Days of two years, without their years. */
const yearless = repeat(6000, (i) => syslog(`${i < 3000 ? 'Dec' : 'Jan'} ${String(1 + (Math.floor(i / 100) % 28)).padStart(2)}`, i % 100));
/** Lines without a time among others. */
const mixed = (i: number): string => (i % 50 === 0 ? `${access(i)}some text\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: ${i}\n` : access(i));

const CASES: readonly (readonly [what: string, content: string | Uint8Array])[] = [
  ['lines', repeat(6000, access)],
  ['lines with CR LF', repeat(6000, (i) => access(i, '\r\n'))],
  ['a byte order mark', `\uFEFF${repeat(5000, access)}`],
  ['windows-1252', Buffer.from(repeat(6000, access), 'latin1')],
  ['a last line without its end', repeat(3000, access).slice(0, -1)],
  ['fewer records than a page', repeat(5, access)],
  ['one record', access(1)],
  ['nothing', ''],
  ['empty lines at the end', `${repeat(2000, access)}\n\n\n`],
  ['records of several lines', repeat(3000, trace)],
  ['a last record of several lines', `${repeat(2000, trace)}${trace(39)}`],
  ['a record that is longer than what is decoded at once', `${repeat(500, access)}${access(1).replace('/1/', `/${'x'.repeat(700_000)}`)}${repeat(500, access)}`],
  ['dates without a year', yearless],
  ['lines of other forms', repeat(4000, mixed)],
  ['JSON', repeat(5000, (i) => `{"time":"2026-11-20T${clock(i)}Z","level":"info","msg":"m ${i}"}\n`)],
  ['lines that no decoder knows', repeat(9000, (i) => `just words, number ${i}\n`)],
];

const page = (id: number, at: UnreadPage['first'] | { time: number }, more: { before?: number; count?: number; query?: RecordQuery } = {}): Promise<UnreadPage | null> =>
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

/** What a record says, whatever its number. */
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
