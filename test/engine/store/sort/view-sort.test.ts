import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordQuery } from '../../../../engine/api/types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { PLAIN_PLAN } from '../../../../engine/message/summary/record-summary.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { NO_CELLS } from '../../../../engine/store/cells.ts';
import { AlarmFinder, RecordFinder, TextFinder } from '../../../../engine/store/search/finders.ts';
import { compileSearch } from '../../../../engine/store/search/compile-search.ts';
import { countBefore, nearestRow } from '../../../../engine/store/nearest.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { recordRows } from '../../../../engine/store/rows.ts';
import type { SortColumn } from '../../../../engine/store/sort/sort-keys.ts';
import { ViewSort } from '../../../../engine/store/sort/view-sort.ts';
import { ticksOf } from '../../../../engine/store/ticks.ts';
import { RecordView } from '../../../../engine/store/view.ts';
import { until } from '../../../until.ts';
import { newStore } from '../fixtures.ts';

type Value = number | string | bigint | boolean | null;

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

/** Messages with a field `key`, a second apart, whose payloads are numbers in order of arrival. */
function messages(values: readonly Value[], from = 0): Message[] {
  return values.map((value, i) => ({
    uuid: new Uint8Array(16),
    timestamp: BigInt(1000 + from + i) * 1_000_000_000n,
    payload: String(from + i),
    severity: (from + i) % 8,
    fields: value === null ? [] : [fieldOf(value)],
  }));
}

function fieldOf(value: string | number | bigint | boolean): Message['fields'][number] {
  if (typeof value === 'string') return { name: 'key', valueType: 0, values: [value] };
  if (typeof value === 'bigint') return { name: 'key', valueType: 2, values: [value] };
  return typeof value === 'number' ? { name: 'key', valueType: 3, values: [value] } : { name: 'key', valueType: 4, values: [value] };
}

const append = (store: RecordStore, list: readonly Message[], source = 1): Promise<void> =>
  store.append({ batch: batchOf(list), raw: null, source, decoder: 'test' });

interface Sorted {
  readonly view: RecordView;
  readonly sort: ViewSort;
  readonly done: () => Promise<unknown>;
  readonly texts: () => Promise<string[]>;
}

function sortedView(store: RecordStore, column: SortColumn, query: RecordQuery = {}): Sorted {
  const sorts: ViewSort[] = [];
  const view = new RecordView(store, query, () => sorts.forEach((sort) => sort.wake()), fail);
  const labelOf = (source: number): string => `source ${9 - source}`;
  const sort = new ViewSort({ store, view, column, labelOf, planOf: () => PLAIN_PLAN, changed: () => undefined, failed: fail });
  sorts.push(sort);
  cleanUp.push(() => view.close());
  return {
    view,
    sort,
    done: () => until(() => sort.progress === null),
    texts: async () => {
      await until(() => sort.progress === null);
      return textsOf(view);
    },
  };
}

async function textsOf(view: RecordView): Promise<string[]> {
  return recordRows(await view.page(0, view.total), []).map(({ text }) => text);
}

const UP: SortColumn = { by: 'Fields[key]', down: false };
const DOWN: SortColumn = { by: 'Fields[key]', down: true };

async function orderOf(values: readonly Value[], column: SortColumn): Promise<string[]> {
  const store = setUp();
  await append(store, messages(values));
  return sortedView(store, column).texts();
}

describe('a folded view', () => {
  it.each([10, 12_000])('has one row for records that repeat each other, of %i records', async (count) => {
    const store = setUp();
    const alike = (values: number, from = 0): Message[] =>
      messages(new Array<number>(values).fill(1), from).map((one) => ({ ...one, severity: 3 }));
    await append(store, alike(count));
    const { view, done, sort } = sortedView(store, { by: 'repeats', down: false });
    await done();
    expect([view.total, view.sorted?.countOf(0), view.sorted?.records]).toEqual([1, count, count]);
    expect(await view.locate(count - 1)).toBe(0);
    await append(store, alike(1, count));
    sort.again();
    await done();
    expect([view.total, view.sorted?.countOf(0)]).toEqual([1, count + 1]);
  });
});

describe('a sorted view', () => {
  it.each<{ title: string; values: Value[]; up: string; down: string }>([
    { title: 'numbers by value', values: [10, 9, -1, 100, 9], up: '2 1 4 0 3', down: '3 0 1 4 2' },
    { title: 'whole numbers by value', values: [10n, 9n, -1n], up: '2 1 0', down: '0 1 2' },
    {
      title: 'integers by all their digits',
      values: [2n ** 63n - 1n, 2n ** 63n - 2n, 10n ** 18n + 1n, null, 10n ** 18n - 1n, 1e18, 5n, -(2n ** 63n) + 1n, -(2n ** 63n), -0.5],
      up: '8 7 9 6 4 5 2 1 0 3',
      down: '0 1 2 5 4 6 9 7 8 3',
    },
    { title: 'texts by code points', values: ['b', 'a', 'B', 'ab', 'ä', ''], up: '5 2 1 3 0 4', down: '4 0 3 1 2 5' },
    { title: 'texts that are numbers by value', values: ['10', '9', '-3', '9.5'], up: '2 1 3 0', down: '0 3 1 2' },
    { title: 'texts that are numbers among numbers', values: ['10', 9, 11, null], up: '1 0 2 3', down: '2 0 1 3' },
    { title: 'texts behind numbers', values: ['x', 10, '9', 2], up: '3 1 2 0', down: '0 2 1 3' },
    { title: 'missing values last, both ways', values: [null, 2, null, 1, NaN], up: '3 1 0 2 4', down: '1 3 0 2 4' },
    { title: 'truth values', values: [true, false, true], up: '1 0 2', down: '0 2 1' },
    { title: 'nothing where no record has the field', values: [null, null], up: '0 1', down: '0 1' },
  ])('has $title', async ({ values, up, down }) => {
    expect((await orderOf(values, UP)).join(' ')).toBe(up);
    expect((await orderOf(values, DOWN)).join(' ')).toBe(down);
  });

  it('tells long texts with the same beginning apart', async () => {
    const long = (end: string): string => `${'same '.repeat(40)}${end}`;
    expect(await orderOf([long('c'), long('a'), long('b'), long('')], UP)).toEqual(['3', '1', '2', '0']);
  });

  it('agrees with a plain stable sort', async () => {
    const value = fc.option(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom('a', 'b', 'ba', 'c')), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 40 }), fc.boolean(), async (values, down) => {
        const class_ = (one: Value): number => (typeof one === 'number' ? 0 : one === null ? 2 : 1);
        const compare = (a: Value, b: Value): number => class_(a) - class_(b) || (a === b ? 0 : (a as number) < (b as number) ? -1 : 1);
        const plain = values.map((one, i) => ({ one, i })).filter(({ one }) => one !== null);
        plain.sort((a, b) => (down ? -compare(a.one, b.one) : compare(a.one, b.one)) || a.i - b.i);
        const missing = values.flatMap((one, i) => (one === null ? [String(i)] : []));
        expect(await orderOf(values, { by: 'Fields[key]', down })).toEqual([...plain.map(({ i }) => String(i)), ...missing]);
      }),
      { numRuns: 30 },
    );
  });

  it('sorts by what every record has', async () => {
    const store = setUp();
    await append(store, messages([null, null, null]), 2);
    await append(store, messages([null, null], 1), 1);
    expect(await sortedView(store, { by: 'text', down: true }).texts()).toEqual(['2', '1', '2', '1', '0'].sort().reverse());
    expect(await sortedView(store, { by: 'severity', down: true }).texts()).toEqual(['2', '2', '1', '1', '0']);
    expect((await sortedView(store, { by: 'source', down: false }).texts()).slice(0, 3)).toEqual(['0', '1', '2']);
    expect(await sortedView(store, { by: 'time', down: true }).texts()).toEqual(['2', '2', '1', '1', '0']);
    expect(await sortedView(store, { by: 'type', down: true }).texts()).toHaveLength(5);
  });

  it('keeps equal rows of several streams in order of time', async () => {
    const store = setUp();
    await append(store, messages([1, 1, 1], 10), 1);
    await append(store, messages([1, 0, 1], 0), 2);
    expect(await sortedView(store, UP).texts()).toEqual(['1', '0', '2', '10', '11', '12']);
  });

  it('sorts many rows in a thread as it sorts few, and again when the query changes', async () => {
    const store = setUp();
    const count = 12_000;
    const value = (i: number): number => (i * 7919) % 1000;
    for (let at = 0; at < count; at += 3000) {
      await append(
        store,
        messages(
          Array.from({ length: 3000 }, (_unused, i) => value(at + i)),
          at,
        ),
      );
    }
    const { view, texts } = sortedView(store, DOWN);
    const all = Array.from({ length: count }, (_unused, i) => i).sort((a, b) => value(b) - value(a) || a - b);
    expect(await texts()).toEqual(all.map(String));
    view.setQuery({ matcher: 'Severity == 0' });
    expect(view.sorted).toBeNull();
    expect(await texts()).toEqual(all.filter((i) => i % 8 === 0).map(String));
  });

  it('stays as it is while records come, until it is asked for again', async () => {
    const store = setUp();
    await append(store, messages([3, 1, 2]));
    const { view, sort, done, texts } = sortedView(store, UP);
    expect(await texts()).toEqual(['1', '2', '0']);
    for (let i = 0; i < 40; i++) await append(store, messages([1], 3 + i));
    expect([view.total, view.arrivals]).toEqual([3, 43]);
    expect(await textsOf(view)).toEqual(['1', '2', '0']);
    sort.again();
    await done();
    expect([view.total, view.arrivals]).toEqual([43, 43]);
    expect((await textsOf(view)).slice(-2)).toEqual(['2', '0']);
  });

  it('begins anew when a source is closed, and shows the own order of the view when it ends', async () => {
    const store = setUp();
    await append(store, messages([3, 1, 2]), 1);
    await append(store, messages([2, 0], 3), 2);
    const { sort, view, texts } = sortedView(store, UP);
    expect(await texts()).toEqual(['4', '1', '2', '3', '0']);
    store.remove(1);
    expect(await texts()).toEqual(['4', '3']);
    const { revision } = view;
    sort.close();
    expect(await textsOf(view)).toEqual(['3', '4']);
    expect(view.revision).toBeGreaterThan(revision);
  });

  it('finds rows, goes to the nearest ones, and tells where they are', async () => {
    const store = setUp();
    await append(store, messages([3, 1, 2, 1, null], 0), 1);
    const { view, done } = sortedView(store, UP);
    await done();
    // Shown: 1 3 2 0 4, by severity: warning at 4, errors are 0 to 3.
    expect(await Promise.all([0, 1, 2, 3, 4].map((id) => view.locate(id)))).toEqual([3, 0, 2, 1, 4]);
    expect(await view.seek(1_002_000)).toBe(2);
    expect(await view.seek(2_000_000)).toBe(4);
    const near = (finder: Parameters<typeof nearestRow>[2], row: number, forward = true): ReturnType<typeof nearestRow> =>
      nearestRow(store, view, finder, row, forward);
    expect(await near(new AlarmFinder('warning'), 0)).toEqual({ row: 4, wrapped: false });
    expect(await near(new AlarmFinder('warning'), 4)).toEqual({ row: 4, wrapped: true });
    expect(await near(new AlarmFinder('error'), 4, false)).toEqual({ row: 3, wrapped: false });
    expect(await near(new RecordFinder([0, 2]), 2)).toEqual({ row: 3, wrapped: false });
    expect(await near(new RecordFinder([0, 2]), 2, false)).toEqual({ row: 3, wrapped: true });
    expect(await near(new RecordFinder([]), 2)).toBeNull();
    const search = compileSearch({ text: '3' });
    if (search === null) throw new Error('nothing to search');
    const finder = new TextFinder(search);
    expect(await near(finder, -1)).toEqual({ row: 1, wrapped: false });
    expect(await countBefore(view, (entry) => finder.known(entry), 2)).toBe(1);
    const ticks = ticksOf(view, 5, { hits: () => NO_CELLS, hitRows: (entry) => finder.known(entry), marks: new RecordFinder([4]) });
    expect(ticks).toMatchObject({ hit: [0, 1, 0, 0, 0], mark: [0, 0, 0, 0, 1], error: [1, 1, 1, 1, 0], warning: [0, 0, 0, 0, 1] });
  });

  it('is empty where nothing is selected', async () => {
    const store = setUp();
    await append(store, messages([1, 2]));
    const { view, texts } = sortedView(store, UP, { matcher: 'Severity == 7' });
    expect(await texts()).toEqual([]);
    expect(await view.seek(0)).toBe(0);
  });
});
