import { expect, it } from 'vitest';
import type { AllRequests, RecordQuery } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { RawPage } from '../../../../renderer/src/state/raw-page.svelte.ts';
import { until } from '../../../until.ts';

/** A file of a hundred lines of ten bytes. */
const LINES = 100;
const SIZE = 10 * LINES;

type Place = AllRequests['source.unread']['in'];
type Request = 'source.raw' | 'source.unread';

/** A page of so many lines of that file, and the places that it has asked for. */
function pageOf(count: number): { page: RawPage; asked: AllRequests['source.raw']['in'][]; settled: () => Promise<void> } {
  const asked: AllRequests['source.raw']['in'][] = [];
  let answered = 0;
  const answer = async (place: AllRequests['source.raw']['in']): Promise<AllRequests['source.raw']['out']> => {
    asked.push(place);
    await Promise.resolve();
    answered++;
    const line = Math.max(0, (place.at >= SIZE ? LINES : Math.floor(place.at / 10)) - place.before);
    const lines = Array.from({ length: Math.min(place.count, LINES - line) }, (_, i) => ({ at: 10 * (line + i), text: `${line + i}` }));
    return { lines, end: 10 * (line + lines.length), size: SIZE };
  };
  const client = { request: (_name: string, place: AllRequests['source.raw']['in']) => answer(place) } as unknown as Client;
  const page = new RawPage(client, 1);
  page.resize(count);
  const settled = async (): Promise<void> => {
    await until(() => asked.length === answered, 'all answers');
    await new Promise((done) => setImmediate(done));
  };
  return { page, asked, settled };
}

const first = (page: RawPage): number => page.first / 10;

it('moves by lines, to the ends, and to a part of the file', async () => {
  const { page, settled } = pageOf(20);
  await settled();
  expect([first(page), page.atEnd, page.moved]).toEqual([0, false, false]);
  page.by(3);
  await settled();
  expect([first(page), page.moved]).toEqual([3, true]);
  page.by(-2);
  await settled();
  expect(first(page)).toBe(1);
  page.by(-50);
  await settled();
  expect(first(page)).toBe(0);
  page.to(0.5);
  await settled();
  expect(first(page)).toBe(40);
  page.end();
  await settled();
  expect([first(page), page.atEnd]).toEqual([80, true]);
  page.by(5);
  await settled();
  expect(first(page)).toBe(80);
  page.begin();
  await settled();
  expect(first(page)).toBe(0);
});

it('never goes beyond the end, and stays there when more lines have room', async () => {
  const { page, settled } = pageOf(20);
  await settled();
  page.to(0.99);
  await settled();
  page.by(20);
  await settled();
  expect([first(page), page.atEnd]).toEqual([80, true]);
  page.resize(30);
  await settled();
  expect([first(page), page.atEnd]).toEqual([70, true]);
});

it('asks for the last place alone when it moves faster than answers come', async () => {
  const { page, asked, settled } = pageOf(20);
  await settled();
  for (let part = 0; part < 1; part += 0.1) page.to(part);
  page.to(0.25);
  await settled();
  await settled();
  expect(first(page)).toBe(20);
  expect(asked.length).toBeLessThanOrEqual(3);
});

it('says so when the file cannot be shown by bytes', async () => {
  const page = new RawPage({ request: () => Promise.resolve(null) } as unknown as Client, 1);
  page.resize(20);
  await until(() => page.refused, 'the refusal');
  expect([page.first, page.bytes, page.atEnd]).toEqual([0, 0, false]);
});

/** A page of records of that file: every third one, where there is a query. @param told whether records can be told */
function aheadOf(query: RecordQuery, told = true): { page: RawPage; asked: [Request, Place][]; settled: () => Promise<void> } {
  const asked: [Request, Place][] = [];
  let answered = 0;
  const all = Array.from({ length: LINES }, (_, i) => ({ at: 10 * i, text: `${i}` })).filter(
    (_, i) => query.text === undefined || i % 3 === 0,
  );
  const answer = async (name: Request, place: Place): Promise<unknown> => {
    asked.push([name, place]);
    await Promise.resolve();
    answered++;
    if (name === 'source.unread' && !told) return null;
    const at = typeof place.at === 'number' ? place.at : 500;
    const middle = all.findIndex((record) => record.at >= at);
    const from = Math.max(0, (middle === -1 ? all.length : middle) - place.before);
    const found = all.slice(from, from + place.count);
    const end = all[from + place.count]?.at ?? SIZE;
    return name === 'source.raw' ? { lines: found, end, size: SIZE } : { records: found, first: found[0]?.at ?? SIZE, end, size: SIZE };
  };
  const client = { request: (name: Request, place: Place) => answer(name, place) } as unknown as Client;
  const page = new RawPage(client, 1, { query, columns: () => ['status'], more: () => [] });
  const settled = async (): Promise<void> => {
    await until(() => asked.length === answered, 'all answers');
    await new Promise((done) => setImmediate(done));
  };
  return { page, asked, settled };
}

it('shows records, which it asks for once it knows how many have room', async () => {
  const { page, asked, settled } = aheadOf({ text: 'x' });
  page.end();
  expect(asked).toEqual([]);
  page.resize(10);
  await settled();
  expect(asked).toEqual([
    [
      'source.unread',
      { id: 1, at: Number.MAX_SAFE_INTEGER, before: 10, count: 10, columns: ['Fields[status]'], more: [], query: { text: 'x' } },
    ],
  ]);
  expect(page.records.map(({ at }) => at / 10)).toEqual([72, 75, 78, 81, 84, 87, 90, 93, 96, 99]);
  expect([page.atEnd, page.records[0]?.columns]).toEqual([true, ['status']]);
  page.by(-2);
  await settled();
  expect(page.first).toBe(660);
  page.by(1);
  await settled();
  expect([page.first, page.atEnd]).toEqual([690, false]);
  page.time(5);
  await settled();
  expect([asked.at(-1)?.[1].at, page.first]).toEqual([{ time: 5 }, 510]);
  expect(await page.countBehind()).toBe(17);
});

it('asks for the same place anew', async () => {
  const { page, asked, settled } = aheadOf({});
  page.again();
  page.end();
  page.resize(10);
  await settled();
  page.again();
  await settled();
  expect(asked.map(([, { at }]) => at)).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
});

it('shows lines where records cannot be told, but not in place of what a filter selects, or of a time', async () => {
  const { page, asked, settled } = aheadOf({ sources: [1] }, false);
  page.end();
  page.resize(10);
  await until(() => asked.length === 2, 'both requests');
  await settled();
  expect([page.shown?.lines.length, page.shown?.records, page.refused]).toEqual([10, null, false]);
  page.by(-1);
  await settled();
  expect(asked.map(([name]) => name)).toEqual(['source.unread', 'source.raw', 'source.raw']);
  for (const [query, go] of [
    [{ text: 'x' }, (other: RawPage) => other.end()],
    [{}, (other: RawPage) => other.time(5)],
  ] as const) {
    const other = aheadOf(query, false);
    go(other.page);
    other.page.resize(10);
    await until(() => other.page.refused, 'the refusal');
    expect(other.asked.map(([name]) => name)).toEqual(['source.unread']);
  }
});
