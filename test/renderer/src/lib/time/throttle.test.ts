import { describe, expect, it, vi } from 'vitest';
import { Throttle } from '../../../../../renderer/src/lib/time/throttle.ts';

describe('Throttle', () => {
  it('runs at once, then once after the pause, however often it was called', async () => {
    vi.useFakeTimers();
    const work = vi.fn(() => Promise.resolve());
    const throttle = new Throttle(100, work);
    throttle.call();
    throttle.call();
    throttle.call();
    await vi.advanceTimersByTimeAsync(50);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(work).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
