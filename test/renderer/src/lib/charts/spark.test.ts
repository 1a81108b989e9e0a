import { describe, expect, it } from 'vitest';
import { sparkPath } from '../../../../../renderer/src/lib/charts/spark.ts';

describe('sparkPath', () => {
  it.each([
    [[], ''],
    [[1], ''],
    [[0, 0], ''],
    [[0, 4], 'M0 10L0 9L20 1L20 10Z'],
  ])('draws %o', (values, path) => expect(sparkPath(values, 20, 10)).toBe(path));
});
