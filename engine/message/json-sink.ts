import { isStringOneByteRepresentation } from 'node:v8';
import { endianness } from 'node:os';
import { printableJson } from '../api/printable.ts';

/** The code units of a text: of one byte each where all fit, else of two. */
export type TextUnits = Uint8Array | Uint16Array;

export function unitsOf(text: string): TextUnits {
  if (isStringOneByteRepresentation(text)) return plainBytes(Buffer.from(text, 'latin1'));
  const bytes = Buffer.from(text, 'utf16le');
  if (endianness() === 'BE') bytes.swap16();
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** A piece of JSON as bytes. */
export const jsonBytes = (json: string): Uint8Array => plainBytes(Buffer.from(printableJson(json)));

/** Of one class everywhere, so that the code that copies them is made for that one. */
const plainBytes = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length);

/** A code unit takes no more bytes: `\u001b`. */
const MOST_BYTES_OF_UNIT = 6;
/** No number takes more bytes. */
const MOST_BYTES_OF_NUMBER = 32;

/** How the code units below 256 are written within a text. */
const UNIT_BYTES = Array.from({ length: 256 }, (_, unit) => jsonBytes(JSON.stringify(String.fromCharCode(unit)).slice(1, -1)));
/** 1 for the code units that are written as they are. */
const IS_PLAIN = Uint8Array.from(UNIT_BYTES, ({ length }, unit) => (length === 1 && unit < 0x80 ? 1 : 0));
const HEX_DIGITS = Buffer.from('0123456789abcdef');
/** The ten digits, one behind the other in pairs: 00 01 02 … 99. */
const PAIRS = Buffer.from(Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0')).join(''));

const QUOTE = 0x22;
const MINUS = 0x2d;
const DASH = 0x2d;
const ZERO = 0x30;

/** Bytes of JSON that grow at their end. Nothing is copied but into their memory; `clear` begins anew with the same. */
export class JsonSink {
  #bytes: Uint8Array;
  #at = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = new Uint8Array(Buffer.allocUnsafeSlow(capacity).buffer);
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
  }

  #reserve(count: number): void {
    if (this.#at + count > this.#bytes.length) this.#grow(count);
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + count)).buffer);
    larger.set(this.bytes);
    this.#bytes = larger;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  /** A piece that is JSON already. */
  piece(piece: Uint8Array): void {
    this.#reserve(piece.length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i] as number;
    this.#at = at + piece.length;
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

  #narrowUnits(units: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = start; i < end; i++) {
      const unit = units[i] as number;
      if (IS_PLAIN[unit] === 1) bytes[at++] = unit;
      else at = putUnit(unit, bytes, at);
    }
    this.#at = at;
  }

  #wideUnits(units: Uint16Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = start; i < end; i++) {
      const unit = units[i] as number;
      if (unit < 0x80 && IS_PLAIN[unit] === 1) bytes[at++] = unit;
      else if (unit < 0x100) at = putUnit(unit, bytes, at);
      else if ((unit & 0xfc00) !== 0xd800 || i + 1 === end || ((units[i + 1] as number) & 0xfc00) !== 0xdc00) at = putWide(unit, bytes, at);
      else at = putPair(unit, units[++i] as number, bytes, at);
    }
    this.#at = at;
  }

  /** 36 characters of the UUID whose 16 bytes begin at `from`. */
  uuid(uuids: Uint8Array, from: number): void {
    this.#reserve(36);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) bytes[at++] = DASH;
      const byte = uuids[from + i] as number;
      bytes[at++] = HEX_DIGITS[byte >> 4] as number;
      bytes[at++] = HEX_DIGITS[byte & 15] as number;
    }
    this.#at = at;
  }

  /** An integer of at most 32 bits, with its sign. */
  int32(value: number): void {
    this.#reserve(MOST_BYTES_OF_NUMBER);
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    this.#digits(Math.abs(value));
  }

  /** The integer whose halves are at `index` of 64-bit integers. */
  int64(values: BigInt64Array, halves: Int32Array, index: number): void {
    const low = halves[2 * index + LOW] as number;
    const high = halves[2 * index + 1 - LOW] as number;
    if (high === 0 && low >= 0) this.int32(low);
    else if (high === -1 && low < 0) this.int32(low);
    else if (high < 0) this.ascii((values[index] as bigint).toString());
    else this.#large(high, low >>> 0);
  }

  /** Divides by 10⁹ twice, in parts of 16 bits, so that no number has more than 53. */
  #large(high: number, low: number): void {
    this.#reserve(MOST_BYTES_OF_NUMBER);
    const upper = Math.floor(high / BILLION);
    const middle = (high - upper * BILLION) * 0x10000 + (low >>> 16);
    const middleQuotient = Math.floor(middle / BILLION);
    const lower = (middle - middleQuotient * BILLION) * 0x10000 + (low & 0xffff);
    const lowerQuotient = Math.floor(lower / BILLION);
    const billions = upper * 0x100000000 + middleQuotient * 0x10000 + lowerQuotient;
    const rest = lower - lowerQuotient * BILLION;
    if (billions >= BILLION) {
      const first = Math.floor(billions / BILLION);
      this.#digits(first);
      this.#nineDigits(billions - first * BILLION);
    } else if (billions > 0) this.#digits(billions);
    if (billions > 0) this.#nineDigits(rest);
    else this.#digits(rest);
  }

  /** A natural number of at most 32 bits without zeros in front. */
  #digits(value: number): void {
    let count = 1;
    for (let power = 10; count < 10 && value >= power; power *= 10) count++;
    this.#put(value, count);
  }

  #nineDigits(value: number): void {
    this.#put(value, 9);
  }

  #put(value: number, count: number): void {
    const bytes = this.#bytes;
    const end = this.#at + count;
    let at = end;
    let rest = value;
    for (; at - 2 >= this.#at; at -= 2) {
      const pair = rest % 100;
      rest = (rest - pair) / 100;
      bytes[at - 1] = PAIRS[2 * pair + 1] as number;
      bytes[at - 2] = PAIRS[2 * pair] as number;
    }
    if (at > this.#at) bytes[at - 1] = ZERO + rest;
    this.#at = end;
  }

  /** A double; those that JSON does not have as "nan", "inf" and "-inf". */
  double(value: number): void {
    if (value === (value | 0) && !Object.is(value, -0)) this.int32(value);
    else this.ascii(doubleText(value));
  }
}

const LOW = endianness() === 'LE' ? 0 : 1;
const BILLION = 1_000_000_000;

/** A double in JSON; those that it does not have as "nan", "inf" and "-inf". */
export function doubleText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}

/** Writes a code unit below 256, and returns the place behind it. */
function putUnit(unit: number, bytes: Uint8Array, at: number): number {
  const piece = UNIT_BYTES[unit] as Uint8Array;
  for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i] as number;
  return at + piece.length;
}

/** Writes a code unit from 256 on that is no half of a pair, or stands alone. */
function putWide(unit: number, bytes: Uint8Array, at: number): number {
  if ((unit >= 0xd800 && unit < 0xe000) || (unit >= 0x2028 && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069)) {
    const piece = jsonBytes(JSON.stringify(String.fromCharCode(unit)).slice(1, -1));
    bytes.set(piece, at);
    return at + piece.length;
  }
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
