import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Throttle } from '../../../../engine/base/time/throttle.ts';

describe('Throttle', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls at once, then not more often than allowed, and once after the last request', () => {
    const times: number[] = [];
    const start = performance.now();
    const throttle = new Throttle(() => times.push(Math.round(performance.now() - start)), 100);
    for (let i = 0; i < 25; i++) {
      throttle.request();
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([0, 100, 200, 300]);
    throttle.request();
    throttle.request();
    throttle.stop();
    vi.advanceTimersByTime(1000);
    expect(times).toHaveLength(5);
  });

  it('waits as long as is right at the moment', () => {
    const times: number[] = [];
    const start = performance.now();
    let interval = 50;
    const throttle = new Throttle(
      () => times.push(Math.round(performance.now() - start)),
      () => interval,
    );
    throttle.request();
    throttle.request();
    vi.advanceTimersByTime(100);
    interval = 200;
    throttle.request();
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([0, 50, 250]);
  });
  it('hastens a call that is still to come for one that waits less', () => {
    const times: number[] = [];
    const start = performance.now();
    const throttle = new Throttle(() => times.push(Math.round(performance.now() - start)), 1000);
    for (const interval of [undefined, undefined, 300, 500]) throttle.request(interval);
    vi.advanceTimersByTime(200);
    throttle.request(100);
    expect(throttle.waiting).toBe(false);
    throttle.request();
    vi.advanceTimersByTime(2000);
    throttle.request();
    throttle.request(300);
    vi.advanceTimersByTime(2000);
    expect(times).toEqual([0, 200, 1200, 2200, 2500]);
  });
});
