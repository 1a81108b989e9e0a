import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Tail } from '../../../engine/inputs/file/tail.ts';
import { WrittenTimes } from '../../../engine/inputs/file/written-times.ts';
import { readRecords, TextSource } from '../../../engine/inputs/shared/read.ts';
import { Years } from '../../../engine/inputs/years.ts';
import { clockSecond, latestYear, yearDay } from '../../../engine/inputs/year-order.ts';
import { textAt, type MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { recordsAsWritten } from '../../../engine/pipeline/written.ts';
import { line } from './years-fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-years-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 86_400_000;

const afterNewYear = (ms: number): number => (yearDay(line(ms), 0) === 0 ? ms + DAY : ms);

/** A file of these lines that was written last at a date. */
function fileOf(lines: readonly string[], written: number): string {
  const path = join(folder, `${lines.length}-${written}.log`);
  writeFileSync(path, lines.map((text) => `${text}\n`).join(''));
  utimesSync(path, written / 1000, written / 1000);
  return path;
}

/** The years that dates of the lines have for a decoder. */
async function yearsOf(path: string): Promise<number[]> {
  const years: number[] = [];
  for await (const records of readRecords(path)) {
    const { timestamps, payload } = recordsAsWritten(records);
    timestamps.forEach((time, row) => years.push(latestYear(yearDay(textAt(payload, row) ?? '', 0), time)));
  }
  return years;
}

describe('the day of a record', () => {
  it.each([
    ['Jan  1 00:00:00 box1 a: b', 0],
    ['<34>Mar 05 13:07:59 box1 a: b', 64],
    ['Dec 31 13:07:59.250 box1 a: b', 365],
    ['I0305 13:07:59.250000  1 a.go:7] x', 64],
    ['03-05 13:07:59.250  1234  5678 I Tag: x', 64],
    ['1:M 05 Mar 13:07:59.250 * x', 64],
    ['[12] 05 Mar 13:07:59.250 # x', 64],
    ['1:M 05 Mar 2021 13:07:59.250 * x', -1],
    ['03-05-2021 13:07:59.250 x', -1],
    ['Mar  5 13:07:59 2021 x', -1],
    ['Mar  5 13:07:59 20210 x', 64],
    ['Mar 35 13:07:59 box1', -1],
    ['I1305 13:07:59.250000', -1],
    ['2021-03-05 13:07:59 x', -1],
    ['Mars', -1],
    ['', -1],
  ])('%s', (text, day) => {
    expect(yearDay(text, 0)).toBe(day);
    expect(yearDay(`x${text}`, 1)).toBe(day);
  });
});

describe('a file whose dates have no year', () => {
  it.each<[title: string, first: string, last: string, written: string, step: number]>([
    ['of some months', '2021-01-05', '2021-06-01', '2021-06-01', 1],
    ['across a new year', '2020-11-05', '2021-02-01', '2021-02-01', 1],
    ['of several years', '2018-11-05', '2021-02-01', '2021-02-02', 1],
    ['of several years with few records', '2017-01-05', '2021-02-01', '2021-02-01', 97],
    ['that was copied later', '2020-03-05', '2021-02-01', '2021-11-20', 1],
    ['with many records a day', '2019-11-05', '2021-02-01', '2021-02-01', 0.002],
  ])('%s', async (_, first, last, written, step) => {
    const times: number[] = [];
    for (let ms = Date.parse(first); ms <= Date.parse(last); ms += step * DAY) times.push(ms);
    const years = await yearsOf(fileOf(times.map(line), Date.parse(written)));
    expect(years).toEqual(times.map((ms) => new Date(ms).getUTCFullYear()));
  });

  it('is sampled where it is large, however the records are spread', async () => {
    // Two years of one record a day, and a month of very many.
    const times = Array.from({ length: 760 }, (_, i) => Date.parse('2019-01-01') + i * DAY);
    const last = times.at(-1) as number;
    for (let i = 0; i < 150_000; i++) times.push(last + (i / 150_000) * 30 * DAY);
    const years = await yearsOf(fileOf(times.map(line), last + 30 * DAY));
    expect(years.length).toBe(times.length);
    expect(years.findIndex((year, i) => year !== new Date(times[i] as number).getUTCFullYear())).toBe(-1);
  });

  it('gives lines without a date the year of those before them', async () => {
    const texts = [
      'first',
      ...['2019-12-31', '', '2020-01-05', '2020-12-01', '2021-02-01'].map((date) => (date === '' ? '\tat x' : line(Date.parse(date)))),
    ];
    for await (const records of readRecords(fileOf(texts, Date.parse('2021-02-01')))) {
      const times = [...recordsAsWritten(records).timestamps].map((time) => new Date(Number(time / 1_000_000n)).toISOString().slice(0, 10));
      expect(times).toEqual(['2019-12-31', '2019-12-31', '2019-12-31', '2020-01-05', '2020-12-01', '2021-02-01']);
    }
  });

  it('has the years of any order of days', async () => {
    const gap = fc.integer({ min: 0, max: 260 });
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { minLength: 1, maxLength: 30 }), fc.integer({ min: 0, max: 300 }), async (gaps, later) => {
        let ms = Date.parse('2003-01-02');
        // The first of January may be where a clock began anew: it has tests of its own.
        const times = gaps.map((days) => (ms = afterNewYear(ms + days * DAY)));
        const years = await yearsOf(fileOf(times.map(line), ms + later * DAY));
        expect(years).toEqual(times.map((time) => new Date(time).getUTCFullYear()));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a file that is followed', () => {
  const tail = (path: string): Tail => new Tail(path, path, statSync(path, { bigint: true }));
  const batch = (lines: readonly string[]): MessageBatch =>
    batchOf(lines.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })));
  const lines = ['2019-06-01', '2019-12-31', '2020-06-01', '2021-02-01'].map((date) => line(Date.parse(date)));

  it('has the years of what it held, and its own time for what comes later', async () => {
    const path = fileOf(lines, Date.parse('2021-02-01'));
    const [times, file] = [new WrittenTimes(), tail(path)];
    const handle = await open(path);
    await times.look(file, handle);
    await handle.close();
    const at = (position: number, some: readonly string[]): unknown => {
      file.mark = { ...file.mark, position };
      const written = times.of(file, batch(some));
      return typeof written === 'bigint' ? written : [...written].map((time) => new Date(Number(time / 1_000_000n)).getUTCFullYear());
    };
    expect(at(file.size / 2, lines.slice(0, 2))).toEqual([2019, 2019]);
    // This was written while the file was looked at.
    expect(at(file.size + 9, [...lines.slice(2), line(Date.parse('2021-02-02'))])).toEqual([2020, 2021, 2021]);
    expect(at(file.size + 99, lines.slice(0, 1))).toBe(file.modifiedNs);
  });
});

describe('a file of times without a date', () => {
  const seconds = (text: string): number => clockSecond(text, 0);

  it.each([
    ['13:07:59 x', 47_279],
    ['[13:07:59.250] x', 47_279],
    ['T:598989803522(14:31:17)[root] x', 52_277],
    ['1:07:59 x', 4079],
    ['1:07:59 PM x', -1],
    ['13:07 x', -1],
    ['13:07:59:12 x', -1],
    ['2021-03-05 13:07:59 x', -1],
    ['25:07:59 x', -1],
  ])('%s', (text, second) => {
    expect(seconds(text)).toBe(second);
  });

  /** The days of the lines before that of the last one, for a decoder in UTC. */
  async function daysOf(lines: readonly string[], written: string): Promise<number[]> {
    const days: number[] = [];
    const last = Math.floor(Date.parse(written) / DAY);
    for await (const records of readRecords(fileOf(lines, Date.parse(written)))) {
      const { timestamps, payload } = recordsAsWritten(records);
      timestamps.forEach((time, row) => {
        const second = seconds(textAt(payload, row) ?? '');
        const now = Number(time / 1_000_000n);
        const midnight = Math.floor(now / DAY) * DAY;
        days.push(Math.floor((midnight + second * 1000 <= now ? midnight : midnight - DAY) / DAY) - last);
      });
    }
    return days;
  }

  it.each<[title: string, times: string, written: string, days: string]>([
    ['past midnight', '00:00:00 01:00:00 02:00:00 03:00:00 00:00:00 00:01:00', '2021-03-05T00:01:00Z', '-1 -1 -1 -1 0 0'],
    ['of one day', '10:00:00 12:00:00 23:00:00', '2021-03-05T23:00:00Z', '0 0 0'],
    ['of three days', '10:00:00 08:30:00 23:59:59 08:00:00', '2021-03-05T08:00:01Z', '-2 -1 -1 0'],
    ['out of order by seconds', '23:59:58 00:00:01 23:59:59 00:00:02', '2021-03-05T00:00:02Z', '-1 0 -1 0'],
    ['with an hour twice', '02:59:00 02:00:00 03:00:00', '2021-03-05T03:00:00Z', '0 0 0'],
    ['that was written a while after its last record', '10:00:00 14:00:00 11:00:00', '2021-03-05T12:00:00Z', '-1 -1 0'],
  ])('%s', async (_, times, written, days) => {
    expect(
      (
        await daysOf(
          times.split(' ').map((time) => `${time} x`),
          written,
        )
      ).join(' '),
    ).toBe(days);
  });

  it('has the same days when its beginning was looked at before', async () => {
    const path = fileOf(['23:00:00 a', '01:00:00 b', '00:30:00 c'], Date.parse('2021-03-05T00:30:00Z'));
    const source = new TextSource(path);
    const seen: bigint[][] = [];
    for await (const head of source.headLines({ bytes: 1000, lines: 1000, most: 1000 })) seen.push([...recordsAsWritten(head).timestamps]);
    for await (const all of source.records()) seen.push([...recordsAsWritten(all).timestamps]);
    expect(seen[0]).toEqual(seen[1]);
  });
});

it('has the same times from any record on', async () => {
  const lines = Array.from(
    { length: 120 },
    (_, i) => `${i < 40 ? 'Nov' : i < 80 ? 'Dec' : 'Jan'} ${String(1 + ((i % 40) >> 1)).padStart(2)} 10:00:00 h a: ${i}`,
  );
  const path = fileOf(lines, Date.parse('2021-12-05T00:00:00Z'));
  const handle = await open(path);
  const { size, mtimeNs: writtenNs } = await handle.stat({ bigint: true });
  const years = await Years.of(handle, { from: 0, size: Number(size), writtenNs });
  await handle.close();
  const times = (texts: readonly string[], at: number): bigint[] =>
    Array.from(
      years?.begin(at).times(batchOf(texts.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })))) ?? [],
    );
  const all = times(lines, 0);
  expect(new Set(all.map((time) => new Date(Number(time / 1_000_000n)).getUTCFullYear()))).toEqual(new Set([2020, 2021]));
  for (const from of [1, 30, 60, 79, 80, 100]) {
    const at = lines.slice(0, from).reduce((bytes, line) => bytes + line.length + 1, 0);
    expect(times(lines.slice(from), at)).toEqual(all.slice(from));
  }
});

describe('days in other languages', () => {
  it.each([
    'Okt 21 12:00:00 h a: b',
    'окт 21 12:00:00 h a: b',
    '10月 21 12:00:00 h a: b',
    'Th10 21 12:00:00 h a: b',
    'říj 21 12:00:00 h a: b',
    'Eki 21 12:00:00 h',
  ])('%s', (text) => {
    expect(yearDay(text, 0)).toBe(294);
  });
});

it('has no time of its own for a file that the kernel makes when it is read', async () => {
  for await (const { writtenNs } of readRecords('/proc/uptime')) expect(writtenNs).toBeUndefined();
});
