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
  const exactly = (values: readonly number[], q: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))] as number;

  test('few numbers are exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, q) => {
          expect(sketchOf(values).quantile(q)).toBe(exactly(values, q));
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
    for (const q of [0, 0.01, 0.1, 0.5, 0.75, 0.9, 0.99, 0.999, 1]) {
      const expected = exactly(values, q);
      expect(Math.abs(sketch.quantile(q) - expected), `${q}`).toBeLessThanOrEqual(Math.abs(expected) * 0.01 + 1e-12);
    }
  });

  test('memory is bounded, high quantiles stay right', () => {
    const sketch = new QuantileSketch();
    for (let i = 0; i < 60_000; i++) sketch.add(10 ** (i / 100 - 300));
    expect(sketch.toSaved().positive.size).toBeLessThanOrEqual(2048);
    expect(sketch.quantile(0.99)).toBeGreaterThan(10 ** 293.9);
    expect(sketch.quantile(0.99)).toBeLessThan(10 ** 294.1);
  });

  test('no numbers, and what is none', () => {
    expect(sketchOf([NaN, Infinity, -Infinity]).quantile(0.5)).toBeNaN();
  });

  test.each([5, 300])('%i numbers are kept when it is saved', (length) => {
    const values = Array.from({ length }, (_, i) => i - 2);
    const restored = QuantileSketch.fromSaved(structuredClone(sketchOf(values).toSaved()));
    expect([restored.count, restored.quantile(0), restored.quantile(0.5), restored.quantile(1)]).toEqual([
      ...[length, -2, sketchOf(values).quantile(0.5), length - 3],
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
