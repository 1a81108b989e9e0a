import { OPTIONAL_HEADERS } from '../../api/headers.ts';
import type { MessageBatch } from '../batch/batch.ts';
import { entryOf, type FieldColumn, type IntColumn, type TextColumn } from '../batch/columns.ts';
import { FRAME_END, FRAME_START } from './framing.ts';
import { LENGTH_KEY } from './frame-header.ts';
import { keyOf, MessageKey as Key } from './message-writer.ts';
import { PackedPieces } from '../batch/packed.ts';
import { ProtoSink, protoText, type ProtoText } from './proto-sink.ts';
import { RowIndex } from '../batch/row-index.ts';
import { ValueType } from '../types.ts';
import { varintSize } from './varint.ts';

/** Bytes that most messages do not exceed. */
const USUAL_MESSAGE = 512;

/** The framing of messages in a stream. */
export interface FrameRules {
  /** Largest message in bytes. */
  readonly maxMessageSize: number;
  /** Called with the size of a larger one, which is left out. */
  readonly onTooLarge: (bytes: number) => void;
}

/**
 * Encodes messages of a batch (rows; null: all) in protobuf: the same bytes as `encodeMessage` gives for each.
 * @param framing with it, each message is framed as by `frame`
 * @param sink memory for the bytes, which is used anew: they are valid until the next call with it
 */
export function encodeProtobuf(batch: MessageBatch, rows: Uint32Array | null, framing: FrameRules | null, sink?: ProtoSink): PackedPieces {
  const count = rows?.length ?? batch.length;
  const out = sink ?? new ProtoSink(count * USUAL_MESSAGE);
  out.length = 0;
  const encoder = new RowEncoder(batch, out);
  const ends = new Uint32Array(count);
  let pieces = 0;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    if (!(row < batch.length)) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
    if (framing === null) encoder.message(row);
    else if (!isFramed(encoder, row, out, framing)) continue;
    ends[pieces++] = out.length;
  }
  return new PackedPieces(out.bytes, ends.subarray(0, pieces));
}

/** Bytes in front of a message whose length takes two bytes. */
const USUAL_HEAD = 6;

/** Writes a framed message, if it is not too large. */
function isFramed(encoder: RowEncoder, row: number, out: ProtoSink, { maxMessageSize, onTooLarge }: FrameRules): boolean {
  const start = out.length;
  out.length = start + USUAL_HEAD;
  encoder.message(row);
  const length = out.length - start - USUAL_HEAD;
  if (length > maxMessageSize) {
    out.length = start;
    onTooLarge(length);
    return false;
  }
  const lengthBytes = varintSize(length);
  const head = lengthBytes + USUAL_HEAD - 2;
  if (head !== USUAL_HEAD) out.move(start + USUAL_HEAD, start + head);
  const end = out.length;
  out.length = start;
  out.byte(FRAME_START);
  out.byte(lengthBytes + 1);
  out.byte(LENGTH_KEY);
  out.varint(length, 0);
  out.byte(FRAME_END);
  out.length = end;
  return true;
}

/** A header that differs from row to row, or the bytes of one that does not. */
interface HeaderStep {
  readonly key: number;
  readonly constant: Uint8Array | null;
  readonly rows: Uint32Array | null;
  readonly text: ProtoText | null;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly numbers: Int32Array;
}

/** A field's column in one shape for all types. */
interface FieldStep {
  /** The bytes in front of the values. */
  readonly head: Uint8Array;
  readonly type: ValueType;
  readonly offsets: Uint32Array | null;
  readonly text: ProtoText;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Of bytes and of bools. */
  readonly bytes: Uint8Array;
  /** Halves of integers. */
  readonly halves: Uint32Array;
  readonly doubles: Float64Array;
}

const NO_TEXT = protoText('');
const NO_WORDS = new Uint32Array(0);
const NO_VALUES = {
  text: NO_TEXT,
  starts: NO_WORDS,
  ends: NO_WORDS,
  bytes: new Uint8Array(0),
  halves: NO_WORDS,
  doubles: new Float64Array(0),
};
const NO_NUMBERS = new Int32Array(0);

/** Writes messages in ascending order of their tags, by the rules of the service (see `encodeMessage`). */
class RowEncoder {
  readonly #out: ProtoSink;
  readonly #index: RowIndex;
  readonly #uuids: Uint8Array;
  readonly #times: Uint32Array;
  readonly #headers: readonly HeaderStep[];
  readonly #fields: readonly FieldStep[];
  /** Texts that columns have pieces of. */
  readonly #texts = new Map<string, ProtoText>();

  constructor(batch: MessageBatch, out: ProtoSink) {
    this.#out = out;
    this.#index = new RowIndex(batch.fields, batch.length);
    this.#uuids = batch.uuids;
    this.#times = halvesOf(batch.timestamps);
    this.#headers = OPTIONAL_HEADERS.flatMap((header) =>
      header.kind === 'text' ? this.#text(keyOf(header), batch[header.member]) : numbers(keyOf(header), batch[header.member]),
    );
    this.#fields = batch.fields.map((column) => this.#field(column));
  }

  message(row: number): void {
    const out = this.#out;
    out.byte(Key.uuid);
    out.byte(16);
    const from = out.length;
    out.length = from + 16;
    for (let i = 0; i < 16; i++) out.put(from + i, this.#uuids[row * 16 + i] as number);
    out.byte(Key.timestamp);
    out.varint(this.#times[2 * row] as number, this.#times[2 * row + 1] as number);
    for (const header of this.#headers) this.#header(header, row);
    const index = this.#index;
    const end = index.end(row);
    for (let at = index.start(row); at < end; at++) {
      out.byte(Key.field);
      const opened = out.open();
      this.#entry(this.#fields[index.columnAt(at)] as FieldStep, index.entryAt(at));
      out.close(opened);
    }
  }

  #header({ key, constant, rows, text, starts, ends, numbers }: HeaderStep, row: number): void {
    const out = this.#out;
    if (constant !== null) return out.raw(constant);
    const entry = entryOf(rows, row);
    if (entry < 0) return;
    out.byte(key);
    if (text === null) out.int32(numbers[entry] as number);
    else out.text(text, starts[entry] as number, ends[entry] as number);
  }

  #entry(field: FieldStep, entry: number): void {
    const { head, offsets } = field;
    this.#out.raw(head);
    if (offsets === null) this.#values(field, entry, entry + 1);
    else if (offsets[entry] !== offsets[entry + 1]) this.#values(field, offsets[entry] as number, offsets[entry + 1] as number);
  }

  /** The values [from, to), at least one. */
  #values(field: FieldStep, from: number, to: number): void {
    const out = this.#out;
    switch (field.type) {
      case ValueType.STRING:
        for (let i = from; i < to; i++) {
          out.byte(Key.string);
          out.text(field.text, field.starts[i] as number, field.ends[i] as number);
        }
        return;
      case ValueType.BYTES:
        for (let i = from; i < to; i++) {
          const value = field.bytes.subarray(field.starts[i], field.ends[i]);
          out.byte(Key.bytes);
          out.varint(value.length, 0);
          out.raw(value);
        }
        return;
      case ValueType.INTEGER: {
        out.byte(Key.integers);
        const opened = out.open();
        for (let i = from; i < to; i++) out.varint(field.halves[2 * i] as number, field.halves[2 * i + 1] as number);
        return out.close(opened);
      }
      case ValueType.DOUBLE:
        out.byte(Key.doubles);
        out.varint(8 * (to - from), 0);
        for (let i = from; i < to; i++) out.double(field.doubles[i] as number);
        return;
      case ValueType.BOOL:
        out.byte(Key.bools);
        out.varint(to - from, 0);
        for (let i = from; i < to; i++) out.byte(field.bytes[i] === 0 ? 0 : 1);
        return;
    }
  }

  #text(key: number, column: TextColumn | null): HeaderStep[] {
    if (column === null) return [];
    const step = { key, constant: null, rows: null, text: null, starts: NO_WORDS, ends: NO_WORDS, numbers: NO_NUMBERS };
    if (column.constant !== undefined) {
      const { constant } = column;
      return [{ ...step, constant: written((out) => writeText(out, key, constant)) }];
    }
    const { rows, starts, ends, text } = column;
    return [{ ...step, rows, starts, ends, text: this.#textOf(text) }];
  }

  #field(column: FieldColumn): FieldStep {
    const step = { ...NO_VALUES, head: headOf(column), type: column.valueType, offsets: column.offsets };
    switch (column.valueType) {
      case ValueType.STRING:
        return { ...step, starts: column.values.starts, ends: column.values.ends, text: this.#textOf(column.values.text) };
      case ValueType.BYTES:
        return { ...step, starts: column.values.starts, ends: column.values.ends, bytes: column.values.bytes };
      case ValueType.INTEGER:
        return { ...step, halves: halvesOf(column.values) };
      case ValueType.DOUBLE:
        return { ...step, doubles: column.values };
      case ValueType.BOOL:
        return { ...step, bytes: column.values };
    }
  }

  #textOf(text: string): ProtoText {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const made = protoText(text);
    this.#texts.set(text, made);
    return made;
  }
}

const halvesOf = ({ buffer, byteOffset, length }: BigInt64Array): Uint32Array => new Uint32Array(buffer, byteOffset, length * 2);

function numbers(key: number, column: IntColumn | null): HeaderStep[] {
  if (column === null) return [];
  const step = { key, constant: null, rows: null, text: null, starts: NO_WORDS, ends: NO_WORDS, numbers: NO_NUMBERS };
  if (column.constant === undefined) return [{ ...step, rows: column.rows, numbers: column.values }];
  const { constant } = column;
  return [
    {
      ...step,
      constant: written((out) => {
        out.byte(key);
        out.int32(constant);
      }),
    },
  ];
}

function headOf({ name, valueType, representation }: FieldColumn): Uint8Array {
  return written((out) => {
    writeText(out, Key.name, name);
    out.byte(Key.valueType);
    out.int32(valueType);
    if (representation !== null) writeText(out, Key.representation, representation);
  });
}

function written(write: (out: ProtoSink) => void): Uint8Array {
  const out = new ProtoSink(64);
  write(out);
  return out.bytes;
}

function writeText(out: ProtoSink, key: number, text: string): void {
  out.byte(key);
  out.text(protoText(text), 0, text.length);
}
