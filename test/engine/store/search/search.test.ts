import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordQuery, TextQuery } from '../../../../engine/api/types.ts';
import { AlarmFinder, RecordFinder } from '../../../../engine/store/search/finders.ts';
import { nearestRow } from '../../../../engine/store/nearest.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { recordRows } from '../../../../engine/store/rows.ts';
import { ViewSearch } from '../../../../engine/store/search/search.ts';
import { ticksOf } from '../../../../engine/store/ticks.ts';
import { NO_CELLS } from '../../../../engine/store/cells.ts';
import { RecordView } from '../../../../engine/store/view.ts';
import { until } from '../../../until.ts';
import { linesBatch, newStore, type Line } from '../fixtures.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

const fail = (error: unknown): never => {
  throw error;
};

function setUp(): RecordStore {
  const store = newStore();
  cleanUp.push(() => store.close());
  return store;
}

function viewOf(
  store: RecordStore,
  query: RecordQuery = {},
): { view: RecordView; search: (query: TextQuery, near?: number) => ViewSearch } {
  const searches: ViewSearch[] = [];
  const view = new RecordView(store, query, () => searches.forEach((search) => search.wake()), fail);
  cleanUp.push(() => view.close());
  return {
    view,
    search(text, near = 0) {
      const search = new ViewSearch(store, view, text, near, () => undefined, fail);
      searches.push(search);
      cleanUp.push(() => search.close());
      return search;
    },
  };
}

const append = (store: RecordStore, lines: readonly Line[], source = 1): Promise<void> =>
  store.append({ ...linesBatch(lines), source, decoder: 'test' });

const numbered = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_unused, i) => ({ at: 1000 + from + i, text: `line ${from + i}`, severity: (from + i) % 8 }));

async function textsOf(view: RecordView): Promise<string[]> {
  await until(() => view.complete);
  return recordRows(await view.page(0, view.total), []).map(({ text }) => text);
}

/** The rows with hits, one after the other, as someone who goes from hit to hit sees them. */
async function walk(search: ViewSearch, forward: boolean, from: number): Promise<number[]> {
  const rows: number[] = [];
  for (let at = from; ;) {
    const found = await search.nearest(at, forward);
    if (found === null || found.wrapped) return rows;
    rows.push((at = found.row));
  }
}

describe('ViewSearch', () => {
  it.each<{ title: string; query: TextQuery; keep: (text: string) => boolean }>([
    { title: 'a text in any case', query: { text: 'LINE 12' }, keep: (text) => text.startsWith('line 12') },
    { title: 'a text in its case', query: { text: 'LINE 12', caseSensitive: true }, keep: () => false },
    { title: 'a whole word', query: { text: '12', word: true }, keep: (text) => text === 'line 12' },
    { title: 'an expression', query: { text: '(00|11)$', regex: true }, keep: (text) => /(00|11)$/.test(text) },
    { title: 'an expression as a whole word', query: { text: '1|12', regex: true, word: true }, keep: (text) => /\b(1|12)\b/.test(text) },
    { title: 'a text that all have', query: { text: 'line' }, keep: () => true },
  ])('counts $title, and goes from hit to hit', async ({ query, keep }) => {
    const store = setUp();
    const { view, search } = viewOf(store);
    for (let at = 0; at < 3000; at += 750) await append(store, numbered(750, at));
    const expected = (await textsOf(view)).flatMap((text, row) => (keep(text) ? [row] : []));
    const found = search(query, 1600);
    await until(() => found.progress.complete);
    expect(found.progress).toEqual({ hits: expected.length, scanned: 3000, total: 3000, complete: true });
    if (expected.length === 3000) return;
    expect(await walk(found, true, -1)).toEqual(expected);
    expect(await walk(found, false, 3000)).toEqual(expected.toReversed());
    for (const row of [0, 1, 749, 750, 2999]) expect(await found.before(row)).toBe(expected.filter((hit) => hit < row).length);
  });

  it('finds what is near before it has counted all, and goes round the ends', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    for (let at = 0; at < 9000; at += 3000) await append(store, numbered(3000, at));
    await until(() => view.complete);
    const found = search({ text: 'line 40' }, 5000);
    expect(await found.nearest(5000, true)).toEqual({ row: 40, wrapped: true });
    expect(await found.nearest(40, false)).toEqual({ row: 4099, wrapped: true });
    expect(await search({ text: 'nothing' }).nearest(3, true)).toBeNull();
  });

  it('goes on with records that come, and with another query of the view', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    const found = search({ text: '7' });
    for (let i = 0; i < 700; i++) await append(store, numbered(1, i));
    const sevens = numbered(700).filter(({ text }) => text.includes('7'));
    await until(() => found.progress.complete && found.progress.total === 700);
    expect(found.progress.hits).toBe(sevens.length);
    view.setQuery({ matcher: 'Severity == 3' });
    await until(() => view.complete && found.progress.complete);
    expect(found.progress.hits).toBe(sevens.filter(({ severity }) => severity === 3).length);
  });

  it('finds nothing more when it is closed', async () => {
    const store = setUp();
    const { search } = viewOf(store);
    await append(store, numbered(100));
    const found = search({ text: 'line' });
    found.close();
    expect(await found.nearest(3, true)).toBeNull();
  });

  it.each<[TextQuery, string]>([
    [{ text: '(abc', regex: true }, 'Regular expression: missing closing ) at (abc'],
    [{ text: 'a)(b', regex: true, word: true }, 'Regular expression: unexpected ) at a)(b'],
    [{ text: 'a(?=b)', regex: true }, 'Regular expression: look-ahead and look-behind are not supported at (?='],
    [{ text: '(?<!a)b', regex: true, word: true }, 'Regular expression: look-ahead and look-behind are not supported at (?<!a)b'],
    [{ text: '(a)\\1', regex: true }, 'Regular expression: back-references are not supported at \\1'],
    [{ text: '(?>a)', regex: true }, 'Regular expression: atomic groups are not supported at (?>'],
    [{ text: '*', regex: true, caseSensitive: true }, 'Regular expression: missing argument to repetition operator at *'],
  ])('speaks of what was typed: %o', (query, message) => {
    const store = setUp();
    expect(() => viewOf(store).search(query)).toThrow(expect.objectContaining({ code: 'query.regex', message }));
  });
});

describe('rows of several sources', () => {
  const source = fc.array(fc.record({ step: fc.integer({ min: -3, max: 4 }), hit: fc.boolean() }), { maxLength: 60 });

  it('are found, counted and located as in the merged list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 25 }), async (lists, size) => {
        const store = setUp();
        const sources = lists.map((list, number) => {
          let at = 1000;
          return list.map(({ step, hit }, i): Line => ({
            at: (at += step),
            text: `${number}:${i}${hit ? ' hit' : ''}`,
            severity: hit ? 3 : 6,
          }));
        });
        for (let at = 0; at < 60; at += size) {
          for (const [number, list] of sources.entries()) if (at < list.length) await append(store, list.slice(at, at + size), number);
        }
        const { view, search } = viewOf(store);
        const texts = await textsOf(view);
        const expected = texts.flatMap((text, row) => (text.endsWith('hit') ? [row] : []));
        const found = search({ text: 'hit', word: true });
        await until(() => found.progress.complete);
        expect(await walk(found, true, -1)).toEqual(expected);
        expect(await walk(found, false, texts.length)).toEqual(expected.toReversed());
        for (let row = 0; row <= texts.length; row++) expect(await found.before(row)).toBe(expected.filter((hit) => hit < row).length);
        const errors = await nearestRow(store, view, new AlarmFinder('error'), -1, true);
        expect(errors?.row ?? null).toBe(expected[0] ?? null);
        const page = await view.page(0, texts.length);
        for (const [row, place] of page.entries()) expect(await view.locate(place.segment.firstId + place.row)).toBe(row);
      }),
      { numRuns: 40 },
    );
  });
});

describe('ticks', () => {
  it('stand where hits, marks, errors and warnings are', async () => {
    const store = setUp();
    const { view, search } = viewOf(store);
    const lines = Array.from({ length: 4000 }, (_unused, i): Line => ({
      at: 1000 + i,
      text: i === 1234 ? 'needle' : 'hay',
      ...(i >= 3000 && i < 3400 ? { status: 503 } : i === 105 ? { status: 404 } : { status: 200 }),
    }));
    for (let at = 0; at < 4000; at += 1000) await append(store, lines.slice(at, at + 1000));
    await until(() => view.complete);
    const found = search({ text: 'needle' });
    await until(() => found.progress.complete);
    const ticks = ticksOf(view, 400, { hits: (entry) => found.cells(entry), marks: new RecordFinder([7, 3999]) });
    const places = (list: readonly number[]): number[] => list.flatMap((share, bucket) => (share > 0 ? [bucket] : []));
    expect(places(ticks.hit)).toEqual([123]);
    expect(places(ticks.mark)).toEqual([0, 399]);
    expect(places(ticks.warning)).toEqual([10]);
    expect(places(ticks.error)).toEqual(Array.from({ length: 40 }, (_unused, i) => 300 + i));
    expect(ticks.error.slice(301, 339).every((share) => share > 0.7)).toBe(true);
  });

  it('stand at each row while the rows are few', async () => {
    const store = setUp();
    const { view } = viewOf(store);
    await append(store, numbered(100));
    await append(store, numbered(100, 100));
    const ticks = ticksOf(view, 1000, { hits: () => NO_CELLS, marks: new RecordFinder([5, 150]) });
    expect(ticks.mark).toEqual(numbered(200).map((_unused, row) => (row === 5 || row === 150 ? 1 : 0)));
    expect(ticks.error).toEqual(numbered(200).map(({ severity = 8 }) => (severity < 4 ? 1 : 0)));
    expect(ticks.warning).toEqual(numbered(200).map(({ severity }) => (severity === 4 ? 1 : 0)));
  });
});
