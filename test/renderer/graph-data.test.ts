import { describe, expect, it } from 'vitest';
import type { Graph } from '../../engine/api/types.ts';
import { fileName } from '../../renderer/src/lib/charts/export.ts';
import {
  columnStats,
  commonRange,
  dataRange,
  defaultKind,
  points,
  rowAtTime,
  rowsIn,
  seriesColor,
  thinRows,
  toCsv,
} from '../../renderer/src/lib/charts/graph-data.ts';

function graph(columns: Record<string, number[]>, part: Partial<Graph> = {}, aggregation: 'sum' | 'max' = 'sum'): Graph {
  return {
    key: 'k',
    source: 1,
    plugin: 'p',
    title: 't',
    time: 60_000,
    rowMs: 60_000,
    annotations: [],
    ...part,
    columns: Object.entries(columns).map(([name, values]) => ({ name, unit: 'count', aggregation, values: Float64Array.from(values) })),
  };
}

describe('columnStats', () => {
  it.each([
    [[1, 2, 3], 0, 3, { last: 3, min: 1, max: 3, average: 2 }],
    [[NaN, 4, NaN], 0, 3, { last: 4, min: 4, max: 4, average: 4 }],
    [[5, 1, 9], 0, 2, { last: 1, min: 1, max: 5, average: 3 }],
    [[-1, 0], 0, 2, { last: 0, min: -1, max: 0, average: -0.5 }],
    [[NaN, NaN], 0, 2, null],
    [[1], 1, 1, null],
  ])('%o from %d to %d', (values, first, end, expected) => {
    expect(columnStats({ values: Float64Array.from(values) }, first, end)).toEqual(expected);
  });
});

describe('ranges', () => {
  const sparse = graph({ a: [NaN, NaN, 1, NaN, NaN], b: [NaN, NaN, NaN, 2, NaN] });

  it('span what any column has', () => {
    expect(dataRange(sparse)).toEqual({ from: 180_000, to: 300_000 });
    expect(dataRange(graph({ a: [NaN] }))).toBeNull();
    expect(dataRange(graph({}))).toBeNull();
  });

  it('are common to all graphs', () => {
    expect(commonRange([sparse, graph({ a: [1] }), graph({ a: [NaN] })])).toEqual({ from: 60_000, to: 300_000 });
    expect(commonRange([])).toBeNull();
  });

  it('count the rows that begin inside', () => {
    expect(rowsIn(sparse, { from: 60_000, to: 120_000 })).toEqual({ first: 0, end: 1 });
    expect(rowsIn(sparse, { from: 60_001, to: 180_001 })).toEqual({ first: 1, end: 3 });
    expect(rowsIn(sparse, { from: -1e9, to: 1e9 })).toEqual({ first: 0, end: 5 });
  });

  it.each([
    [0, 0],
    [60_000, 0],
    [119_999, 0],
    [120_000, 1],
    [1e9, 4],
  ])('row at %d is %d', (time, row) => expect(rowAtTime(sparse, time)).toBe(row));
});

describe('drawing', () => {
  it('takes bars for sums that have room, areas for those that have not, lines for the rest', () => {
    const sums = graph({ a: [1], b: [2] });
    expect(defaultKind(sums, 100, 900)).toBe('bar');
    expect(defaultKind(sums, 1440, 900)).toBe('area');
    expect(defaultKind(graph({ a: [1] }, {}, 'max'), 10, 900)).toBe('line');
    expect(defaultKind(graph({}), 10, 900)).toBe('line');
  });

  it('keeps peaks and gaps when it thins a stack', () => {
    const many = graph({ a: [1, 9, 1, NaN, NaN, NaN, 2, 3, 2], b: [1, 1, 1, NaN, NaN, NaN, 9, 1, 1] });
    expect(thinRows(many, 0, 9, 3)).toEqual([1, 3, 6]);
    expect(thinRows(many, 0, 9, 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(thinRows(many, 4, 4, 3)).toEqual([]);
  });

  it('puts a value into the middle of its row’s time', () => {
    const one = graph({ a: [7, NaN] });
    const [column] = one.columns;
    if (column === undefined) throw new Error('no column');
    expect(points(one, column, [0, 1])).toEqual([
      { x: 90_000, y: 7 },
      { x: 150_000, y: NaN },
    ]);
  });

  it('gives HTTP statuses their own colours, all different', () => {
    const names = ['HTTP_100', 'HTTP_200', 'HTTP_300', 'HTTP_400', 'HTTP_500', 'HTTP_UNKNOWN'];
    expect(new Set(names.map((name, index) => seriesColor(name, index))).size).toBe(6);
    expect(seriesColor('p99', 9)).toBe('series-1');
  });
});

describe('export', () => {
  it('writes a line for each row and nothing for no data', () => {
    const csv = toCsv(graph({ 'a,b': [1.5, NaN], c: [0, 2] }));
    expect(csv).toBe('time,"a,b (count)",c (count)\r\n1970-01-01T00:01:00.000Z,1.5,0\r\n1970-01-01T00:02:00.000Z,,2\r\n');
  });

  it.each([
    ['HTTP Status', 'HTTP-Status.csv'],
    ['../../etc', '..-..-etc.csv'],
    ['***', 'graph.csv'],
    ['Größe', 'Größe.csv'],
  ])('names the file of %s', (title, name) => expect(fileName(title, 'csv')).toBe(name));
});
