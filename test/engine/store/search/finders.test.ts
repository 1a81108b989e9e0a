import { describe, expect, it } from 'vitest';
import { NO_ROWS, type Rows } from '../../../../engine/store/query.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { AlarmFinder, firstAtLeast, Positions, RecordFinder, TextFinder, type Finder } from '../../../../engine/store/search/finders.ts';
import { plainSearch } from '../../../../engine/store/search/text-search.ts';
import { withRaw } from '../../../../engine/store/segment.ts';
import type { ViewEntry } from '../../../../engine/store/view-entry.ts';
import { alarmsOf } from '../../../../engine/store/alarms.ts';
import { linesBatch, numberedLines } from '../fixtures.ts';

const { batch, raw } = linesBatch(numberedLines(20));
const stored = withRaw(batch, raw);
const entryOf = (rows: number[] | null): ViewEntry =>
  ({
    rows: rows && Uint16Array.from(rows),
    count: rows?.length ?? 20,
    segment: { firstId: 100, length: 20 },
    alarms: alarmsOf(batch, rows && Uint16Array.from(rows)),
  }) as unknown as ViewEntry;
const listed = (rows: Rows | undefined): number[] | null | undefined => (rows ? [...rows] : rows);

describe('TextFinder', () => {
  it.each<[text: string, rows: number[] | null, positions: number[] | null]>([
    ['line', null, null],
    ['line 7', null, [7]],
    ['LINE 1', null, [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]],
    ['line 7', [2, 7], [1]],
    ['line 7', [2, 3], []],
    ['line 1', [0, 1, 2, 3, 4, 5, 10], [1, 6]],
  ])('finds %j in the rows %j', (text, rows, positions) => {
    const finder = new TextFinder(plainSearch(text, false));
    const entry = entryOf(rows);
    expect(finder.known(entry)).toBeUndefined();
    expect(listed(finder.find(entry, stored))).toEqual(positions);
    expect(listed(finder.known(entry))).toEqual(positions);
  });

  it('finds nothing more when it is closed', () => {
    const finder = new TextFinder(plainSearch('line', false));
    finder.close();
    expect(finder.known(entryOf(null))).toBe(NO_ROWS);
  });

  it('keeps the cells of what it found', () => {
    const finder = new TextFinder(plainSearch('line 7', false));
    const entry = entryOf(null);
    expect([...finder.cells(entry)]).toEqual([]);
    finder.find(entry, stored);
    expect([...finder.cells(entry)]).toEqual([Math.floor((7 * 256) / 20)]);
  });
});

describe('AlarmFinder', () => {
  it('looks where there are alarms alone', () => {
    const finder = new AlarmFinder('warning');
    expect([finder.known(entryOf(null)), listed(finder.known(entryOf([1, 2])))]).toEqual([undefined, []]);
    expect(listed(finder.find(entryOf(null), stored))).toEqual([4, 12]);
    expect(listed(finder.find(entryOf([3, 4, 5]), stored))).toEqual([1]);
  });
});

describe('RecordFinder', () => {
  it.each<[rows: number[] | null, positions: number[]]>([
    [null, [0, 7, 19]],
    [[6, 7, 8], [1]],
    [[6, 8], []],
  ])('has positions in %j', (rows, positions) => {
    const finder = new RecordFinder([5, 100, 107, 119, 120]);
    expect(listed(finder.known(entryOf(rows)))).toEqual(positions);
    expect(listed(finder.find(entryOf(rows)))).toEqual(positions);
  });
});

describe('Positions', () => {
  it('loads records that are needed alone', async () => {
    let loads = 0;
    const store = { load: () => Promise.resolve((loads++, stored)) } as unknown as RecordStore;
    const positions = new Positions(store, new TextFinder(plainSearch('line 7', false)));
    const entry = entryOf(null);
    expect([listed(await positions.of(entry)), listed(await positions.of(entry)), loads]).toEqual([[7], [7], 1]);
  });

  it('waits for what may soon be known', async () => {
    let isKnown = false;
    const finder: Finder = {
      known: () => (isKnown ? NO_ROWS : undefined),
      settled: () => Promise.resolve().then(() => void (isKnown = true)),
      find: () => null,
    };
    expect(await new Positions({} as RecordStore, finder).of(entryOf(null))).toBe(NO_ROWS);
  });
});

it('the first number that is not below another', () => {
  expect([0, 3, 4, 9, 10].map((least) => firstAtLeast([3, 5, 9], least))).toEqual([0, 0, 1, 2, 3]);
});
