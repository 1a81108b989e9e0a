import { clampInt64 } from '../../../message/int64.ts';
import { ARENA, type OutField } from '../../contract/protocol.ts';
import { addText } from '../arena.ts';
import { announce } from '../block.ts';
import { grown32, grown64, grown8, grownInt32 } from '../grow.ts';
import { OutFieldColumn } from './out-columns.ts';
import { textNumbered } from '../batch.ts';
import { hasOwn } from '../intrinsics.ts';
import { BOOL, DOUBLE, INTEGER, STRING, type RowField, type RowValue } from '../reading/row-message.ts';

/** The type of a column's values. */
export type ColumnType = typeof STRING | typeof DOUBLE | typeof INTEGER | typeof BOOL;

/** Kinds of values that a message has in a column. */
const NOTHING = 0;
const SLICE = 1;
const TEXT = 2;
const NUMBER = 3;
const INT64 = 4;
const BOOLEAN = 5;
const LIST = 6;

/** Memory that columns without a value share. */
const NO_BYTES = new Uint8Array(0);
const NO_OFFSETS = new Uint32Array(0);
const NO_DOUBLES = new Float64Array(0);
const NO_WORDS = new Int32Array(0);

const big = new BigInt64Array(1);
const halves = new Int32Array(big.buffer);

/**
 * A column of a message writer, with one optional value for each message of the writer. Values that do not fit into one column of a batch (pieces
 * of the input and other texts, lists and single values) become several columns of the same name. A column takes hardly any memory until it has a value.
 */
export class WriterColumn {
  readonly name: string;
  readonly representation: string | null;
  readonly type: ColumnType;
  #entryKinds = NO_BYTES;
  #starts = NO_OFFSETS;
  #ends = NO_OFFSETS;
  #doubles = NO_DOUBLES;
  /** Integers as halves of 32 bits, the lower one first. */
  #words = NO_WORDS;
  #bools = NO_BYTES;
  /** Number of the input text that slices refer to. */
  #input = ARENA;
  #lastText: string | null = null;
  #lastStart = 0;
  #lists: { at: number; values: RowValue[] }[] = [];
  /** Number of the first messages that all have a value, of this kind: most columns are so. -1: the column is not so. */
  #dense = 0;
  #kind = NOTHING;
  /** Otherwise the number of messages with a value, and the kinds of these values: bit n stands for kind n. */
  #used = 0;
  #kinds = 0;

  constructor(name: string, representation: string | null, type: ColumnType) {
    this.name = name;
    this.representation = representation;
    this.type = type;
  }

  slice(at: number, input: number, start: number, end: number): void {
    this.#reach(at, SLICE, this.#starts.length);
    this.#input = input;
    this.#starts[at] = start;
    this.#ends[at] = end;
  }

  text(at: number, value: string): void {
    this.#reach(at, TEXT, this.#starts.length);
    if (value !== this.#lastText) {
      this.#lastText = value;
      this.#lastStart = addText(value);
    }
    this.#starts[at] = this.#lastStart;
    this.#ends[at] = this.#lastStart + value.length;
  }

  number(at: number, value: number): void {
    this.#reach(at, NUMBER, this.#doubles.length);
    this.#doubles[at] = value;
  }

  integer(at: number, value: bigint): void {
    this.#reach(at, INT64, this.#words.length >> 1);
    big[0] = clampInt64(value);
    this.#words[at * 2] = halves[0] as number;
    this.#words[at * 2 + 1] = halves[1] as number;
  }

  bool(at: number, value: boolean): void {
    this.#reach(at, BOOLEAN, this.#bools.length);
    this.#bools[at] = value ? 1 : 0;
  }

  list(at: number, values: RowValue[]): void {
    this.#reach(at, LIST, 0);
    while (this.#lists.length > 0 && this.#lists[this.#lists.length - 1]?.at === at) this.#lists.pop();
    this.#lists.push({ at, values });
  }

  /** Makes room for the value of a message, and notes that it has one. @param capacity number of values for which there is room */
  #reach(at: number, kind: number, capacity: number): void {
    if (at === this.#dense && kind === this.#kind && at < capacity) this.#dense = at + 1;
    else this.#reachSlowly(at, kind);
  }

  #reachSlowly(at: number, kind: number): void {
    if (kind !== LIST && at >= this.#capacity()) this.#grow(at + 1);
    if (this.#dense === 0) this.#kind = kind;
    const isDense = this.#dense >= 0 && kind !== LIST && kind === this.#kind;
    if (isDense && at === this.#dense) this.#dense++;
    else if (!isDense || at !== this.#dense - 1) this.#hold(at, kind);
  }

  #capacity(): number {
    if (this.type === DOUBLE) return this.#doubles.length;
    if (this.type === INTEGER) return this.#words.length >> 1;
    return this.type === BOOL ? this.#bools.length : this.#starts.length;
  }

  #grow(capacity: number): void {
    if (this.type === DOUBLE) this.#doubles = grown64(this.#doubles, capacity);
    else if (this.type === INTEGER) this.#words = grownInt32(this.#words, capacity * 2);
    else if (this.type === BOOL) this.#bools = grown8(this.#bools, capacity);
    else {
      this.#starts = grown32(this.#starts, capacity);
      this.#ends = grown32(this.#ends, capacity);
    }
  }

  /** Notes the kind of the value of a message that does not follow the others. */
  #hold(at: number, kind: number): void {
    if (at >= this.#entryKinds.length) this.#entryKinds = grown8(this.#entryKinds, at + 1);
    if (this.#dense >= 0) {
      this.#entryKinds.fill(this.#kind, 0, this.#dense);
      this.#used = this.#dense;
      this.#kinds = this.#used === 0 ? 0 : 1 << this.#kind;
      this.#dense = -1;
    }
    if (this.#entryKinds[at] === NOTHING) this.#used++;
    this.#entryKinds[at] = kind;
    this.#kinds |= 1 << kind;
  }

  /** The value of a message that is not injected yet, as a field; null without one. */
  field(at: number): RowField | null {
    const values = this.#valuesAt(at);
    if (values === null) return null;
    return { name: this.name, representation: this.representation, type: this.type, values };
  }

  #valuesAt(at: number): RowValue[] | null {
    switch (this.#kindAt(at)) {
      case SLICE:
        return [textNumbered(this.#input).slice(this.#starts[at], this.#ends[at])];
      case TEXT:
        return [this.#lastText as string];
      case NUMBER:
        return [this.#doubles[at] as number];
      case INT64:
        halves[0] = this.#words[at * 2] as number;
        halves[1] = this.#words[at * 2 + 1] as number;
        return [big[0] as bigint];
      case BOOLEAN:
        return [this.#bools[at] as number];
      case LIST:
        return this.#lists[this.#lists.length - 1]?.values ?? null;
      default:
        return null;
    }
  }

  #kindAt(at: number): number {
    if (this.#dense < 0) return this.#entryKinds[at] ?? NOTHING;
    return at < this.#dense ? this.#kind : NOTHING;
  }

  /** Removes the values of the messages [from, to), which are the last ones. */
  clear(from: number, to: number): void {
    if (this.#dense >= 0) {
      if (from < this.#dense) this.#dense = from;
      return;
    }
    for (let at = from; at < to && at < this.#entryKinds.length; at++) {
      if (this.#entryKinds[at] !== NOTHING) this.#used--;
      this.#entryKinds[at] = NOTHING;
    }
    while (this.#lists.length > 0 && (this.#lists[this.#lists.length - 1]?.at as number) >= from) this.#lists.pop();
  }

  /**
   * Describes the values of the first `count` messages and empties the column.
   * @param numbers the numbers of these messages among the `injected` ones of the result
   */
  take(count: number, numbers: Uint32Array, injected: number): OutField[] {
    const fields = this.#dense < 0 ? this.#takeKinds(count, numbers, injected) : [];
    if (this.#dense > 0) fields.push(this.#takeKind(this.#kind, this.#dense, null, numbers, injected));
    this.#dense = 0;
    this.#lastText = null;
    return fields;
  }

  #takeKinds(count: number, numbers: Uint32Array, injected: number): OutField[] {
    const fields: OutField[] = [];
    for (let kind = SLICE; kind <= LIST && this.#used > 0; kind++) {
      if ((this.#kinds & (1 << kind)) === 0) continue;
      const entries = this.#kinds === 1 << kind ? this.#used : countOf(this.#entryKinds, kind, count);
      if (entries === 0) continue;
      if (kind === LIST) fields.push(this.#takeLists(numbers, injected));
      else
        fields.push(this.#takeKind(kind, entries, entries === count ? null : placesOf(this.#entryKinds, kind, entries), numbers, injected));
    }
    this.#entryKinds.fill(NOTHING, 0, count);
    this.#used = this.#kinds = 0;
    this.#lists = [];
    return fields;
  }

  /** @param places of the values; null: they are the first ones */
  #takeKind(held: number, entries: number, places: Uint32Array | null, numbers: Uint32Array, injected: number): OutField {
    const rows = entries === injected ? -1 : announce(places === null ? numbers : pick32(numbers, places), entries);
    const base = {
      name: this.name,
      representation: this.representation,
      entries,
      count: entries,
      rows,
      offsets: -1,
      bytes: -1,
      bytesLength: 0,
    };
    if (held === NUMBER) {
      const values = announce(places === null ? this.#doubles : pick64(this.#doubles, places), entries);
      return { ...base, type: DOUBLE, values, ends: -1, text: ARENA };
    }
    if (held === INT64) {
      const values = announce(places === null ? this.#words : pickPairs(this.#words, places), entries * 2);
      return { ...base, type: INTEGER, values, ends: -1, text: ARENA };
    }
    if (held === BOOLEAN) {
      const values = announce(places === null ? this.#bools : pick8(this.#bools, places), entries);
      return { ...base, type: BOOL, values, ends: -1, text: ARENA };
    }
    const values = announce(places === null ? this.#starts : pick32(this.#starts, places), entries);
    const ends = announce(places === null ? this.#ends : pick32(this.#ends, places), entries);
    return { ...base, type: STRING, values, ends, text: held === SLICE ? this.#input : ARENA };
  }

  #takeLists(numbers: Uint32Array, injected: number): OutField {
    const column = new OutFieldColumn(0, this.name, this.type, this.representation);
    for (let i = 0; i < this.#lists.length; i++) {
      const { at, values } = this.#lists[i] as { at: number; values: RowValue[] };
      if (this.#entryKinds[at] === LIST) column.add(numbers[at] as number, values);
    }
    return column.take(injected);
  }
}

const TYPES: Readonly<Record<string, ColumnType>> = { slice: STRING, text: STRING, number: DOUBLE, integer: INTEGER, bool: BOOL };

/** Creates a column from a script's description. */
export function newColumn(described: unknown): WriterColumn {
  const { name, kind, representation } = described as Record<string, unknown>;
  if (typeof name !== 'string') throw new TypeError('message_writer: a column has no name');
  const type = typeof kind === 'string' && hasOwn(TYPES, kind) ? TYPES[kind] : undefined;
  if (type === undefined) throw new TypeError(`message_writer: column ${name} has an unknown kind`);
  return new WriterColumn(name, typeof representation === 'string' ? representation : null, type);
}

function countOf(held: Uint8Array, kind: number, count: number): number {
  let found = 0;
  for (let at = 0; at < count && at < held.length; at++) if (held[at] === kind) found++;
  return found;
}

function placesOf(held: Uint8Array, wanted: number, entries: number): Uint32Array {
  const places = new Uint32Array(entries);
  let next = 0;
  for (let at = 0; next < entries && at < held.length; at++) if (held[at] === wanted) places[next++] = at;
  return places;
}

function pick32(array: Uint32Array, places: Uint32Array): Uint32Array {
  const picked = new Uint32Array(places.length);
  for (let i = 0; i < places.length; i++) picked[i] = array[places[i] as number] as number;
  return picked;
}

function pick64(array: Float64Array, places: Uint32Array): Float64Array {
  const picked = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) picked[i] = array[places[i] as number] as number;
  return picked;
}

function pickPairs(array: Int32Array, places: Uint32Array): Int32Array {
  const picked = new Int32Array(places.length * 2);
  for (let i = 0; i < places.length; i++) {
    const place = (places[i] as number) * 2;
    picked[i * 2] = array[place] as number;
    picked[i * 2 + 1] = array[place + 1] as number;
  }
  return picked;
}

function pick8(array: Uint8Array, places: Uint32Array): Uint8Array {
  const picked = new Uint8Array(places.length);
  for (let i = 0; i < places.length; i++) picked[i] = array[places[i] as number] as number;
  return picked;
}
