import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadingTurns } from '../../../../engine/workspace/sources/reading-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface File {
  readonly name: number;
}

/** Turns of so many files, and the names of those that have begun. */
function opened(count: number): { turns: ReadingTurns; files: readonly File[]; begun: number[] } {
  const turns = new ReadingTurns();
  const begun: number[] = [];
  const files = Array.from({ length: count }, (_, name) => ({ name }));
  for (const file of files) void turns.begin(file).then(() => begun.push(file.name));
  return { turns, files, begun };
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

it('lets files begin a few at a time in their order, each when one in front has come to its end', async () => {
  const { turns, files, begun } = opened(300);
  let most = 0;
  for (let ended = 0; ended < files.length; ended++) {
    await settled();
    most = Math.max(most, begun.length - ended);
    turns.end(files[ended] as File);
  }
  expect(begun).toEqual(files.map(({ name }) => name));
  expect(most).toBe(4);
});

it('lets a file begin after a while behind some that come to no end, and at once when it is not to wait', async () => {
  const { turns, files, begun } = opened(6);
  await settled();
  expect(begun).toEqual([0, 1, 2, 3]);
  turns.end(files[5] as File);
  await settled();
  expect(begun).toEqual([0, 1, 2, 3, 5]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(begun).toEqual([0, 1, 2, 3, 5, 4]);
  turns.end(files[0] as File);
});
