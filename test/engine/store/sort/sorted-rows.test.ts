import { describe, expect, it } from 'vitest';
import { SortedRows, type EntryRows } from '../../../../engine/store/sort/sorted-rows.ts';
import type { ViewEntry } from '../../../../engine/store/view-entry.ts';

/** Rows 0 to 4 are the records 3, 1, 4, 0, 2; records 1 and 2 are errors, 4 is a warning. */
const sorted = new SortedRows({
  arrivals: Uint32Array.of(3, 1, 4, 0, 2),
  rows: Uint32Array.of(3, 1, 4, 0, 2),
  alarms: Uint8Array.of(0, 2, 2, 0, 1),
});
const found = (first: number, positions: number[] | null, count = positions?.length ?? 0): EntryRows => ({
  entry: {} as ViewEntry,
  first,
  positions,
  count,
});

describe('SortedRows', () => {
  it('knows rows by their records, and the other way round', () => {
    expect(sorted.total).toBe(5);
    expect([0, 1, 2, 3, 4].map((row) => sorted.arrivalOf(row))).toEqual([3, 1, 4, 0, 2]);
    expect([sorted.rowOf(3), sorted.rowOf(2), sorted.rowOf(5)]).toEqual([0, 4, null]);
  });

  it.each<[code: number, row: number, forward: boolean, nearest: number | null]>([
    [2, -1, true, 1],
    [2, 1, true, 4],
    [2, 4, true, null],
    [2, 4, false, 1],
    [2, 5, false, 4],
    [1, 2, false, null],
  ])('finds the alarm %i from row %i on', (code, row, forward, nearest) => expect(sorted.nearestAlarm(code, row, forward)).toBe(nearest));

  it('has the shares of alarms and of what was found', () => {
    const shares = (add: (list: number[]) => void, parts: number): number[] => {
      const list = Array<number>(parts).fill(0);
      add(list);
      return list;
    };
    expect(shares((list) => sorted.addAlarms(2, list), 5)).toEqual([0, 1, 0, 0, 1]);
    expect(shares((list) => sorted.addAlarms(1, list), 1)).toEqual([0.2]);
    expect(shares((list) => sorted.addFound([found(0, [0]), found(3, null, 2)], list), 5)).toEqual([1, 0, 1, 1, 0]);
  });

  it('counts what was found before a row', () => {
    const all = [found(0, [0, 2]), found(3, null, 2), found(5, [0])];
    expect([0, 1, 3, 4, 5].map((row) => sorted.foundBefore(all, row))).toEqual([0, 1, 2, 3, 4]);
  });
});
