import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountMinSketch } from '../../../plugins/modules/count_min.ts';
import { HeavyHitters } from '../../../plugins/modules/heavy_hitters.ts';
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

describe('CountMinSketch', () => {
  test('counts are never too small, and right as long as there are not too many values', () => {
    const sketch = new CountMinSketch();
    const random = randoms();
    const counts = new Map<string, number>();
    let [wrong, tooSmall] = [0, 0];
    for (let i = 0; i < 50_000; i++) {
      const value = `value ${Math.floor(random() ** 3 * 10_000)}`;
      const count = (counts.get(value) ?? 0) + 1;
      counts.set(value, count);
      const estimate = sketch.add(value);
      if (estimate < count) tooSmall++;
      if (estimate > count) wrong++;
    }
    expect(tooSmall).toBe(0);
    expect(wrong).toBeLessThan(500);
  });

  test('long and empty values, and what is saved', () => {
    const sketch = new CountMinSketch();
    expect([sketch.add(''), sketch.add('é'.repeat(1000)), sketch.add('')]).toEqual([1, 1, 2]);
    const restored = CountMinSketch.fromSaved(structuredClone(sketch.toSaved()));
    expect([restored.add(''), restored.add('é'.repeat(1000)), restored.add('x')]).toEqual([3, 2, 1]);
    expect(() => CountMinSketch.fromSaved(new Uint32Array(3))).toThrow('not a saved sketch');
  });
});

describe('HeavyHitters', () => {
  test('frequent values are found among many rare ones', () => {
    const hitters = new HeavyHitters(20);
    const random = randoms();
    for (let i = 0; i < 30_000; i++) hitters.add(i % 10 === 0 ? 'hot' : i % 7 === 0 ? 'warm' : `cold ${random()}`);
    expect(
      hitters
        .sorted()
        .slice(0, 2)
        .map(([value]) => value)
        .toSorted(),
    ).toEqual(['hot', 'warm']);
    expect(hitters.sorted().length).toBeLessThanOrEqual(20);
    expect(hitters.weightOf('hot')).toBeLessThanOrEqual(3000);
  });

  test('halving, and what is saved', () => {
    const hitters = new HeavyHitters(3);
    for (const value of ['a', 'a', 'a', 'b', 'c', 'c']) hitters.add(value);
    hitters.halve();
    const restored = HeavyHitters.fromSaved(structuredClone(hitters.toSaved()));
    expect(new Map(restored.sorted())).toEqual(
      new Map([
        ['a', 1],
        ['c', 1],
      ]),
    );
  });
});
