import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unlessBusy } from '../../../../engine/sandbox/contract/report-wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each<[what: string, answersAfter: number, isBusy: boolean, expected: string, after: number]>([
  ['the answer of one that is busy, when that comes in time', 400, true, 'answer', 400],
  ['something else, when that does not come in time', 600, true, 'otherwise', 500],
  ['the answer of one that is not busy, however slow it is', 7000, false, 'answer', 7000],
  ['something else, when nothing comes at all', 1e9, false, 'otherwise', 10_000],
])('is %s', async (_what, answersAfter, isBusy, expected, after) => {
  const started = performance.now();
  const answer = new Promise<string>((resolve) => setTimeout(resolve, answersAfter, 'answer'));
  const got = unlessBusy(answer, { isBusy: () => isBusy, otherwise: () => 'otherwise' }).then((value) => [
    value,
    performance.now() - started,
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await got).toEqual([expected, after]);
  expect(vi.getTimerCount()).toBe(answersAfter > 10_000 ? 1 : 0);
});
