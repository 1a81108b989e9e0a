/**
 * A circular buffer: a sliding window of `rows` time slots of `secondsPerRow` seconds, each with `columns` numeric cells. Columns count from
 * 1, times are nanoseconds since 1970 (numbers or BigInts), and a cell without data is NaN. A write after the end of the window moves it forward, also when the write
 * fails because of its column. The window never moves back.
 *
 * With deltas enabled the buffer also keeps what changed since its last output as `cbufd`, so that several buffers of the same layout can be merged
 * elsewhere. The delta of a `sum` column is the amount added, that of a `min` or `max` column the newest value; that of a `none` column cannot be merged. Deltas are kept until they are output,
 * also when their row has left the window, but at most those of 1000 rows or, if that is more, of twice the rows of the window. Deltas that do not fit into one output (60,000
 * bytes) are output the next time.
 *
 * Times that a double does not hold to the second (NaN, infinity, beyond 2^53 seconds) are outside every window.
 *
 * @example
 * const hits = new CircularBuffer(1440, 2, 60);
 * hits.set_header(1, 'Requests');
 * hits.add(read_message('Timestamp'), 1, 1);
 * inject_payload('cbuf', 'Hits', hits);
 */
import { badArgument, checkBoolean, checkCount, checkNumber, checkString, unexpected, wholeNumber } from '../base/arguments.ts';
import { columnHeader, isAggregation, type Aggregation, type ColumnHeader } from '../base/column_header.ts';
import { formatNumber } from '../base/number_format.ts';
import { formatNumberList, parseNumberList } from '../base/number_list.ts';
import { MAX_BYTES } from '../base/output_size.ts';
import { countOf, mannWhitneyU, maximumOf, meanOf, minimumOf, sumOf, varianceOf } from '../base/statistics.ts';

/** `cbuf`: all cells; `cbufd`: what changed since the last output in this format. */
export type BufferFormat = 'cbuf' | 'cbufd';

/** The complete state of a buffer, as plain data. */
export interface SavedBuffer {
  readonly rows: number;
  readonly columns: number;
  readonly seconds_per_row: number;
  readonly enable_delta: boolean;
  readonly column_info: readonly ColumnHeader[];
  /** The text form that `fromstring` reads. */
  readonly values: string;
}

/** Deltas of so many windows are kept, or of so many rows if these are more. */
const DELTA_WINDOWS = 2;
const DELTA_ROWS = 1000;

const SECOND = 1_000_000_000n;

/** Functions of `compute`. */
const COMPUTATIONS: Record<string, (values: ArrayLike<number>) => number> = {
  sum: sumOf,
  avg: meanOf,
  variance: varianceOf,
  sd: (values) => Math.sqrt(varianceOf(values)),
  min: minimumOf,
  max: maximumOf,
};

/** The circular buffer that is described above. Methods raise errors that name the wrong argument. */
export class CircularBuffer implements PayloadText {
  readonly #rows: number;
  readonly #columns: number;
  readonly #secondsPerRow: number;
  readonly #cells: Float64Array;
  /** The text of each storage row; null: it is to be made anew. Between two outputs few rows change. */
  readonly #lines: (string | null)[];
  /** That of a row without data. */
  readonly #blank: string;
  readonly #headers: ColumnHeader[];
  /** Deltas by row number; null when they are not enabled. */
  readonly #deltas: Map<number, Float64Array> | null;
  /** Number of the newest row: its time divided by the seconds of a row. */
  #newest: number;
  #format: BufferFormat = 'cbuf';

  /** `rows` > 1, `columns` > 0, `secondsPerRow` > 0; fractions are cut off. */
  constructor(rows: number, columns: number, secondsPerRow: number, enableDelta = false) {
    checkCount('CircularBuffer', arguments.length, 3, 4);
    this.#rows = wholeNumber('CircularBuffer', 1, rows, 2);
    this.#columns = wholeNumber('CircularBuffer', 2, columns, 1);
    this.#secondsPerRow = wholeNumber('CircularBuffer', 3, secondsPerRow, 1);
    this.#cells = new Float64Array(this.#rows * this.#columns).fill(NaN);
    this.#blank = line(this.#cells.subarray(0, this.#columns));
    this.#lines = new Array<string | null>(this.#rows).fill(this.#blank);
    this.#headers = Array.from({ length: this.#columns }, (_, i) => ({ name: `Column_${i + 1}`, unit: 'count', aggregation: 'sum' }));
    this.#deltas = enableDelta ? new Map() : null;
    this.#newest = this.#rows - 1;
  }

  /** Adds to a cell, whatever the aggregation of its column. Returns the new value; null when the time is before the window. */
  add(ns: number | bigint, column: number, value: number): number | null {
    const row = rowArgument('add', ns, this.#secondsPerRow);
    const inside = this.#reach(row);
    const offset = this.#columnOffset('add', 2, column);
    checkNumber('add', 3, value);
    if (!inside) return null;
    const cell = this.#cellIndex(row, offset);
    const old = this.#cells[cell] as number;
    const now = Number.isNaN(old) ? value : old + value;
    this.#write(row, cell, now);
    if (this.#deltas !== null && value !== 0) this.#track(row, offset, this.#aggregation(offset) === 'sum' ? value : null, now);
    return now;
  }

  /**
   * Sets a cell; in a `min` or `max` column only if the value is smaller or larger. Returns the cell's value; null when the time is
   * before the window.
   */
  set(ns: number | bigint, column: number, value: number): number | null {
    const row = rowArgument('set', ns, this.#secondsPerRow);
    const inside = this.#reach(row);
    const offset = this.#columnOffset('set', 2, column);
    checkNumber('set', 3, value);
    if (!inside) return null;
    const cell = this.#cellIndex(row, offset);
    const old = this.#cells[cell] as number;
    const aggregation = this.#aggregation(offset);
    if (!replaces(aggregation, old, value)) return old;
    this.#write(row, cell, value);
    if (this.#deltas !== null) this.#track(row, offset, changeTo(value, old, aggregation), value);
    return value;
  }

  /** The value of a cell; null when the time is outside the window. */
  get(ns: number | bigint, column: number): number | null {
    const row = rowArgument('get', ns, this.#secondsPerRow);
    const offset = this.#columnOffset('get', 2, column);
    return this.#holds(row) ? (this.#cells[this.#cellIndex(row, offset)] as number) : null;
  }

  /** The cells of a column from `start` to `end` (both included), oldest first; null when one of them is outside the window. */
  get_range(column: number, start?: number | bigint | null, end?: number | bigint | null): number[] | null {
    const offset = this.#columnOffset('get_range', 1, column);
    return this.#range('get_range', 2, offset, start, end);
  }

  /**
   * `sum`, `avg`, `variance`, `sd`, `min` or `max` (population statistics) over a range as in `get_range`, and the number of
   * cells with data in it; the value is null when the range is outside the window.
   */
  compute(
    name: string,
    column: number,
    start?: number | bigint | null,
    end?: number | bigint | null,
  ): [value: number | null, active: number] {
    const computation = Object.hasOwn(COMPUTATIONS, name) ? COMPUTATIONS[name] : undefined;
    if (computation === undefined) throw badArgument('compute', 1, `no such function: ${name}`);
    const offset = this.#columnOffset('compute', 2, column);
    const values = this.#range('compute', 3, offset, start, end);
    return values === null ? [null, 0] : [computation(values), countOf(values)];
  }

  /**
   * Mann-Whitney U test of two ranges of a column: U of the first and the one-sided p-value. Null when a range is outside the window or
   * when all values are the same.
   */
  mannwhitneyu(
    column: number,
    start1: number | bigint,
    end1: number | bigint,
    start2: number | bigint,
    end2: number | bigint,
    use_continuity = true,
  ): [u: number, p: number] | null {
    checkCount('mannwhitneyu', arguments.length, 5, 6);
    const offset = this.#columnOffset('mannwhitneyu', 1, column);
    for (const [i, ns] of [start1, end1, start2, end2].entries()) checkTime('mannwhitneyu', i + 2, ns);
    checkBoolean('mannwhitneyu', 6, use_continuity);
    if (start1 <= end2 && start2 <= end1) throw badArgument('mannwhitneyu', 4, 'the ranges overlap');
    const first = this.#range('mannwhitneyu', 2, offset, start1, end1);
    const second = this.#range('mannwhitneyu', 4, offset, start2, end2);
    const test = first && second && mannWhitneyU(first, second, use_continuity);
    return test && [test.u, test.p];
  }

  /** Names a column. Characters that a header cannot hold become underscores; a longer name or unit is cut. Returns the column. */
  set_header(column: number, name: string, unit?: string | null, aggregation?: Aggregation | null): number {
    const offset = this.#columnOffset('set_header', 1, column);
    const shownUnit = unit ?? 'count';
    const combined = aggregation ?? 'sum';
    checkString('set_header', 2, name);
    checkString('set_header', 3, shownUnit);
    if (!isAggregation(combined)) throw badArgument('set_header', 4, `no such aggregation: ${String(aggregation)}`);
    this.#headers[offset] = columnHeader(name, shownUnit, combined);
    return offset + 1;
  }

  get_header(column: number): [name: string, unit: string, aggregation: Aggregation] {
    const { name, unit, aggregation } = this.#headers[this.#columnOffset('get_header', 1, column)] as ColumnHeader;
    return [name, unit, aggregation];
  }

  get_configuration(): [rows: number, columns: number, secondsPerRow: number] {
    return [this.#rows, this.#columns, this.#secondsPerRow];
  }

  /** The time of the newest row in nanoseconds. */
  current_time(): number {
    return this.#newest * this.#secondsPerRow * 1e9;
  }

  /** Chooses the output format until the next call. Returns the buffer. */
  format(format: BufferFormat): this {
    checkCount('format', arguments.length, 1, 1);
    if (format !== 'cbuf' && format !== 'cbufd') throw badArgument('format', 1, `no such format: ${String(format)}`);
    this.#format = format;
    return this;
  }

  /** The text of the buffer: a line of JSON that describes it, then its rows. Text in `cbufd` format empties the deltas. */
  toPayload(): string {
    return this.#format === 'cbuf' ? this.#whole() : this.#takeDeltas();
  }

  /**
   * Restores what `toSavedText` wrote: the newest row's time in seconds, its storage row, all cells in storage order, then for each changed row
   * its time and deltas; separated by blanks.
   */
  fromstring(text: string): void {
    checkString('fromstring', 1, text);
    const numbers = parseNumberList(text);
    const [time = NaN, currentRow = NaN] = numbers;
    if (![time, currentRow].every(Number.isSafeInteger)) throw badArgument('fromstring', 1, 'a time and a row expected in front');
    const cells = numbers.slice(2, 2 + this.#cells.length);
    if (cells.length < this.#cells.length) throw badArgument('fromstring', 1, `${cells.length} values, ${this.#cells.length} expected`);
    const deltas = numbers.slice(2 + this.#cells.length);
    if (this.#deltas === null && deltas.length > 0) {
      throw badArgument('fromstring', 1, `${cells.length + deltas.length} values, at most ${this.#cells.length} expected`);
    }
    if (deltas.length % (1 + this.#columns) !== 0) throw badArgument('fromstring', 1, 'an incomplete row of deltas');
    this.#newest = Math.trunc(time / this.#secondsPerRow);
    this.#lines.fill(null);
    for (let age = 0; age < this.#rows; age++) {
      const from = modulo(currentRow - age, this.#rows) * this.#columns;
      this.#cells.set(cells.slice(from, from + this.#columns), this.#cellIndex(this.#newest - age, 0));
    }
    this.#deltas?.clear();
    for (let i = 0; i < deltas.length; i += 1 + this.#columns) {
      const row = Math.trunc((deltas[i] as number) / this.#secondsPerRow);
      if (!Number.isSafeInteger(row)) throw badArgument('fromstring', 1, 'deltas without a time');
      this.#deltas?.set(row, Float64Array.from(deltas.slice(i + 1, i + 1 + this.#columns)));
    }
  }

  /** The window, its cells and the pending deltas as text for `fromstring`. */
  toSavedText(): string {
    const place = [this.#newest * this.#secondsPerRow, modulo(this.#newest, this.#rows)];
    const deltas = Array.from(this.#deltas ?? [], ([row, changes]) => [row * this.#secondsPerRow, ...changes]);
    return [place, this.#cells, ...deltas].map(formatNumberList).join(' ');
  }

  /** Everything that `fromSaved` and `restore` need, as plain data. */
  toSaved(): SavedBuffer {
    return {
      rows: this.#rows,
      columns: this.#columns,
      seconds_per_row: this.#secondsPerRow,
      enable_delta: this.#deltas !== null,
      column_info: this.#headers.map((header) => ({ ...header })),
      values: this.toSavedText(),
    };
  }

  /** Takes over a saved state. Fails when that does not fit this buffer's layout. */
  restore(saved: SavedBuffer): void {
    const [was, is] = [layoutText(saved), layoutText(this.toSaved())];
    if (was !== is) throw new RangeError(`the preserved graph has ${was}, this one ${is}: preservation_version must be raised`);
    this.fromstring(saved.values);
    for (const [i, { name, unit, aggregation }] of saved.column_info.entries()) this.set_header(i + 1, name, unit, aggregation);
  }

  /** A new buffer in a saved state. */
  static fromSaved(saved: SavedBuffer): CircularBuffer {
    const buffer = new CircularBuffer(saved.rows, saved.columns, saved.seconds_per_row, saved.enable_delta);
    buffer.restore(saved);
    return buffer;
  }

  #columnOffset(method: string, position: number, column: number): number {
    const offset = column - 1;
    if (Number.isInteger(column) && offset >= 0 && offset < this.#columns) return offset;
    const isNumber = typeof column === 'number' && !Number.isInteger(column);
    throw badArgument(method, position, `column ${String(column)} ${isNumber ? 'is not a whole number' : 'out of range'}`);
  }

  #aggregation(offset: number): Aggregation {
    return (this.#headers[offset] as ColumnHeader).aggregation;
  }

  #holds(row: number): boolean {
    return row <= this.#newest && row > this.#newest - this.#rows;
  }

  /** Makes the row part of the window, if it is not too old. */
  #reach(row: number): boolean {
    if (!(row > this.#newest)) return row > this.#newest - this.#rows;
    const cleared = Math.min(row - this.#newest, this.#rows);
    for (let i = 0; i < cleared; i++) {
      const from = this.#cellIndex(row - i, 0);
      this.#cells.fill(NaN, from, from + this.#columns);
      this.#lines[modulo(row - i, this.#rows)] = this.#blank;
    }
    this.#newest = row;
    return true;
  }

  #write(row: number, cell: number, value: number): void {
    this.#cells[cell] = value;
    this.#lines[modulo(row, this.#rows)] = null;
  }

  #cellIndex(row: number, offset: number): number {
    return modulo(row, this.#rows) * this.#columns + offset;
  }

  /** The cells from `start` to `end`: the whole window when they are not given. */
  #range(method: string, position: number, offset: number, start?: number | bigint | null, end?: number | bigint | null): number[] | null {
    const oldest = this.#newest - this.#rows + 1;
    if ((end ?? this.current_time()) < (start ?? oldest * this.#secondsPerRow * 1e9)) {
      throw badArgument(method, position + 1, 'the end is before the start');
    }
    let row = start === null || start === undefined ? oldest : rowArgument(method, start, this.#secondsPerRow, position);
    const last = end === null || end === undefined ? this.#newest : rowArgument(method, end, this.#secondsPerRow, position + 1);
    if (!this.#holds(row) || !this.#holds(last)) return null;
    const values: number[] = [];
    for (; row <= last; row++) values.push(this.#cells[this.#cellIndex(row, offset)] as number);
    return values;
  }

  /** Notes the change of a cell; null: its new value stands for all changes. */
  #track(row: number, offset: number, change: number | null, now: number): void {
    let deltas = this.#deltas?.get(row);
    if (deltas === undefined) {
      deltas = new Float64Array(this.#columns).fill(NaN);
      this.#deltas?.set(row, deltas);
      this.#forgetDeltas();
    }
    const pending = deltas[offset] as number;
    if (change === null) deltas[offset] = now;
    else deltas[offset] = Number.isNaN(pending) ? change : pending + change;
  }

  /** Forgets the row that changed first when there are too many. */
  #forgetDeltas(): void {
    if (this.#deltas === null || this.#deltas.size <= Math.max(this.#rows * DELTA_WINDOWS, DELTA_ROWS)) return;
    this.#deltas.delete(this.#deltas.keys().next().value as number);
  }

  #header(): string {
    const time = (this.#newest - this.#rows + 1) * this.#secondsPerRow;
    const layout = { time, rows: this.#rows, columns: this.#columns, seconds_per_row: this.#secondsPerRow };
    return JSON.stringify({ ...layout, column_info: this.#headers });
  }

  /** Joined in one go: a text that is put together from parts is copied when it is read. */
  #whole(): string {
    const oldest = modulo(this.#newest + 1, this.#rows);
    for (let row = 0; row < this.#rows; row++) {
      this.#lines[row] ??= line(this.#cells.subarray(row * this.#columns, (row + 1) * this.#columns));
    }
    return [this.#header(), ...this.#lines.slice(oldest), ...this.#lines.slice(0, oldest), ''].join('\n');
  }

  #takeDeltas(): string {
    if (this.#deltas === null || this.#deltas.size === 0) return '';
    const header = `${this.#header()}\n`;
    let rows = '';
    for (const [row, deltas] of [...this.#deltas].sort(([a], [b]) => a - b)) {
      const entry = `${row * this.#secondsPerRow}\t${line(deltas)}\n`;
      if (rows !== '' && header.length + rows.length + entry.length > MAX_BYTES) break;
      rows += entry;
      this.#deltas.delete(row);
    }
    return header + rows;
  }
}

function layoutText({ rows, columns, seconds_per_row, enable_delta }: SavedBuffer): string {
  return `${rows} rows of ${seconds_per_row} s, ${columns} columns and ${enable_delta ? 'deltas' : 'no deltas'}`;
}

/** Whether `set` changes a cell that holds `old`. */
function replaces(aggregation: Aggregation, old: number, value: number): boolean {
  if (aggregation === 'min') return Number.isNaN(old) || value < old;
  if (aggregation === 'max') return Number.isNaN(old) || value > old;
  return true;
}

/** The change that is noted when `set` replaces `old`. */
function changeTo(value: number, old: number, aggregation: Aggregation): number | null {
  if (aggregation === 'min' || aggregation === 'max') return null;
  return Number.isNaN(old) ? value : value - old;
}

function line(values: Float64Array): string {
  const texts: string[] = [];
  for (let i = 0; i < values.length; i++) texts.push(formatNumber(values[i] as number));
  return texts.join('\t');
}

/**
 * The number of the row that a time belongs to; NaN, which is in no window, when it has none. The remainder keeps the sign: less than a row before
 * 1970 is still row 0.
 */
function rowArgument(method: string, ns: number | bigint, secondsPerRow: number, position = 1): number {
  checkTime(method, position, ns);
  const seconds = typeof ns === 'bigint' ? Number(ns / SECOND) : Math.trunc(ns / 1e9);
  return Number.isSafeInteger(seconds) ? Math.trunc(seconds / secondsPerRow) : NaN;
}

/** Refuses what is no time. NaN and infinities pass: they are in no window. */
function checkTime(method: string, position: number, ns: unknown): void {
  if (typeof ns !== 'number' && typeof ns !== 'bigint') throw unexpected(method, position, 'time in nanoseconds', ns);
}

function modulo(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}
