import { expect, test } from 'vitest';
import type { Follower } from '../../../../engine/inputs/file/follower.ts';
import { Lookout } from '../../../../engine/inputs/file/lookout.ts';

/** Looks without a hint that so many lookouts take in 300 ms, each. */
async function looks(count: number): Promise<number> {
  let polls = 0;
  const follower = {
    isHinted: false,
    scanHinted: false,
    scan: () => Promise.resolve(new Set()),
    examineHinted: () => Promise.resolve(),
    poll: () => Promise.resolve(void polls++),
  } as unknown as Follower;
  const options = { pollMs: 10, watch: true, onLooked: () => undefined, onFailed: () => undefined };
  const lookouts = Array.from({ length: count }, () => new Lookout(follower, options));
  await Promise.all(lookouts.map((lookout) => lookout.start()));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await Promise.all(lookouts.map((lookout) => lookout.stop()));
  return polls / count;
}

test('the more files are open, the rarer each is looked at without a hint', async () => {
  expect(await looks(1)).toBeGreaterThan(3);
  expect(await looks(200)).toBeLessThan(3);
  expect(await looks(1)).toBeGreaterThan(3);
});
