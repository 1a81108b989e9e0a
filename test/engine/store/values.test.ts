import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Histogram, RecordQuery, TopValues } from '../../../engine/api/types.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { histogramBy } from '../../../engine/store/histogram-by.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { ValueCount } from '../../../engine/store/top-values.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { fieldName, valueReader } from '../../../engine/store/values.ts';
import { linesBatch, newStore, type Line } from './fixtures.ts';
import { until } from '../../until.ts';

const open: { store: RecordStore; views: RecordView[] }[] = [];

/** A clock that stands, so that no answer runs out of its time on a busy machine. */
const stopClock = (): void => void vi.spyOn(performance, 'now').mockReturnValue(performance.now());

afterEach(async () => {
  vi.restoreAllMocks();
  for (const { store, views } of open.splice(0)) {
    for (const view of views) view.close();
    await store.close();
  }
});

function setUp(): {
  store: RecordStore;
  append: (list: readonly Line[], source?: number) => Promise<void>;
  view: (query?: RecordQuery) => RecordView;
} {
  const store = newStore();
  const views: RecordView[] = [];
  open.push({ store, views });
  const fail = (error: unknown): void => expect(error).toBeUndefined();
  return {
    store,
    append: async (list, source = 1) => store.append({ ...linesBatch(list), source, decoder: 'test' }),
    view: (query = {}) => {
      const view = new RecordView(store, query, () => undefined, fail);
      views.push(view);
      return view;
    },
  };
}

const START = 1_700_000_000;
const STATUSES = [200, 200, 201, 304, 404, 500, 42];
const lines = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_unused, i) => {
    const status = STATUSES[((from + i) * 5) % 9];
    return { at: START + (from + i) / 7, text: `${from + i}`, severity: i % 8, ...(status !== undefined && { status }) };
  });

describe('valueReader', () => {
  const uuid = new Uint8Array(16);
  const batch = batchOf([
    { uuid, timestamp: 1n, type: 'a', pid: 7, fields: [{ name: 'x', valueType: 0, values: ['one', 'two'] }] },
    {
      uuid,
      timestamp: 2n,
      type: 'b',
      fields: [
        { name: 'x', valueType: 3, values: [1.5] },
        { name: 'ok', valueType: 4, values: [true] },
      ],
    },
    {
      uuid,
      timestamp: 3n,
      type: 'b',
      fields: [
        { name: 'x', valueType: 2, values: [9n] },
        { name: 'raw', valueType: 1, values: [Uint8Array.of(255)] },
      ],
    },
  ]);
  it.each([
    ['Fields[x]', ['one', '1.5', '9']],
    ['x', ['one', '1.5', '9']],
    ['ok', [null, 'true', null]],
    ['raw', [null, null, 'ff']],
    ['none', [null, null, null]],
    ['Type', ['a', 'b', 'b']],
    ['Pid', ['7', null, null]],
  ])('%s', (variable, expected) => {
    const read = valueReader(batch, variable);
    expect([0, 1, 2].map(read)).toEqual(expected);
  });

  it('knows names of fields', () => {
    expect(['Fields[a b]', 'Fields[a][0][1]', 'a'].map(fieldName)).toEqual(['a b', 'a', 'a']);
  });
});

describe('ValueCount', () => {
  async function count(store: RecordStore, view: RecordView, variable: string, limit = 100, budget = 0.01): Promise<TopValues> {
    const counting = new ValueCount(store, view, variable);
    while (!counting.complete) await counting.advance(budget);
    return counting.top(limit);
  }

  it('counts in slices what a plain count counts, over what the view shows', async () => {
    const { store, append, view } = setUp();
    for (const from of [0, 900, 1800]) await append(lines(900, from));
    const some = view({ matcher: 'Severity == 2' });
    await until(() => some.complete);
    const expected = new Map<string, number>();
    const shown = [0, 900, 1800].flatMap((from) => lines(900, from)).filter(({ severity }) => severity === 2);
    for (const { status } of shown) if (status !== undefined) expected.set(`${status}`, (expected.get(`${status}`) ?? 0) + 1);
    const top = await count(store, some, 'Fields[status]');
    expect(new Map(top.items.map(({ value, count: number }) => [value, number]))).toEqual(expected);
    expect(top).toMatchObject({ total: shown.length, records: shown.length, exact: true, complete: true, distinct: expected.size });
    expect(top.missing).toBe(shown.filter(({ status }) => status === undefined).length);
    expect((await count(store, some, 'status', 2)).items).toEqual(top.items.slice(0, 2));
  });

  it('drops the rarest of very many values, and says so', async () => {
    const { store, append, view } = setUp();
    const many = Array.from({ length: 120_000 }, (_unused, i): Line => ({ at: START, text: '', status: i % 3 === 0 ? 7 : i + 10 }));
    for (let at = 0; at < many.length; at += 20_000) await append(many.slice(at, at + 20_000));
    const all = view();
    await until(() => all.complete);
    const top = await count(store, all, 'status', 1, 50);
    expect(top.items).toEqual([{ value: '7', count: 40_000 }]);
    expect(top.exact).toBe(false);
    expect(top.distinct).toBeLessThanOrEqual(50_001);
  });
});

describe('histogramBy', () => {
  async function whole(store: RecordStore, view: RecordView, by: string, buckets: number): Promise<Histogram> {
    for (;;) {
      const histogram = await histogramBy(store, view, by, { buckets });
      if (histogram.complete) return histogram;
    }
  }
  const sums = ({ groups, counts }: Histogram): Record<string, number> =>
    Object.fromEntries(groups.map(({ kind, name }, i) => [name || kind, (counts[i] ?? []).reduce((a, b) => a + b, 0)]));

  it('layers statuses by class, whatever the buckets', async () => {
    const { store, append, view } = setUp();
    const input = lines(3000);
    for (let at = 0; at < 3000; at += 500) await append(input.slice(at, at + 500));
    const all = view();
    await until(() => all.complete);
    const classOf = ({ status }: Line): string =>
      status === undefined ? 'none' : status < 100 ? 'other' : `${Math.floor(status / 100)}xx`;
    const expected: Record<string, number> = {};
    for (const line of input) expected[classOf(line)] = (expected[classOf(line)] ?? 0) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (buckets) => {
        const histogram = await whole(store, all, 'Fields[status]', buckets);
        expect(histogram.groups.map(({ name, kind }) => name || kind)).toEqual(['2xx', '3xx', '4xx', '5xx', 'other', 'none']);
        expect(sums(histogram)).toEqual(expected);
        const at = (line: Line): number => Math.floor((line.at * 1000 - histogram.from) / histogram.bucketMs);
        const fives = input.filter((line) => classOf(line) === '5xx').map(at);
        for (const [bucket, number] of (histogram.counts[3] ?? []).entries()) {
          expect(number).toBe(fives.filter((candidate) => candidate === bucket).length);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('layers texts that are not statuses of HTTP by themselves', async () => {
    const { store, view } = setUp();
    const texts = ['paid', '404', 'open', 'paid', '200', '404', 'failed', 'paid'];
    const message = (status: string, i: number) => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(START + i) * 1_000_000_000n,
      fields: [{ name: 'status', valueType: 0 as const, values: [status] }],
    });
    await store.append({ batch: batchOf(texts.map(message)), raw: null, source: 1, decoder: 'test' });
    const all = view();
    await until(() => all.complete);
    const histogram = await whole(store, all, 'Fields[status]', 4);
    expect(histogram.groups.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'class 2xx',
      'class 4xx',
      'value paid',
      'value failed',
      'value open',
    ]);
    expect(sums(histogram)).toEqual({ '2xx': 1, '4xx': 2, paid: 3, failed: 1, open: 1 });
  });

  it('layers other variables by their commonest values, and the rest', async () => {
    const { store, append, view } = setUp();
    await append(Array.from({ length: 1000 }, (_unused, i): Line => ({ at: START + i, text: '', severity: i % 100 === 0 ? 1 : 6 })));
    const all = view();
    await until(() => all.complete);
    expect(sums(await whole(store, all, 'Severity', 10))).toEqual({ 6: 990, 1: 10 });
    expect(sums(await whole(store, all, 'nothing', 10))).toEqual({ none: 1000 });
  });

  it('counts records while they are in memory, and those of a segment once for all filters', async () => {
    stopClock();
    const { store, append, view } = setUp();
    await append(lines(900));
    const all = view();
    await until(() => all.complete);
    await whole(store, all, 'Fields[status]', 50);
    const load = vi.spyOn(store, 'load');
    for (const from of [900, 1800]) await append(lines(900, from));
    const grown = await whole(store, all, 'Fields[status]', 50);
    expect(load).not.toHaveBeenCalled();
    expect(sums(grown)).toEqual(sums(await whole(store, view(), 'Fields[status]', 50)));
    expect(load).not.toHaveBeenCalled();
    all.setQuery({ matcher: 'Severity == 2' });
    await until(() => all.complete);
    const some = await whole(store, all, 'Fields[status]', 50);
    expect(Object.values(sums(some)).reduce((a, b) => a + b)).toBe(all.total);
    load.mockClear();
    all.setQuery({});
    await until(() => all.complete);
    expect(await whole(store, all, 'Fields[status]', 50)).toEqual(grown);
    expect(load).not.toHaveBeenCalled();
  });

  it('reads again what is looked at more closely', async () => {
    stopClock();
    const { store, append, view } = setUp();
    await append(lines(2000));
    await append([...lines(10), { at: START + 86_400, text: '', status: 500 }]);
    const all = view();
    await until(() => all.complete);
    await whole(store, all, 'status', 10);
    const load = vi.spyOn(store, 'load');
    const closely = await histogramBy(store, all, 'status', { buckets: 400, from: START * 1000, to: START * 1000 + 1000 });
    expect(closely.bucketMs).toBeLessThan(10);
    expect(load).toHaveBeenCalled();
    expect(sums(closely)).toEqual(sums(await whole(store, view({ to: START * 1000 + 1000 }), 'status', 1)));
  });

  it('is empty without records', async () => {
    const { store, view } = setUp();
    expect(await histogramBy(store, view(), 'status', { buckets: 10 })).toMatchObject({ groups: [], counts: [], complete: true });
  });
});

describe('RecordView', () => {
  it('finds the row of a record, among one source and several, and not where the filter hides it', async () => {
    const { append, view } = setUp();
    await append(lines(300));
    const all = view();
    const some = view({ matcher: 'Severity == 3' });
    await until(() => all.complete && some.complete);
    expect(await all.locate(123)).toBe(123);
    expect(await some.locate(11)).toBe(1);
    expect(await some.locate(12)).toBeNull();
    expect(await all.locate(300)).toBeNull();
    await append(lines(300), 2);
    await until(() => all.complete);
    for (const id of [0, 17, 299, 300, 450, 599]) {
      const row = await all.locate(id);
      const [found] = await all.page(row ?? -1, 1);
      expect((found?.segment.firstId ?? 0) + (found?.row ?? 0)).toBe(id);
    }
  });

  it('keeps its revision while rows come at the end, and raises it when they come between', async () => {
    const { append, view } = setUp();
    await append(lines(100));
    const all = view();
    await until(() => all.complete);
    const { revision } = all;
    await append(lines(100, 50));
    await append(lines(100, 900));
    await until(() => all.total === 300);
    expect(all.revision).toBe(revision);
    await append(lines(10, 2000), 2);
    await until(() => all.total === 310);
    const mixed = all.revision;
    expect(mixed).toBeGreaterThan(revision);
    await append(lines(10, 3000), 1);
    await until(() => all.total === 320);
    expect(all.revision).toBe(mixed);
    await append(lines(10, 2500), 2);
    await until(() => all.total === 330);
    expect(all.revision).toBeGreaterThan(mixed);
    all.setQuery({});
    expect(all.revision).toBeGreaterThan(mixed + 1);
  });
});
