import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { after, every } from '../../../../engine/base/time/long-timer.ts';

const DAY = 86_400_000;

describe('a timer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Milliseconds after the start at which it calls back within `ms`; it is cancelled then. */
  function calls(ms: number, start: (work: () => void) => { cancel(): void }): number[] {
    const seen: number[] = [];
    const started = performance.now();
    const timer = start(() => seen.push(performance.now() - started));
    vi.advanceTimersByTime(ms);
    timer.cancel();
    vi.advanceTimersByTime(ms);
    return seen;
  }

  it.each([
    [1000, 5000, [1000]],
    [2 ** 31 - 1, 30 * DAY, [2 ** 31 - 1]],
    [2 ** 31, 30 * DAY, [2 ** 31]],
    [60 * DAY, 90 * DAY, [60 * DAY]],
    [30 * DAY, 29 * DAY, []],
  ])('of %i ms is over after that, and not once it was cancelled', (wait, ms, wanted) => {
    expect(calls(ms, (work) => after(wait, work))).toEqual(wanted);
  });

  it.each([
    [1000, 3500, [1000, 2000, 3000]],
    [30 * DAY, 61 * DAY, [30 * DAY, 60 * DAY]],
  ])('comes again each %i ms until it is cancelled', (interval, ms, wanted) => {
    expect(calls(ms, (work) => every(interval, work))).toEqual(wanted);
  });

  it('of an interval can be cancelled by what it calls', () => {
    let seen = 0;
    const timer = every(30 * DAY, () => {
      seen++;
      timer.cancel();
    });
    vi.advanceTimersByTime(100 * DAY);
    expect(seen).toBe(1);
  });
});
