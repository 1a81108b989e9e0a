import { isStringOneByteRepresentation } from 'node:v8';
import { endianness } from 'node:os';
import { printableJson } from '../../api/printable.ts';

const LITTLE = endianness() === 'LE';
/** Of the halves of an 8-byte integer, the one that is the lower. */
const LOW = LITTLE ? 0 : 1;

/** The code units of a text: of one byte each where all fit, else of two. */
export type TextUnits = DataView | Uint16Array;

/** @param memory where units of one byte are put, if there is room */
export function unitsOf(text: string, memory: Buffer = NO_MEMORY): TextUnits {
  if (isStringOneByteRepresentation(text)) {
    if (memory.length < text.length) return viewOf(Buffer.from(text, 'latin1'));
    memory.write(text, 'latin1');
    return viewOf(memory.subarray(0, text.length));
  }
  const bytes = Buffer.from(text, 'utf16le');
  if (!LITTLE) bytes.swap16();
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

const NO_MEMORY = Buffer.alloc(0);

export const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

/**
 * A piece of JSON in words of eight bytes, the last one filled up with zeros: copied as doubles, which takes an eighth of the time. None of them is a NaN, whose bits
 * may change: its first byte would be 0x7f or 0xff, which this JSON does not have.
 */
export interface JsonPiece {
  readonly words: Float64Array;
  readonly length: number;
}

/** @param form of the sink that it is for */
export function jsonPiece(json: string, form: JsonForm = PRINTABLE): JsonPiece {
  const bytes = Buffer.from(form.shown(json));
  const words = new Float64Array(Math.ceil(bytes.length / WORD));
  new Uint8Array(words.buffer).set(bytes);
  return { words, length: bytes.length };
}

const WORD = 8;

/** A code unit takes no more bytes: `\u001b`. */
const MOST_BYTES_OF_UNIT = 6;
/** No number takes more bytes. */
const MOST_BYTES_OF_NUMBER = 32;

/** The form of texts and numbers for which JSON has more than one, or none. */
export interface JsonForm {
  /** The JSON of a text as it is written. */
  readonly shown: (json: string) => string;
  /** The code units below 256 within a text. */
  readonly units: readonly Uint8Array[];
  /** 1 for the code units that are written as they are. */
  readonly isPlain: Uint8Array;
  /** Whether a code unit from 256 on, that is no half of a pair, is escaped. */
  readonly isEscaped: (unit: number) => boolean;
  /** A number that is no whole number of 32 bits. */
  readonly double: (value: number) => string;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;

/** Without characters that a terminal obeys; numbers that JSON does not have are texts. */
const PRINTABLE = jsonForm({
  shown: printableJson,
  isEscaped: (unit) => isSurrogate(unit) || (unit >= 0x2028 && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069),
  double: doubleText,
});

/** As `JSON.stringify` writes it: numbers that JSON does not have are null. */
export const STANDARD = jsonForm({
  shown: (json) => json,
  isEscaped: isSurrogate,
  double: (value) => (Number.isFinite(value) ? String(value) : 'null'),
});

function jsonForm(parts: Pick<JsonForm, 'shown' | 'isEscaped' | 'double'>): JsonForm {
  const units = Array.from({ length: 256 }, (_, unit) => unitBytes(unit, parts.shown));
  return { ...parts, units, isPlain: Uint8Array.from(units, ({ length }, unit) => (length === 1 && unit < 0x80 ? 1 : 0)) };
}
/** Two digits in hexadecimal for each byte, and two decimal ones for each number below 100. */
const HEX_PAIRS = pairs(256, 16);
const DECIMAL_PAIRS = pairs(100, 10);

const QUOTE = 0x22;
const DASH = 0x2d;
const ZERO = 0x30;
const BILLION = 1_000_000_000;
const LEAST = -(2 ** 31);

/** Bytes of JSON that grow at their end. `clear` begins anew with the same memory. */
export class JsonSink {
  #bytes!: Uint8Array;
  #view!: DataView;
  #at = 0;
  /** Memory for units of texts, of which so much is taken, and so much was wanted since `clear`. */
  #memory = NO_MEMORY;
  #wanted = 0;
  readonly form: JsonForm;

  constructor(capacity = 1 << 16, form: JsonForm = PRINTABLE) {
    this.form = form;
    this.#take(capacity);
  }

  get length(): number {
    return this.#at;
  }

  /** The bytes; they are valid until `clear`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  clear(): void {
    this.#at = 0;
    if (this.#wanted > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(this.#wanted);
    this.#wanted = 0;
  }

  /** Takes back what was written from a length on. */
  cut(length: number): void {
    this.#at = length;
  }

  /** The units of a text, in memory of this sink if there is room: until `clear`. */
  unitsOf(text: string): TextUnits {
    const memory = this.#memory.subarray(this.#wanted);
    this.#wanted += text.length;
    return unitsOf(text, memory);
  }

  #take(capacity: number): void {
    this.#bytes = new Uint8Array(Buffer.allocUnsafeSlow(capacity).buffer);
    this.#view = viewOf(this.#bytes);
  }

  #reserve(count: number): void {
    if (this.#at + count + WORD > this.#bytes.length) this.#grow(count + WORD);
  }

  #grow(count: number): void {
    const { bytes } = this;
    this.#take(Math.max(this.#bytes.length * 2, this.#at + count));
    this.#bytes.set(bytes);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  piece({ words, length }: JsonPiece): void {
    this.#reserve(length);
    const view = this.#view;
    const at = this.#at;
    for (let i = 0; i < words.length; i++) view.setFloat64(at + i * WORD, words[i] as number, LITTLE);
    this.#at = at + length;
  }

  /** A piece that is JSON already, all of it ASCII. */
  ascii(piece: string): void {
    this.#reserve(piece.length);
    for (let i = 0; i < piece.length; i++) this.#bytes[this.#at++] = piece.charCodeAt(i);
  }

  /** The text [start, end) of these units, in quotes. */
  text(units: TextUnits, start: number, end: number): void {
    this.#reserve((end - start) * MOST_BYTES_OF_UNIT + 2);
    this.#bytes[this.#at++] = QUOTE;
    if (units instanceof Uint16Array) this.#wideUnits(units, start, end);
    else this.#narrowUnits(units, start, end);
    this.#bytes[this.#at++] = QUOTE;
  }

  #narrowUnits(units: DataView, start: number, end: number): void {
    const view = this.#view;
    const bytes = this.#bytes;
    const { form } = this;
    let at = this.#at;
    let i = start;
    while (i < end) {
      for (; i + 4 <= end; i += 4, at += 4) {
        const four = units.getInt32(i, LITTLE);
        if (!arePlain(four)) break;
        view.setInt32(at, four, LITTLE);
      }
      for (const stop = Math.min(i + 4, end); i < stop; i++) {
        const unit = units.getUint8(i);
        if (form.isPlain[unit] === 1) bytes[at++] = unit;
        else at = putBytes(form.units[unit] as Uint8Array, bytes, at);
      }
    }
    this.#at = at;
  }

  #wideUnits(units: Uint16Array, start: number, end: number): void {
    const bytes = this.#bytes;
    const { form } = this;
    let at = this.#at;
    for (let i = start; i < end; i++) {
      const unit = units[i] as number;
      if (unit < 0x80 && form.isPlain[unit] === 1) bytes[at++] = unit;
      else if (unit < 0x100) at = putBytes(form.units[unit] as Uint8Array, bytes, at);
      else if ((unit & 0xfc00) !== 0xd800 || i + 1 === end || ((units[i + 1] as number) & 0xfc00) !== 0xdc00)
        at = form.isEscaped(unit) ? putBytes(unitBytes(unit, form.shown), bytes, at) : putWide(unit, bytes, at);
      else at = putPair(unit, units[++i] as number, bytes, at);
    }
    this.#at = at;
  }

  /** 36 characters of the UUID whose 16 bytes begin at `from`. */
  uuid(uuids: Uint8Array, from: number): void {
    this.#reserve(36);
    this.#hex(uuids, from, 4);
    this.#bytes[this.#at++] = DASH;
    this.#hex(uuids, from + 4, 2);
    this.#bytes[this.#at++] = DASH;
    this.#hex(uuids, from + 6, 2);
    this.#bytes[this.#at++] = DASH;
    this.#hex(uuids, from + 8, 2);
    this.#bytes[this.#at++] = DASH;
    this.#hex(uuids, from + 10, 6);
  }

  #hex(bytes: Uint8Array, from: number, count: number): void {
    const view = this.#view;
    const at = this.#at;
    for (let i = 0; i < count; i++) view.setUint16(at + 2 * i, HEX_PAIRS[bytes[from + i] as number] as number, LITTLE);
    this.#at = at + 2 * count;
  }

  /** An integer of 32 bits, with its sign. */
  int32(value: number): void {
    this.#reserve(MOST_BYTES_OF_NUMBER);
    if (value >= 0) return this.#digits(value, digitsOf(value));
    if (value === LEAST) return this.ascii(String(LEAST));
    this.#bytes[this.#at++] = DASH;
    this.#digits(-value, digitsOf(-value));
  }

  /** The integer whose halves are at `index` of 64-bit integers. */
  int64(values: BigInt64Array, halves: Int32Array, index: number): void {
    const low = halves[2 * index + LOW] as number;
    const high = halves[2 * index + 1 - LOW] as number;
    if (high === low >> 31) this.int32(low);
    else if (high < 0) this.ascii((values[index] as bigint).toString());
    else this.#large(high, low >>> 0);
  }

  /** Divides by 10⁹, in parts of 16 bits, so that no number has more than 53. */
  #large(high: number, low: number): void {
    this.#reserve(MOST_BYTES_OF_NUMBER);
    const upper = Math.floor(high / BILLION);
    const middle = (high - upper * BILLION) * 0x10000 + (low >>> 16);
    const middleQuotient = Math.floor(middle / BILLION);
    const lower = (middle - middleQuotient * BILLION) * 0x10000 + (low & 0xffff);
    const lowerQuotient = Math.floor(lower / BILLION);
    const billions = upper * 0x100000000 + middleQuotient * 0x10000 + lowerQuotient;
    const most = Math.floor(billions / BILLION);
    const more = billions - most * BILLION;
    if (most > 0) this.#digits(most, 1);
    if (billions > 0) this.#digits(more, most > 0 ? 9 : digitsOf(more));
    const rest = lower - lowerQuotient * BILLION;
    this.#digits(rest, billions > 0 ? 9 : digitsOf(rest));
  }

  /** The last digits of a natural number of 31 bits. */
  #digits(value: number, count: number): void {
    const view = this.#view;
    const begin = this.#at;
    let at = begin + count;
    let rest = value | 0;
    for (; at - begin >= 2; at -= 2) {
      const hundreds = (rest / 100) | 0;
      view.setUint16(at - 2, DECIMAL_PAIRS[rest - hundreds * 100] as number, LITTLE);
      rest = hundreds;
    }
    if (at > begin) this.#bytes[begin] = ZERO + rest;
    this.#at = begin + count;
  }

  /** A double. */
  double(value: number): void {
    if (value === (value | 0) && !Object.is(value, -0)) this.int32(value);
    else this.ascii(this.form.double(value));
  }
}

/** Whether four bytes are all written as they are within a text: none below 0x20, none from 0x7f on, no quote and no backslash. */
export function arePlain(four: number): boolean {
  const quotes = four ^ 0x22222222;
  const slashes = four ^ 0x5c5c5c5c;
  // The highest bit of a byte is set where it is too small, or too large.
  return ((four | (four + 0x01010101) | (four - 0x20202020) | (quotes - 0x01010101) | (slashes - 0x01010101)) & 0x80808080) === 0;
}

function digitsOf(value: number): number {
  if (value < 100_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : value < 10_000 ? 4 : 5;
  return value < 10_000_000 ? (value < 1_000_000 ? 6 : 7) : value < 100_000_000 ? 8 : value < BILLION ? 9 : 10;
}

/** The numbers below a limit in two digits of a base, as 16-bit words. */
function pairs(limit: number, base: number): Uint16Array {
  const view = new DataView(
    Uint8Array.from(Buffer.from(Array.from({ length: limit }, (_, i) => i.toString(base).padStart(2, '0')).join(''))).buffer,
  );
  return Uint16Array.from({ length: limit }, (_, i) => view.getUint16(2 * i, LITTLE));
}

/** A code unit below 256, or one that is escaped. */
function unitBytes(unit: number, shown: JsonForm['shown']): Uint8Array {
  return Buffer.from(shown(JSON.stringify(String.fromCharCode(unit)).slice(1, -1)));
}

/** A double in JSON; those that it does not have as "nan", "inf" and "-inf". */
export function doubleText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}

/** Writes a few bytes, and returns the place behind them. */
function putBytes(piece: Uint8Array, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i] as number;
  return at + piece.length;
}

/** Writes a code unit from 256 on that is no half of a pair. */
function putWide(unit: number, bytes: Uint8Array, at: number): number {
  if (unit < 0x800) bytes[at++] = 0xc0 | (unit >> 6);
  else {
    bytes[at++] = 0xe0 | (unit >> 12);
    bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
  }
  bytes[at++] = 0x80 | (unit & 0x3f);
  return at;
}

function putPair(high: number, low: number, bytes: Uint8Array, at: number): number {
  const code = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
  bytes[at++] = 0xf0 | (code >> 18);
  bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at++] = 0x80 | (code & 0x3f);
  return at;
}
