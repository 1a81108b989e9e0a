import { expect } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { linesBatch, newStore, type Line } from './fixtures.ts';

export const START = 1_700_000_000;
const STATUSES = [200, 200, 201, 304, 404, 500, 42];
export const lines = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_unused, i) => {
    const status = STATUSES[((from + i) * 5) % 9];
    return { at: START + (from + i) / 7, text: `${from + i}`, severity: i % 8, ...(status !== undefined && { status }) };
  });

const open: { store: RecordStore; views: RecordView[] }[] = [];

/** Closes what the last test opened. */
export async function closeAll(): Promise<void> {
  for (const { store, views } of open.splice(0)) {
    for (const view of views) view.close();
    await store.close();
  }
}

/** A store, and views of it; `closeAll` closes them. */
export function setUp(): {
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
