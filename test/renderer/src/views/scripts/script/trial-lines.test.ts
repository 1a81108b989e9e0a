import { expect, test } from 'vitest';
import type { Graph } from '../../../../../../engine/api/types.ts';
import { linesOf } from '../../../../../../renderer/src/views/scripts/script/trial-lines.ts';

const graph = (...columns: readonly (readonly number[])[]): Graph => ({
  ...{ key: 'k', source: 1, plugin: 'p', title: 't', time: 1000, rowMs: 10, annotations: [] },
  columns: columns.map((values) => ({ name: 'n', unit: '', aggregation: 'sum', values: Float64Array.from(values) })),
});

test('lines go from the first value to the last, with gaps', () => {
  const lines = linesOf(graph([NaN, 0, 4, NaN, 2, NaN], [NaN, NaN, 2, 2, 2, NaN]), 80, 44);
  expect(lines).toMatchObject({ least: 0, most: 4, from: 1010, to: 1040 });
  expect(lines?.paths).toEqual(['M10.0 42.0h0.1L30.0 2.0M70.0 22.0h0.1', 'M30.0 22.0h0.1L50.0 22.0L70.0 22.0']);
});

test('no value is not a line, and one alone is a dot', () => {
  expect(linesOf(graph([NaN, NaN]), 80, 44)).toBeNull();
  expect(linesOf(graph([-3]), 80, 44)).toMatchObject({ least: -3, most: 0, paths: ['M40.0 42.0h0.1'] });
});
