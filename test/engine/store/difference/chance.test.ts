import { describe, expect, it } from 'vitest';
import { BLOCKS, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import {
  chanceOf,
  contrast,
  leastChanceOf,
  MOST_CHANCE,
  studentTail,
  testsOf,
  unrestOf,
  type Totals,
} from '../../../../engine/store/difference/chance.ts';

const totals: Totals = { blocks: new Uint32Array(BLOCKS).fill(1000), a: 24_000, b: 24_000, seconds: 1 };
const counts = (of: (at: number, side: 0 | 1) => number): Uint32Array =>
  Uint32Array.from({ length: BLOCKS }, (_, block) => of(block % SIDE_BLOCKS, block < SIDE_BLOCKS ? 0 : 1));

describe('the bound on chance', () => {
  it.each([
    ['a share that rises for good', (_: number, side: number) => (side === 0 ? 20 : 60), true],
    ['a share that rises within B', (at: number, side: number) => (side === 1 && at > 15 ? 200 : 20), true],
    ['something regular that is gone', (_: number, side: number) => (side === 0 ? 1 : 0), true],
    ['the same share', (at: number) => 20 + (at % 3), false],
    ['bursts on both sides', (at: number, side: number) => (at % (side === 0 ? 8 : 5) === 0 ? 150 : 1), false],
    ['a drift that goes on', (at: number, side: number) => 50 + 4 * (at + SIDE_BLOCKS * side), false],
    ['one more of few', (at: number, side: number) => (side === 1 && at < 3 ? 1 : 0), false],
  ])('tells %s', (_name, of, isDifferent) => {
    const chance = chanceOf(counts(of), totals, 1);
    if (isDifferent) expect(chance).toBeLessThan(1e-5);
    else expect(chance).toBeGreaterThan(1e-3);
  });

  it('takes blocks of few records for no sign that a thing is rare', () => {
    // Of the same share: in B each block has one record, and every third of these has it.
    const blocks = Uint32Array.from({ length: BLOCKS }, (_, at) => (at < SIDE_BLOCKS ? 300 : 1));
    const same = counts((at, side) => (side === 0 ? 100 : at % 3 === 0 ? 1 : 0));
    expect(chanceOf(same, { blocks, a: 7200, b: 24, seconds: 1 }, 1)).toBeGreaterThan(0.5);
  });

  it('has tails that are those of tables, or above', () => {
    for (const [t, tail] of [
      [2.074, 0.05],
      [2.819, 0.01],
      [3.792, 0.001],
    ] as const)
      expect(studentTail(t, 22) / tail).toBeCloseTo(1, 0);
  });

  it('is at its least where all records are of one side, which few records cannot bring below it', () => {
    for (const records of [1, 4, 24, 60]) {
      // As many blocks of B as there are records, or all of them.
      const least = leastChanceOf(records, totals);
      const most = counts((at, side) =>
        side === 0 ? 0 : at < records % SIDE_BLOCKS ? Math.ceil(records / SIDE_BLOCKS) : Math.floor(records / SIDE_BLOCKS),
      );
      expect(chanceOf(most, totals, 1)).toBeGreaterThanOrEqual(Math.min(1, least) * 0.99);
    }
    expect(leastChanceOf(4, totals)).toBeGreaterThan(MOST_CHANCE);
  });

  it('is multiplied by the comparisons that could tell a difference', () => {
    expect(testsOf([])).toBe(1);
    expect(testsOf(Array.from({ length: 100 }, () => 0))).toBe(100);
    expect(testsOf([0, 0, 0, ...Array.from({ length: 1000 }, () => 0.05)])).toBe(3);
  });

  it('grows with the unrest of a field', () => {
    const calm = Array.from({ length: 50 }, () => counts(() => 20));
    const wild = [...calm, counts((at) => (at < 12 ? 200 : 0))];
    expect(unrestOf(calm, totals.blocks)).toBe(1);
    expect(unrestOf(wild, totals.blocks)).toBeGreaterThan(50);
  });
});

describe('a contrast', () => {
  it('is mirrored when the sides are swapped', () => {
    const [one, other] = [contrast(30, 90, { ...totals, b: 12_000, seconds: 2 }), contrast(90, 30, { ...totals, a: 12_000, seconds: 0.5 })];
    expect([one.lift, one.z, one.score].map((x) => x.toFixed(9))).toEqual([-other.lift, -other.z, other.score].map((x) => x.toFixed(9)));
  });

  it('is none where only the others changed', () => {
    // Of the same number in the same time, the share is a tenth since a flood came.
    expect(contrast(2400, 2400, { ...totals, b: 240_000 }).lift).toBeCloseTo(0);
  });
});
