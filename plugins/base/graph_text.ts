/** Reads the text form of graphs: a line of JSON that describes it, then the rows, oldest first, their cells separated by tabs. */
import { isAggregation, type ColumnHeader } from './column_header.ts';

/** A graph as its text has it. */
export interface Graph {
  /** Seconds since 1970 of the first row. */
  readonly time: number;
  readonly secondsPerRow: number;
  readonly columns: readonly ColumnHeader[];
  /** The cells of each row. */
  readonly rows: readonly string[][];
}

/** The layout of a graph, from the line of JSON. */
interface GraphLayout {
  readonly time: number;
  readonly rows: number;
  readonly secondsPerRow: number;
  readonly columns: readonly ColumnHeader[];
}

/** Reads a graph in the format `cbuf`. Lines of annotations in front are passed over. Null when it is none. */
export function parseGraph(text: string): Graph | null {
  const lines = text.split('\n').filter((line) => line !== '');
  let at = 0;
  while (at < lines.length && isAnnotations(lines[at] as string)) at++;
  const layout = parseLayout(lines[at] ?? '');
  const rows = lines.slice(at + 1);
  if (layout === null || rows.length !== layout.rows) return null;
  return { ...layout, rows: rows.map((row) => row.split('\t')) };
}

/** The text of a graph in the format `cbuf` without its oldest rows, so that it takes no more than `bytes`. Two rows stay in any case. */
export function newestRows(text: string, bytes: number): string {
  const end = text.indexOf('\n');
  const layout = JSON.parse(text.slice(0, end)) as { time: number; rows: number; seconds_per_row: number };
  const rows = text.slice(end + 1).split('\n');
  let first = 0;
  for (let left = text.length; left > bytes && first < rows.length - 3; first++) left -= (rows[first] as string).length + 1;
  const header = { ...layout, time: layout.time + first * layout.seconds_per_row, rows: layout.rows - first };
  return `${JSON.stringify(header)}\n${rows.slice(first).join('\n')}`;
}

/** Reads the line of JSON; null when it is none. */
function parseLayout(line: string): GraphLayout | null {
  const header = parseObject(line);
  if (header === null) return null;
  const { time, rows, columns, seconds_per_row: secondsPerRow, column_info: info } = header;
  if (!isNumber(time) || !isNumber(rows) || !isNumber(columns) || !isNumber(secondsPerRow) || !Array.isArray(info)) return null;
  const headers = info.map(columnOf);
  if (headers.length !== columns || !headers.every((column) => column !== null)) return null;
  return { time, rows, secondsPerRow, columns: headers };
}

function isAnnotations(line: string): boolean {
  const object = parseObject(line);
  return object !== null && 'annotations' in object;
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** A column by its description: unit and aggregation may be missing. */
function columnOf(value: unknown): ColumnHeader | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, unit, aggregation } = value as Record<string, unknown>;
  if (typeof name !== 'string') return null;
  return { name, unit: typeof unit === 'string' ? unit : 'count', aggregation: isAggregation(aggregation) ? aggregation : 'sum' };
}
