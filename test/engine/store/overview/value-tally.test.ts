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

  it.each<[string, (i: number) => string | number]>([
    ['texts', (i) => `v${(i * i) % 977}`],
    ['small integers', (i) => (i * i) % 977],
    ['other numbers', (i) => ((i * i) % 977) / 3 - 100],
    ['integers that come late', (i) => (i < 5000 ? i : 7)],
  ])('is never wrong by more than it says, with few places for %s', (_what, valueOf) => {
    const tally = new ValueTally<string | number>(50);
    const counts = new Map<string | number, number>();
    for (let i = 0; i < 10_000; i++) {
      const value = valueOf(i);
      tally.add(value, i % PARTS);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const top = tally.top(50);
    const most = Math.max(...counts.values());
    expect(top.some(({ count, missed }) => count + missed >= most)).toBe(true);
    for (const { key, count, missed } of top) {
      expect(counts.get(key)).toBeGreaterThanOrEqual(count);
      expect(counts.get(key)).toBeLessThanOrEqual(count + missed);
    }
    expect(Math.abs(tally.distinct / counts.size - 1)).toBeLessThan(0.05);
  });

  it('has the same values on top, whichever limit is asked for', () => {
    const tally = new ValueTally<number>(1000);
    for (let i = 0; i < 5000; i++) tally.add((i * i) % 101, 0);
    const all = tally.top(1000);
    for (const limit of [1, 3, 20]) expect(tally.top(limit)).toEqual(all.slice(0, limit));
  });
});
