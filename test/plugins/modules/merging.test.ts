/** Sketches of the parts of a stream, merged: they say what one sketch of the whole stream says. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountMinSketch } from '../../../plugins/modules/count_min.ts';
import { HeavyHitters } from '../../../plugins/modules/heavy_hitters.ts';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';
import { QuantileSketch } from '../../../plugins/modules/quantile_sketch.ts';

const numRuns = 60;
/** Values, each with the number of its part. */
const sharded = <T>(value: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<[T, number][]> =>
  fc.array(fc.tuple(value, fc.nat(3)), { maxLength, size: 'max' });
/** Few values are frequent and many are rare. */
const word = fc.oneof({ weight: 2, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.nat(400).map(String));

interface Mergeable<T, S> {
  add(value: T): unknown;
  merge(other: S): void;
}

/** One sketch of everything, and one that is merged from those of the parts. */
function bothOf<T, S extends Mergeable<T, S>>(
  make: () => S,
  values: readonly (readonly [T, number])[],
): { readonly whole: S; readonly merged: S } {
  const whole = make();
  const parts = Array.from({ length: 4 }, make);
  for (const [value, part] of values) {
    whole.add(value);
    parts[part]?.add(value);
  }
  const merged = make();
  for (const part of parts) merged.merge(part);
  return { whole, merged };
}

test('numbers of different values are exactly those of one sketch', () => {
  fc.assert(
    fc.property(sharded(word, 500), (values) => {
      const { whole, merged } = bothOf(() => new HyperLogLog(), values);
      expect(merged.toSaved()).toBe(whole.toSaved());
      expect(merged.count()).toBe(whole.count());
      // Once more changes nothing.
      merged.merge(whole);
      expect(merged.toSaved()).toBe(whole.toSaved());
    }),
    { numRuns },
  );
});

test('percentiles are within one percent of the numbers', () => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constantFrom(0, 1, -1, 250));
  fc.assert(
    fc.property(sharded(value, 900), (values) => {
      const { whole, merged } = bothOf(() => new QuantileSketch(), values);
      expect(merged.count).toBe(whole.count);
      const sorted = values.map(([number]) => number).sort((a, b) => a - b);
      for (const percent of [0, 10, 50, 90, 99, 100]) {
        const exact = sorted[Math.floor((percent * (sorted.length - 1)) / 100)] ?? NaN;
        const found = merged.percentile(percent);
        if (Number.isNaN(exact)) expect(found).toBeNaN();
        else expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.0101 + 1e-9);
      }
    }),
    { numRuns },
  );
});

test('percentiles of parts with more numbers than are kept as they are', () => {
  const values = Array.from({ length: 5000 }, (_, i): [number, number] => [(i * 7919) % 5000, i % 3]);
  const { whole, merged } = bothOf(() => new QuantileSketch(), values);
  for (let percent = 0; percent <= 100; percent++) expect(merged.percentile(percent)).toBe(whole.percentile(percent));
});

test('frequent values are found, and weights are too small by one part in the capacity and one at most', () => {
  fc.assert(
    fc.property(sharded(word, 900), fc.integer({ min: 1, max: 30 }), (values, capacity) => {
      const { merged } = bothOf(() => new HeavyHitters(capacity), values);
      const counts = new Map<string, number>();
      for (const [value] of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      const error = values.length / (capacity + 1);
      expect(merged.sorted().length).toBeLessThanOrEqual(capacity);
      for (const [value, count] of counts) {
        expect(merged.weightOf(value)).toBeLessThanOrEqual(count);
        expect(merged.weightOf(value)).toBeGreaterThanOrEqual(count - error);
      }
    }),
    { numRuns },
  );
});

test('counts are never too small', () => {
  fc.assert(
    fc.property(sharded(word, 400), (values) => {
      const { merged } = bothOf(() => new CountMinSketch(), values);
      const counts = new Map<string, number>();
      for (const [value] of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      for (const [value, count] of counts) expect(merged.add(value)).toBeGreaterThan(count);
    }),
    { numRuns: 20 },
  );
});
