import { describe, expect, it } from 'vitest';
import { PARTS, ValueTally } from '../../../../engine/store/overview/value-tally.ts';

describe('values in bounded memory', () => {
  it('keeps the counts of frequent ones among very many, and says what it may have missed of others', () => {
    const tally = new ValueTally<string>(100);
    const counts = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const value = i % 3 === 0 ? `often ${i % 4}` : `once ${i}`;
      tally.add(value, i % PARTS);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const top = tally.top(10);
    expect(top.slice(0, 4).map(({ key, count, missed }) => [key, count, missed])).toEqual(
      ['often 0', 'often 2', 'often 3', 'often 1'].map((key) => [key, counts.get(key), 0]),
    );
    for (const { key, count, missed } of top) {
      expect(counts.get(key)).toBeGreaterThanOrEqual(count);
      expect(counts.get(key)).toBeLessThanOrEqual(count + missed);
    }
    expect(tally.isExact).toBe(false);
    expect(Math.abs(tally.distinct / counts.size - 1)).toBeLessThan(0.02);
  });
});
