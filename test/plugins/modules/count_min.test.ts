import { describe, expect, test } from 'vitest';
import { CountMinSketch } from '../../../plugins/modules/count_min.ts';

/** Numbers from 0 to 1 that are the same each time (Lehmer's generator). */
function randoms(): () => number {
  let state = 12345;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

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
