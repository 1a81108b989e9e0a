import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitTimes } from '../../../engine/queue/wait-times.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1000);

describe('the oldest bytes of a queue', () => {
  it('have waited since they came, to a second', () => {
    const waits = new WaitTimes(0);
    expect(waits.oldest(0)).toBe(0);
    waits.add(10, 0);
    pass(5);
    waits.add(10, 10);
    pass(2);
    expect(waits.oldest(20)).toBe(7000);
    expect(waits.oldest(15)).toBe(7000);
    expect(waits.oldest(10)).toBe(2000);
    expect(waits.oldest(0)).toBe(0);
    waits.add(1, 0);
    pass(1);
    expect(waits.oldest(1)).toBe(1000);
  });

  it('of an earlier start have waited since this one', () => {
    const waits = new WaitTimes(100);
    pass(3);
    waits.add(5, 100);
    expect(waits.oldest(105)).toBe(3000);
    expect(waits.oldest(5)).toBe(0);
  });

  it('are known roughly of a queue that grows for days, in bounded memory', () => {
    const waits = new WaitTimes(0);
    const seconds = 200_000;
    for (let second = 0; second < seconds; second++) {
      waits.add(1, second);
      pass(1);
    }
    expect(waits.oldest(seconds)).toBe(seconds * 1000);
    const age = waits.oldest(50_000) / 1000;
    expect(age).toBeGreaterThanOrEqual(50_000);
    expect(age).toBeLessThan(51_000);
  });
});
