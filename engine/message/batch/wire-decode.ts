import { constants } from 'node:buffer';
import { OPTIONAL_HEADERS } from '../../api/headers.ts';
import { MessageBatch } from './batch.ts';
import { checkBatch, WireError } from '../check.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn, type TextValues } from './columns.ts';
import { ValueType } from '../types.ts';
import {
  alignUp,
  ALL_FLAGS,
  FIELD_WORDS,
  FIXED_WORDS,
  HAS_OFFSETS,
  HAS_REPRESENTATION,
  HAS_ROWS,
  Head,
  HEADER_WORDS,
  MAGIC,
  Stored,
  TEXT_WORDS,
  TYPE_MASK,
} from './wire-layout.ts';

/**
 * Decodes a batch. Its arrays are views on the bytes, so these must not change as long as the batch is in use. (When they begin at
 * an address that is no multiple of 8 they are copied first.) The bytes need not be trusted: anything but a
 * consistent batch is a WireError, and the returned batch has passed `checkBatch`.
 */
export function decodeBatch(bytes: Uint8Array): MessageBatch {
  const batch = new Decoder(bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)).batch();
  checkBatch(batch);
  return batch;
}

class Decoder {
  readonly #words: Words;
  readonly #regions: Regions;
  readonly #rows: number;
  readonly #texts: string[];
  readonly #byteArrays: Uint8Array[];

  constructor(bytes: Uint8Array) {
    must(bytes.length >= FIXED_WORDS * 4 && bytes.length % 8 === 0, 'bytes of this length are not a batch');
    const fixed = new Uint32Array(bytes.buffer, bytes.byteOffset, FIXED_WORDS);
    must(fixed[Head.magic] === MAGIC, 'these bytes are not a batch');
    must(fixed[Head.total] === bytes.length, 'the head says another length');
    const count = headWords(fixed);
    must(count * 4 <= bytes.length, 'the head is longer than the bytes');
    this.#words = new Words(new Uint32Array(bytes.buffer, bytes.byteOffset, count));
    this.#regions = new Regions(bytes, alignUp(count * 4), fixed.subarray(Head.sizes, Head.sizes + 5));
    this.#rows = fixed[Head.rows] as number;
    const texts = fixed[Head.texts] as number;
    must(texts > 0, 'the names are missing');
    this.#texts = Array.from({ length: texts }, () => this.#regions.text(this.#words.next(), this.#words.next()));
    this.#byteArrays = Array.from({ length: fixed[Head.byteArrays] as number }, () => this.#regions.bytes(this.#words.next()));
  }

  batch(): MessageBatch {
    const timestamps = this.#regions.integers(this.#rows);
    const uuids = this.#words.fixed(Head.uuids) === 1 ? this.#regions.bytes(this.#rows * 16) : null;
    const headers = headerColumns(
      (name) => this.#textHeader(name),
      (name) => this.#intHeader(name),
    );
    const fields = Array.from({ length: this.#words.fixed(Head.fields) }, (_, i) => this.#field(i));
    this.#regions.finish();
    return new MessageBatch({
      length: this.#rows,
      timestamps,
      uuids,
      ...headers,
      fields,
    });
  }

  #textHeader(name: string): TextColumn | null {
    const stored = this.#words.next();
    const text = this.#words.next();
    const entries = this.#words.next();
    const start = this.#words.next();
    const end = this.#words.next();
    if (stored === Stored.absent) return null;
    if (stored === Stored.constant) return { constant: this.#name(start, end) };
    const rows = this.#headerRows(name, stored, entries);
    return { rows, ...this.#textValues(text, entries) };
  }

  #intHeader(name: string): IntColumn | null {
    const stored = this.#words.next();
    const value = this.#words.next();
    const entries = this.#words.next();
    this.#words.skip(HEADER_WORDS - 3);
    if (stored === Stored.absent) return null;
    if (stored === Stored.constant) return { constant: value | 0 };
    const rows = this.#headerRows(name, stored, entries);
    return { rows, values: this.#regions.ints(entries) };
  }

  #headerRows(name: string, stored: number, entries: number): Uint32Array | null {
    if (stored === Stored.someRows) return this.#regions.words(entries);
    if (stored !== Stored.everyRow || entries !== this.#rows) throw new WireError(`${name} is stored in an unknown way`);
    return null;
  }

  #field(index: number): FieldColumn {
    const flags = this.#words.next();
    const name = this.#name(this.#words.next(), this.#words.next());
    const representation = this.#name(this.#words.next(), this.#words.next());
    const entries = this.#words.next();
    const count = this.#words.next();
    const backing = this.#words.next();
    const sparse = (flags & HAS_ROWS) !== 0;
    if ((flags | ALL_FLAGS) !== ALL_FLAGS || (!sparse && entries !== this.#rows))
      throw new WireError(`field column ${index} is stored in an unknown way`);
    const base = {
      name,
      representation: (flags & HAS_REPRESENTATION) === 0 ? null : representation,
      rows: sparse ? this.#regions.words(entries) : null,
      offsets: (flags & HAS_OFFSETS) === 0 ? null : this.#regions.words(entries + 1),
    };
    switch (flags & TYPE_MASK) {
      case ValueType.STRING:
        return { ...base, valueType: ValueType.STRING, values: this.#textValues(backing, count) };
      case ValueType.BYTES: {
        const bytes = this.#byteArrays[backing];
        if (bytes === undefined) throw new WireError(`field column ${index} names a byte array that is not there`);
        return {
          ...base,
          valueType: ValueType.BYTES,
          values: { bytes, starts: this.#regions.words(count), ends: this.#regions.words(count) },
        };
      }
      case ValueType.INTEGER:
        return { ...base, valueType: ValueType.INTEGER, values: this.#regions.integers(count) };
      case ValueType.DOUBLE:
        return { ...base, valueType: ValueType.DOUBLE, values: this.#regions.doubles(count) };
      case ValueType.BOOL:
        return { ...base, valueType: ValueType.BOOL, values: this.#regions.bools(count) };
      default:
        throw new WireError(`field column ${index} has an unknown value type`);
    }
  }

  #textValues(index: number, count: number): TextValues {
    const text = this.#texts[index];
    if (text === undefined) throw new WireError('a column names a text that is not there');
    return { text, starts: this.#regions.words(count), ends: this.#regions.words(count) };
  }

  #name(start: number, end: number): string {
    const names = this.#texts[0] as string;
    must(start <= end && end <= names.length, 'a name lies outside of the names');
    return names.slice(start, end);
  }
}

/** The number of words that the head must have by the counts in it. */
function headWords(fixed: Uint32Array): number {
  const texts = (fixed[Head.texts] as number) * TEXT_WORDS;
  const headers = OPTIONAL_HEADERS.length * HEADER_WORDS;
  return FIXED_WORDS + texts + (fixed[Head.byteArrays] as number) + headers + (fixed[Head.fields] as number) * FIELD_WORDS;
}

/** The words of the head, read one after the other. */
class Words {
  readonly #words: Uint32Array;
  #at = FIXED_WORDS;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  fixed(place: number): number {
    return this.#words[place] as number;
  }

  next(): number {
    return this.#words[this.#at++] as number;
  }

  skip(count: number): void {
    this.#at += count;
  }
}

/** A stretch of bytes that arrays are cut from, one after the other. */
interface Region {
  at: number;
  readonly end: number;
}

class Regions {
  readonly #bytes: Buffer;
  readonly #of8: Region;
  readonly #of4: Region;
  readonly #of2: Region;
  readonly #of1: Region;
  readonly #bools: Region;

  constructor(bytes: Uint8Array, start: number, sizes: Uint32Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = start;
    const next = (place: number, width: number): Region => {
      const size = sizes[place] as number;
      must(size % width === 0, 'a part of an array');
      return { at, end: (at += size) };
    };
    this.#of8 = next(0, 8);
    this.#of4 = next(1, 4);
    this.#of2 = next(2, 2);
    this.#of1 = next(3, 1);
    this.#bools = next(4, 1);
    must(alignUp(at) === bytes.length, 'the arrays do not fill the bytes');
  }

  integers(count: number): BigInt64Array {
    return new BigInt64Array(this.#bytes.buffer, this.#take(this.#of8, count * 8), count);
  }

  doubles(count: number): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#take(this.#of8, count * 8), count);
  }

  words(count: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#take(this.#of4, count * 4), count);
  }

  ints(count: number): Int32Array {
    return new Int32Array(this.#bytes.buffer, this.#take(this.#of4, count * 4), count);
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#take(this.#of1, count), count);
  }

  bools(count: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#take(this.#bools, count), count);
  }

  /** A text of this many code units, of 1 or 2 bytes each. */
  text(units: number, width: number): string {
    must(width === 1 || width === 2, 'a text has code units of a strange size');
    must(units <= constants.MAX_STRING_LENGTH, 'a text is longer than a string can be');
    const start = this.#take(width === 1 ? this.#of1 : this.#of2, units * width) - this.#bytes.byteOffset;
    return this.#bytes.toString(width === 1 ? 'latin1' : 'utf16le', start, start + units * width);
  }

  /** To be called when everything was cut out: nothing may be left over. */
  finish(): void {
    for (const region of [this.#of8, this.#of4, this.#of2, this.#of1, this.#bools])
      must(region.at === region.end, 'some arrays belong to no column');
  }

  /** Returns the place in the underlying buffer. */
  #take(region: Region, size: number): number {
    const start = region.at;
    must(size <= region.end - start, 'an array is longer than the bytes');
    region.at += size;
    return this.#bytes.byteOffset + start;
  }
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new WireError(what);
}
