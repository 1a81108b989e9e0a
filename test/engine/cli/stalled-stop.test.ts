import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilStopped } from '../../../engine/cli/stalled-stop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<void>(() => undefined);

it('a stop that gets on is waited for, however long it takes', async () => {
  const pipeline = { moved: '0', stopping: ['slow'] };
  const stopped = Promise.withResolvers<void>();
  const moving = setInterval(() => (pipeline.moved += '.'), 15_000);
  const result = untilStopped(stopped.promise, pipeline);
  await vi.advanceTimersByTimeAsync(120_000);
  clearInterval(moving);
  stopped.resolve();
  expect(await result).toBe(null);
});

it('a stop that hangs is given up, and the parts that it waits for are named', async () => {
  const result = untilStopped(never, { moved: '0', stopping: ['frozen'] });
  await vi.advanceTimersByTimeAsync(21_000);
  expect(await result).toEqual(['frozen']);
});

it('the error of a stop is handed on', async () => {
  await expect(untilStopped(Promise.reject(new Error('bad')), { moved: '0', stopping: [] })).rejects.toThrow('bad');
});
