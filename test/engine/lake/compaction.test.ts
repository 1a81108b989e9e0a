import { describe, expect, it } from 'vitest';
import { runsThatFit, smallNeighbours } from '../../../engine/lake/compaction.ts';
import type { ListedFile } from '../../../engine/lake/manifest.ts';
import { FILE_ROWS } from '../../../engine/lake/protocol.ts';

/** Files of so many rows; a negative number is one behind the settled part. */
const files = (...rows: readonly number[]): ListedFile[] =>
  rows.map((count, i) => ({ name: String(i), rows: Math.abs(count), last: count < 0 })) as unknown as ListedFile[];
const names = (run: readonly ListedFile[]): string => run.map(({ name }) => name).join(' ');
const many = (count: number, rows: number): number[] => Array.from({ length: count }, () => rows);

describe('small files that become one', () => {
  it.each([
    [many(7, 10), ''],
    [many(8, 10), '0 1 2 3 4 5 6 7'],
    [[5000, ...many(8, 10)], '1 2 3 4 5 6 7 8'],
    [[5000, ...many(7, 10)], '0 1 2 3 4 5 6 7'],
    [[120_000, ...many(7, 10)], ''],
    [many(8, 1000), '0 1 2 3 4 5 6 7'],
    [[...many(8, 10), -10], ''],
    [[-10, ...many(8, 10)], '1 2 3 4 5 6 7 8'],
    [many(8, FILE_ROWS), ''],
    [[], ''],
  ])('case %#', (rows, expected) => expect(names(smallNeighbours(files(...rows)))).toBe(expected));

  it('have no more rows than a file', () => {
    const rows = Math.floor(FILE_ROWS / 10);
    const run = smallNeighbours(files(...many(20, rows)));
    expect(run.length).toBeGreaterThanOrEqual(8);
    expect(run.length * rows).toBeLessThanOrEqual(FILE_ROWS);
  });
});

describe('all runs that fit', () => {
  const half = Math.floor(FILE_ROWS / 2);
  it.each([
    [[10, 20, 30], ['0 1 2']],
    [
      [half, half, 10, 20],
      ['0 1', '2 3'],
    ],
    [
      [10, 20, -5, 30, 40],
      ['0 1', '3 4'],
    ],
  ])('%j', (rows, expected) => {
    const runs = runsThatFit(files(...rows)).filter((run) => run.length > 1);
    expect(runs.map(names)).toEqual(expected);
  });
});
