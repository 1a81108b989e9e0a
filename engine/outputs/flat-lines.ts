import { OPTIONAL_HEADERS } from '../api/headers.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { entryOf, type IntColumn, type TextColumn } from '../message/batch/columns.ts';
import { jsonPiece, JsonSink, STANDARD, type JsonPiece, type TextUnits } from '../message/json/json-sink.ts';
import { JsonValues, NO_WORDS, type FieldStep } from '../message/json/json-values.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import { RowIndex } from '../message/batch/row-index.ts';
import type { Failure } from '../sandbox/contract/types.ts';
import type { EncodedRows } from './encode.ts';

const DAY_SECONDS = 86_400;
const SECONDS = Array.from({ length: 60 }, (_, i) => jsonPiece(String(i).padStart(2, '0')));
/** Hours or minutes, with the colon behind them. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => jsonPiece(`${String(i).padStart(2, '0')}:`));
const END_OF_TIME = jsonPiece('Z"');
const LINE_END = jsonPiece('}\n');
const NOTHING = jsonPiece('');
/** Bytes that most lines do not exceed. */
const USUAL_LINE = 512;
const OPEN = 0x5b;
const CLOSE = 0x5d;
/** Names of headers: a field that has one gets a number. */
const HEADERS: ReadonlySet<string> = new Set(['Timestamp', ...OPTIONAL_HEADERS.map(({ name }) => name)]);

/** The text of a header in each row that has it; units: null for a number. */
interface HeaderStep {
  readonly head: JsonPiece;
  readonly rows: Uint32Array | null;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly units: TextUnits | null;
  readonly numbers: Int32Array | null;
}

/** A member of the object: its name, and the number of the field of the row that has its value. */
interface Member {
  readonly head: JsonPiece;
  readonly field: number;
}

/** The members of rows with the same columns. */
interface Layout {
  readonly columns: Uint32Array;
  readonly members: readonly Member[];
}

/**
 * Encodes rows (ascending; null: all) as the bundled encoder `json_lines` does with its defaults.
 * @param limit bytes from which on a line is refused, as by a script's `output_limit`; 0: there is none
 * @param sink memory for the bytes, which is used anew: they are valid until the next call with it
 */
export function flatLines(batch: MessageBatch, rows: Uint32Array | null, limit: number, sink?: JsonSink): EncodedRows {
  const count = rows?.length ?? batch.length;
  const out = sink ?? new JsonSink(count * USUAL_LINE, STANDARD);
  out.clear();
  const lines = new FlatLines(batch, out);
  const ends = new Uint32Array(count);
  const made = new Uint32Array(count);
  const failures: Failure[] = [];
  let done = 0;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    const start = out.length;
    lines.line(row);
    if (limit > 0 && out.length - start >= limit) {
      out.cut(start);
      failures.push({ row, reason: `inject_payload: exceeded output_limit of ${limit}` });
      continue;
    }
    ends[done] = out.length;
    made[done++] = row;
  }
  return { pieces: new PackedPieces(out.bytes, ends.subarray(0, done)), rows: made.subarray(0, done), failures };
}

class FlatLines {
  readonly #out: JsonSink;
  readonly #batch: MessageBatch;
  readonly #index: RowIndex;
  readonly #values: JsonValues;
  readonly #headers: readonly HeaderStep[];
  readonly #fields: readonly FieldStep[];
  #layout: Layout = { columns: NO_WORDS, members: [] };
  /** The day of the line before, since 1970, and the beginning of its lines. */
  #day = NaN;
  #start = NOTHING;

  constructor(batch: MessageBatch, out: JsonSink) {
    this.#out = out;
    this.#batch = batch;
    this.#values = new JsonValues(out);
    this.#index = new RowIndex(batch.fields, batch.length);
    this.#headers = OPTIONAL_HEADERS.flatMap(({ kind, name, member }) =>
      kind === 'text' ? this.#text(name, batch[member]) : int(name, batch[member]),
    );
    this.#fields = batch.fields.map((column) => this.#values.step(column, NOTHING));
  }

  line(row: number): void {
    const out = this.#out;
    this.#time(Number(this.#batch.timestamps[row]));
    for (const header of this.#headers) this.#header(header, row);
    this.#members(row);
    out.piece(LINE_END);
  }

  /** Begins a line with its time. Doubles hold present-day times to some 200 ns. */
  #time(ns: number): void {
    const micros = Math.round(ns / 1e3);
    const second = Math.floor(micros / 1e6);
    const day = Math.floor(second / DAY_SECONDS);
    if (day !== this.#day) {
      this.#day = day;
      const date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 'YYYY-MM-DDT'.length);
      this.#start = jsonPiece(`{"Timestamp":"${date}`);
    }
    const out = this.#out;
    const ofDay = second - day * DAY_SECONDS;
    out.piece(this.#start);
    out.piece(TWO_DIGITS[Math.floor(ofDay / 3600)] as JsonPiece);
    out.piece(TWO_DIGITS[Math.floor(ofDay / 60) % 60] as JsonPiece);
    out.piece(SECONDS[ofDay % 60] as JsonPiece);
    const rest = micros - second * 1e6;
    if (rest !== 0) out.ascii(`.${String(rest).padStart(6, '0').replace(/0+$/, '')}`);
    out.piece(END_OF_TIME);
  }

  #header({ head, rows, units, numbers, starts, ends }: HeaderStep, row: number): void {
    const entry = entryOf(rows, row);
    if (entry < 0) return;
    if (units !== null) {
      const start = starts[entry] as number;
      const end = ends[entry] as number;
      if (start === end) return;
      this.#out.piece(head);
      this.#out.text(units, start, end);
      return;
    }
    this.#out.piece(head);
    if (numbers !== null) this.#out.int32(numbers[entry] as number);
  }

  #members(row: number): void {
    const index = this.#index;
    const start = index.start(row);
    if (!this.#hasLayout(start, index.end(row))) this.#layout = this.#layoutOf(start, index.end(row));
    const { columns, members } = this.#layout;
    for (const { head, field } of members) {
      this.#out.piece(head);
      this.#value(this.#fields[columns[field] as number] as FieldStep, index.entryAt(start + field));
    }
  }

  #value(step: FieldStep, entry: number): void {
    const { offsets } = step;
    if (offsets === null) return this.#values.value(step, entry);
    const from = offsets[entry] as number;
    const to = offsets[entry + 1] as number;
    if (to - from === 1) return this.#values.value(step, from);
    this.#out.byte(OPEN);
    this.#values.list(step, from, to);
    this.#out.byte(CLOSE);
  }

  #hasLayout(start: number, end: number): boolean {
    const { columns } = this.#layout;
    if (columns.length !== end - start) return false;
    for (let i = 0; i < columns.length; i++) if (columns[i] !== this.#index.columnAt(start + i)) return false;
    return true;
  }

  #layoutOf(start: number, end: number): Layout {
    const columns = Uint32Array.from({ length: end - start }, (_, i) => this.#index.columnAt(start + i));
    const instances = new Map<string, number>();
    // A member that several fields have gets the value of the last one.
    const members = new Map<string, number>();
    for (const [field, column] of columns.entries()) {
      const { name } = this.#batch.fields[column] as { readonly name: string };
      const instance = (instances.get(name) ?? 0) + (HEADERS.has(name) ? 1 : 0);
      members.set(instance === 0 ? name : `${name}${instance + 1}`, field);
      instances.set(name, (instances.get(name) ?? 0) + 1);
    }
    return { columns, members: Array.from(members, ([name, field]) => ({ head: headOf(name), field })) };
  }

  #text(name: string, column: TextColumn | null): HeaderStep[] {
    if (column === null || column.constant === '') return [];
    if (column.constant !== undefined) return [constant(name, JSON.stringify(column.constant))];
    const { rows, starts, ends } = column;
    return [{ head: headOf(name), rows, starts, ends, units: this.#values.unitsOf(column), numbers: null }];
  }
}

const headOf = (name: string): JsonPiece => jsonPiece(`,${JSON.stringify(name)}:`, STANDARD);

/** A header that is the same in each row. */
const constant = (name: string, value: string): HeaderStep => ({
  head: jsonPiece(`,"${name}":${value}`, STANDARD),
  ...{ rows: null, starts: NO_WORDS, ends: NO_WORDS, units: null, numbers: null },
});

function int(name: string, column: IntColumn | null): HeaderStep[] {
  if (column === null) return [];
  if (column.constant !== undefined) return [constant(name, String(column.constant))];
  return [{ head: headOf(name), rows: column.rows, starts: NO_WORDS, ends: NO_WORDS, units: null, numbers: column.values }];
}
