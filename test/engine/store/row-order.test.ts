import { describe, expect, it } from 'vitest';
import { ArrivalOrder } from '../../../engine/store/row-order.ts';
import type { ViewEntry } from '../../../engine/store/view-entry.ts';

const order = new ArrivalOrder([3, 0, 2].map((count) => ({ count }) as ViewEntry));

describe('ArrivalOrder', () => {
  it('has one run, of the entries as they came', () => {
    expect(order.runs[0].map(({ from, count, before, low, high }) => [from, count, before, low, high])).toEqual([
      [0, 3, 0, 0, 0],
      [0, 0, 3, 1, 1],
      [0, 2, 3, 2, 2],
    ]);
    expect([order.spanOf(0, 0), order.spanOf(0, 1), order.spanOf(0, 2)]).toEqual([
      [0, 3],
      [3, 3],
      [3, 5],
    ]);
  });

  it.each<[row: number, block: number, index: number]>([
    [-1, 0, 0],
    [0, 0, 0],
    [2, 0, 2],
    [3, 2, 0],
    [4, 2, 1],
    [5, 3, 0],
  ])('has row %i in block %i', async (row, block, index) => {
    expect(await order.placesAt(row)).toEqual([{ block, index }]);
    if (row < 0 || row > 4) return;
    expect(await order.rowOf(0, { block, index })).toBe(row);
    expect(await order.keyOf(0, { block, index })).toBe(block);
  });

  it('of nothing has a place behind all', async () => expect(await new ArrivalOrder([]).placesAt(0)).toEqual([{ block: 0, index: 0 }]));
});
