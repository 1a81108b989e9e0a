import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Follower } from '../../../../engine/inputs/file/follower.ts';
import { Lookout } from '../../../../engine/inputs/file/lookout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Looks without a hint, and searches for new files, that so many lookouts take in so many milliseconds, each. */
async function looks(count: number, ms: number): Promise<{ polls: number; scans: number }> {
  let [polls, scans] = [0, 0];
  const follower = {
    isHinted: false,
    scanHinted: false,
    scan: () => Promise.resolve((scans++, new Set())),
    examineHinted: () => Promise.resolve(),
    poll: () => Promise.resolve(void polls++),
  } as unknown as Follower;
  const options = { pollMs: 10, watch: true, onLooked: () => undefined, onFailed: () => undefined };
  const lookouts = Array.from({ length: count }, () => new Lookout(follower, options));
  await Promise.all(lookouts.map((lookout) => lookout.start()));
  await vi.advanceTimersByTimeAsync(ms);
  await Promise.all(lookouts.map((lookout) => lookout.stop()));
  return { polls: polls / count, scans: scans / count };
}

test('the more files are open, the rarer each is looked at without a hint, and new ones are searched for', async () => {
  expect((await looks(1, 300)).polls).toBeGreaterThan(20);
  expect((await looks(200, 300)).polls).toBeLessThan(3);
  expect((await looks(1, 24_000)).scans).toBeGreaterThan(10);
  expect((await looks(300, 24_000)).scans).toBeLessThan(6);
  expect((await looks(1, 300)).polls).toBeGreaterThan(20);
});
