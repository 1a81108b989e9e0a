import type { FieldColumn } from '../../message/batch/columns.ts';

type Texts = Extract<FieldColumn, { readonly valueType: 0 }>['values'];

/** Bytes of a text that are looked at to find it: of a longer one its ends, and some between. */
const [WHOLE, END, STEPS] = [40, 12, 16];
const FIRST_SIZE = 256;
/** The first byte of a key that is not Latin-1, beside `#wide`. */
const WIDE = 0;
/** Characters of a text that count. */
export const LONGEST = 600;

/** Numbers texts from 0 on in the order in which they come, without making strings of those that are known. */
export class TextCodes {
  #slots = new Int32Array(FIRST_SIZE).fill(-1);
  #hashes = new Int32Array(FIRST_SIZE);
  #starts = new Uint32Array(FIRST_SIZE + 1);
  #keys = Buffer.alloc(4096);
  #scratch = Buffer.alloc(4096);
  /** Codes of texts that are in UTF-8. */
  readonly #wide = new Set<number>();
  size = 0;

  /** The number of a text. @param room texts that are numbered; -1: there are too many */
  codeOf(bytes: Uint8Array, from: number, to: number, room: number): number {
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

  /** The same of a string. */
  codeOfText(text: string, room: number): number {
    const bytes = this.#bytesOf(text);
    const before = this.size;
    const code = this.codeOf(bytes, 0, bytes.length, room);
    if (code === before && isWide(text)) this.#wide.add(code);
    return code;
  }

  /** The text of a number. */
  textOf(code: number): string {
    const [from, to] = [this.#starts[code] as number, this.#starts[code + 1] as number];
    return this.#wide.has(code) ? this.#keys.toString('utf8', from + 1, to) : this.#keys.toString('latin1', from, to);
  }

  /**
   * Writes the number of each value.
   * @param codes gets -1 for those beyond the room
   * @param every only one in so many places is a new value numbered, so that frequent ones are, and few of the others
   * @returns whether there was room for all that were to be numbered
   */
  fill(values: Texts, count: number, offsets: Uint32Array | null, codes: Int32Array, room: number, every: number): boolean {
    const { starts, ends, latin } = values;
    const bytes = latin?.bytes;
    const text = bytes === undefined ? values.text : '';
    let fits = true;
    for (let i = 0; i < count; i++) {
      const at = offsets === null ? i : (offsets[i] as number);
      if (offsets !== null && at === offsets[i + 1]) {
        codes[i] = -1;
        continue;
      }
      const from = starts[at] as number;
      const to = Math.min(ends[at] as number, from + LONGEST);
      const own = i % every === 0 ? room : Math.min(room, this.size);
      const code = bytes === undefined ? this.codeOfText(text.slice(from, to), own) : this.codeOf(bytes, from, to, own);
      if (code < 0 && own === room) fits = false;
      codes[i] = code;
    }
    return fits;
  }

  #bytesOf(text: string): Uint8Array {
    if (this.#scratch.length < text.length * 3 + 1) this.#scratch = Buffer.alloc(text.length * 3 + 1);
    if (isWide(text)) {
      this.#scratch[0] = WIDE;
      return this.#scratch.subarray(0, 1 + this.#scratch.write(text, 1, 'utf8'));
    }
    return this.#scratch.subarray(0, this.#scratch.write(text, 0, 'latin1'));
  }

  #isKey(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[code] as number;
    if ((this.#starts[code + 1] as number) - start !== to - from) return false;
    const keys = this.#keys;
    for (let at = start, i = from; i < to; at++, i++) if (keys[at] !== bytes[i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const code = this.size++;
    const start = this.#starts[code] as number;
    const end = start + to - from;
    if (end > this.#keys.length) {
      const keys = Buffer.alloc(2 * end);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    for (let at = start, i = from; i < to; at++, i++) this.#keys[at] = bytes[i] as number;
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
    [this.#hashes, this.#starts, this.#slots] = [hashes, starts, new Int32Array(size).fill(-1)];
    for (let code = 0; code < this.size; code++) {
      let slot = (hashes[code] as number) & (size - 1);
      while ((this.#slots[slot] as number) >= 0) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = code;
    }
  }
}

function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return true;
  return false;
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  let hash = Math.imul(length ^ 0x811c9dc5, 0x01000193);
  if (length <= WHOLE) for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  else {
    for (let i = from; i < from + END; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    for (let i = to - END; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    const step = (length - 2 * END) / STEPS;
    for (let i = 0; i < STEPS; i++) hash = Math.imul(hash ^ (bytes[from + END + ((i * step) | 0)] as number), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
