import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Delivery, NotDeliveredError } from '../../../engine/outputs/delivery.ts';

const retries = { delay: 10, max_delay: 10, max_jitter: 0, max_retries: -1 };
const make = (): Delivery => new Delivery({ retries, onProblem: () => undefined });
const fails = (): Promise<never> => Promise.reject(new Error('away'));
const takes = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('has a problem while its attempts fail, which is told when it begins and when it ends', async () => {
  const told: string[] = [];
  const delivery = new Delivery({ retries: { ...retries, delay: 1, max_delay: 1 }, onProblem: (text) => told.push(text) });
  const problems: (string | null)[] = [];
  await delivery.until(async () => {
    problems.push(delivery.problem);
    if (problems.length < 3) await fails();
  });
  const problem = 'cannot be delivered to and is tried again: away';
  expect([...problems, delivery.problem]).toEqual([null, problem, problem, null]);
  expect(told).toEqual([problem, 'is delivered to again']);
});

describe('a delivery whose service stops', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is given up when it has got nowhere for two seconds', async () => {
    const delivery = make();
    const result = delivery.until(fails).catch((error: unknown) => error);
    delivery.closing();
    await vi.advanceTimersByTimeAsync(1900);
    expect(delivery.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toBeInstanceOf(NotDeliveredError);
  });

  it('still delivers what other parts hand to it after two seconds', async () => {
    const delivery = make();
    delivery.closing();
    await vi.advanceTimersByTimeAsync(5000);
    const attempt = vi.fn(takes(100));
    const result = delivery.until(attempt);
    await vi.advanceTimersByTimeAsync(200);
    await result;
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('has two seconds for each step that goes well, and ten for all', async () => {
    const delivery = make();
    delivery.closing();
    let done = 0;
    const work = (async () => {
      for (;;) {
        await delivery.until(takes(1500));
        done++;
      }
    })().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await work).toBeInstanceOf(NotDeliveredError);
    expect(done).toBe(7);
  });
});
