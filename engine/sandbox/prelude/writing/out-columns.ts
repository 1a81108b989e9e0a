import type { ValueType } from '../../../message/types.ts';
import { ARENA, type OutColumn, type OutField } from '../../contract/protocol.ts';
import { addText } from '../arena.ts';
import { textNumbered } from '../batch.ts';
import { announce } from '../block.ts';
import { grown32, grown64, grown8, grownInt32 } from '../grow.ts';
import { BOOL, BYTES, DOUBLE, INTEGER, STRING, type RowValue } from '../reading/row-message.ts';

const noColumn: OutColumn = { entries: 0, values: -1, rows: -1, offsets: -1, ends: -1, count: 0, text: ARENA, bytes: -1, bytesLength: 0 };

/** A text that all messages have goes in the head when it is so short: a longer one would be written and read as JSON. */
const LONGEST_CONSTANT = 128;

/** A text header of the messages being injected. */
export class OutText {
  entries = 0;
  rows = new Uint32Array(64);
  starts = new Uint32Array(64);
  ends = new Uint32Array(64);
  /** Number of the text that the pieces are of. */
  text: number = ARENA;
  /** The last value, and whether all values so far are the same. */
  last: string | null = null;
  constant = true;

  set(row: number, value: string): void {
    if (this.text !== ARENA) this.copyToArena();
    const at = this.place(row);
    if (value === this.last && at > 0) {
      this.starts[at] = this.starts[at - 1] as number;
      this.ends[at] = this.ends[at - 1] as number;
    } else {
      if (at > 0) this.constant = false;
      this.last = value;
      this.starts[at] = addText(value);
      this.ends[at] = this.starts[at] + value.length;
    }
    this.entries = at + 1;
  }

  /** Sets a piece of an input text. */
  setSlice(row: number, text: number, start: number, end: number): void {
    if (this.text !== text) {
      if (this.entries > 0) {
        this.set(row, textNumbered(text).slice(start, end));
        return;
      }
      this.text = text;
    }
    const at = this.place(row);
    this.constant = false;
    this.starts[at] = start;
    this.ends[at] = end;
    this.entries = at + 1;
  }

  place(row: number): number {
    const at = this.entries;
    if (at === this.rows.length) {
      this.rows = grown32(this.rows, at + 1);
      this.starts = grown32(this.starts, at + 1);
      this.ends = grown32(this.ends, at + 1);
    }
    this.rows[at] = row;
    return at;
  }

  copyToArena(): void {
    const text = textNumbered(this.text);
    for (let i = 0; i < this.entries; i++) {
      const value = text.slice(this.starts[i], this.ends[i]);
      this.starts[i] = addText(value);
      this.ends[i] = (this.starts[i] as number) + value.length;
    }
    this.text = ARENA;
    this.last = null;
  }

  /** Removes the values of messages from number `row` on. */
  cut(row: number): void {
    this.last = null;
    while (this.entries > 0 && (this.rows[this.entries - 1] as number) >= row) this.entries--;
  }

  /** Describes the column for `count` messages and empties it. */
  take(count: number): null | { constant: string } | OutColumn {
    const { entries, last } = this;
    if (entries === 0) return null;
    const place =
      this.constant && entries === count && last !== null && last.length <= LONGEST_CONSTANT
        ? { constant: last }
        : {
            ...noColumn,
            entries,
            count: entries,
            rows: entries === count ? -1 : announce(this.rows, entries),
            values: announce(this.starts, entries),
            ends: announce(this.ends, entries),
            text: this.text,
          };
    this.entries = 0;
    this.text = ARENA;
    this.last = null;
    this.constant = true;
    return place;
  }
}

/** A number header of the messages being injected. */
export class OutInt {
  entries = 0;
  rows = new Uint32Array(64);
  values = new Int32Array(64);

  set(row: number, value: number): void {
    const at = this.entries;
    if (at === this.rows.length) {
      this.rows = grown32(this.rows, at + 1);
      this.values = grownInt32(this.values, at + 1);
    }
    this.rows[at] = row;
    this.values[at] = value;
    this.entries = at + 1;
  }

  cut(row: number): void {
    while (this.entries > 0 && (this.rows[this.entries - 1] as number) >= row) this.entries--;
  }

  take(count: number): null | OutColumn {
    const { entries } = this;
    this.entries = 0;
    if (entries === 0) return null;
    const rows = entries === count ? -1 : announce(this.rows, entries);
    return { ...noColumn, entries, count: entries, rows, values: announce(this.values, entries) };
  }
}

/** Each array takes a hundred bytes beside its elements, and a batch may have thousands of columns: those that a column does not need are shared. */
const noWords = new Uint32Array(0);
const noInts = new Int32Array(0);
const noDoubles = new Float64Array(0);
const noBytes = new Uint8Array(0);

const bigs = new BigInt64Array(1);
const halves = new Int32Array(bigs.buffer);

/** A field column of the messages being injected. */
export class OutFieldColumn {
  readonly index: number;
  readonly name: string;
  readonly valueType: ValueType;
  readonly representation: string | null;
  entries = 0;
  count = 0;
  single = true;
  rows = new Uint32Array(4);
  offsets = new Uint32Array(4);
  starts = noWords;
  ends = noWords;
  doubles = noDoubles;
  /** Int64 values as 32-bit halves: as doubles, the bits of some NaNs would change. */
  words = noInts;
  bytes = noBytes;
  bytesLength = 0;
  last: string | null = null;

  constructor(index: number, name: string, valueType: ValueType, representation: string | null) {
    this.index = index;
    this.name = name;
    this.valueType = valueType;
    this.representation = representation;
  }

  add(row: number, values: readonly RowValue[]): void {
    const at = this.entries;
    if (at + 1 >= this.rows.length) {
      this.rows = grown32(this.rows, at + 2);
      this.offsets = grown32(this.offsets, at + 2);
    }
    this.rows[at] = row;
    for (let i = 0; i < values.length; i++) this.addValue(values[i] as RowValue);
    if (values.length !== 1) this.single = false;
    this.offsets[at + 1] = this.count;
    this.entries = at + 1;
  }

  addValue(value: RowValue): void {
    const at = this.count;
    switch (this.valueType) {
      case STRING:
        this.addPiece(at, value as string);
        break;
      case BYTES:
        this.addBytes(at, value as Uint8Array);
        break;
      case BOOL:
        if (at === this.bytes.length) this.bytes = grown8(this.bytes, at + 1);
        this.bytes[at] = value as number;
        break;
      case INTEGER:
        if (at * 2 >= this.words.length) this.words = grownInt32(this.words, at * 2 + 2);
        bigs[0] = value as bigint;
        this.words[at * 2] = halves[0] as number;
        this.words[at * 2 + 1] = halves[1] as number;
        break;
      default:
        if (at === this.doubles.length) this.doubles = grown64(this.doubles, at + 1);
        this.doubles[at] = value as number;
    }
    this.count = at + 1;
  }

  announceValues(): number {
    switch (this.valueType) {
      case INTEGER:
        return announce(this.words, this.count * 2);
      case DOUBLE:
        return announce(this.doubles, this.count);
      case BOOL:
        return announce(this.bytes, this.count);
      default:
        return announce(this.starts, this.count);
    }
  }

  addPiece(at: number, value: string): void {
    this.roomForPiece(at);
    if (value === this.last) {
      this.starts[at] = this.starts[at - 1] as number;
      this.ends[at] = this.ends[at - 1] as number;
      return;
    }
    this.last = value;
    this.starts[at] = addText(value);
    this.ends[at] = this.starts[at] + value.length;
  }

  addBytes(at: number, value: Uint8Array): void {
    this.roomForPiece(at);
    const start = this.bytesLength;
    if (start + value.length > this.bytes.length) this.bytes = grown8(this.bytes, start + value.length);
    this.bytes.set(value, start);
    this.starts[at] = start;
    this.ends[at] = this.bytesLength = start + value.length;
  }

  roomForPiece(at: number): void {
    if (at < this.starts.length) return;
    this.starts = grown32(this.starts, at + 1);
    this.ends = grown32(this.ends, at + 1);
  }

  cut(row: number): void {
    this.last = null;
    while (this.entries > 0 && (this.rows[this.entries - 1] as number) >= row) this.entries--;
    this.count = this.entries === 0 ? 0 : (this.offsets[this.entries] as number);
    if (this.valueType === BYTES) this.bytesLength = this.count === 0 ? 0 : (this.ends[this.count - 1] as number);
  }

  /** Describes the column for `total` messages and empties it. */
  take(total: number): OutField {
    const { name, representation, valueType: type, entries, count } = this;
    const pieces = type === STRING || type === BYTES;
    const field: OutField = {
      ...noColumn,
      name,
      representation,
      type,
      entries,
      count,
      rows: entries === total ? -1 : announce(this.rows, entries),
      offsets: this.single ? -1 : announce(this.offsets, entries + 1),
      values: this.announceValues(),
      ends: pieces ? announce(this.ends, count) : -1,
      bytes: type === BYTES ? announce(this.bytes, this.bytesLength) : -1,
      bytesLength: type === BYTES ? this.bytesLength : 0,
    };
    this.entries = this.count = this.bytesLength = 0;
    this.single = true;
    this.last = null;
    return field;
  }
}
