import { formatUuid } from '../../../message/uuid.ts';
import { textNumbered } from '../batch.ts';
import { BOOL, BYTES, DOUBLE, INTEGER, STRING } from './row-message.ts';

/** Column types of headers; columns of fields use the numbers of `ValueType`. */
export const TEXT_HEADER = 10;
export const INT_HEADER = 11;
export const TIME = 12;
export const UUID = 13;

export const noWords = new Uint32Array(0);
export const noInts = new Int32Array(0);
export const noDoubles = new Float64Array(0);
const noBytes = new Uint8Array(0);

/** A column of the current batch; without values until its variable is delivered. */
export class InputColumn {
  readonly name: string;
  readonly representation: string | null;
  readonly type: number;
  /** Number of rows of the batch. */
  readonly length: number;
  loaded = false;
  constant: string | number | null = null;
  rows: Uint32Array | null = null;
  offsets: Uint32Array | null = null;
  textNumber = -1;
  starts: Uint32Array = noWords;
  ends: Uint32Array = noWords;
  bytes: Uint8Array = noBytes;
  doubles: Float64Array = noDoubles;
  ints: Int32Array = noInts;
  /** The entry of each row, -1 without one; only for columns with rows that have no entry. */
  entries: Int32Array | null = null;

  constructor(name: string, representation: string | null, type: number, length: number) {
    this.name = name;
    this.representation = representation;
    this.type = type;
    this.length = length;
  }

  /** The text that values are pieces of. */
  get text(): string {
    return this.textNumber < 0 ? '' : textNumbered(this.textNumber);
  }

  entry(row: number): number {
    if (this.rows === null) return row;
    return (this.entries ??= entriesOf(this.rows, this.length))[row] as number;
  }

  /** Number of values of an entry. */
  count(entry: number): number {
    return this.offsets === null ? 1 : (this.offsets[entry + 1] as number) - (this.offsets[entry] as number);
  }

  /** A value of an entry as scripts see it, or null. */
  value(entry: number, index: number): string | number | boolean | Uint8Array | null {
    if (index >= this.count(entry)) return null;
    const at = this.offsets === null ? entry : (this.offsets[entry] as number) + index;
    switch (this.type) {
      case STRING:
      case TEXT_HEADER:
        return this.text.slice(this.starts[at], this.ends[at]);
      case BYTES:
        return this.starts[at] === this.ends[at] ? null : copyOf(this.bytes, this.starts[at] as number, this.ends[at] as number);
      case INTEGER:
      case TIME:
        return numberOfWords(this.ints, at);
      case DOUBLE:
        return this.doubles[at] as number;
      case BOOL:
        return this.bytes[at] !== 0;
      case INT_HEADER:
        return this.ints[at] as number;
      default:
        return formatUuid(this.bytes, at * 16);
    }
  }

  /** An int64 value of an entry. */
  big(entry: number, index: number): bigint {
    const at = this.offsets === null ? entry : (this.offsets[entry] as number) + index;
    return (BigInt(this.ints[at * 2 + 1] as number) << 32n) | BigInt((this.ints[at * 2] as number) >>> 0);
  }
}

function entriesOf(rows: Uint32Array, length: number): Int32Array {
  const entries = new Int32Array(length).fill(-1);
  for (let i = 0; i < rows.length; i++) entries[rows[i] as number] = i;
  return entries;
}

export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  for (let i = start; i < end; i++) copy[i - start] = bytes[i] as number;
  return copy;
}

/** An int64 as a double, rounded once. */
export function numberOfWords(words: Int32Array, at: number): number {
  return (words[at * 2 + 1] as number) * 4294967296 + ((words[at * 2] as number) >>> 0);
}
