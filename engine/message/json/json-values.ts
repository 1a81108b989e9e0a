import type { FieldColumn, TextValues } from '../batch/columns.ts';
import { jsonPiece, viewOf, type JsonPiece, type JsonSink, type TextUnits } from './json-sink.ts';
import { ValueType } from '../types.ts';

const TRUE = jsonPiece('true');
const FALSE = jsonPiece('false');
const COMMA = 0x2c;
const QUOTE = 0x22;

export const NO_WORDS = new Uint32Array(0);
const NO_VALUES = {
  starts: NO_WORDS,
  ends: NO_WORDS,
  units: new Uint16Array(0),
  bytes: new Uint8Array(0),
  integers: new BigInt64Array(0),
  halves: new Int32Array(0),
  doubles: new Float64Array(0),
};

/** A field's column in one shape for all types. */
export interface FieldStep {
  readonly head: JsonPiece;
  readonly type: ValueType;
  /** Values [offsets[entry], offsets[entry + 1]) are those of an entry; null: each has one. */
  readonly offsets: Uint32Array | null;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly units: TextUnits;
  /** Of bytes and of booleans. */
  readonly bytes: Uint8Array;
  readonly integers: BigInt64Array;
  readonly halves: Int32Array;
  readonly doubles: Float64Array;
}

/** Writes the values of a batch's fields as JSON. */
export class JsonValues {
  readonly #out: JsonSink;
  /** The units of each text that columns have pieces of. */
  readonly #units = new Map<string, TextUnits>();

  constructor(out: JsonSink) {
    this.#out = out;
  }

  /** @param head what stands in front of the values */
  step(column: FieldColumn, head: JsonPiece): FieldStep {
    const step = { ...NO_VALUES, head, type: column.valueType, offsets: column.offsets };
    switch (column.valueType) {
      case ValueType.STRING:
        return { ...step, starts: column.values.starts, ends: column.values.ends, units: this.unitsOf(column.values) };
      case ValueType.BYTES:
        return { ...step, starts: column.values.starts, ends: column.values.ends, bytes: column.values.bytes };
      case ValueType.INTEGER:
        return { ...step, integers: column.values, halves: halvesOf(column.values) };
      case ValueType.DOUBLE:
        return { ...step, doubles: column.values };
      case ValueType.BOOL:
        return { ...step, bytes: column.values };
    }
  }

  unitsOf(values: TextValues): TextUnits {
    if (values.latin !== undefined) return viewOf(values.latin.bytes);
    const { text } = values;
    const known = this.#units.get(text);
    if (known !== undefined) return known;
    const units = this.#out.unitsOf(text);
    this.#units.set(text, units);
    return units;
  }

  /** Values [from, to), with commas between them. */
  list(step: FieldStep, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (i > from) this.#out.byte(COMMA);
      this.value(step, i);
    }
  }

  value(step: FieldStep, i: number): void {
    const out = this.#out;
    switch (step.type) {
      case ValueType.STRING:
        return out.text(step.units, step.starts[i] as number, step.ends[i] as number);
      case ValueType.BYTES:
        return this.#base64(step.bytes, step.starts[i] as number, step.ends[i] as number);
      case ValueType.INTEGER:
        return out.int64(step.integers, step.halves, i);
      case ValueType.DOUBLE:
        return out.double(step.doubles[i] as number);
      case ValueType.BOOL:
        return out.piece(step.bytes[i] === 1 ? TRUE : FALSE);
    }
  }

  #base64({ buffer, byteOffset }: Uint8Array, start: number, end: number): void {
    this.#out.byte(QUOTE);
    this.#out.ascii(Buffer.from(buffer, byteOffset + start, end - start).toString('base64'));
    this.#out.byte(QUOTE);
  }
}

/** The halves of 64-bit integers, as `JsonSink.int64` takes them. */
export const halvesOf = ({ buffer, byteOffset, length }: BigInt64Array): Int32Array => new Int32Array(buffer, byteOffset, length * 2);
