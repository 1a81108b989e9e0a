import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuantileSketch } from '../../../plugins/modules/quantile_sketch.ts';

/** Numbers from 0 to 1 that are the same each time (Lehmer's generator). */
function randoms(): () => number {
  let state = 12345;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

describe('QuantileSketch', () => {
  const sketchOf = (values: readonly number[]): QuantileSketch => {
    const sketch = new QuantileSketch();
    for (const value of values) sketch.add(value);
    return sketch;
  };
  const exactly = (values: readonly number[], percent: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor((percent * (values.length - 1)) / 100)] as number;

  test('few numbers are exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (values, percent) => {
          expect(sketchOf(values).percentile(percent)).toBe(exactly(values, percent));
        },
      ),
    );
  });

  test.each<[name: string, draw: (random: number) => number]>([
    ['uniform', (random) => random * 1000],
    ['exponential', (random) => -Math.log(random)],
    ['Pareto', (random) => random ** -1.5],
    ['of both signs', (random) => Math.tan(Math.PI * (random - 0.5))],
    ['mostly zero', (random) => Math.max(0, random - 0.7)],
  ])('many %s numbers are within one percent', (_name, draw) => {
    const random = randoms();
    const values = Array.from({ length: 20_000 }, () => draw(random()));
    const sketch = sketchOf(values);
    expect(sketch.count).toBe(20_000);
    for (const percent of [0, 1, 10, 50, 75, 90, 99, 99.9, 100]) {
      const expected = exactly(values, percent);
      expect(Math.abs(sketch.percentile(percent) - expected), `${percent}`).toBeLessThanOrEqual(Math.abs(expected) * 0.01 + 1e-12);
    }
  });

  test('memory is bounded, high percentiles stay right', () => {
    const sketch = new QuantileSketch();
    for (let i = 0; i < 60_000; i++) sketch.add(10 ** (i / 100 - 300));
    expect(sketch.toSaved().positive.size).toBeLessThanOrEqual(2048);
    expect(sketch.percentile(99)).toBeGreaterThan(10 ** 293.9);
    expect(sketch.percentile(99)).toBeLessThan(10 ** 294.1);
  });

  test('every whole percentile of 101 numbers is the number itself', () => {
    const sketch = sketchOf(Array.from({ length: 101 }, (_, i) => i));
    for (let percentile = 0; percentile <= 100; percentile++) expect(sketch.percentile(percentile)).toBe(percentile);
  });

  test('no numbers, and what is none', () => {
    expect(sketchOf([NaN, Infinity, -Infinity]).percentile(50)).toBeNaN();
  });

  test.each([5, 300])('%i numbers are kept when it is saved', (length) => {
    const values = Array.from({ length }, (_, i) => i - 2);
    const restored = QuantileSketch.fromSaved(structuredClone(sketchOf(values).toSaved()));
    expect([restored.count, restored.percentile(0), restored.percentile(50), restored.percentile(100)]).toEqual([
      ...[length, -2, sketchOf(values).percentile(50), length - 3],
    ]);
  });
});
