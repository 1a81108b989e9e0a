import type { QueryRows } from '../../../../engine/api/types.ts';
import { cellText, isNumber, isTime } from './result.ts';

export type ChartKind = 'bar' | 'line';

/** A result as a chart: its first column below, those of numbers as series. */
export interface ChartData {
  /** The kind that fits. */
  readonly kind: ChartKind;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
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
  const single = others.length === 0 && isNumber(first);
  const numbers = columns.flatMap((column, i) => (isNumber(column) && (i > 0 || single) ? [{ column, i }] : [])).slice(0, MAX_SERIES);
  if (numbers.length === 0) return null;
  const kind = isTime(first) || (isNumber(first) && rows.length > MAX_BARS) ? 'line' : 'bar';
  const most = (wanted ?? kind) === 'bar' ? MAX_BARS : MAX_POINTS;
  // Times go from left to right, however the table is sorted.
  const drawn = isTime(first) ? [...order].sort((a, b) => (String(rows[a]?.[0]) < String(rows[b]?.[0]) ? -1 : 1)) : [...order];
  const shown = drawn.slice(0, most).map((i) => rows[i] ?? []);
  const labels = shown.map((row, i) => (single ? String(i + 1) : cellText(row[0] ?? null, first)));
  return {
    kind,
    labels: isTime(first) ? shortTimes(labels) : labels,
    series: numbers.map(({ column, i }) => ({
      name: column.name,
      values: shown.map((row) => (row[i] === null || row[i] === undefined ? null : Number(row[i]))),
    })),
    left: rows.length - shown.length,
  };
}

/** Times without what all of them have at their ends: the seconds, and the time of the day, where it is 0. */
function shortTimes(times: readonly string[]): readonly string[] {
  for (const end of [' 00:00:00', ':00'])
    if (times.every((time) => time.endsWith(end))) return times.map((time) => time.slice(0, -end.length));
  return times;
}
