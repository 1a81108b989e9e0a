import type { GraphAnnotation, GraphColumn } from '../api/types.ts';

/** A circular buffer as parsed from its text form. */
export interface CircularBufferText {
  /** Seconds since 1970 of the oldest row. */
  readonly time: number;
  readonly secondsPerRow: number;
  readonly rows: number;
  readonly columns: readonly GraphColumn[];
  readonly annotations: readonly GraphAnnotation[];
}

interface Header {
  readonly time: number;
  readonly rows: number;
  readonly columns: number;
  readonly seconds_per_row: number;
  readonly column_info: readonly { readonly name: string; readonly unit: string; readonly aggregation: string }[];
}

/** Cells that a graph may have: far more than any window shows, so that a forged header cannot claim all memory. */
const MAX_CELLS = 20_000_000;

/**
 * Reads the payload of a `cbuf` message: perhaps a line with annotations or options, the header line, then one line a row, oldest
 * first. null when it is none of that.
 */
export function parseCircularBuffer(payload: string): CircularBufferText | null {
  let at = payload.indexOf('\n');
  if (at < 0) return null;
  let line = jsonObject(payload.slice(0, at));
  let preamble: Record<string, unknown> = {};
  if (line !== null && ('annotations' in line || 'options' in line) && !('column_info' in line)) {
    preamble = line;
    const end = payload.indexOf('\n', at + 1);
    if (end < 0) return null;
    line = jsonObject(payload.slice(at + 1, end));
    at = end;
  }
  if (line === null || !isHeader(line)) return null;
  const cells = parseCells(payload, at + 1, line.rows, line.columns);
  const columns = line.column_info.slice(0, line.columns).map(({ name, unit, aggregation }, i): GraphColumn => ({
    name,
    unit,
    aggregation: aggregation === 'min' || aggregation === 'max' || aggregation === 'none' ? aggregation : 'sum',
    values: cells[i] as Float64Array,
  }));
  const annotations = parseAnnotations(preamble.annotations ?? (line as { annotations?: unknown }).annotations);
  return { time: line.time, secondsPerRow: line.seconds_per_row, rows: line.rows, columns, annotations };
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isHeader(value: Record<string, unknown>): value is Record<string, unknown> & Header {
  const { time, rows, columns, seconds_per_row: seconds, column_info: info } = value;
  if (!Number.isFinite(time) || !isCount(rows) || !isCount(columns) || !isCount(seconds)) return false;
  if (rows * columns > MAX_CELLS || !Array.isArray(info) || info.length < columns) return false;
  return info.every((column: unknown) => {
    const { name, unit, aggregation } = (column ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && typeof unit === 'string' && typeof aggregation === 'string';
  });
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

/** One array a column; NaN where there is no number. */
function parseCells(payload: string, from: number, rows: number, columns: number): Float64Array[] {
  const cells = Array.from({ length: columns }, () => new Float64Array(rows).fill(NaN));
  let at = from;
  for (let row = 0; row < rows && at < payload.length; row++) {
    const end = payload.indexOf('\n', at);
    const line = payload.slice(at, end < 0 ? undefined : end);
    for (const [column, text] of line.split('\t', columns).entries()) (cells[column] as Float64Array)[row] = parseCell(text);
    at = end < 0 ? payload.length : end + 1;
  }
  return cells;
}

function parseCell(text: string): number {
  if (text === 'nan' || text === '') return NaN;
  if (text === 'inf') return Infinity;
  return text === '-inf' ? -Infinity : Number(text);
}

function parseAnnotations(list: unknown): GraphAnnotation[] {
  if (!Array.isArray(list)) return [];
  const annotations: GraphAnnotation[] = [];
  for (const item of list as readonly unknown[]) {
    const { x, col, shortText, text } = (item ?? {}) as Record<string, unknown>;
    if (typeof x !== 'number' || typeof col !== 'number') continue;
    annotations.push({
      time: x,
      column: col - 1,
      short: typeof shortText === 'string' ? shortText : '',
      text: typeof text === 'string' ? text : '',
    });
  }
  return annotations;
}
