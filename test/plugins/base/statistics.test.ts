import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, mannWhitneyU, maximumOf, meanOf, minimumOf, normalTail, sumOf, varianceOf } from '../../../plugins/base/statistics.ts';

const VALUES = fc.array(fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constant(NaN)), { maxLength: 30 });

describe('samples', () => {
  it('pass over cells without data', () => {
    fc.assert(
      fc.property(VALUES, (values) => {
        const known = values.filter((value) => !Number.isNaN(value));
        expect(countOf(values)).toBe(known.length);
        expect(sumOf(values)).toBe(known.reduce((sum, value) => sum + value, 0));
        expect(minimumOf(values)).toBe(known.length === 0 ? NaN : Math.min(...known));
        expect(maximumOf(values)).toBe(known.length === 0 ? NaN : Math.max(...known));
        if (known.length > 0) expect(varianceOf(values)).toBeCloseTo(varianceOf(known), 6);
      }),
    );
  });

  it('have a mean and a variance', () => {
    expect([meanOf([1, NaN, 3]), varianceOf([2, 4, 4, 4, 5, 5, 7, 9])]).toEqual([2, 4]);
    expect([meanOf([]), varianceOf([NaN])]).toEqual([NaN, NaN]);
  });
});

it.each([
  [0, 0.5],
  [1, 0.15865525393145705],
  [1.959963984540054, 0.025],
  [3, 0.0013498980316300933],
  [6, 9.865876450376946e-10],
])('a normal variable exceeds %d with the probability %d', (z, p) => expect(normalTail(z) / p).toBeCloseTo(1, 10));

describe('mannWhitneyU', () => {
  // As R's wilcox.test says it, with exact = FALSE and alternative = "less".
  it('is that of the textbook', () => {
    const test = mannWhitneyU([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], true);
    expect(test?.u).toBe(0);
    expect(test?.p).toBeCloseTo(0.006092890177672406, 12);
  });

  it('finds no difference where all are equal', () => expect(mannWhitneyU([3, 3], [3], true)).toBeNull());

  it('counts the pairs, of which ties are halves', () => {
    const values = fc.array(fc.nat(9), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(values, values, (first, second) => {
        const test = mannWhitneyU(first, second, false);
        const pairs = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0) as number));
        if (test !== null) expect(test.u).toBe(sumOf(pairs));
        else expect(new Set([...first, ...second]).size).toBe(1);
        expect(mannWhitneyU(second, first, false)?.p ?? -1).toBeCloseTo(test?.p ?? -1, 12);
      }),
    );
  });
});
