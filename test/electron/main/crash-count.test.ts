import { expect, it } from 'vitest';
import { CrashCount } from '../../../electron/main/crash-count.ts';

it('counts the crashes of the last minute', () => {
  let now = 0;
  const crashes = new CrashCount(60_000, () => now);
  const counts = [0, 1000, 2000, 60_000, 61_500, 200_000].map((at) => {
    now = at;
    return crashes.add();
  });
  expect(counts).toEqual([1, 2, 3, 4, 3, 1]);
});
