import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import type { ViewFacts } from '../../../engine/api/view-types.ts';
import type { Near } from '../../../engine/store/nearby.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { recordRows } from '../../../engine/store/rows.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { until } from '../../until.ts';
import { linesBatch, newStore } from './fixtures.ts';

/** So many rows are a segment of their own. */
const ROWS = 600;
const open: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** What a view showed when it first told of a change after its query, and in the end. */
interface Seen {
  readonly view: RecordView;
  readonly first: {
    readonly nearby: boolean;
    readonly complete: boolean;
    readonly total: number;
    readonly revision: number;
    readonly span: ViewFacts['span'];
  };
  /** The page that was asked for then. */
  readonly page: Promise<string[]>;
  /** Row of the record then. */
  readonly row: Promise<number | null>;
}

async function storeOf(
  segments: readonly { readonly source: number; readonly at: number; readonly step?: number }[],
): Promise<RecordStore> {
  const store = newStore();
  open.push(store);
  let number = 0;
  for (const { source, at, step = 1 } of segments) {
    const lines = Array.from({ length: ROWS }, (_, i) => ({
      at: at + i * step,
      text: `${++number % 3 === 0 ? 'third' : 'other'} ${number}`,
    }));
    await store.append({ ...linesBatch(lines), source, decoder: 'test' });
  }
  return store;
}

const textsOf = async (view: RecordView): Promise<string[]> => recordRows(await view.page(0, view.total), []).map(({ text }) => text);

async function lookNear(store: RecordStore, query: RecordQuery, near: Near): Promise<Seen> {
  const told = Promise.withResolvers<Seen>();
  let asked = false;
  const view: RecordView = new RecordView(
    store,
    {},
    () => {
      if (!asked) return;
      asked = false;
      const { isNearby: nearby, complete, total, revision } = view;
      const row = near === 'end' ? Promise.resolve(null) : view.locate(near);
      const { span } = view.facts;
      told.resolve({ view, first: { nearby, complete, total, revision, span }, page: textsOf(view), row });
    },
    told.reject,
  );
  open.push(view);
  await until(() => view.complete, 'all records');
  asked = true;
  view.setQuery(query, near);
  return told.promise;
}

const inARow = (count: number): { source: number; at: number }[] => Array.from({ length: count }, (_, i) => ({ source: 1, at: i * ROWS }));

describe('rows around a place', () => {
  it('are answered before the filter has gone over all records', async () => {
    const store = await storeOf(inARow(40));
    // The record number 12,002 is the line 12,003, and every third line is shown.
    const { view, first, page, row } = await lookNear(store, { text: 'third' }, 12_002);
    expect([first.nearby, first.complete, first.total]).toEqual([true, false, ROWS]);
    const texts = await page;
    expect(texts[(await row) ?? -1]).toBe('third 12003');
    await until(() => view.complete, 'the filter');
    expect([view.isNearby, view.total, await view.locate(12_002)]).toEqual([false, 8000, 4000]);
    expect(view.revision).toBeGreaterThan(first.revision);
  });

  it('count for the span of time', async () => {
    const { view, first } = await lookNear(await storeOf(inARow(40)), { text: 'third' }, 12_002);
    expect(first.nearby).toBe(true);
    expect(first.span?.from).toBeLessThanOrEqual(12_002_000);
    expect(first.span?.to).toBeGreaterThanOrEqual(12_002_000);
    await until(() => view.complete, 'the filter');
    expect(view.facts.span).toEqual({ from: 2000, to: (40 * ROWS - 1) * 1000 });
  });

  it('are the last ones at the end', async () => {
    const { view, first, page } = await lookNear(await storeOf(inARow(20)), { text: 'third' }, 'end');
    const texts = await page;
    expect([first.nearby, texts.at(-1), texts.length]).toEqual([true, 'third 12000', ROWS]);
    await until(() => view.complete, 'the filter');
    expect((await textsOf(view)).slice(-ROWS)).toEqual(texts);
  });

  it('give way as soon as the filter has come to them', async () => {
    const store = await storeOf(inARow(30));
    const { view, first } = await lookNear(store, { text: 'third' }, 0);
    expect(first.nearby).toBe(true);
    await until(() => !view.isNearby, 'all rows');
    expect(await view.locate(2)).toBe(0);
  });

  it('are left out where there are none', async () => {
    const { view, first } = await lookNear(await storeOf(inARow(10)), { text: 'no such line' }, 3000);
    expect([first.nearby, first.total]).toEqual([false, 0]);
    await until(() => view.complete, 'the filter');
    expect(view.total).toBe(0);
  });

  it('give way to another filter', async () => {
    const store = await storeOf(inARow(20));
    const { view } = await lookNear(store, { text: 'third' }, 6000);
    view.setQuery({ text: 'other' }, 6000);
    view.setQuery({ text: 'other 1' }, 'end');
    view.setQuery({});
    await until(() => view.complete, 'the last filter');
    expect([view.isNearby, view.total]).toEqual([false, 20 * ROWS]);
  });

  it('stand side by side among all rows, of one stream and of several', async () => {
    const segment = fc.record({
      source: fc.integer({ min: 1, max: 3 }),
      gap: fc.integer({ min: 0, max: 900 }),
      step: fc.constantFrom(0, 1, 2),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.constantFrom('third', 'other', ''),
        async (list, place, text) => {
          const ends = new Map<number, number>();
          const segments = list.map(({ source, gap, step }) => {
            const at = (ends.get(source) ?? 0) + gap;
            ends.set(source, at + step * ROWS);
            return { source, at, step };
          });
          const store = await storeOf(segments);
          const { view, page } = await lookNear(store, { text }, place % (list.length * ROWS));
          const texts = await page;
          await until(() => view.complete, 'the filter');
          const all = await textsOf(view);
          const from = all.indexOf(texts[0] ?? '');
          expect(texts).toEqual(all.slice(from, from + texts.length));
        },
      ),
      { numRuns: 20 },
    );
  });
});
