import { describe, expect, it } from 'vitest';
import { NumberTally } from '../../../../engine/store/overview/number-tally.ts';

describe('numbers in bounded memory', () => {
  it('has exact percentiles of few different numbers, and near ones of many', () => {
    const few = new NumberTally(1000);
    const many = new NumberTally(100);
    for (let i = 0; i < 1000; i++) for (const tally of [few, many]) tally.add(i, 0);
    expect(few.facts()).toMatchObject({ p50: 499, p95: 949, p99: 989, exact: true, average: 499.5 });
    const { p95, exact, distribution } = many.facts() ?? expect.fail();
    expect([exact, Math.abs(p95 / 949 - 1) < 0.01, distribution.from, distribution.to]).toEqual([false, true, 0, 999]);
  });

  it.each([
    ['alike ones', [5, 5, 5], 'linear'],
    ['durations of very different length', [1, 2, 2, 3, 2, 40_000], 'log'],
    ['negative ones', [-5, 1, 100_000], 'linear'],
    ['none that is finite', [NaN, Infinity], null],
  ])('draws %s on a fitting scale', (_what, numbers, scale) => {
    const tally = new NumberTally(100);
    for (const number of numbers) tally.add(number, 0);
    const facts = tally.facts();
    expect(facts?.distribution.scale ?? null).toBe(scale);
    if (facts !== null) expect(facts.distribution.counts.reduce((sum, one) => sum + one, 0)).toBe(numbers.length);
  });
});
