import { describe, expect, it } from 'vitest';
import type { Counts } from '../../../scripts/lib/counts.mjs';
import { tryAgain } from '../../../scripts/lib/second-try.mjs';

const passed: Counts = { passed: 10, failed: 0, skipped: 1, failures: [] };
const failed = (count: number): Counts => ({
  ...passed,
  failed: count,
  failures: Array.from({ length: count }, (_, index) => `test ${index}`),
  failedFiles: [{ name: 'a.test.ts', passed: 3, skipped: 1 }],
});

describe('tryAgain', () => {
  it('counts what passes now, and tells what it said at first', async () => {
    const files: string[] = [];
    const again = await tryAgain(failed(2), (names) => {
      files.push(...names);
      return Promise.resolve({ passed: 5, failed: 0, skipped: 1, failures: [] });
    });
    expect(files).toEqual(['a.test.ts']);
    expect(again).toEqual({ passed: 12, failed: 0, skipped: 1, failures: [], unsteady: ['test 0', 'test 1'] });
  });

  it.each([
    ['fails again, and passes then', 1, 0],
    ['fails each time', 2, 2],
  ])('runs what %s twice', async (_, failures, left) => {
    let turns = 0;
    const again = await tryAgain(failed(2), () => Promise.resolve(turns++ < failures ? failed(1) : passed));
    expect([again.failed, turns]).toEqual([left, 2]);
  });

  it.each([
    ['nothing failed', passed],
    ['much failed', failed(4)],
    ['the runner failed', { ...failed(1), unexplained: true }],
    ['no file is known', { ...failed(1), failedFiles: [] }],
  ])('runs nothing when %s', async (_, counts) => {
    expect(await tryAgain(counts, () => Promise.reject(new Error('ran')))).toBe(counts);
  });
});
