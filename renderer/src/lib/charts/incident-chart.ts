import type { Graph, HeatMap, IncidentChart, MeasureAnswer, RecordGraph } from '../../../../engine/api/types.ts';
import { plural } from '../format.ts';
import { bucketsOf, numbersText, rowsOf } from './heat.ts';
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

/** A kept graph for an export: its numbers as it is drawn, or why there are none. */
export function incidentChart({ of, graph, answer, heat }: Drawn): IncidentChart {
  const { title, by, display } = of;
  const head = { title, unit: unitOf(of), by: [...by] };
  const about = (kept: number, all: number, what: string): string =>
    `${recordsOf(of).slice(0, 1900)}${kept < all ? `; the first ${kept} of ${all} ${what}` : ''}`;
  const nothing = (why: string): IncidentChart => ({
    ...head,
    about: `${about(0, 0, '')}; ${why}`,
    by: [],
    form: 'none',
    from: 0,
    rowMs: 1,
    series: [],
  });
  if (display === 'timeline') return nothing('a timeline of operations is drawn in the window alone, and left out here');
  if (display === 'list' && answer !== null) {
    const groups = by.length === 0 ? listOfAll(of, answer) : answer.groups.map(({ values, numbers }) => row(groupName(values), numbers[0]));
    if (groups.length === 0) return nothing('no record has it');
    const series = groups.slice(0, MOST_ROWS);
    return { ...head, about: about(series.length, groups.length, 'values'), form: 'list', from: 0, rowMs: 1, series };
  }
  if (heat !== null) {
    const { from, bucketMs: rowMs, missing } = heat;
    const without = missing === 0 ? '' : `; ${plural(missing, 'record')} without the number`;
    return { ...head, about: `${about(0, 0, '')}${without}`, by: [], form: 'heat', from, rowMs, series: heatRows(heat, head.unit) };
  }
  if (graph === null || graph.columns.length === 0) return nothing('it had no numbers when this was written');
  const series = graph.columns.slice(0, MOST_SERIES).map(({ name, values }) => row(name, ...values.slice(0, MOST_VALUES)));
  const form = display === 'bars' ? 'bars' : 'lines';
  return { ...head, about: about(series.length, graph.columns.length, 'series'), form, from: graph.time, rowMs: graph.rowMs, series };
}

const row = (name: string, ...values: readonly (number | undefined)[]): IncidentChart['series'][number] => ({
  name: name.slice(0, MOST_NAME),
  values: values.map((value) => (value === undefined || !Number.isFinite(value) ? null : value)),
});

const listOfAll = (of: RecordGraph, { all }: MeasureAnswer): IncidentChart['series'] =>
  measuresOf(of).map((measure, i) => row(measureName(measure), all.numbers[i]));

/** The records of each row of a heat map, bucket after bucket. */
function heatRows(heat: HeatMap, unit: string): IncidentChart['series'] {
  const buckets = bucketsOf(heat);
  return Array.from({ length: rowsOf(heat) }, (_, at) =>
    row(numbersText(heat.edges[at] ?? NaN, heat.edges[at + 1] ?? NaN, unit), ...heat.counts.subarray(at * buckets, (at + 1) * buckets)),
  );
}
