import { printableJson } from '../../api/printable.ts';
import type { MessageBatch } from '../batch/batch.ts';
import { fieldHead } from './json-format.ts';
import { arePlain, unitsOf } from './json-sink.ts';
import { SlicedBuilder } from '../batch/sliced-builder.ts';
import { BEHIND, type NumberHeader, type SlicedColumn, type SlicedHeader } from '../batch/sliced-columns.ts';
import { ValueType, type Message } from '../types.ts';

/** A place that stands for: this line has another form. */
const OTHERWISE = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const PLUS = 0x2b;
const SMALL_E = 0x65;
const ZERO = 0x30;
const CLOSED_LIST = 0x5d;
const CLOSED_OBJECT = 0x7d;
const FIRST_PRINTABLE = 0x20;

const BILLION = 1_000_000_000;
const TWO_32 = 2 ** 32;
/** Digits of a number that a double holds in any case. */
const SAFE_DIGITS = 15;
/** Digits of which some numbers fit into 64 bits. */
const MOST_DIGITS = 19;
const POWERS = Float64Array.from({ length: SAFE_DIGITS + 1 }, (_, i) => 10 ** i);

/** Values of digits in hexadecimal by their codes, 16 for other characters. */
const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 16 : digit;
});
const UUID_BYTES = 16;

/** Text that is expected: its units, and as many of them as there are fours, four in a number, where all are of one byte. */
interface Expected {
  readonly units: Uint16Array;
  readonly fours: Int32Array;
}

function expected(text: string): Expected {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const bytes = Buffer.from(text, 'latin1');
  // A larger unit is found to differ by the comparison of units: there is no four with it.
  const narrow = units.findIndex((unit) => unit > 0xff);
  const count = (narrow < 0 ? units.length : narrow) >> 2;
  return { units, fours: Int32Array.from({ length: count }, (_, i) => bytes.readInt32LE(4 * i)) };
}

const START = expected('{"Uuid":"');
const BEFORE_TIME = expected('","Timestamp":"');
const FIELDS = expected(',"Fields":[');
const TRUE = expected('true');
const FALSE = expected('false');

/**
 * Reads lines of JSON into the columns of a batch. Lines as `formatMessage` writes them, with the fields of the line before, are read without making objects of
 * them. Lines of other forms are refused: they are to be parsed, and their messages to be given to `append`.
 */
export class JsonReader {
  readonly #builder = new SlicedBuilder();
  readonly #headers = this.#builder.headers.map((each) => ({ ...each, name: expected(`,"${each.header.name}":`) }));
  readonly #heads = new WeakMap<SlicedColumn, Expected>();
  #text = '';
  /** Memory for the units of texts. */
  #memory = Buffer.alloc(0);
  #units: Uint8Array | Uint16Array = new Uint8Array(0);
  /** The units if they are of one byte. */
  #view: DataView | null = null;
  /** Whether the text that was read last has escapes. */
  #isEscaped = false;
  /** Whether values of the batch are pieces of the text. */
  #isUsed = false;
  /** The halves of the integer that was read last, and the number. */
  #low = 0;
  #high = 0;
  #number = 0;

  /** Begins a batch of messages in lines of this text. */
  begin(text: string): void {
    this.#isUsed = false;
    this.#text = text;
    if (this.#memory.length < text.length) this.#memory = Buffer.allocUnsafeSlow(text.length);
    const units = unitsOf(text, this.#memory);
    this.#view = units instanceof DataView ? units : null;
    this.#units = units instanceof DataView ? new Uint8Array(units.buffer, units.byteOffset, units.byteLength) : units;
  }

  /** Adds the message in the line [start, end). @returns false: nothing was added */
  add(start: number, end: number): boolean {
    const time = this.#expect(BEFORE_TIME, this.#expect(START, start, end) === OTHERWISE ? end : start + START.units.length + 36, end);
    if (time === OTHERWISE) return false;
    const at = this.#int64(time, end);
    if (at === OTHERWISE || this.#units[at] !== QUOTE) return false;
    const row = this.#builder.begin(this.#low, this.#high);
    if (!this.#uuid(row, start + START.units.length) || !this.#rest(row, at + 1, end)) {
      this.#builder.undo();
      return false;
    }
    this.#isUsed = true;
    return true;
  }

  append(message: Message): void {
    this.#builder.append(message);
  }

  /** The messages that were added since `begin`. */
  build(): MessageBatch {
    const batch = this.#builder.build(this.#isUsed ? this.#text : '');
    this.begin('');
    return batch;
  }

  /** Headers and fields up to the end of the line. */
  #rest(row: number, from: number, end: number): boolean {
    let at = from;
    for (const { kind, store, name } of this.#headers)
      at = kind === 'text' ? this.#header(store, name, row, at, end) : this.#numberHeader(store, name, row, at, end);
    if (at === OTHERWISE) return false;
    const fields = this.#expect(FIELDS, at, end);
    if (fields !== OTHERWISE) at = this.#fields(row, fields, end);
    return at !== OTHERWISE && this.#units[at] === CLOSED_OBJECT && at + 1 === end;
  }

  /** Returns the place behind text that is expected. */
  #expect({ units: wanted, fours }: Expected, at: number, end: number): number {
    const stop = at + wanted.length;
    if (stop > end) return OTHERWISE;
    const units = this.#units;
    const view = this.#view;
    let i = 0;
    if (view !== null) {
      for (let k = 0; k < fours.length; k++, i += 4) if (view.getInt32(at + i, true) !== fours[k]) return OTHERWISE;
    }
    for (; i < wanted.length; i++) if (units[at + i] !== wanted[i]) return OTHERWISE;
    return stop;
  }

  #uuid(row: number, from: number): boolean {
    const units = this.#units;
    const { uuids } = this.#builder;
    let at = from;
    for (let i = 0; i < UUID_BYTES; i++) {
      if ((i === 4 || i === 6 || i === 8 || i === 10) && units[at++] !== DASH) return false;
      const high = HEX[units[at++] as number] ?? 16;
      const low = HEX[units[at++] as number] ?? 16;
      if ((high | low) >= 16) return false;
      uuids[row * UUID_BYTES + i] = (high << 4) | low;
    }
    return true;
  }

  /** Reads a header if it is there, and returns the place behind it. */
  #header(header: SlicedHeader, name: Expected, row: number, at: number, end: number): number {
    const value = at === OTHERWISE ? OTHERWISE : this.#expect(name, at, end);
    if (value === OTHERWISE) return at;
    const stop = this.#units[value] === QUOTE ? this.#string(value + 1, end) : OTHERWISE;
    if (stop === OTHERWISE) return OTHERWISE;
    if (this.#isEscaped) {
      const text = this.#unescaped(value, stop);
      if (text === null) return OTHERWISE;
      const kept = this.#builder.keep(text);
      header.add(row, kept, kept + text.length);
    } else if (this.#equalsLast(header, value + 1, stop)) header.add(row, header.lastStart, header.lastEnd);
    else header.add(row, value + 1, stop);
    return stop + 1;
  }

  #equalsLast(header: SlicedHeader, start: number, stop: number): boolean {
    const from = header.lastStart;
    if (from < 0 || from >= BEHIND || header.lastEnd - from !== stop - start) return false;
    const units = this.#units;
    for (let i = start, k = from; i < stop; i++, k++) if (units[i] !== units[k]) return false;
    return true;
  }

  #numberHeader(header: NumberHeader, name: Expected, row: number, at: number, end: number): number {
    const value = at === OTHERWISE ? OTHERWISE : this.#expect(name, at, end);
    if (value === OTHERWISE) return at;
    const stop = this.#safeNumber(value, end);
    if (stop === OTHERWISE || (this.#number | 0) !== this.#number) return OTHERWISE;
    header.add(row, this.#number);
    return stop;
  }

  /** Reads fields that are those of the message before, and returns the place behind their list. */
  #fields(row: number, from: number, end: number): number {
    const builder = this.#builder;
    const units = this.#units;
    let previous = -1;
    for (let at = from; ; at++) {
      const column = builder.guess(previous);
      const start = column === null ? OTHERWISE : this.#expect(this.#headOf(column), at, end);
      if (column === null || start === OTHERWISE) return OTHERWISE;
      builder.touch(column);
      at = this.#values(column, start, end);
      if (at === OTHERWISE || units[at] !== CLOSED_OBJECT) return OTHERWISE;
      column.close(row);
      previous = column.index;
      at++;
      if (units[at] === CLOSED_LIST) return at + 1;
      if (units[at] !== COMMA) return OTHERWISE;
    }
  }

  #headOf(column: SlicedColumn): Expected {
    const known = this.#heads.get(column);
    if (known !== undefined) return known;
    const { name, valueType, representation } = column;
    const head = expected(printableJson(fieldHead({ name, valueType, representation: representation ?? undefined })));
    this.#heads.set(column, head);
    return head;
  }

  /** Reads values up to the end of their list, and returns the place behind it. */
  #values(column: SlicedColumn, from: number, end: number): number {
    const units = this.#units;
    if (units[from] === CLOSED_LIST) return from + 1;
    for (let at = from; ; at++) {
      at = this.#value(column, at, end);
      if (at === OTHERWISE) return OTHERWISE;
      if (units[at] === CLOSED_LIST) return at + 1;
      if (units[at] !== COMMA) return OTHERWISE;
    }
  }

  #value(column: SlicedColumn, at: number, end: number): number {
    switch (column.valueType) {
      case ValueType.STRING:
        return this.#stringValue(column, at, end);
      case ValueType.INTEGER: {
        const stop = this.#units[at] === DASH ? this.#negative(at, end) : this.#int64(at, end);
        if (stop !== OTHERWISE) column.integers.push(this.#low, this.#high);
        return stop;
      }
      case ValueType.DOUBLE: {
        const stop = this.#double(at, end);
        if (stop !== OTHERWISE) column.numbers.push(this.#number);
        return stop;
      }
      case ValueType.BOOL: {
        const stop = this.#expect(this.#units[at] === TRUE.units[0] ? TRUE : FALSE, at, end);
        if (stop !== OTHERWISE) column.numbers.push(this.#units[at] === TRUE.units[0] ? 1 : 0);
        return stop;
      }
      case ValueType.BYTES:
        return OTHERWISE;
    }
  }

  #stringValue(column: SlicedColumn, at: number, end: number): number {
    const stop = this.#units[at] === QUOTE ? this.#string(at + 1, end) : OTHERWISE;
    if (stop === OTHERWISE) return OTHERWISE;
    if (!this.#isEscaped) column.addPiece(at + 1, stop);
    else {
      const text = this.#unescaped(at, stop);
      if (text === null) return OTHERWISE;
      const kept = this.#builder.keep(text);
      column.addPiece(kept, kept + text.length);
    }
    return stop + 1;
  }

  /** Returns the place of the quote that ends a string. */
  #string(from: number, end: number): number {
    const units = this.#units;
    const view = this.#view;
    this.#isEscaped = false;
    for (let at = from; at < end; at++) {
      if (view !== null) while (at + 4 <= end && arePlain(view.getInt32(at, true))) at += 4;
      if (at === end) return OTHERWISE;
      const unit = units[at] as number;
      if (unit === QUOTE) return at;
      if (unit === BACKSLASH) {
        this.#isEscaped = true;
        at++;
      } else if (unit < FIRST_PRINTABLE) return OTHERWISE;
    }
    return OTHERWISE;
  }

  /** The text of the string between two quotes; null: it is none. */
  #unescaped(start: number, stop: number): string | null {
    try {
      return JSON.parse(this.#text.slice(start, stop + 1)) as string;
    } catch {
      return null;
    }
  }

  /** Reads a natural number that fits into 63 bits, and returns the place behind it. */
  #int64(from: number, end: number): number {
    const at = this.#digits(from, end);
    const count = at - from;
    if (at === OTHERWISE || count > MOST_DIGITS) return OTHERWISE;
    const head = Math.max(0, count - 9);
    const upper = this.#decimal(from, from + head);
    const lower = this.#decimal(from + head, at);
    // The product is made of parts of 16 bits, so that no number has more than 53.
    const part = Math.floor(upper / 0x10000);
    const high = part * BILLION;
    const low = (upper - part * 0x10000) * BILLION + lower;
    const sum = (high % 0x10000) * 0x10000 + low;
    this.#low = sum >>> 0;
    this.#high = Math.floor(high / 0x10000) + Math.floor(sum / TWO_32);
    return this.#high < 0x8000_0000 ? at : OTHERWISE;
  }

  /** The place behind digits that are a number of JSON: one at least, and no zero in front of others. */
  #digits(from: number, end: number): number {
    const at = this.#digitsEnd(from, end);
    return at === from || (at > from + 1 && this.#units[from] === ZERO) ? OTHERWISE : at;
  }

  #decimal(from: number, to: number): number {
    const units = this.#units;
    let value = 0;
    for (let at = from; at < to; at++) value = value * 10 + ((units[at] as number) - ZERO);
    return value;
  }

  #negative(from: number, end: number): number {
    const at = this.#safeNumber(from, end);
    if (at === OTHERWISE || (this.#number | 0) !== this.#number) return OTHERWISE;
    this.#low = this.#number;
    this.#high = this.#number >> 31;
    return at;
  }

  /** Reads a whole number that a double holds, and leaves it in `#number`. */
  #safeNumber(from: number, end: number): number {
    const isNegative = this.#units[from] === DASH;
    const start = isNegative ? from + 1 : from;
    const at = this.#digits(start, end);
    if (at === OTHERWISE || at - start > SAFE_DIGITS) return OTHERWISE;
    const value = this.#decimal(start, at);
    this.#number = isNegative ? -value : value;
    return at;
  }

  /** Reads a number, and leaves it in `#number`. */
  #double(from: number, end: number): number {
    const units = this.#units;
    const start = units[from] === DASH ? from + 1 : from;
    const whole = this.#digits(start, end);
    if (whole === OTHERWISE) return OTHERWISE;
    const isFraction = units[whole] === DOT;
    const decimals = isFraction ? this.#digitsEnd(whole + 1, end) : whole;
    if (isFraction && decimals === whole + 1) return OTHERWISE;
    const stop = this.#exponentEnd(decimals, end);
    if (stop === decimals && stop - start <= SAFE_DIGITS) this.#number = this.#decimalFraction(from, start, whole, stop);
    else if (isFraction || stop > decimals) this.#number = Number(this.#text.slice(from, stop));
    else return OTHERWISE;
    return stop;
  }

  /** The value of a number of few digits: a division of two numbers that doubles hold is exact. */
  #decimalFraction(from: number, start: number, whole: number, stop: number): number {
    const units = this.#units;
    let value = this.#decimal(start, whole);
    for (let at = whole + 1; at < stop; at++) value = value * 10 + ((units[at] as number) - ZERO);
    if (stop > whole) value /= POWERS[stop - whole - 1] as number;
    return start > from ? -value : value;
  }

  #digitsEnd(from: number, end: number): number {
    let at = from;
    while (at < end && ((this.#units[at] as number) - ZERO) >>> 0 < 10) at++;
    return at;
  }

  /** The place behind an exponent, if there is one. */
  #exponentEnd(from: number, end: number): number {
    const units = this.#units;
    if (((units[from] as number) | 0x20) !== SMALL_E) return from;
    const sign = units[from + 1];
    const digits = sign === DASH || sign === PLUS ? from + 2 : from + 1;
    const stop = this.#digitsEnd(digits, end);
    return stop === digits ? from : stop;
  }
}
