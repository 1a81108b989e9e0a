import { OPTIONAL_HEADERS } from '../../api/headers.ts';
import type { MessageBatch } from '../batch/batch.ts';
import { entryOf, type IntColumn, type TextColumn } from '../batch/columns.ts';
import { fieldHead } from './json-format.ts';
import { jsonPiece, JsonSink, type JsonPiece, type TextUnits } from './json-sink.ts';
import { halvesOf, JsonValues, NO_WORDS, type FieldStep } from './json-values.ts';
import { PackedPieces } from '../batch/packed.ts';
import { RowIndex } from '../batch/row-index.ts';

/** Bytes that most lines do not exceed. */
const USUAL_LINE = 512;

/**
 * Encodes messages of a batch (rows; null: all) as lines of JSON with their line ends: the same as `formatMessage` writes for each.
 * @param sink memory for the bytes, which is used anew: they are valid until the next call with it
 */
export function encodeJsonLines(batch: MessageBatch, rows: Uint32Array | null, sink?: JsonSink): PackedPieces {
  const count = rows?.length ?? batch.length;
  const out = sink ?? new JsonSink(count * USUAL_LINE);
  out.clear();
  const lines = new LineEncoder(batch, out);
  const ends = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    if (!(row < batch.length)) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
    lines.line(row);
    ends[i] = out.length;
  }
  return new PackedPieces(out.bytes, ends);
}

/** The lines of a batch's messages (or of these rows), without line ends; the same as `formatMessage` gives for each. */
export function* formatBatch(batch: MessageBatch, rows: Uint32Array | null = null): Generator<string> {
  const { bytes, ends } = encodeJsonLines(batch, rows);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < ends.length; i++) yield text.toString('utf8', i === 0 ? 0 : ends[i - 1], (ends[i] as number) - 1);
}

const START = jsonPiece('{"Uuid":"');
const BEFORE_TIME = jsonPiece('","Timestamp":"');
const FIELDS = jsonPiece(',"Fields":[');
const FIELD_END = jsonPiece(']}');
const FIELDS_END = jsonPiece(']}\n');
const LINE_END = jsonPiece('}\n');
const COMMA = 0x2c;

/** A header: text that is the same in each row that has it, and a value that follows it, if that differs. */
interface Header {
  readonly json: string;
  readonly rows: Uint32Array | null;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly units: TextUnits | null;
  readonly numbers: Int32Array | null;
}

interface HeaderStep extends Header {
  readonly piece: JsonPiece;
}

class LineEncoder {
  readonly #out: JsonSink;
  readonly #index: RowIndex;
  readonly #headers: readonly HeaderStep[];
  readonly #fields: readonly FieldStep[];
  readonly #uuids: Uint8Array;
  readonly #times: BigInt64Array;
  readonly #timeHalves: Int32Array;
  readonly #values: JsonValues;

  constructor(batch: MessageBatch, out: JsonSink) {
    this.#out = out;
    this.#values = new JsonValues(out);
    this.#index = new RowIndex(batch.fields, batch.length);
    this.#uuids = batch.uuids;
    this.#times = batch.timestamps;
    this.#timeHalves = halvesOf(batch.timestamps);
    const headers = OPTIONAL_HEADERS.flatMap(({ kind, name, member }) =>
      kind === 'text' ? this.#text(name, batch[member]) : int(name, batch[member]),
    );
    this.#headers = joinConstants([constant('"'), ...headers]).map((header) => ({ ...header, piece: jsonPiece(header.json) }));
    this.#fields = batch.fields.map((column) =>
      this.#values.step(column, jsonPiece(fieldHead({ ...column, representation: column.representation ?? undefined }))),
    );
  }

  line(row: number): void {
    const out = this.#out;
    out.piece(START);
    out.uuid(this.#uuids, row * 16);
    out.piece(BEFORE_TIME);
    out.int64(this.#times, this.#timeHalves, row);
    for (const header of this.#headers) this.#header(header, row);
    const index = this.#index;
    const end = index.end(row);
    const start = index.start(row);
    for (let at = start; at < end; at++) {
      if (at === start) out.piece(FIELDS);
      else out.byte(COMMA);
      this.#entry(this.#fields[index.columnAt(at)] as FieldStep, index.entryAt(at));
      out.piece(FIELD_END);
    }
    out.piece(end > start ? FIELDS_END : LINE_END);
  }

  #header({ piece, rows, units, numbers, starts, ends }: HeaderStep, row: number): void {
    const entry = entryOf(rows, row);
    if (entry < 0) return;
    this.#out.piece(piece);
    if (units !== null) this.#out.text(units, starts[entry] as number, ends[entry] as number);
    else if (numbers !== null) this.#out.int32(numbers[entry] as number);
  }

  #entry(field: FieldStep, entry: number): void {
    const { head, offsets } = field;
    this.#out.piece(head);
    if (offsets === null) this.#values.value(field, entry);
    else this.#values.list(field, offsets[entry] as number, offsets[entry + 1] as number);
  }

  #text(name: string, column: TextColumn | null): Header[] {
    if (column === null) return [];
    if (column.constant !== undefined) return [constant(`,"${name}":${JSON.stringify(column.constant)}`)];
    const { rows, starts, ends } = column;
    return [{ ...constant(`,"${name}":`), rows, starts, ends, units: this.#values.unitsOf(column) }];
  }
}

const constant = (json: string): Header => ({ json, rows: null, starts: NO_WORDS, ends: NO_WORDS, units: null, numbers: null });

function int(name: string, column: IntColumn | null): Header[] {
  if (column === null) return [];
  if (column.constant !== undefined) return [constant(`,"${name}":${column.constant}`)];
  return [{ ...constant(`,"${name}":`), rows: column.rows, numbers: column.values }];
}

/** Joins what stands in every row with what follows it, as far as that does, too. */
function joinConstants(headers: readonly Header[]): readonly Header[] {
  const joined: Header[] = [];
  for (const header of headers) {
    const before = joined.at(-1);
    if (before === undefined || before.units !== null || before.numbers !== null || header.rows !== null) joined.push(header);
    else joined[joined.length - 1] = { ...header, json: before.json + header.json };
  }
  return joined;
}
