import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binOf, coarserBin, Extent, isFinerThan, rowBorders, scaleOf, ZERO } from '../../../engine/store/heat-scale.ts';

const numbers = fc.array(
  fc.oneof(
    fc.integer({ min: -5, max: 1000 }),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  { minLength: 1, maxLength: 30 },
);
const extentOf = (values: readonly number[]): Extent => {
  const extent = new Extent();
  for (const value of values) extent.include(value);
  return extent;
};

test('each number lies between the borders of its row', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 4, max: 40 }), (values, most) => {
      const scale = scaleOf(extentOf(values));
      const bins = values.map((value) => binOf(scale, value)).sort((a, b) => a - b);
      const [first = 0, last = 0] = [bins[0], bins.at(-1)];
      const firstPositive = bins.find((bin) => bin !== ZERO) ?? last;
      const { bins: rows, edges } = rowBorders(scale, { first, last, firstPositive }, most);
      expect([...edges]).toEqual([...edges].sort((a, b) => a - b));
      for (const value of values) {
        const bin = binOf(scale, value);
        const row = rows.findLastIndex((begin) => begin <= bin);
        expect(row).toBeGreaterThanOrEqual(0);
        if (scale.kind === 'log' || Math.abs(value) < 1e15) {
          expect(edges[row]).toBeLessThanOrEqual(value);
          expect(edges[row + 1]).toBeGreaterThan(value);
        }
      }
    }),
  );
});

test('a bin of a fine scale is within one of a coarser scale', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(3), (value, power) => {
      const fine = { kind: 'linear', power: 0 } as const;
      const coarse = { kind: 'linear', power } as const;
      expect(isFinerThan(fine, coarse)).toBe(true);
      expect(coarserBin(fine, coarse, binOf(fine, value))).toBe(binOf(coarse, value));
    }),
  );
});
