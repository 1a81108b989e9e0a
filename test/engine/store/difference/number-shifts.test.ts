import { describe, expect, it } from 'vitest';
import { BLOCKS, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import { shiftBetween } from '../../../../engine/store/difference/number-shifts.ts';

const noise = (i: number): number => {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return x - Math.floor(x);
};

/** A hundred numbers in each block whose mean is as given. */
function shiftOf(mean: (at: number, side: 0 | 1) => number, count = (_at: number, _side: 0 | 1): number => 100) {
  const sums = new Float64Array(2 * BLOCKS);
  for (let block = 0; block < BLOCKS; block++) {
    const of = [block % SIDE_BLOCKS, block < SIDE_BLOCKS ? 0 : 1] as const;
    const records = (sums[2 * block + 1] = count(...of));
    sums[2 * block] = records * (mean(...of) + noise(block));
  }
  return shiftBetween(sums);
}

describe('the shift of a mean', () => {
  it.each<[string, boolean, (at: number, side: 0 | 1) => number]>([
    ['where it is the same', false, () => 500],
    ['where it rose', true, (_, side) => 500 + 3 * side],
    ['where it rose in the second half of B', true, (at, side) => (side === 1 && at >= 12 ? 508 : 500)],
    ['where it goes up and down in both', false, (at, side) => 500 + (at % 2) * 20 + side],
    ['where it rises all the time', false, (at, side) => 500 + at + side * SIDE_BLOCKS],
  ])('%s: told %s', (_name, isTold, mean) => {
    expect((shiftOf(mean)?.chance ?? 1) < 0.001).toBe(isTold);
  });

  it('is none where few blocks have the value', () => {
    const few = (at: number, side: 0 | 1): number => (side === 1 && at > 4 ? 0 : 100);
    expect(shiftOf((_, side) => 500 + 100 * side, few)).toBeNull();
  });
});
