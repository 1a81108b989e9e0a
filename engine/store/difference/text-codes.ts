import type { FieldColumn } from '../../message/batch/columns.ts';
import { NO_CODE } from './block-counts.ts';

type Texts = Extract<FieldColumn, { readonly valueType: 0 }>['values'];

const FIRST_SIZE = 256;
/** The first byte of a key that is not Latin-1, beside `#wide`. */
const WIDE = 0;
/** Characters of a text that count. */
export const LONGEST = 600;

/** Numbers texts from 0 on in the order in which they come, without making strings of those that are known. Bytes are read four at a time. */
export class TextCodes {
  #slots = new Int32Array(FIRST_SIZE).fill(-1);
  /** Code of the last text with such ends and middle: most texts are found there. */
  #guesses = new Int32Array(FIRST_SIZE).fill(-1);
  #hashes = new Int32Array(FIRST_SIZE);
  #starts = new Uint32Array(FIRST_SIZE + 1);
  #keys = Buffer.alloc(4096);
  #words = wordsOf(this.#keys);
  #scratch = Buffer.alloc(4096);
  #scratchWords = wordsOf(this.#scratch);
  /** Codes of texts that are in UTF-8. */
  readonly #wide = new Set<number>();
  size = 0;

  /** The number of a text. @param room texts that are numbered; -1: there are too many */
  codeOf(bytes: DataView, from: number, to: number, room: number): number {
    const guesses = this.#guesses;
    const place = endsHash(bytes, from, to) & (guesses.length - 1);
    const guess = guesses[place] as number;
    if (guess >= 0 && this.#isKey(guess, bytes, from, to)) return guess;
    const code = this.#find(bytes, from, to, room);
    // Adding it may have made more room for guesses.
    if (code >= 0 && guesses === this.#guesses) guesses[place] = code;
    return code;
  }

  /** The same of a string. */
  codeOfText(text: string, room: number): number {
    if (this.#scratch.length < text.length * 3 + 1) {
      this.#scratch = Buffer.alloc(text.length * 3 + 1);
      this.#scratchWords = wordsOf(this.#scratch);
    }
    const wide = isWide(text);
    this.#scratch[0] = WIDE;
    const end = wide ? 1 + this.#scratch.write(text, 1, 'utf8') : this.#scratch.write(text, 0, 'latin1');
    const before = this.size;
    const code = this.codeOf(this.#scratchWords, 0, end, room);
    if (code === before && wide) this.#wide.add(code);
    return code;
  }

  /** The text of a number. */
  textOf(code: number): string {
    const [from, to] = [this.#starts[code] as number, this.#starts[code + 1] as number];
    return this.#wide.has(code) ? this.#keys.toString('utf8', from + 1, to) : this.#keys.toString('latin1', from, to);
  }

  /**
   * Writes the number of each value.
   * @param codes gets `NO_CODE` for those beyond the room
   * @param every only one in so many places is a new value numbered, so that frequent ones are, and few of the others
   * @returns whether there was room for all that were to be numbered
   */
  fill(values: Texts, count: number, offsets: Uint32Array | null, codes: Uint16Array, room: number, every: number): boolean {
    const { starts, ends, latin } = values;
    const bytes = latin === undefined ? null : wordsOf(latin.bytes);
    const text = bytes === null ? values.text : '';
    let fits = true;
    // In many fields, one value comes again and again.
    let before = -1;
    for (let i = 0; i < count; i++) {
      const at = offsets === null ? i : (offsets[i] as number);
      if (offsets !== null && at === offsets[i + 1]) {
        codes[i] = NO_CODE;
        continue;
      }
      const from = starts[at] as number;
      const to = Math.min(ends[at] as number, from + LONGEST);
      if (before >= 0 && bytes !== null && this.#isKey(before, bytes, from, to)) {
        codes[i] = before;
        continue;
      }
      const own = every === 1 || i % every === 0 ? room : Math.min(room, this.size);
      const code = bytes === null ? this.codeOfText(text.slice(from, to), own) : this.codeOf(bytes, from, to, own);
      if (code < 0 && own === room) fits = false;
      codes[i] = code < 0 ? NO_CODE : code;
      before = code;
    }
    return fits;
  }

  #find(bytes: DataView, from: number, to: number, room: number): number {
    const hash = hashOf(bytes, from, to);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = this.#slots[slot] as number;
      if (code < 0) return this.size >= room ? -1 : this.#add(bytes, from, to, hash, slot);
      if (this.#hashes[code] === hash && this.#isKey(code, bytes, from, to)) return code;
      slot = (slot + 1) & mask;
    }
  }

  #isKey(code: number, bytes: DataView, from: number, to: number): boolean {
    let at = this.#starts[code] as number;
    const keys = this.#words;
    if ((this.#starts[code + 1] as number) - at !== to - from) return false;
    let i = from;
    // V8 compares these without making objects of them.
    for (const last = to - 8; i <= last; i += 8, at += 8) if (keys.getBigInt64(at, true) !== bytes.getBigInt64(i, true)) return false;
    for (const last = to - 4; i <= last; i += 4, at += 4) if (keys.getInt32(at, true) !== bytes.getInt32(i, true)) return false;
    for (; i < to; i++, at++) if (keys.getUint8(at) !== bytes.getUint8(i)) return false;
    return true;
  }

  #add(bytes: DataView, from: number, to: number, hash: number, slot: number): number {
    const code = this.size++;
    const start = this.#starts[code] as number;
    const end = start + to - from;
    if (end > this.#keys.length) {
      const keys = Buffer.alloc(2 * end);
      keys.set(this.#keys);
      this.#keys = keys;
      this.#words = wordsOf(keys);
    }
    for (let at = start, i = from; i < to; at++, i++) this.#keys[at] = bytes.getUint8(i);
    this.#hashes[code] = hash;
    this.#starts[code + 1] = end;
    this.#slots[slot] = code;
    if (this.size * 2 >= this.#slots.length) this.#grow();
    return code;
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    const [hashes, starts] = [new Int32Array(size), new Uint32Array(size + 1)];
    hashes.set(this.#hashes);
    starts.set(this.#starts);
    [this.#hashes, this.#starts] = [hashes, starts];
    [this.#slots, this.#guesses] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
    for (let code = 0; code < this.size; code++) {
      let slot = (hashes[code] as number) & (size - 1);
      while ((this.#slots[slot] as number) >= 0) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = code;
    }
  }
}

/** Bytes for reading words of them. */
export const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return true;
  return false;
}

const [FACTOR, OTHER_FACTOR] = [0x85ebca6b, 0xc2b2ae35];

function endsHash(bytes: DataView, from: number, to: number): number {
  const length = to - from;
  let hash = length;
  if (length < 4) for (let i = from; i < to; i++) hash = (hash << 8) | bytes.getUint8(i);
  else {
    hash = Math.imul(hash ^ bytes.getInt32(from, true), FACTOR);
    hash = Math.imul((hash ^ (hash >>> 15)) + bytes.getInt32(from + ((length - 4) >> 1), true), OTHER_FACTOR);
    hash = (hash ^ (hash >>> 13)) + bytes.getInt32(to - 4, true);
  }
  hash = Math.imul(hash ^ (hash >>> 16), FACTOR);
  return hash ^ (hash >>> 13);
}

function hashOf(bytes: DataView, from: number, to: number): number {
  let hash = Math.imul((to - from) ^ 0x811c9dc5, FACTOR);
  const last = to - 4;
  if (last < from) for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes.getUint8(i), 0x01000193);
  else {
    for (let i = from; i < last; i += 4) {
      hash = Math.imul(hash ^ bytes.getInt32(i, true), FACTOR);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ bytes.getInt32(last, true), OTHER_FACTOR);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, FACTOR);
  return hash ^ (hash >>> 13);
}
