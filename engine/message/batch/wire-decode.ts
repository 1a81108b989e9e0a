import { constants } from 'node:buffer';
import { OPTIONAL_HEADERS, type IntHeader, type TextHeader } from '../../api/headers.ts';
import { MessageBatch } from './batch.ts';
import { checkBatch, WireError } from '../check.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn, type TextValues } from './columns.ts';
import { LatinText, madeText, textHeader, textValues, type Text } from '../latin-text.ts';
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

/** Names the columns that are wanted. */
export interface WantedColumns {
  readonly header: (member: TextHeader | IntHeader) => boolean;
  readonly field: (name: string) => boolean;
}

/** Bytes of an encoded batch, in memory. */
export interface PlacedBytes {
  readonly buffer: ArrayBuffer;
  /** The place of a stretch of the batch in the buffer; below 0: it is not there. */
  readonly place: (offset: number, size: number) => number;
}

/** A choice of columns, with the text 0 of the batch. */
interface Choice {
  readonly wanted: WantedColumns;
  readonly names: string;
}

/**
 * Decodes a batch. Its arrays are views on the bytes, so these must not change as long as the batch is in use. (When they begin at
 * an address that is no multiple of 8 they are copied first.) The bytes need not be trusted: anything but a
 * consistent batch is a WireError, and the returned batch has passed `checkBatch`.
 */
export function decodeBatch(bytes: Uint8Array): MessageBatch {
  const { buffer, byteOffset, length } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const size = headBytes(bytes);
  must(size <= length, 'the head is longer than the bytes');
  const head = new Uint32Array(buffer, byteOffset, size / 4);
  must(head[Head.total] === length, 'the head says another length');
  const batch = new Decoder(head, { buffer: buffer as ArrayBuffer, place: (offset) => byteOffset + offset }, null).batch();
  checkBatch(batch);
  return batch;
}

/** Decodes some columns of a batch, and its timestamps. Where the bytes of a wanted column are not there, it is empty. */
export function decodeColumns(head: Uint32Array, bytes: PlacedBytes, choice: Choice): MessageBatch {
  return new Decoder(head, bytes, choice).batch();
}

/** Bytes of the head that a batch begins with. @param bytes the beginning of the batch */
export function headBytes(bytes: Uint8Array): number {
  must(bytes.length >= FIXED_WORDS * 4, 'bytes of this length are not a batch');
  const fixed = new Uint32Array(new Uint8Array(bytes.subarray(0, FIXED_WORDS * 4)).buffer);
  must(fixed[Head.magic] === MAGIC, 'these bytes are not a batch');
  must((fixed[Head.total] as number) % 8 === 0, 'bytes of this length are not a batch');
  const texts = (fixed[Head.texts] as number) * TEXT_WORDS;
  const headers = OPTIONAL_HEADERS.length * HEADER_WORDS;
  return (FIXED_WORDS + texts + (fixed[Head.byteArrays] as number) + headers + (fixed[Head.fields] as number) * FIELD_WORDS) * 4;
}

/** The place of the names, text 0, in a batch. */
export function placeOfNames(head: Uint32Array): TextPlace {
  const regions = new Regions(head, NOWHERE);
  return regions.textPlace(head[FIXED_WORDS] as number, head[FIXED_WORDS + 1] as number);
}

/** A text of a batch. */
export interface TextPlace {
  readonly offset: number;
  readonly size: number;
  readonly encoding: 'latin1' | 'utf16le';
}

const NOWHERE: PlacedBytes = { buffer: new ArrayBuffer(0), place: () => -1 };

class Decoder {
  readonly #words: Words;
  readonly #regions: Regions;
  readonly #rows: number;
  readonly #choice: Choice | null;
  readonly #places: TextPlace[];
  readonly #names: string;
  /** Those that a column was decoded of. */
  readonly #texts: Text[] = [];
  readonly #byteArrays: Stretch[];

  constructor(head: Uint32Array, bytes: PlacedBytes, choice: Choice | null) {
    this.#words = new Words(head);
    this.#choice = choice;
    this.#regions = new Regions(head, bytes);
    this.#rows = head[Head.rows] as number;
    const texts = head[Head.texts] as number;
    must(texts > 0, 'the names are missing');
    this.#places = Array.from({ length: texts }, () => this.#regions.textPlace(this.#words.next(), this.#words.next()));
    this.#byteArrays = Array.from({ length: head[Head.byteArrays] as number }, () => this.#regions.stretch(this.#words.next()));
    this.#names = choice?.names ?? madeText(this.#regions.text(this.#places[0] as TextPlace));
  }

  batch(): MessageBatch {
    const timestamps = this.#regions.integers(this.#rows);
    const uuids =
      this.#words.fixed(Head.uuids) === 1 ? this.#wanted(this.#choice === null, () => this.#regions.bytes(this.#rows * 16)) : null;
    const isWanted = (name: TextHeader | IntHeader): boolean => this.#choice?.wanted.header(name) ?? true;
    const headers = headerColumns(
      (name) => this.#wanted(isWanted(name), () => this.#textHeader(name)),
      (name) => this.#wanted(isWanted(name), () => this.#intHeader(name)),
    );
    const fields = Array.from({ length: this.#words.fixed(Head.fields) }, (_, i) => this.#field(i)).filter((field) => field !== null);
    this.#regions.finish();
    return new MessageBatch({
      length: this.#rows,
      timestamps,
      uuids,
      ...headers,
      fields,
    });
  }

  /** Reads a column, or passes over it. */
  #wanted<T>(isWanted: boolean, read: () => T): T | null {
    this.#regions.passes = !isWanted;
    const column = read();
    this.#regions.passes = false;
    return isWanted ? column : null;
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
    return textHeader(rows, this.#text(text), this.#regions.words(entries), this.#regions.words(entries));
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

  #field(index: number): FieldColumn | null {
    const flags = this.#words.next();
    const name = this.#name(this.#words.next(), this.#words.next());
    return this.#wanted(this.#choice?.wanted.field(name) ?? true, () => this.#fieldOf(name, flags, index));
  }

  #fieldOf(name: string, flags: number, index: number): FieldColumn {
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
        const stretch = this.#byteArrays[backing];
        if (stretch === undefined) throw new WireError(`field column ${index} names a byte array that is not there`);
        return {
          ...base,
          valueType: ValueType.BYTES,
          values: { bytes: this.#regions.bytesOf(stretch), starts: this.#regions.words(count), ends: this.#regions.words(count) },
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
    return textValues(this.#text(index), this.#regions.words(count), this.#regions.words(count));
  }

  #text(index: number): Text {
    const place = this.#places[index];
    if (place === undefined) throw new WireError('a column names a text that is not there');
    return this.#regions.passes ? '' : (this.#texts[index] ??= this.#regions.text(place));
  }

  #name(start: number, end: number): string {
    must(start <= end && end <= this.#names.length, 'a name lies outside of the names');
    return this.#names.slice(start, end);
  }
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

/** Bytes of a batch that lie together. */
interface Stretch {
  readonly offset: number;
  readonly size: number;
}

/** A stretch of bytes that arrays are cut from, one after the other. */
interface Region {
  at: number;
  readonly end: number;
}

class Regions {
  readonly #bytes: PlacedBytes;
  readonly #of8: Region;
  readonly #of4: Region;
  readonly #of2: Region;
  readonly #of1: Region;
  readonly #bools: Region;
  /** A part that is cut out is not looked at: it has no values. */
  passes = false;

  constructor(head: Uint32Array, bytes: PlacedBytes) {
    this.#bytes = bytes;
    let at = alignUp(head.byteLength);
    const next = (place: number, width: number): Region => {
      const size = head[Head.sizes + place] as number;
      must(size % width === 0, 'a part of an array');
      return { at, end: (at += size) };
    };
    this.#of8 = next(0, 8);
    this.#of4 = next(1, 4);
    this.#of2 = next(2, 2);
    this.#of1 = next(3, 1);
    this.#bools = next(4, 1);
    must(alignUp(at) === head[Head.total], 'the arrays do not fill the bytes');
  }

  integers(count: number): BigInt64Array {
    const place = this.#take(this.#of8, count * 8);
    return place < 0 ? new BigInt64Array(0) : new BigInt64Array(this.#bytes.buffer, place, count);
  }

  doubles(count: number): Float64Array {
    const place = this.#take(this.#of8, count * 8);
    return place < 0 ? new Float64Array(0) : new Float64Array(this.#bytes.buffer, place, count);
  }

  words(count: number): Uint32Array {
    const place = this.#take(this.#of4, count * 4);
    return place < 0 ? new Uint32Array(0) : new Uint32Array(this.#bytes.buffer, place, count);
  }

  ints(count: number): Int32Array {
    const place = this.#take(this.#of4, count * 4);
    return place < 0 ? new Int32Array(0) : new Int32Array(this.#bytes.buffer, place, count);
  }

  bytes(count: number): Uint8Array {
    return this.bytesOf(this.stretch(count));
  }

  bools(count: number): Uint8Array {
    const place = this.#take(this.#bools, count);
    return place < 0 ? new Uint8Array(0) : new Uint8Array(this.#bytes.buffer, place, count);
  }

  /** So many single bytes. */
  stretch(size: number): Stretch {
    return { offset: this.#cut(this.#of1, size), size };
  }

  bytesOf({ offset, size }: Stretch): Uint8Array {
    const place = this.#placeOf(offset, size);
    return place < 0 ? new Uint8Array(0) : new Uint8Array(this.#bytes.buffer, place, size);
  }

  /** A text of this many code units, of 1 or 2 bytes each. */
  textPlace(units: number, width: number): TextPlace {
    must(width === 1 || width === 2, 'a text has code units of a strange size');
    must(units <= constants.MAX_STRING_LENGTH, 'a text is longer than a string can be');
    const size = units * width;
    return { offset: this.#cut(width === 1 ? this.#of1 : this.#of2, size), size, encoding: width === 1 ? 'latin1' : 'utf16le' };
  }

  text({ offset, size, encoding }: TextPlace): Text {
    const place = this.#placeOf(offset, size);
    if (place < 0) return '';
    const bytes = Buffer.from(this.#bytes.buffer, place, size);
    return encoding === 'latin1' ? new LatinText(bytes) : bytes.toString(encoding);
  }

  /** To be called when everything was cut out: nothing may be left over. */
  finish(): void {
    for (const region of [this.#of8, this.#of4, this.#of2, this.#of1, this.#bools])
      must(region.at === region.end, 'some arrays belong to no column');
  }

  /** Returns the place in the underlying buffer. */
  #take(region: Region, size: number): number {
    return this.#placeOf(this.#cut(region, size), size);
  }

  #placeOf(offset: number, size: number): number {
    return this.passes || size === 0 ? -1 : this.#bytes.place(offset, size);
  }

  #cut(region: Region, size: number): number {
    const start = region.at;
    must(size <= region.end - start, 'an array is longer than the bytes');
    region.at += size;
    return start;
  }
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new WireError(what);
}
