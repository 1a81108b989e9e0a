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
  ...{ from: 10, to: 30, bucketMs: 10, records: 6, missing: 0, complete: true },
  ...{ edges: Float64Array.of(0, 1, 2), counts: Float64Array.of(1, 2, 0, 3) },
};
const HEAD = { title: 'Records by status', about: 'all records', unit: 'count', by: ['Fields[status]'] };
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
      { ...HEAD, by: [], form: 'bars', from: 10, rowMs: 10, series: [{ name: 'Records', values: [3, 3] }] },
    ],
    ['nothing yet', { ...NOTHING, of: KEPT }, null],
  ] as const)('has the numbers of %s', (_, drawn, chart) => {
    expect(incidentChart(drawn)).toEqual(chart);
  });
});
