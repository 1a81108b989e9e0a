import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EntryList } from '../../../engine/store/entry-list.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import type { Segment } from '../../../engine/store/segment.ts';
import type { ViewEntry } from '../../../engine/store/view-entry.ts';

const entry = (sources: readonly number[], rows: readonly number[] | null, removed: boolean, at: number): ViewEntry => {
  const parts = sources.map((source, i) => ({ firstRow: i, source, stream: 0, removed, minTime: at, maxTime: at + 1 }));
  const segment = { parts, length: sources.length } as unknown as Segment;
  const shown = rows === null ? null : Uint32Array.from(rows.filter((row) => row < sources.length));
  return { segment, rows: shown, count: shown?.length ?? sources.length } as ViewEntry;
};

it('knows its order after each change as one that has the same entries from the beginning', () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        sources: fc.array(fc.constantFrom(1, 1, 1, 1, 2), { minLength: 1, maxLength: 2 }),
        rows: fc.constantFrom(null, [], [0], [1]),
        removed: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ keep: fc.nat(9) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const list = new EntryList({} as RecordStore);
      for (const [at, one] of steps.entries()) {
        const { order } = list;
        const before = order.runs[0]?.length;
        if ('keep' in one) list.truncate(Math.min(one.keep, list.entries.length));
        else list.push(entry(one.sources, one.rows, one.removed, at));
        const fresh = new EntryList({} as RecordStore);
        for (const known of list.entries) fresh.push(known);
        expect(list.order.runs).toEqual(fresh.order.runs);
        expect(list.merged === null).toBe(fresh.merged === null);
        // An order that somebody has stays as it was.
        expect(order.runs[0]?.length).toBe(before);
      }
    }),
  );
});

it('uses the blocks of what it has shown again', () => {
  const list = new EntryList({} as RecordStore);
  list.push(entry([1], null, false, 0));
  const first = list.order.runs[0]?.[0];
  list.push(entry([1], null, false, 1));
  expect(list.order.runs[0]).toHaveLength(2);
  expect(list.order.runs[0]?.[0]).toBe(first);
});
