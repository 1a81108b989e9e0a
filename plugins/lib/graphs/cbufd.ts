/** Parses the `cbufd` output of circular buffers. */
import { CircularBuffer } from '../../modules/circular_buffer.ts';
import { columnHeader, isAggregation, type Aggregation, type ColumnHeader } from '../../base/column_header.ts';
import { uintConfig } from '../../modules/config.ts';

/** The changes of one row. */
export interface DeltaRow {
  /** Nanoseconds since 1970. */
  readonly ns: number;
  /** One value for each column; NaN where nothing changed. */
  readonly values: readonly number[];
}

export interface DeltaText {
  /** The first line; `parseLayout` reads it. */
  readonly header: string;
  readonly rows: readonly DeltaRow[];
}

/** The layout of a graph. */
export interface Layout {
  readonly rows: number;
  readonly columns: number;
  readonly seconds_per_row: number;
  readonly column_info: readonly ColumnHeader[];
}

const ROW = /^\d+(?:\t(?:nan|-?\d+(?:\.\d+)?))+$/;

/** Takes a payload apart: a header line and one or more rows. Null when it is anything else. */
export function parseDeltas(payload: string): DeltaText | null {
  const [header = '', ...lines] = payload.split('\n');
  if (header === '' || lines.length < 2 || lines.pop() !== '') return null;
  if (!lines.every((line) => ROW.test(line))) return null;
  return { header, rows: lines.map(parseRow) };
}

function parseRow(line: string): DeltaRow {
  const [seconds = '', ...values] = line.split('\t');
  return { ns: Number(seconds) * 1e9, values: values.map((text) => (text === 'nan' ? NaN : Number(text))) };
}

/** Reads a header line; what a column's name and unit cannot hold is mended as a graph does it. Null when it describes no graph. */
export function parseLayout(header: string): Layout | null {
  let layout: Partial<Layout> | null;
  try {
    layout = JSON.parse(header) as Partial<Layout> | null;
  } catch {
    return null;
  }
  const { rows, columns, seconds_per_row, column_info } = layout ?? {};
  if (!isCount(rows, 2) || !isCount(columns, 1) || !isCount(seconds_per_row, 1)) return null;
  if (!Array.isArray(column_info) || column_info.length !== columns || !column_info.every(isHeader)) return null;
  const headers = column_info.map(({ name, unit, aggregation }) => columnHeader(name, unit, aggregation));
  return { rows, columns, seconds_per_row, column_info: headers };
}

function isCount(value: unknown, minimum: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= minimum;
}

function isHeader(value: unknown): value is ColumnHeader {
  const { name, unit, aggregation } = (value ?? {}) as Partial<ColumnHeader>;
  return typeof name === 'string' && typeof unit === 'string' && isAggregation(aggregation);
}

/** The reason for which a payload makes no graph. */
export const NO_LAYOUT = 'the payload has no layout';
export const NO_ROOM = 'there is no room for a graph of this layout: see max_cells';

/** The cost of a graph's name, and of each header, in cells. */
const NAME_CELLS = 300;
const HEADER_CELLS = 20;

/** Bounds the memory of graphs whose layout comes with messages, by the parameter max_cells. */
export class CellBudget {
  readonly #cells = uintConfig('max_cells');

  /** Whether there is room for so many new graphs of this size beside the others. */
  holds(count: number, rows: number, columns: number, others: Iterable<CircularBuffer>): boolean {
    let used = count * costOf(rows, columns);
    for (const graph of others) {
      const [rows, columns] = graph.get_configuration();
      used += costOf(rows, columns);
    }
    return used <= this.#cells;
  }
}

function costOf(rows: number, columns: number): number {
  return NAME_CELLS + columns * (HEADER_CELLS + rows);
}

/** An empty graph of this layout. */
export function layoutGraph(layout: Layout, enableDelta: boolean): CircularBuffer {
  const graph = new CircularBuffer(layout.rows, layout.columns, layout.seconds_per_row, enableDelta);
  for (const [i, { name, unit, aggregation }] of layout.column_info.entries()) graph.set_header(i + 1, name, unit, aggregation);
  return graph;
}

/** Merges a value into a column of a graph as the source's aggregation wants it; `none` cannot be merged. */
export function merge(graph: CircularBuffer, ns: number, column: number, value: number, aggregation: Aggregation): void {
  if (Number.isNaN(value) || aggregation === 'none') return;
  if (aggregation === 'sum') graph.add(ns, column, value);
  else graph.set(ns, column, value);
}
