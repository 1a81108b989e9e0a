import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ticker } from '../../../engine/inputs/ticker.ts';

describe('a ticker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Milliseconds after the start at which it ticked within `ms`. */
  async function ticks(
    interval: number,
    ms: number,
    work: () => Promise<void> | void = () => undefined,
    immediately = false,
  ): Promise<number[]> {
    const seen: number[] = [];
    const started = performance.now();
    const ticker = new Ticker(interval, () => {
      seen.push(Math.round(performance.now() - started));
      return work();
    });
    ticker.start({ immediately });
    await vi.advanceTimersByTimeAsync(ms);
    const stopped = ticker.stop();
    await vi.advanceTimersByTimeAsync(10 * interval);
    await stopped;
    return seen;
  }
  const taking = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it('ticks after each interval, and not after it was stopped', async () => {
    expect(await ticks(1000, 3500)).toEqual([1000, 2000, 3000]);
  });
  it('ticks at once, if it is to', async () => expect(await ticks(1000, 2500, undefined, true)).toEqual([0, 1000, 2000]));
  it('keeps its pace whatever the work takes', async () => expect(await ticks(1000, 3500, taking(900))).toEqual([1000, 2000, 3000]));
  it('leaves out what comes while the work goes on', async () => expect(await ticks(1000, 6500, taking(2500))).toEqual([1000, 4000]));
  it('waits longer than a timer can', async () => {
    const day = 86_400_000;
    expect(await ticks(30 * day, 61 * day)).toEqual([30 * day, 60 * day]);
  });

  it('waits at its stop for the work that goes on', async () => {
    let done = false;
    const ticker = new Ticker(100, async () => {
      await taking(50)();
      done = true;
    });
    ticker.start();
    await vi.advanceTimersByTimeAsync(110);
    const stopped = ticker.stop().then(() => done);
    await vi.advanceTimersByTimeAsync(100);
    expect(await stopped).toBe(true);
  });
});
