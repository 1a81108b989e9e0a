import type { Graph, HeatMap, IncidentChart, MeasureAnswer, RecordGraph } from '../../../../engine/api/types.ts';
import { measureName, measuresOf, unitOf } from './question.ts';
import { groupName, recordsOf } from './record-graph.ts';

/** Series of a chart, rows of a list, and numbers of a series at most. */
const [MOST_SERIES, MOST_ROWS, MOST_VALUES] = [12, 100, 2000];
const MOST_NAME = 1000;

/** The answer to a kept question as it is drawn now. */
interface Drawn {
  readonly of: RecordGraph;
  readonly graph: Graph | null;
  readonly answer: MeasureAnswer | null;
  readonly heat: HeatMap | null;
}

/** A kept graph for an export; null: it has no numbers, or not yet. */
export function incidentChart({ of, graph, answer, heat }: Drawn): IncidentChart | null {
  const { title, by, display } = of;
  const head = { title, about: recordsOf(of).slice(0, 2000), unit: unitOf(of), by: [...by] };
  if (display === 'list' && answer !== null) {
    const groups = by.length === 0 ? listOfAll(of, answer) : answer.groups.map(({ values, numbers }) => row(groupName(values), numbers[0]));
    return groups.length === 0 ? null : { ...head, form: 'list', from: 0, rowMs: 1, series: groups.slice(0, MOST_ROWS) };
  }
  if (heat !== null)
    return {
      ...head,
      unit: 'count',
      by: [],
      form: 'bars',
      from: heat.from,
      rowMs: heat.bucketMs,
      series: [row('Records', ...sumsOf(heat))],
    };
  if (graph === null || graph.columns.length === 0) return null;
  const series = graph.columns.slice(0, MOST_SERIES).map(({ name, values }) => row(name, ...values.slice(0, MOST_VALUES)));
  return { ...head, form: display === 'bars' ? 'bars' : 'lines', from: graph.time, rowMs: graph.rowMs, series };
}

const row = (name: string, ...values: readonly (number | undefined)[]): IncidentChart['series'][number] => ({
  name: name.slice(0, MOST_NAME),
  values: values.map((value) => (value === undefined || !Number.isFinite(value) ? null : value)),
});

const listOfAll = (of: RecordGraph, { all }: MeasureAnswer): IncidentChart['series'] =>
  measuresOf(of).map((measure, i) => row(measureName(measure), all.numbers[i]));

/** The records of each bucket of a heat map. */
function sumsOf({ counts, edges }: HeatMap): number[] {
  const rows = edges.length - 1;
  return Array.from({ length: Math.floor(counts.length / Math.max(1, rows)) }, (_, bucket) =>
    counts.slice(bucket * rows, (bucket + 1) * rows).reduce((sum, count) => sum + count, 0),
  );
}
