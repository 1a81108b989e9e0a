import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Rush } from '../../../../engine/base/time/rush.ts';

describe('Rush', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits longer the longer records rush in, and no longer than a second', () => {
    const rush = new Rush(34, 300);
    const intervals = [1000, 5000, 1001, 9000, 100_000, 1000, 8000].map((fresh) => {
      const interval = rush.interval(fresh);
      vi.advanceTimersByTime(2000);
      return interval;
    });
    expect(intervals).toEqual([34, 300, 400, 800, 1000, 34, 300]);
  });
});
