import type { MessageBatch } from '../batch/batch.ts';
import { LatinText } from '../latin-text.ts';
import { keyOf, MessageKey as Key } from './message-writer.ts';
import { decodeMessage } from './protobuf.ts';
import { SlicedBuilder } from '../batch/sliced-builder.ts';
import { BEHIND, type NumberHeader, type SlicedColumn, type SlicedHeader } from '../batch/sliced-columns.ts';
import { ValueType } from '../types.ts';

/** A place that stands for: read this message the other way. */
const OTHERWISE = -1;
const UUID_BYTES = 16;
/** Bytes up to those of the timestamp. */
const HEAD_BYTES = 2 + UUID_BYTES + 1;
const HIGHEST_BITS = 0x80808080;
const NO_BYTES = Buffer.alloc(0);

/** The name and the representation of a column in UTF-8. */
interface ColumnBytes {
  readonly name: Uint8Array;
  readonly representation: Uint8Array | null;
}

/**
 * Reads messages in protobuf into the columns of a batch. Messages that are written as this program and most others write them, with the fields of the message
 * before, are read without making objects of them; all others by `decodeMessage`. The results are the same.
 */
export class EncodedReader {
  readonly #builder = new SlicedBuilder();
  readonly #byKey = Array.from({ length: 256 }, (_, key) => this.#builder.headers.find(({ header }) => keyOf(header) === key) ?? null);
  readonly #columns = new WeakMap<SlicedColumn, ColumnBytes>();
  #bytes: Buffer = NO_BYTES;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The stretch of the bytes in which the messages lie. */
  #from = 0;
  #to = 0;
  /** End of the length-delimited value that was opened last. */
  #stop = 0;
  /** The halves of the varint that was read last. */
  #low = 0;
  #high = 0;

  /** Begins a batch of messages that lie in these bytes from `from` on; they are not to change until it is built. */
  begin(bytes: Uint8Array, from: number): void {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#from = this.#to = from;
  }

  /** Adds the message that lies at [start, end), behind the last one. @throws {MessageDecodeError} as `decodeMessage` does; nothing is added then */
  add(start: number, end: number): void {
    if (this.#readQuickly(start, end)) this.#to = end;
    else this.#builder.append(decodeMessage(this.#bytes.subarray(start, end)));
  }

  /** The messages that were added since `begin`. */
  build(): MessageBatch {
    const bytes = Buffer.allocUnsafeSlow(this.#to - this.#from);
    this.#bytes.copy(bytes, 0, this.#from, this.#to);
    const batch = this.#builder.build(new LatinText(bytes), this.#from);
    this.begin(NO_BYTES, 0);
    return batch;
  }

  #readQuickly(start: number, end: number): boolean {
    const bytes = this.#bytes;
    if (end - start <= HEAD_BYTES || bytes[start] !== Key.uuid || bytes[start + 1] !== UUID_BYTES) return false;
    if (bytes[start + HEAD_BYTES - 1] !== Key.timestamp) return false;
    const at = this.#varint(start + HEAD_BYTES, end);
    if (at === OTHERWISE) return false;
    const builder = this.#builder;
    const row = builder.begin(this.#low, this.#high);
    const { uuids } = builder;
    for (let i = 0; i < UUID_BYTES; i++) uuids[row * UUID_BYTES + i] = bytes[start + 2 + i] as number;
    const fields = this.#headers(row, at, end);
    if (fields !== OTHERWISE && this.#fields(row, fields, end)) return true;
    builder.undo();
    return false;
  }

  /** Reads headers in ascending order, and returns the place behind them. */
  #headers(row: number, from: number, end: number): number {
    let at = from;
    let last: number = Key.timestamp;
    while (at < end) {
      const key = this.#bytes[at] as number;
      if (key === Key.field) return at;
      if (key <= last) return OTHERWISE;
      last = key;
      at = this.#header(key, row, at + 1, end);
      if (at === OTHERWISE) return OTHERWISE;
    }
    return at;
  }

  #header(key: number, row: number, at: number, end: number): number {
    const header = this.#byKey[key] ?? null;
    if (header === null) return OTHERWISE;
    return header.kind === 'text' ? this.#text(header.store, row, at, end) : this.#number(header.store, row, at, end);
  }

  #text(header: SlicedHeader, row: number, at: number, end: number): number {
    const start = this.#open(at, end);
    if (start === OTHERWISE) return OTHERWISE;
    const stop = this.#stop;
    if (this.#equalsLast(header, start, stop)) header.add(row, header.lastStart, header.lastEnd);
    else if (this.#isAscii(start, stop)) header.add(row, start, stop);
    else {
      const text = this.#bytes.toString('utf8', start, stop);
      const kept = this.#builder.keep(text);
      header.add(row, kept, kept + text.length);
    }
    return stop;
  }

  #number(header: NumberHeader, row: number, at: number, end: number): number {
    const next = this.#varint(at, end);
    if (next !== OTHERWISE) header.add(row, this.#low | 0);
    return next;
  }

  #equalsLast(header: SlicedHeader, start: number, stop: number): boolean {
    const from = header.lastStart;
    return from >= 0 && from < BEHIND && header.lastEnd - from === stop - start && this.#areEqual(from, start, stop);
  }

  /** Whether the bytes [start, stop) are those from `other` on, too. */
  #areEqual(other: number, start: number, stop: number): boolean {
    const bytes = this.#bytes;
    for (let i = start, k = other; i < stop; i++, k++) if (bytes[i] !== bytes[k]) return false;
    return true;
  }

  /** Reads fields that are those of the message before; false: they are others, or written in another way. */
  #fields(row: number, from: number, end: number): boolean {
    const builder = this.#builder;
    const bytes = this.#bytes;
    let previous = -1;
    for (let at = from; at < end;) {
      const column = builder.guess(previous);
      if (column === null || bytes[at] !== Key.field) return false;
      const start = this.#open(at + 1, end);
      if (start === OTHERWISE) return false;
      const stop = this.#stop;
      const values = this.#fieldHead(this.#bytesOf(column), column.valueType, start, stop);
      if (values === OTHERWISE) return false;
      builder.touch(column);
      if (!this.#values(column, values, stop)) return false;
      column.close(row);
      previous = column.index;
      at = stop;
    }
    return true;
  }

  /** Reads what stands in front of a field's values, and returns the place behind it if it is that of a column. */
  #fieldHead({ name, representation }: ColumnBytes, valueType: ValueType, start: number, end: number): number {
    const bytes = this.#bytes;
    let at = this.#expect(Key.name, name, start, end);
    if (at === OTHERWISE) return OTHERWISE;
    if (bytes[at] === Key.valueType && at + 1 < end) {
      if (bytes[at + 1] !== valueType) return OTHERWISE;
      at += 2;
    } else if (valueType !== ValueType.STRING) return OTHERWISE;
    return representation === null ? at : this.#expect(Key.representation, representation, at, end);
  }

  /** Expects a short text with its key, and returns the place behind it. */
  #expect(key: number, text: Uint8Array, at: number, end: number): number {
    const bytes = this.#bytes;
    const stop = at + 2 + text.length;
    if (stop > end || bytes[at] !== key || bytes[at + 1] !== text.length) return OTHERWISE;
    for (let i = 0; i < text.length; i++) if (bytes[at + 2 + i] !== text[i]) return OTHERWISE;
    return stop;
  }

  #bytesOf(column: SlicedColumn): ColumnBytes {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const { name, representation } = column;
    const made = { name: Buffer.from(name), representation: representation === null ? null : Buffer.from(representation) };
    this.#columns.set(column, made);
    return made;
  }

  #values(column: SlicedColumn, at: number, end: number): boolean {
    switch (column.valueType) {
      case ValueType.STRING:
        return this.#strings(column, at, end);
      case ValueType.INTEGER:
        return this.#integers(column, at, end);
      case ValueType.DOUBLE:
        return this.#doubles(column, at, end);
      case ValueType.BOOL:
        return this.#bools(column, at, end);
      case ValueType.BYTES:
        return false;
    }
  }

  #strings(column: SlicedColumn, from: number, end: number): boolean {
    for (let at = from; at < end; at = this.#stop) {
      const start = this.#bytes[at] === Key.string ? this.#open(at + 1, end) : OTHERWISE;
      if (start === OTHERWISE) return false;
      if (this.#isAscii(start, this.#stop)) column.addPiece(start, this.#stop);
      else {
        const text = this.#bytes.toString('utf8', start, this.#stop);
        const kept = this.#builder.keep(text);
        column.addPiece(kept, kept + text.length);
      }
    }
    return true;
  }

  #integers(column: SlicedColumn, from: number, end: number): boolean {
    const start = this.#list(Key.integer, Key.integers, from, end);
    let count = 0;
    for (let at = start; at !== end; count++) {
      at = at === OTHERWISE ? OTHERWISE : this.#varint(at, end);
      if (at === OTHERWISE) return false;
      column.integers.push(this.#low, this.#high);
    }
    return this.#bytes[from] !== Key.integer || count === 1;
  }

  #doubles(column: SlicedColumn, from: number, end: number): boolean {
    const start = this.#list(Key.double, Key.doubles, from, end);
    if (start === OTHERWISE || (end - start) % 8 !== 0) return false;
    for (let at = start; at < end; at += 8) column.numbers.push(this.#view.getFloat64(at, true));
    return this.#bytes[from] !== Key.double || end - start === 8;
  }

  #bools(column: SlicedColumn, from: number, end: number): boolean {
    const start = this.#list(Key.bool, Key.bools, from, end);
    if (start === OTHERWISE) return false;
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at] as number;
      if (byte > 1) return false;
      column.numbers.push(byte);
    }
    return this.#bytes[from] !== Key.bool || end - start === 1;
  }

  /** Returns the place of the first value of a packed list, behind which the field ends, or of a value without a list; the end when there is neither. */
  #list(single: number, packed: number, at: number, end: number): number {
    if (at === end) return end;
    const key = this.#bytes[at];
    if (key === single) return at + 1;
    const start = key === packed ? this.#open(at + 1, end) : OTHERWISE;
    return this.#stop === end ? start : OTHERWISE;
  }

  /** Reads a length below 2^28, and returns the place behind it; `#stop` is the end of so many bytes. */
  #open(from: number, end: number): number {
    const bytes = this.#bytes;
    let length = 0;
    let at = from;
    for (let shift = 0; shift < 28 && at < end; shift += 7) {
      const byte = bytes[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      this.#stop = at + length;
      return this.#stop > end ? OTHERWISE : at;
    }
    return OTHERWISE;
  }

  /** Reads a varint of 64 bits, and returns the place behind it. */
  #varint(from: number, end: number): number {
    const bytes = this.#bytes;
    let low = 0;
    let high = 0;
    let at = from;
    for (let shift = 0; shift < 70 && at < end; shift += 7) {
      const byte = bytes[at++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte >= 0x80) continue;
      this.#low = low;
      this.#high = high;
      return at;
    }
    return OTHERWISE;
  }

  #isAscii(start: number, end: number): boolean {
    const view = this.#view;
    let at = start;
    for (; at + 4 <= end; at += 4) if ((view.getInt32(at) & HIGHEST_BITS) !== 0) return false;
    for (; at < end; at++) if (view.getUint8(at) >= 0x80) return false;
    return true;
  }
}
