import { ByteSink } from './sinks.ts';
import { textHeader, textValues, type Text } from '../latin-text.ts';
import type { KeyedColumn } from './column-table.ts';
import type { FieldColumn, IntColumn, TextColumn } from './columns.ts';
import { ValueType } from '../types.ts';

/** Positions from this one on are those of a text behind the one that values are pieces of. */
export const BEHIND = 0x8000_0000;

/** Small: a stranger's messages may make a column for each value. */
const FIRST_CAPACITY = 8;

/** Numbers of 32 bits without sign. */
class Words {
  #values = new Uint32Array(FIRST_CAPACITY);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = grown(this.#values, new Uint32Array(this.length * 2));
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  taken(): Uint32Array<ArrayBuffer> {
    return this.#values.slice(0, this.length);
  }
}

/** Integers of 64 bits, which are added by their halves. */
class Integers {
  #values = new BigInt64Array(FIRST_CAPACITY);
  #halves = new Uint32Array(this.#values.buffer);
  length = 0;

  push(low: number, high: number): void {
    if (this.length === this.#values.length) {
      this.#values = grown(this.#values, new BigInt64Array(this.length * 2));
      this.#halves = new Uint32Array(this.#values.buffer);
    }
    this.#halves[2 * this.length] = low;
    this.#halves[2 * this.length++ + 1] = high;
  }

  taken(): BigInt64Array {
    return this.#values.slice(0, this.length);
  }
}

/** Doubles, and bools as 0 and 1. */
class Doubles {
  #values = new Float64Array(FIRST_CAPACITY);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = grown(this.#values, new Float64Array(this.length * 2));
    this.#values[this.length++] = value;
  }

  taken(): Float64Array {
    return this.#values.slice(0, this.length);
  }
}

function grown<A extends { set(from: A): void }>(values: A, larger: A): A {
  larger.set(values);
  return larger;
}

/** The rows that have an entry, ascending. While entry i belongs to row i there is no list. */
class Rows {
  #rows: Words | null = null;
  count = 0;

  add(row: number): void {
    if (this.#rows === null && row !== this.count) {
      this.#rows = new Words();
      for (let i = 0; i < this.count; i++) this.#rows.push(i);
    }
    this.#rows?.push(row);
    this.count++;
  }

  /** Takes the last entry away if it is that of this row. */
  undo(row: number): boolean {
    const last = this.count - 1;
    if (last < 0 || (this.#rows === null ? last : this.#rows.at(last)) !== row) return false;
    if (this.#rows !== null) this.#rows.length--;
    this.count--;
    return true;
  }

  clear(): void {
    this.#rows = null;
    this.count = 0;
  }

  /** null: all rows of a batch of this length have one. */
  finish(batchLength: number): Uint32Array | null {
    if (this.count === batchLength) return null;
    return this.#rows?.taken() ?? Uint32Array.from({ length: this.count }, (_, i) => i);
  }
}

/** The text that values are pieces of when a batch is made: the pieces lie in `text` from `from` on, those `BEHIND` from `behind` on. */
export interface Backing {
  readonly text: Text;
  readonly from: number;
  readonly behind: number;
}

function placed(words: Words, { from, behind }: Backing): Uint32Array {
  const places = words.taken();
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    places[i] = place >= BEHIND ? place - BEHIND + behind : place - from;
  }
  return places;
}

/** A text header in the making. */
export class SlicedHeader {
  readonly #rows = new Rows();
  readonly #starts = new Words();
  readonly #ends = new Words();
  #isUniform = true;

  /** The piece that was added last; -1: none was. */
  get lastStart(): number {
    return this.#starts.length === 0 ? -1 : this.#starts.at(this.#starts.length - 1);
  }

  get lastEnd(): number {
    return this.#starts.length === 0 ? -1 : this.#ends.at(this.#ends.length - 1);
  }

  /** A piece that equals the last one should be added by the places of that one: a header that never changes becomes a constant then. */
  add(row: number, start: number, end: number): void {
    if (this.#starts.length > 0 && (start !== this.lastStart || end !== this.lastEnd)) this.#isUniform = false;
    this.#rows.add(row);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  undo(row: number): void {
    if (this.#rows.undo(row)) this.#starts.length = this.#ends.length = this.#rows.count;
  }

  finish(batchLength: number, backing: Backing): TextColumn | null {
    if (this.#rows.count === 0) return null;
    const rows = this.#rows.finish(batchLength);
    const starts = placed(this.#starts, backing);
    const ends = placed(this.#ends, backing);
    if (rows === null && this.#isUniform) return { constant: backing.text.slice(starts[0] as number, ends[0] as number) };
    return textHeader(rows, backing.text, starts, ends);
  }

  clear(): void {
    this.#rows.clear();
    this.#starts.length = this.#ends.length = 0;
    this.#isUniform = true;
  }
}

/** Severity or Pid in the making. */
export class NumberHeader {
  readonly #rows = new Rows();
  readonly #values = new Words();

  add(row: number, value: number): void {
    this.#rows.add(row);
    this.#values.push(value);
  }

  undo(row: number): void {
    if (this.#rows.undo(row)) this.#values.length = this.#rows.count;
  }

  finish(batchLength: number): IntColumn | null {
    if (this.#rows.count === 0) return null;
    const values = new Int32Array(this.#values.taken().buffer);
    const [first = 0] = values;
    const rows = this.#rows.finish(batchLength);
    return rows === null && values.every((value) => value === first) ? { constant: first } : { rows, values };
  }

  clear(): void {
    this.#rows.clear();
    this.#values.length = 0;
  }
}

/** A field column in the making. Values are added to the store of its type, then the entry is closed. */
export class SlicedColumn implements KeyedColumn {
  readonly index: number;
  readonly name: string;
  readonly valueType: ValueType;
  readonly representation: string | null;
  readonly starts: Words;
  readonly ends: Words;
  readonly integers: Integers;
  /** Doubles, and bools as 0 and 1. */
  readonly numbers: Doubles;
  bytes = NO_BYTES;
  readonly #rows = new Rows();
  /** Number of values up to the end of each entry; null while every entry has exactly one. */
  #offsets: Words | null = null;

  constructor(index: number, name: string, valueType: ValueType, representation: string | null) {
    this.index = index;
    this.name = name;
    this.valueType = valueType;
    this.representation = representation;
    const isNumber = valueType === ValueType.DOUBLE || valueType === ValueType.BOOL;
    this.starts = valueType === ValueType.STRING ? new Words() : NO_WORDS;
    this.ends = valueType === ValueType.STRING ? new Words() : NO_WORDS;
    this.integers = valueType === ValueType.INTEGER ? new Integers() : NO_INTEGERS;
    this.numbers = isNumber ? new Doubles() : NO_DOUBLES;
    if (valueType === ValueType.BYTES) this.bytes = new ByteSink();
  }

  get entries(): number {
    return this.#rows.count;
  }

  /** Adds a piece of text; its entry is closed by `close`. */
  addPiece(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
  }

  /** Makes the values added since the last call the entry of this row. */
  close(row: number): void {
    const count = this.#count();
    const entries = this.#rows.count;
    if (this.#offsets === null && count !== entries + 1) {
      this.#offsets = new Words();
      for (let i = 1; i <= entries; i++) this.#offsets.push(i);
    }
    this.#offsets?.push(count);
    this.#rows.add(row);
  }

  /** Takes the entry of this row away, and values that are not closed. Not for bytes. */
  undo(row: number): void {
    this.#rows.undo(row);
    const entries = this.#rows.count;
    if (this.#offsets !== null) this.#offsets.length = entries;
    const count = this.#offsets === null || entries === 0 ? entries : this.#offsets.at(entries - 1);
    if (this.valueType === ValueType.STRING) this.starts.length = this.ends.length = count;
    else if (this.valueType === ValueType.INTEGER) this.integers.length = count;
    else this.numbers.length = count;
  }

  finish(batchLength: number, backing: Backing): FieldColumn {
    const { name, representation } = this;
    const offsets = this.#offsets === null ? null : offsetsOf(this.#offsets);
    const base = { name, representation, rows: this.#rows.finish(batchLength), offsets };
    switch (this.valueType) {
      case ValueType.STRING: {
        const values = textValues(backing.text, placed(this.starts, backing), placed(this.ends, backing));
        return { ...base, valueType: ValueType.STRING, values };
      }
      case ValueType.BYTES:
        return { ...base, valueType: ValueType.BYTES, values: this.bytes.finish() };
      case ValueType.INTEGER:
        return { ...base, valueType: ValueType.INTEGER, values: this.integers.taken() };
      case ValueType.DOUBLE:
        return { ...base, valueType: ValueType.DOUBLE, values: this.numbers.taken() };
      case ValueType.BOOL:
        return { ...base, valueType: ValueType.BOOL, values: Uint8Array.from(this.numbers.taken()) };
    }
  }

  /** Forgets all entries; the memory is used again. */
  clear(): void {
    this.#rows.clear();
    this.#offsets = null;
    for (const list of [this.starts, this.ends, this.integers, this.numbers]) list.length = 0;
    if (this.valueType === ValueType.BYTES) this.bytes = new ByteSink();
  }

  #count(): number {
    switch (this.valueType) {
      case ValueType.STRING:
        return this.starts.length;
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

function offsetsOf(ends: Words): Uint32Array {
  const offsets = new Uint32Array(ends.length + 1);
  offsets.set(ends.taken(), 1);
  return offsets;
}

/** Stand in for the stores that a column of another type does not have. */
const NO_WORDS = new Words();
const NO_INTEGERS = new Integers();
const NO_DOUBLES = new Doubles();
const NO_BYTES = new ByteSink();
