import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import { BLOCKS, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import { bucketOf, doublesOf, edgeOf, NumberCounts } from '../../../../engine/store/difference/number-counts.ts';

describe('the buckets of numbers', () => {
  it('ascend, and a number is at or above the edge of its own', () => {
    const number = fc.oneof(fc.double({ min: -1e12, max: 1e12, noNaN: true }), fc.integer({ min: -5000, max: 5000 }));
    fc.assert(
      fc.property(number, number, (a, b) => {
        if (a <= b) expect(bucketOf(a)).toBeLessThanOrEqual(bucketOf(b));
        const bucket = bucketOf(a);
        if (Math.abs(a) > 2 ** -15) expect(Math.abs(edgeOf(bucket))).toBeLessThanOrEqual(Math.abs(a));
        if (a > 2 ** -15) expect(edgeOf(bucket + 1)).toBeGreaterThan(a);
      }),
    );
  });

  it('are those of integers as doubles', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(integer), (all) => {
        expect([...doublesOf(BigInt64Array.from(all))]).toEqual(all.map(Number));
      }),
    );
  });

  it('tell quantiles of each side, and numbers that only count', () => {
    const values = Float64Array.from({ length: 2000 }, (_, i) => (i < 1000 ? (i * 617) % 1000 : 4 * ((i * 617) % 1000)));
    const blocks = Uint8Array.from(values, (_, i) => (i < 1000 ? 0 : SIDE_BLOCKS));
    const counts = new NumberCounts();
    counts.add({ name: 'n', representation: null, valueType: ValueType.DOUBLE, rows: null, offsets: null, values }, 2000, blocks);
    expect(counts.quantile(0, 0.5)).toBeCloseTo(500, -2);
    expect(counts.quantile(1, 0.95)).toBeCloseTo(3800, -2.5);
    expect([counts.all().length, counts.all()[0], counts.all()[SIDE_BLOCKS]]).toEqual([BLOCKS, 1000, 1000]);
    const rising = new NumberCounts();
    rising.add(
      { name: 'n', representation: null, valueType: ValueType.DOUBLE, rows: null, offsets: null, values: values.toSorted() },
      2000,
      blocks,
    );
    expect([counts.isCounter, rising.isCounter]).toEqual([false, true]);
  });
});
