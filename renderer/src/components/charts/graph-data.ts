import { spreadsheetCell } from '../../../../engine/api/csv.ts';
import type { Graph, GraphColumn } from '../../../../engine/api/types.ts';
import { ownEntry } from '../../lib/own-entry.ts';

/** The form of a graph. */
export type GraphKind = 'line' | 'area' | 'bar';

/** Milliseconds, from inclusive, to exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The values of a column in the legend; null: it has no data in the range. */
export interface ColumnStats {
  readonly last: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly total: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

function rowCount(graph: Graph): number {
  return graph.columns[0]?.values.length ?? 0;
}

/** Milliseconds at which a row begins. */
export function rowTime(graph: Graph, row: number): number {
  return graph.time + row * graph.rowMs;
}

/** The row of a time, at the ends the nearest. */
export function rowAtTime(graph: Graph, time: number): number {
  const row = Math.floor((time - graph.time) / graph.rowMs);
  return Math.min(rowCount(graph) - 1, Math.max(0, row));
}

/** Rows that are in a range in part at least: first, and end exclusive. */
export function rowsIn(graph: Graph, { from, to }: TimeRange): TimeRows {
  const bound = (row: number): number => Math.min(rowCount(graph), Math.max(0, row));
  return { first: bound(Math.floor((from - graph.time) / graph.rowMs)), end: bound(Math.ceil((to - graph.time) / graph.rowMs)) };
}

/** The value of a row. An empty row of a sum is 0 where the graph has data before and after it, or in another column; NaN: no data. */
export function valueIn(column: GraphColumn, row: number, data: TimeRows | null): number {
  const value = column.values[row] ?? NaN;
  const isNone = Number.isNaN(value) && column.aggregation === 'sum' && data !== null && row >= data.first && row < data.end;
  return isNone ? 0 : value;
}

/** Rows: first, and end exclusive. */
export interface TimeRows {
  readonly first: number;
  readonly end: number;
}

/** Last, least, greatest, average and total value of a column's rows. @param data the rows of the graph that have data */
export function columnStats(column: GraphColumn, { first, end }: TimeRows, data: TimeRows | null): ColumnStats | null {
  let count = 0;
  let sum = 0;
  let last = NaN;
  let min = Infinity;
  let max = -Infinity;
  for (let row = first; row < end; row++) {
    const value = valueIn(column, row, data);
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
    last = value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return count === 0 ? null : { last, min, max, average: sum / count, total: sum };
}

function hasData(graph: Graph, row: number): boolean {
  return graph.columns.some(({ values }) => !Number.isNaN(values[row] ?? NaN));
}

/** The time that has data; null: none has. */
export function dataRange(graph: Graph): TimeRange | null {
  const rows = dataRows(graph);
  return rows === null ? null : { from: rowTime(graph, rows.first), to: rowTime(graph, rows.end) };
}

/** The rows from the first to the last that has data; null: none has. */
export function dataRows(graph: Graph): TimeRows | null {
  const count = rowCount(graph);
  let first = 0;
  while (first < count && !hasData(graph, first)) first++;
  if (first === count) return null;
  let last = count - 1;
  while (!hasData(graph, last)) last--;
  return { first, end: last + 1 };
}

/** Whether columns add up to something: sums of one unit do. */
export function isStackable(graph: Graph): boolean {
  const unit = graph.columns[0]?.unit;
  return graph.columns.length > 0 && graph.columns.every((column) => column.aggregation === 'sum' && column.unit === unit);
}

/** The column of all messages in the graphs of the filter `rate`. */
const ALL = 'All';

/** Whether a column is the sum of the others, so that it is not to be stacked upon them. */
export function isTotal(graph: Graph, { name }: Pick<GraphColumn, 'name'>): boolean {
  if (name !== ALL || !isStackable(graph)) return false;
  return graph.columns.some((column) => column.name !== ALL && column.values.some((value) => !Number.isNaN(value)));
}

/** Whether the total of a column's values says something: how many there were. */
export const hasTotals = (graph: Graph): boolean => isStackable(graph) && graph.columns[0]?.unit === 'count';

/** The form that suits the aggregation: sums are bars, the rest are lines. */
export function defaultKind(graph: Graph): GraphKind {
  return isStackable(graph) ? 'bar' : 'line';
}

/** Usual row lengths, in milliseconds. */
const LENGTHS = [
  1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000,
  21_600_000, 43_200_000, 86_400_000,
];

/**
 * The part of a graph of sums within a range, with neighbouring rows added up until there are at most so many: each bar then covers more
 * time, and the sums stay correct. Groups begin at round times, so that bars do not move while data arrives. Other graphs are returned as
 * they are.
 */
export function addUpRows(graph: Graph, time: TimeRange, most: number): Graph {
  if (!isStackable(graph)) return graph;
  const wanted = (time.to - time.from) / Math.max(1, most);
  const length =
    LENGTHS.find((candidate) => candidate >= wanted && candidate % graph.rowMs === 0) ?? graph.rowMs * Math.ceil(wanted / graph.rowMs);
  if (length <= graph.rowMs) return graph;
  const start = Math.floor(graph.time / length) * length;
  const rows = Math.ceil((rowTime(graph, rowCount(graph)) - start) / length);
  const columns = graph.columns.map((column) => {
    const values = new Float64Array(rows).fill(NaN);
    for (const [row, value] of column.values.entries()) {
      if (Number.isNaN(value)) continue;
      const group = Math.floor((rowTime(graph, row) - start) / length);
      const known = values[group] ?? NaN;
      values[group] = Number.isNaN(known) ? value : known + value;
    }
    return { ...column, values };
  });
  return { ...graph, time: start, rowMs: length, columns };
}

/** A column's rows as points; a bar or a point stands in the middle of its row's time. @param data the rows of the graph that have data */
export function points(graph: Graph, column: GraphColumn, { first, end }: TimeRows, data: TimeRows | null): Point[] {
  const half = graph.rowMs / 2;
  return Array.from({ length: Math.max(0, end - first) }, (_unused, i) => ({
    x: rowTime(graph, first + i) + half,
    y: valueIn(column, first + i, data),
  }));
}

/** Axes of values that one plot has at most: one at the left and one at the right. */
const MOST_AXES = 2;

/** The units of a graph's columns, in their order. */
export const unitsOf = ({ columns }: Pick<Graph, 'columns'>): string[] => [...new Set(columns.map(({ unit }) => unit))];

/** The parts of a graph that are drawn one below the other: each has columns of two units at most. */
export function plotsOf(graph: Graph): Graph[] {
  const units = unitsOf(graph);
  if (units.length <= MOST_AXES) return [graph];
  return Array.from({ length: Math.ceil(units.length / MOST_AXES) }, (_unused, i) => {
    const own = units.slice(i * MOST_AXES, (i + 1) * MOST_AXES);
    return {
      ...graph,
      title: `${graph.title} (${own.map(unitName).join(', ')})`,
      columns: graph.columns.filter(({ unit }) => own.includes(unit)),
    };
  });
}

/** A unit as the title of an axis. */
export const unitName = (unit: string): string => (unit === '' ? 'no unit' : unit);

/** The columns between which a band is shaded: the median and the 95th percentile of one number; null: there are none. */
export function bandOf({ columns }: Pick<Graph, 'columns'>): { readonly low: number; readonly high: number } | null {
  const low = columns.findIndex(({ name }) => name === 'p50');
  const high = columns.findIndex(({ name, unit }) => name === 'p95' && unit === columns[low]?.unit);
  return low === -1 || high === -1 ? null : { low, high };
}

/** The token of a column's colour: HTTP statuses and levels have the colours that people expect, all others one after the other. */
export function seriesColor(name: string, index: number): string {
  return ownEntry(KNOWN_COLORS, name) ?? `series-${index % SERIES}`;
}

const SERIES = 8;
/** Those of statuses, of percentiles, and of levels as the histogram has them. */
const KNOWN_COLORS: Readonly<Record<string, string>> = {
  '1xx': 'series-7',
  '2xx': 'series-2',
  '3xx': 'series-5',
  '4xx': 'series-1',
  '5xx': 'series-4',
  Other: 'series-3',
  p50: 'series-0',
  p95: 'series-5',
  p99: 'series-4',
  EMERG: 'fill-0',
  ALERT: 'fill-1',
  CRIT: 'fill-2',
  ERROR: 'fill-3',
  WARN: 'fill-4',
  NOTICE: 'fill-5',
  INFO: 'fill-6',
  DEBUG: 'fill-7',
  'No Severity': 'fill-8',
};

/** The graph as comma-separated values: a line for each row, times in UTC, nothing where there is no data. */
export function toCsv(graph: Graph): string {
  const head = ['time', ...graph.columns.map(({ name, unit }) => spreadsheetCell(unit === '' ? name : `${name} (${unit})`))].join(',');
  const lines = Array.from({ length: rowCount(graph) }, (_unused, row) => {
    const values = graph.columns.map(({ values: column }) => (Number.isNaN(column[row] ?? NaN) ? '' : String(column[row])));
    return [new Date(rowTime(graph, row)).toISOString(), ...values].join(',');
  });
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
