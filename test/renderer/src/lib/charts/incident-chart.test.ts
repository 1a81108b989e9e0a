import { describe, expect, it } from 'vitest';
import type { Graph, HeatMap, MeasureAnswer, RecordGraph } from '../../../../../engine/api/types.ts';
import { incidentChart } from '../../../../../renderer/src/lib/charts/incident-chart.ts';

const KEPT: RecordGraph = {
  id: 1,
  title: 'Records by status',
  measure: 'count',
  of: null,
  by: ['Fields[status]'],
  display: 'bars',
  unit: '',
  any: false,
  filters: [],
};
const GRAPH: Graph = {
  ...{ key: 'records 1', source: -1, plugin: '', title: '', annotations: [], time: 5000, rowMs: 1000 },
  columns: [{ name: '200', unit: 'count', aggregation: 'sum', values: Float64Array.of(1, NaN, 3) }],
};
const ANSWER = {
  ...{ groups: [{ values: ['a', ''], records: 3, numbers: [3], series: [] }], all: { records: 4, numbers: [4], series: [] } },
} as unknown as MeasureAnswer;
const HEAT: HeatMap = {
  ...{ from: 10, to: 30, bucketMs: 10, records: 6, missing: 2, complete: true },
  ...{ edges: Float64Array.of(0, 1, 2), counts: Float64Array.of(1, 2, 0, 3) },
};
const HEAD = { title: 'Records by status', about: 'all records', unit: 'count', by: ['Fields[status]'] };
const EMPTY = { ...HEAD, by: [], form: 'none', from: 0, rowMs: 1, series: [] };
const NOTHING = { graph: null, answer: null, heat: null };

describe('incidentChart', () => {
  it.each([
    [
      'bars',
      { ...NOTHING, of: KEPT, graph: GRAPH },
      { ...HEAD, form: 'bars', from: 5000, rowMs: 1000, series: [{ name: '200', values: [1, null, 3] }] },
    ],
    [
      'a list',
      { ...NOTHING, of: { ...KEPT, display: 'list' }, answer: ANSWER },
      { ...HEAD, form: 'list', from: 0, rowMs: 1, series: [{ name: 'a · (empty)', values: [3] }] },
    ],
    [
      'one number',
      { ...NOTHING, of: { ...KEPT, display: 'list', by: [] }, answer: ANSWER },
      { ...HEAD, by: [], form: 'list', from: 0, rowMs: 1, series: [{ name: 'Count', values: [4] }] },
    ],
    [
      'a heat map',
      { ...NOTHING, of: { ...KEPT, display: 'heat' }, heat: HEAT },
      {
        ...{ ...HEAD, about: 'all records; 2 records without the number', by: [], form: 'heat', from: 10, rowMs: 10 },
        series: [
          { name: '0 – 1', values: [1, 2] },
          { name: '1 – 2', values: [0, 3] },
        ],
      },
    ],
    [
      'a timeline, which it has not',
      { ...NOTHING, of: { ...KEPT, display: 'timeline' } },
      { ...EMPTY, about: 'all records; a timeline of operations is drawn in the window alone, and left out here' },
    ],
    ['nothing yet', { ...NOTHING, of: KEPT }, { ...EMPTY, about: 'all records; it had no numbers when this was written' }],
    [
      'the first of many lines',
      {
        ...NOTHING,
        of: KEPT,
        graph: { ...GRAPH, columns: Array.from({ length: 13 }, () => GRAPH.columns[0] as Graph['columns'][number]) },
      },
      {
        ...{ ...HEAD, about: 'all records; the first 12 of 13 series', form: 'bars', from: 5000, rowMs: 1000 },
        series: Array.from({ length: 12 }, () => ({ name: '200', values: [1, null, 3] })),
      },
    ],
  ] as const)('has the numbers of %s', (_, drawn, chart) => {
    expect(incidentChart(drawn)).toEqual(chart);
  });
});
