import { Dictionary } from './dictionary.ts';
import { GrowingBytes, GrowingWords } from './growing.ts';

/** The least and the greatest value, in the form in which statistics are written. */
export interface Bounds {
  readonly min: Uint8Array;
  readonly max: Uint8Array;
}

/** The values of a column as they are written. */
export interface StoredValues {
  /** Values one behind the other as the encoding PLAIN has them: the distinct ones with `ids`, else all. */
  readonly plain: Buffer;
  /** Number of the distinct value that each value is; null: without a dictionary. */
  readonly ids: Uint32Array | null;
  /** Number of distinct values; 0 without a dictionary. */
  readonly distinct: number;
  /** null: there are none, or they are of no use. */
  readonly bounds: Bounds | null;
  /** Place behind so many further values that begin at `from`. */
  after(from: number, count: number): number;
}

/** Collects the values of a column. */
export interface ValueStore {
  /** Bytes that it takes, about. */
  readonly bytes: number;
  finish(): StoredValues;
}

/** Longest text or bytes that statistics have. */
const MAX_BOUND = 128;
/** A dictionary must save this part of the room. */
const WORTH = 0.8;

/** Collects texts (as UTF-8) and bytes. */
export class BlobStore implements ValueStore {
  #dictionary: Dictionary | null = new Dictionary();
  /** The distinct values, or all when there is no dictionary: the length in four bytes, then the bytes. */
  readonly #plain = new GrowingBytes();
  /** Positions at which the distinct values begin. */
  #starts = new GrowingWords();
  /** Bytes that all values take in PLAIN. */
  #total = 0;
  #source: Uint8Array = new Uint8Array();
  #from = 0;
  #to = 0;

  get bytes(): number {
    return this.#plain.length + 4 * (this.#dictionary?.ids.length ?? 0);
  }

  /** Adds the bytes [start, end) of a source, as a value that comes so often. */
  add(source: Uint8Array, start: number, end: number, times = 1): void {
    this.#total += (end - start + 4) * times;
    const dictionary = this.#dictionary;
    if (dictionary === null) {
      for (let i = 0; i < times; i++) this.#append(source, start, end);
      return;
    }
    this.#source = source;
    this.#from = start;
    this.#to = end;
    const before = dictionary.size;
    const entry = dictionary.add(hashOf(source, start, end), this.#same);
    if (dictionary.size > before) {
      this.#starts.push(this.#plain.length);
      this.#append(source, start, end);
    }
    if (times > 1) dictionary.ids.repeat(entry, times - 1);
    if (dictionary.useless) this.#giveUpDictionary(dictionary);
  }

  finish(): StoredValues {
    const dictionary = this.#dictionary;
    if (dictionary !== null && this.#plain.length + idBytes(dictionary) > this.#total * WORTH) this.#giveUpDictionary(dictionary);
    const plain = this.#plain.view();
    const { ids, size } = this.#dictionary ?? NO_DICTIONARY;
    return {
      plain,
      ids: ids?.view() ?? null,
      distinct: size,
      bounds: blobBounds(plain),
      after: (from, count) => behind(plain, from, count),
    };
  }

  readonly #same = (entry: number): boolean => {
    const { data } = this.#plain;
    const at = this.#starts.data[entry] as number;
    const length = this.#to - this.#from;
    if (data.readUInt32LE(at) !== length) return false;
    for (let i = 0; i < length; i++) if (data[at + 4 + i] !== this.#source[this.#from + i]) return false;
    return true;
  };

  #append(source: Uint8Array, start: number, end: number): void {
    this.#plain.word(end - start);
    this.#plain.bytes(source, start, end);
  }

  #giveUpDictionary({ ids }: Dictionary): void {
    const distinct = Buffer.from(this.#plain.view());
    this.#plain.length = 0;
    this.#plain.reserve(this.#total);
    for (const id of ids.view()) {
      const at = this.#starts.data[id] as number;
      this.#plain.bytes(distinct, at, at + 4 + distinct.readUInt32LE(at));
    }
    this.#dictionary = null;
    this.#starts = new GrowingWords();
  }
}

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** Collects values of 4 or 8 bytes. */
export class NumberStore implements ValueStore {
  readonly #words: 1 | 2;
  readonly #boundsOf: (words: Int32Array) => Bounds | null;
  #dictionary: Dictionary | null = new Dictionary();
  #plain = new Int32Array(64);
  /** Words in `plain`. */
  #length = 0;
  #count = 0;
  #low = 0;
  #high = 0;

  constructor(words: 1 | 2, boundsOf: (words: Int32Array) => Bounds | null) {
    this.#words = words;
    this.#boundsOf = boundsOf;
  }

  get bytes(): number {
    return 4 * (this.#length + (this.#dictionary?.ids.length ?? 0));
  }

  /** Adds the values [from, to) of words that hold one value after the other. */
  add(words: Int32Array, from: number, to: number): void {
    this.#count += to - from;
    let at = from;
    for (; at < to && this.#dictionary !== null; at++) this.#addDistinct(this.#dictionary, words, at, 1);
    if (at < to) this.#append(words.subarray(at * this.#words, to * this.#words));
  }

  /** Whether its doubles are integers that a double holds exactly, none of them -0. */
  get isWhole(): boolean {
    for (const value of new Float64Array(this.#plain.buffer, 0, this.#length / 2))
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) return false;
    return true;
  }

  /** Whether some of its integers are beyond those that a double holds exactly. */
  get isWide(): boolean {
    for (const value of new BigInt64Array(this.#plain.buffer, 0, this.#length / 2))
      if (value > MOST_EXACT || value < -MOST_EXACT) return true;
    return false;
  }

  /** Adds the same value several times. */
  addRepeated(words: Int32Array, times: number): void {
    this.#count += times;
    if (this.#dictionary !== null) this.#addDistinct(this.#dictionary, words, 0, times);
    else for (let i = 0; i < times; i++) this.#append(words);
  }

  finish(): StoredValues {
    const dictionary = this.#dictionary;
    const total = this.#count * this.#words * 4;
    if (dictionary !== null && this.#length * 4 + idBytes(dictionary) > total * WORTH) this.#giveUpDictionary(dictionary);
    const words = this.#plain.subarray(0, this.#length);
    const { ids, size } = this.#dictionary ?? NO_DICTIONARY;
    const plain = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
    const width = this.#words * 4;
    return {
      plain,
      ids: ids?.view() ?? null,
      distinct: size,
      bounds: this.#boundsOf(words),
      after: (from, count) => from + count * width,
    };
  }

  #addDistinct(dictionary: Dictionary, words: Int32Array, index: number, times: number): void {
    this.#low = words[index * this.#words] as number;
    this.#high = this.#words === 2 ? (words[index * 2 + 1] as number) : 0;
    const before = dictionary.size;
    const entry = dictionary.add(Math.imul(this.#low, 0x9e3779b1) ^ Math.imul(this.#high, 0x85ebca6b), this.#same);
    if (dictionary.size > before) this.#append(words.subarray(index * this.#words, (index + 1) * this.#words));
    if (times > 1) dictionary.ids.repeat(entry, times - 1);
    if (dictionary.useless) this.#giveUpDictionary(dictionary);
  }

  readonly #same = (entry: number): boolean =>
    this.#words === 1
      ? this.#plain[entry] === this.#low
      : this.#plain[entry * 2] === this.#low && this.#plain[entry * 2 + 1] === this.#high;

  #append(words: Int32Array): void {
    if (this.#length + words.length > this.#plain.length) {
      const larger = new Int32Array(Math.max(this.#length + words.length, this.#plain.length * 2));
      larger.set(this.#plain.subarray(0, this.#length));
      this.#plain = larger;
    }
    if (words.length <= 2) for (let i = 0; i < words.length; i++) this.#plain[this.#length + i] = words[i] as number;
    else this.#plain.set(words, this.#length);
    this.#length += words.length;
  }

  #giveUpDictionary({ ids }: Dictionary): void {
    const distinct = this.#plain;
    this.#plain = new Int32Array(Math.max(64, ids.length * this.#words));
    this.#length = 0;
    for (const id of ids.view()) {
      this.#plain[this.#length++] = distinct[id * this.#words] as number;
      if (this.#words === 2) this.#plain[this.#length++] = distinct[id * 2 + 1] as number;
    }
    this.#dictionary = null;
  }
}

/** Collects truth values, one bit each. */
export class BoolStore implements ValueStore {
  readonly #bits = new GrowingBytes();
  #count = 0;
  #trues = 0;

  get bytes(): number {
    return this.#bits.length;
  }

  add(values: Uint8Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const bit = values[i] === 0 ? 0 : 1;
      if ((this.#count & 7) === 0) this.#bits.byte(0);
      const at = this.#count++ >> 3;
      this.#bits.data[at] = (this.#bits.data[at] as number) | (bit << ((this.#count - 1) & 7));
      this.#trues += bit;
    }
  }

  finish(): StoredValues {
    const bounds =
      this.#count === 0 ? null : { min: Uint8Array.of(this.#trues === this.#count ? 1 : 0), max: Uint8Array.of(this.#trues > 0 ? 1 : 0) };
    // A page of bits begins at a whole byte, so all values are one page.
    return { plain: this.#bits.view(), ids: null, distinct: 0, bounds, after: () => this.#bits.length };
  }
}

/** Collects values of 16 bytes, of which each is most likely another. */
export class UuidStore implements ValueStore {
  readonly #plain = new GrowingBytes();

  get bytes(): number {
    return this.#plain.length;
  }

  add(uuids: Uint8Array): void {
    this.#plain.bytes(uuids);
  }

  finish(): StoredValues {
    return { plain: this.#plain.view(), ids: null, distinct: 0, bounds: null, after: (from, count) => from + count * 16 };
  }
}

const NO_DICTIONARY = { ids: null, size: 0 } as const;

/** Bytes that the numbers of the values take at most. */
const idBytes = ({ ids, size }: Dictionary): number => (ids.length * (32 - Math.clz32(size))) / 8;

/** Takes four bytes at a time. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}

/** The place behind so many values with their lengths before them. */
function behind(plain: Buffer, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count; i++) at += 4 + plain.readUInt32LE(at);
  return at;
}

/** Bytes compare as unsigned numbers, as the order of UTF-8 texts and binaries is defined. */
function blobBounds(plain: Buffer): Bounds | null {
  if (plain.length === 0) return null;
  let min = valueAt(plain, 0);
  let max = min;
  for (let at = 0; at < plain.length;) {
    const value = valueAt(plain, at);
    at += 4 + value.length;
    // Most values differ in their first byte: that is told without a call.
    if ((value[0] ?? -1) <= (min[0] ?? -1) && Buffer.compare(value, min) < 0) min = value;
    if ((value[0] ?? -1) >= (max[0] ?? -1) && Buffer.compare(value, max) > 0) max = value;
  }
  return min.length > MAX_BOUND || max.length > MAX_BOUND ? null : { min, max };
}

function valueAt(plain: Buffer, at: number): Buffer {
  return plain.subarray(at + 4, at + 4 + plain.readUInt32LE(at));
}

/** Bounds of integers of four bytes. */
export function int32Bounds(words: Int32Array): Bounds | null {
  if (words.length === 0) return null;
  let min = words[0] as number;
  let max = min;
  for (const word of words) {
    if (word < min) min = word;
    else if (word > max) max = word;
  }
  return { min: wordBytes(words, words.indexOf(min), 1), max: wordBytes(words, words.indexOf(max), 1) };
}

/** Bounds of integers of eight bytes, which are given as their lower and upper halves. */
export function int64Bounds(words: Int32Array): Bounds | null {
  if (words.length === 0) return null;
  let min = 0;
  let max = 0;
  for (let at = 2; at < words.length; at += 2) {
    if (isLess(words, at, min)) min = at;
    else if (isLess(words, max, at)) max = at;
  }
  return { min: wordBytes(words, min, 2), max: wordBytes(words, max, 2) };
}

function isLess(words: Int32Array, one: number, other: number): boolean {
  const [high, otherHigh] = [words[one + 1] as number, words[other + 1] as number];
  return high === otherHigh ? (words[one] as number) >>> 0 < (words[other] as number) >>> 0 : high < otherHigh;
}

/** Bounds of doubles. There are none when one is no number; a zero is both -0 and +0. */
export function doubleBounds(words: Int32Array): Bounds | null {
  const values = new Float64Array(words.buffer, words.byteOffset, words.length / 2);
  if (values.length === 0) return null;
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value !== value) return null;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min: doubleBytes(min === 0 ? -0 : min), max: doubleBytes(max === 0 ? 0 : max) };
}

const doubleBytes = (value: number): Uint8Array => new Uint8Array(Float64Array.of(value).buffer);

const wordBytes = (words: Int32Array, at: number, count: number): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset + at * 4, count * 4).slice();
