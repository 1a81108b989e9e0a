import { describe, expect, test } from 'vitest';
import { HeavyHitters } from '../../../plugins/modules/heavy_hitters.ts';

/** Numbers from 0 to 1 that are the same each time (Lehmer's generator). */
function randoms(): () => number {
  let state = 12345;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

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
