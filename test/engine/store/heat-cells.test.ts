import { describe, expect, it } from 'vitest';
import { reachOf, squaresOf, type HeatSummary } from '../../../engine/store/heat-cells.ts';
import { Extent, type Scale } from '../../../engine/store/heat-scale.ts';

const LINEAR: Scale = { kind: 'linear', power: 0 };
const COARSER: Scale = { kind: 'linear', power: 1 };
/** Bins 5 to 24 and, in front of them, a place for records without the number. */
const [FIRST_BIN, WIDTH] = [5, 21];

/** Records at [slot, bin; null: without the number, count], in slots of a second from the second 100 on. */
function summaryOf(...records: readonly (readonly [slot: number, bin: number | null, count: number])[]): HeatSummary {
  const cells = records.flatMap(([slot, bin, count]) => [slot * WIDTH + (bin === null ? 0 : bin - FIRST_BIN + 1), count]);
  const lastSlot = Math.max(...records.map(([slot]) => slot));
  return {
    slotMs: 1000,
    firstSlot: 100,
    lastSlot,
    extent: new Extent(),
    scale: LINEAR,
    firstBin: FIRST_BIN,
    width: WIDTH,
    cells: Float64Array.from(cells),
  };
}

const SUMMARY = summaryOf([0, 7, 3], [0, null, 2], [1, 12, 4], [3, 24, 1]);

describe('the cells of a heat map', () => {
  it('tell the records and bins within a time, by a scale as coarse as is wanted', () => {
    const all = { from: 100_000, bucketMs: 1000, buckets: 4 };
    expect(reachOf(SUMMARY, LINEAR, all)).toEqual({ records: 10, missing: 2, first: 7, last: 24, firstPositive: 7 });
    expect(reachOf(SUMMARY, COARSER, all)).toEqual({ records: 10, missing: 2, first: 0, last: 2, firstPositive: 0 });
    // A kept reach is of this scale and of the whole time alone.
    expect(reachOf(SUMMARY, LINEAR, { ...all, buckets: 2 })).toEqual({ records: 9, missing: 2, first: 7, last: 12, firstPositive: 7 });
    expect(reachOf(SUMMARY, LINEAR, all).last).toBe(24);
  });

  it('are summed up in squares, which are kept for as long as they are the same', () => {
    const grid = {
      key: 'two rows',
      scale: LINEAR,
      bucketMs: 2000,
      height: 2,
      rowOf: (bin: number) => (bin < 20 ? Number(bin >= 10) : undefined),
    };
    const squares = squaresOf(SUMMARY, grid);
    // Bucket 50 begins with the second 100.
    expect([...squares.cells]).toEqual([50 * 2, 3, 50 * 2 + 1, 4]);
    expect(squaresOf(SUMMARY, grid)).toBe(squares);
    expect([...squaresOf(SUMMARY, { ...grid, key: 'one', height: 1, rowOf: () => 0 }).cells]).toEqual([50, 7, 51, 1]);
  });
});
