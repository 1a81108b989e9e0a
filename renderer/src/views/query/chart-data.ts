import type { QueryCell, QueryRows } from '../../../../engine/api/types.ts';
import { timeOf } from './record-filter.ts';
import { cellText, isNumber, isTime } from './result.ts';

export type ChartKind = 'bar' | 'line';

/** A result as a chart: its first column below, those of numbers as series. */
export interface ChartData {
  /** The kind that fits. */
  readonly kind: ChartKind;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** Whether the labels are times. */
  readonly inTime: boolean;
  /** Rows that are not drawn. */
  readonly left: number;
}

const MAX_SERIES = 7;
/** Rows that are drawn as bars are told apart; as a line, they are points. */
const MAX_BARS = 60;
const MAX_POINTS = 2000;

/** null: there is no column of numbers to draw. @param order numbers of the rows, as the table shows them */
export function chartDataOf(
  { columns, rows }: Pick<QueryRows, 'columns' | 'rows'>,
  order: Uint32Array,
  wanted: ChartKind | null,
): ChartData | null {
  const [first, ...others] = columns;
  if (first === undefined || rows.length === 0) return null;
  const groups = groupedData(columns, rows, order, wanted);
  if (groups !== null) return groups;
  const single = others.length === 0 && isNumber(first);
  const numbers = columns.flatMap((column, i) => (isNumber(column) && (i > 0 || single) ? [{ column, i }] : [])).slice(0, MAX_SERIES);
  if (numbers.length === 0) return null;
  const kind = isTime(first) || (isNumber(first) && rows.length > MAX_BARS) ? 'line' : 'bar';
  const drawnRows = (wanted ?? kind) === 'bar' ? MAX_BARS : MAX_POINTS;
  // Times go from left to right, however the table is sorted.
  const drawn = isTime(first) ? [...order].sort((a, b) => (String(rows[a]?.[0]) < String(rows[b]?.[0]) ? -1 : 1)) : [...order];
  const shown = drawn.slice(0, drawnRows).map((i) => rows[i] ?? []);
  const own = shown.map((row, i) => (single ? String(i + 1) : cellText(row[0] ?? null, first)));
  const labels = isTime(first) ? withGaps(own, drawnRows) : own;
  // Labels may repeat where none is missing.
  const places = labels === own ? null : new Map(own.map((label, i) => [label, i]));
  const drawnAs = labels.map((label, i) => shown[places === null ? i : (places.get(label) ?? -1)] ?? []);
  return {
    kind,
    labels: isTime(first) ? shortTimes(labels) : labels,
    series: numbers.map(({ column, i }) => ({
      name: column.name,
      values: drawnAs.map((row) => (row[i] === null || row[i] === undefined ? null : Number(row[i]))),
    })),
    inTime: isTime(first),
    left: rows.length - shown.length,
  };
}

/** Times in regular steps with those that are missing between them, unless these are too many: the axis is one of time then. */
function withGaps(labels: readonly string[], most: number): readonly string[] {
  const times = labels.map((label) => timeOf(label) ?? NaN);
  const [first, last] = [times[0] ?? NaN, times.at(-1) ?? NaN];
  const step = times.slice(1).reduce((least, time, i) => Math.min(least, time - (times[i] ?? NaN)), Infinity);
  const count = (last - first) / step + 1;
  if (!(step > 0 && count > labels.length && count <= most) || times.some((time) => (time - first) % step !== 0)) return labels;
  const known = new Map(times.map((time, i) => [time, labels[i] as string]));
  const size = labels[0]?.length ?? 0;
  return Array.from({ length: count }, (_, i) => {
    const time = first + i * step;
    return known.get(time) ?? new Date(time).toISOString().replace('T', ' ').slice(0, Math.min(size, '2026-11-20 10:00:00'.length));
  });
}

/** Times without what all of them have at their ends: the seconds, and the time of the day, where it is 0. */
function shortTimes(times: readonly string[]): readonly string[] {
  for (const end of [' 00:00:00', ':00'])
    if (times.every((time) => time.endsWith(end))) return times.map((time) => time.slice(0, -end.length));
  return times;
}

type Cells = readonly QueryCell[];

/**
 * A result of two columns that make groups and a number: the values of the first one below, those of the second as series. null: it is none, for values of the first
 * column do not repeat, or pairs of both do.
 */
function groupedData(
  columns: QueryRows['columns'],
  rows: readonly Cells[],
  order: Uint32Array,
  wanted: ChartKind | null,
): ChartData | null {
  const [first, second, third] = columns;
  if (first === undefined || second === undefined || third === undefined || !isNumber(third)) return null;
  const values = new Map<string, Map<string, number | null>>();
  const totals = new Map<string, number>();
  for (const i of order) {
    const row = rows[i] ?? [];
    const [below, name] = [cellText(row[0] ?? null, first), cellText(row[1] ?? null, second)];
    const known = values.get(below) ?? new Map<string, number | null>();
    if (known.has(name)) return null;
    const value = row[2] === null || row[2] === undefined ? null : Number(row[2]);
    values.set(below, known.set(name, value));
    totals.set(name, (totals.get(name) ?? 0) + (value ?? 0));
  }
  if (values.size === rows.length) return null;
  const kind = isTime(first) ? 'line' : 'bar';
  const names = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0)).slice(0, MAX_SERIES);
  const most = (wanted ?? kind) === 'bar' ? MAX_BARS : MAX_POINTS;
  const all = isTime(first) ? withGaps([...values.keys()].sort(), most) : [...values.keys()];
  const labels = all.slice(0, most);
  return {
    kind,
    labels: isTime(first) ? shortTimes(labels) : labels,
    series: names.map((name) => ({ name, values: labels.map((below) => values.get(below)?.get(name) ?? null) })),
    inTime: isTime(first),
    left: rows.length - labels.reduce((sum, below) => sum + names.filter((name) => values.get(below)?.has(name)).length, 0),
  };
}
