/** Stores with views and searches of them. */
import type { RecordQuery, TextQuery } from '../../../../engine/api/types.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { recordRows } from '../../../../engine/store/rows.ts';
import { ViewSearch } from '../../../../engine/store/search/search.ts';
import { RecordView } from '../../../../engine/store/view.ts';
import { until } from '../../../until.ts';
import { linesBatch, newStore, type Line } from '../fixtures.ts';

const cleanUp: (() => unknown)[] = [];

/** Closes what was set up. */
export async function closeAll(): Promise<void> {
  for (const work of cleanUp.splice(0).reverse()) await work();
}

const fail = (error: unknown): never => {
  throw error;
};

export function setUp(): RecordStore {
  const store = newStore();
  cleanUp.push(() => store.close());
  return store;
}

export function viewOf(
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

export const append = (store: RecordStore, lines: readonly Line[], source = 1): Promise<void> =>
  store.append({ ...linesBatch(lines), source, decoder: 'test' });

export const numbered = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_unused, i) => ({ at: 1000 + from + i, text: `line ${from + i}`, severity: (from + i) % 8 }));

export async function textsOf(view: RecordView): Promise<string[]> {
  await until(() => view.complete);
  return recordRows(await view.page(0, view.total), []).map(({ text }) => text);
}

/** The rows with hits, one after the other, as someone who goes from hit to hit sees them. */
export async function walk(search: ViewSearch, forward: boolean, from: number): Promise<number[]> {
  const rows: number[] = [];
  for (let at = from; ;) {
    const found = await search.nearest(at, forward);
    if (found === null || found.wrapped) return rows;
    rows.push((at = found.row));
  }
}
