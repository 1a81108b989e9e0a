import type { ByteValues, FieldColumn, IntColumn, TextColumn, TextValues } from './columns.ts';
import type { KeyedColumn } from './column-table.ts';
import { ValueType } from '../types.ts';

/** Collects text values; they are joined into one backing text at the end. A value equal to the one before it is stored once. */
export class TextSink {
  readonly #pieces: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #length = 0;
  #last = '';
  #uniform = true;

  /** Code units of the backing text so far. */
  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Whether all values so far are the same. */
  get uniform(): boolean {
    return this.#uniform;
  }

  /** The value added last, or the empty string. */
  get last(): string {
    return this.#last;
  }

  add(value: string): void {
    if (value === this.#last && this.#starts.length > 0) {
      this.#starts.push(this.#starts[this.#starts.length - 1] as number);
      this.#ends.push(this.#length);
      return;
    }
    if (this.#starts.length > 0) this.#uniform = false;
    this.#last = value;
    this.#pieces.push(value);
    this.#starts.push(this.#length);
    this.#length += value.length;
    this.#ends.push(this.#length);
  }

  finish(): TextValues {
    return { text: this.#pieces.join(''), starts: new Uint32Array(this.#starts), ends: new Uint32Array(this.#ends) };
  }
}

/** Collects byte values; they are joined into one backing array at the end. */
export class ByteSink {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#pieces.length;
  }

  add(value: Uint8Array): void {
    this.#pieces.push(value);
    this.#length += value.length;
  }

  finish(): ByteValues {
    const bytes = new Uint8Array(this.#length);
    const starts = new Uint32Array(this.#pieces.length);
    const ends = new Uint32Array(this.#pieces.length);
    let at = 0;
    for (const [i, piece] of this.#pieces.entries()) {
      bytes.set(piece, at);
      starts[i] = at;
      ends[i] = at += piece.length;
    }
    return { bytes, starts, ends };
  }
}

/** The rows that have an entry. While entry i belongs to row i there is no list. */
class RowSink {
  #rows: number[] | null = null;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(row: number): void {
    if (this.#rows === null && row !== this.#count) this.#rows = Array.from({ length: this.#count }, (_, i) => i);
    this.#rows?.push(row);
    this.#count++;
  }

  /** null when every row of a batch of this length has an entry. */
  finish(batchLength: number): Uint32Array | null {
    if (this.#count === batchLength) return null;
    return this.#rows === null ? Uint32Array.from({ length: this.#count }, (_, i) => i) : new Uint32Array(this.#rows);
  }
}

/** A text header in the making. */
export class TextHeaderSink {
  readonly #rows = new RowSink();
  readonly #values = new TextSink();

  add(row: number, value: string): void {
    this.#rows.add(row);
    this.#values.add(value);
  }

  finish(batchLength: number): TextColumn | null {
    if (this.#rows.count === 0) return null;
    const rows = this.#rows.finish(batchLength);
    if (rows === null && this.#values.uniform) return { constant: this.#values.last };
    return { rows, ...this.#values.finish() };
  }
}

/** Severity or Pid in the making. */
export class IntHeaderSink {
  readonly #rows = new RowSink();
  readonly #values: number[] = [];
  #uniform = true;

  add(row: number, value: number): void {
    const stored = value | 0;
    this.#rows.add(row);
    if (this.#values.length > 0 && stored !== this.#values[this.#values.length - 1]) this.#uniform = false;
    this.#values.push(stored);
  }

  finish(batchLength: number): IntColumn | null {
    if (this.#rows.count === 0) return null;
    const rows = this.#rows.finish(batchLength);
    if (rows === null && this.#uniform) return { constant: this.#values[0] as number };
    return { rows, values: new Int32Array(this.#values) };
  }
}

/** A field column in the making. Values are added to the store of its type, then the entry is closed. */
export class FieldSink implements KeyedColumn {
  readonly index: number;
  readonly name: string;
  readonly valueType: ValueType;
  readonly representation: string | null;
  readonly text: TextSink;
  readonly bytes: ByteSink;
  readonly integers: bigint[];
  /** Doubles, and bools as 0 and 1. */
  readonly numbers: number[];
  readonly #rows = new RowSink();
  /** Ends of the entries' values; null while every entry has exactly one. */
  #ends: number[] | null = null;

  constructor(index: number, name: string, valueType: ValueType, representation: string | null) {
    this.index = index;
    this.name = name;
    this.valueType = valueType;
    this.representation = representation;
    this.text = valueType === ValueType.STRING ? new TextSink() : NO_TEXT;
    this.bytes = valueType === ValueType.BYTES ? new ByteSink() : NO_BYTES;
    this.integers = valueType === ValueType.INTEGER ? [] : NO_INTEGERS;
    this.numbers = valueType === ValueType.DOUBLE || valueType === ValueType.BOOL ? [] : NO_NUMBERS;
  }

  /** Makes the values added since the last call the entry of this row. */
  close(row: number): void {
    const values = this.#count();
    if (this.#ends === null && values !== this.#rows.count + 1) {
      this.#ends = Array.from({ length: this.#rows.count }, (_, i) => i + 1);
    }
    this.#ends?.push(values);
    this.#rows.add(row);
  }

  finish(batchLength: number): FieldColumn {
    const { name, representation } = this;
    const offsets = this.#ends === null ? null : new Uint32Array([0, ...this.#ends]);
    const base = { name, representation, rows: this.#rows.finish(batchLength), offsets };
    switch (this.valueType) {
      case ValueType.STRING:
        return { ...base, valueType: ValueType.STRING, values: this.text.finish() };
      case ValueType.BYTES:
        return { ...base, valueType: ValueType.BYTES, values: this.bytes.finish() };
      case ValueType.INTEGER:
        return { ...base, valueType: ValueType.INTEGER, values: new BigInt64Array(this.integers) };
      case ValueType.DOUBLE:
        return { ...base, valueType: ValueType.DOUBLE, values: new Float64Array(this.numbers) };
      case ValueType.BOOL:
        return { ...base, valueType: ValueType.BOOL, values: new Uint8Array(this.numbers) };
    }
  }

  #count(): number {
    switch (this.valueType) {
      case ValueType.STRING:
        return this.text.count;
      case ValueType.BYTES:
        return this.bytes.count;
      case ValueType.INTEGER:
        return this.integers.length;
      case ValueType.DOUBLE:
      case ValueType.BOOL:
        return this.numbers.length;
    }
  }
}

/** Stand in for the stores that a column of another type does not have. */
const NO_TEXT = new TextSink();
const NO_BYTES = new ByteSink();
const NO_INTEGERS: bigint[] = [];
const NO_NUMBERS: number[] = [];
