import { describe, expect, it } from 'vitest';
import type { Graph, GraphColumn } from '../../../../../engine/api/types.ts';
import { fileName, savedText } from '../../../../../renderer/src/components/charts/export.ts';
import {
  addUpRows,
  bandOf,
  columnStats,
  dataRange,
  dataRows,
  defaultKind,
  hasTotals,
  isTotal,
  plotsOf,
  points,
  rowAtTime,
  rowsIn,
  seriesColor,
  toCsv,
  valueIn,
} from '../../../../../renderer/src/components/charts/graph-data.ts';

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
    [[1, 2, 3], 0, 3, { last: 3, min: 1, max: 3, average: 2, total: 6 }],
    [[NaN, 4, NaN], 0, 3, { last: 4, min: 4, max: 4, average: 4, total: 4 }],
    [[5, 1, 9], 0, 2, { last: 1, min: 1, max: 5, average: 3, total: 6 }],
    [[-1, 0], 0, 2, { last: 0, min: -1, max: 0, average: -0.5, total: -1 }],
    [[NaN, NaN], 0, 2, null],
    [[1], 1, 1, null],
  ])('%o from %d to %d', (values, first, end, expected) => {
    const most = graph({ a: values }, {}, 'max');
    expect(columnStats(most.columns[0] as GraphColumn, { first, end }, dataRows(most))).toEqual(expected);
  });

  it.each([
    ['between others', { a: [4, NaN, 2] }, { first: 0, end: 3 }, { last: 2, min: 0, max: 4, average: 2, total: 6 }],
    [
      'before the first and after the last',
      { a: [NaN, 4, 2, NaN] },
      { first: 0, end: 4 },
      { last: 2, min: 2, max: 4, average: 3, total: 6 },
    ],
    [
      'beside others',
      { a: [NaN, 3, NaN, NaN], b: [1, 1, 1, NaN] },
      { first: 0, end: 4 },
      { last: 0, min: 0, max: 3, average: 1, total: 3 },
    ],
    ['in a part of the graph', { a: [4, NaN, NaN, 2] }, { first: 1, end: 3 }, { last: 0, min: 0, max: 0, average: 0, total: 0 }],
  ])('empty rows of a sum are 0 %s', (_where, columns, rows, expected) => {
    const sums = graph(columns);
    expect(columnStats(sums.columns[0] as GraphColumn, rows, dataRows(sums))).toEqual(expected);
    expect(valueIn(sums.columns[0] as GraphColumn, 1, dataRows(sums))).toBe(sums.columns[0]?.values[1] || 0);
  });
});

describe('the total', () => {
  const rate = graph({ All: [3, 2], web: [2, 1], mail: [1, 1] });

  it('of all records stands beside the parts and is not stacked upon them', () => {
    expect(rate.columns.map((column) => isTotal(rate, column))).toEqual([true, false, false]);
  });

  it('is a part like others where it is alone, and where columns do not add up', () => {
    const alone = graph({ All: [3], unused: [NaN] });
    const most = graph({ All: [3], web: [2] }, {}, 'max');
    const totals = [alone, most].map((one) => one.columns.map((column) => isTotal(one, column)));
    expect(totals).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('of a column is told where its values are counts', () => {
    expect([rate, graph({ a: [1] }, {}, 'max')].map(hasTotals)).toEqual([true, false]);
    const rates = { ...rate, columns: rate.columns.map((column) => ({ ...column, unit: '/s' })) };
    expect(hasTotals(rates)).toBe(false);
  });
});

describe('ranges', () => {
  const sparse = graph({ a: [NaN, NaN, 1, NaN, NaN], b: [NaN, NaN, NaN, 2, NaN] });

  it('span what any column has', () => {
    expect(dataRange(sparse)).toEqual({ from: 180_000, to: 300_000 });
    expect(dataRange(graph({ a: [NaN] }))).toBeNull();
    expect(dataRange(graph({}))).toBeNull();
  });

  it('count the rows that are inside in part', () => {
    expect(rowsIn(sparse, { from: 60_000, to: 120_000 })).toEqual({ first: 0, end: 1 });
    expect(rowsIn(sparse, { from: 60_001, to: 180_001 })).toEqual({ first: 0, end: 3 });
    const added = addUpRows(graph({ a: [5, 1, 1, 1] }), { from: 60_000, to: 300_000 }, 2);
    expect([added.time, rowsIn(added, { from: 60_000, to: 300_000 })]).toEqual([0, { first: 0, end: 3 }]);
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
  it('takes bars for sums and lines for the rest', () => {
    expect(defaultKind(graph({ a: [1], b: [2] }))).toBe('bar');
    expect(defaultKind(graph({ a: [1] }, {}, 'max'))).toBe('line');
    expect(defaultKind(graph({}))).toBe('line');
  });

  it('adds up the rows of sums until there are few enough, at round times', () => {
    const minutes = graph({ a: [1, 2, NaN, 4, NaN, NaN, NaN, NaN, NaN, 5], b: [NaN, 1, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN] });
    const fives = addUpRows(minutes, { from: 60_000, to: 660_000 }, 2);
    expect([fives.time, fives.rowMs]).toEqual([0, 300_000]);
    expect(fives.columns.map(({ values }) => [...values])).toEqual([
      [7, NaN, 5],
      [1, NaN, NaN],
    ]);
    expect(addUpRows(minutes, { from: 60_000, to: 660_000 }, 10)).toBe(minutes);
    expect(addUpRows(minutes, { from: 60_000, to: 660_000 }, 5).rowMs).toBe(120_000);
    expect(addUpRows(graph({ a: [1, 2] }, {}, 'max'), { from: 0, to: 1e9 }, 1).rowMs).toBe(60_000);
  });

  it('finds a length for rows of any length', () => {
    const odd = graph({ a: new Array<number>(100).fill(1) }, { rowMs: 7000, time: 0 });
    const grouped = addUpRows(odd, { from: 0, to: 700_000 }, 10);
    expect(grouped.rowMs).toBe(70_000);
    expect([...(grouped.columns[0]?.values ?? [])]).toEqual(new Array<number>(10).fill(10));
  });

  it.each<['sum' | 'max', number[]]>([
    ['sum', [NaN, 1, 0, 0, 0, NaN]],
    ['max', [NaN, 1, NaN, NaN, NaN, NaN]],
  ])('has 0 for what was not counted, and gaps for numbers that were not there: %s', (aggregation, drawn) => {
    const one = graph({ a: [NaN, 1, NaN, NaN, NaN, NaN], b: [NaN, 2, 3, NaN, 4, NaN] }, {}, aggregation);
    expect(points(one, one.columns[0] as GraphColumn, { first: 0, end: 6 }, dataRows(one)).map(({ y }) => y)).toEqual(drawn);
  });

  it('has plots of two units at most, one below the other', () => {
    const of = (...units: string[]): Graph => {
      const one = graph(Object.fromEntries(units.map((_unit, i) => [`c${i}`, [1]])));
      return { ...one, columns: one.columns.map((column, i) => ({ ...column, unit: units[i] ?? '' })) };
    };
    const two = of('ms', 'B', 'ms');
    expect(plotsOf(two)).toEqual([two]);
    expect(plotsOf(of('ms', 'B', '', 'ms')).map(({ title, columns }) => [title, columns.map(({ name }) => name)])).toEqual([
      ['t (ms, B)', ['c0', 'c1', 'c3']],
      ['t (no unit)', ['c2']],
    ]);
  });

  it('shades the band from the median to the 95th percentile of one unit', () => {
    expect(bandOf(graph({ p99: [3], p50: [1], p95: [2] }))).toEqual({ low: 1, high: 2 });
    const apart = graph({ p50: [1], p95: [2] });
    expect(bandOf({ columns: apart.columns.map((column, i) => ({ ...column, unit: String(i) })) })).toBeNull();
    expect(bandOf(graph({ p50: [1] }))).toBeNull();
  });

  it('puts a value into the middle of its row’s time', () => {
    const one = graph({ a: [7, NaN] });
    const [column] = one.columns;
    if (column === undefined) throw new Error('no column');
    expect(points(one, column, { first: 0, end: 2 }, dataRows(one))).toEqual([
      { x: 90_000, y: 7 },
      { x: 150_000, y: NaN },
    ]);
  });

  it('gives HTTP statuses their own colours, all different', () => {
    const names = ['1xx', '2xx', '3xx', '4xx', '5xx', 'Other'];
    expect(new Set(names.map((name, index) => seriesColor(name, index))).size).toBe(6);
    expect(seriesColor('p90', 9)).toBe('series-1');
    expect(seriesColor('constructor', 9)).toBe('series-1');
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

  it.each([
    [false, 'Saved as /a.csv'],
    [true, 'Saved as /a.csv, with the records that were counted so far: it was not whole yet.'],
  ])('says where it was saved, and whether it was whole (partial: %s)', (partial, text) => expect(savedText('/a.csv', partial)).toBe(text));
});
