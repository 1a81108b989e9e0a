import { afterEach, describe, expect, it } from 'vitest';
import { recordsAround } from '../../../../engine/workspace/incident/records-around.ts';
import { linesBatch, newStore } from '../../store/fixtures.ts';

const store = newStore();
afterEach(() => store.close());

describe('recordsAround', () => {
  it('takes records of the same source, and fewer around each where there is no room', async () => {
    const append = (source: number, count: number): Promise<void> =>
      store.append({ ...linesBatch(Array.from({ length: count }, (_, i) => ({ at: i, text: `${i}` }))), source, decoder: null });
    // Records 0–9 and 15–24 of source 1; 10–14 of source 2.
    for (const [source, count] of [
      [1, 10],
      [2, 5],
      [1, 10],
    ] as const)
      await append(source, count);
    const idsOf = (marked: number[], around: number, most = 100): [number[], number] => {
      const { ids, left } = recordsAround(store, marked, around, most);
      return [[...ids], left];
    };
    expect(idsOf([], 5)).toEqual([[], 0]);
    expect(idsOf([4], 0)).toEqual([[4], 0]);
    expect(idsOf([8, 16], 2)).toEqual([[6, 7, 8, 9, 15, 16, 17, 18], 0]);
    expect(idsOf([0, 24, 10], 1)).toEqual([[0, 1, 10, 11, 23, 24], 0]);
    expect(idsOf([5, 20], 3, 7)).toEqual([[4, 5, 6, 19, 20, 21], 8]);
    expect(idsOf([5, 20, 12], 3, 2)).toEqual([[5, 12], 17]);
    expect(idsOf([99], 3)).toEqual([[], 0]);
  });
});
