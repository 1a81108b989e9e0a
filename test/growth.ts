import { expect } from 'vitest';

/** So many times larger is the larger input, and about so many times as long would take what is quadratic. */
const FACTOR = 16;
/** Most that a linear growth reaches, with caches and garbage collection. */
const MOST = 4;
const TURNS = 12;

/** Milliseconds for which this process was at work: what others do in the meantime does not count. */
export function workMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Expects that work on one input of a size takes no more than work on many small ones of the same size together. Each is taken by its quickest turn, as
 * nothing makes a turn quicker than it is.
 */
export function expectLinear(work: (size: number) => void, size: number, what = ''): void {
  const small = Math.floor(size / FACTOR);
  let one = Infinity;
  let many = Infinity;
  for (let turn = 0; turn < TURNS && !(one / many < MOST); turn++) {
    many = Math.min(
      many,
      workMs(() => {
        for (let i = 0; i < FACTOR; i++) work(small);
      }),
    );
    one = Math.min(
      one,
      workMs(() => work(size)),
    );
  }
  expect(one / many, what).toBeLessThan(MOST);
}
