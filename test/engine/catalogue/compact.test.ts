import { describe, expect, it } from 'vitest';
import { runsToMerge } from '../../../engine/catalogue/compact.ts';
import type { LakeFile } from '../../../engine/catalogue/commit.ts';
import { entry, snapshotOf } from './lake-fixtures.ts';

describe('runsToMerge', () => {
  const many = (count: number, rows: number): LakeFile[] => Array.from({ length: count }, (_, i) => entry(`a/${rows}.${i}`, rows));
  it.each([
    ['few small files of an hour that goes on', many(7, 10), false, []],
    ['as many as are put together', many(8, 10), false, [8]],
    ['those of one size', [...many(7, 10), ...many(8, 5000)], false, [15]],
    ['all of an hour that is over', many(2, 10), true, [2]],
    ['no more rows than a file has', many(5, 50_000), true, [2, 2]],
    ['none that is large', many(9, 60_000), true, []],
  ])('takes %s', (_, entries, isWhole, runs) =>
    expect(runsToMerge(snapshotOf(...entries), () => isWhole).map(({ length }) => length)).toEqual(runs),
  );
});
