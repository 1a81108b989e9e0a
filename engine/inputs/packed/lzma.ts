import { ByteQueue } from './byte-queue.ts';
import { DamagedError, endsTooEarly } from './errors.ts';

const HEADER_BYTES = 13;
/** Bytes that a symbol takes, at most. */
const LONGEST_SYMBOL = 32;
const INPUT_BYTES = 64 << 10;
const OUTPUT_BYTES = 256 << 10;
const [SHORTEST_DICTIONARY, LONGEST_DICTIONARY] = [4096, 256 << 20];
/** Bytes of the longest match. */
const LONGEST_MATCH = 273;
const PROBABILITY_BITS = 11;
const [ONE, HALF, MOVE] = [1 << PROBABILITY_BITS, 1 << (PROBABILITY_BITS - 1), 5];
const LOWEST_RANGE = 1 << 24;
const NO_SIZE = 0xffff_ffff_ffff_ffffn;
const END_MARKER = 0xffff_ffff;
const [STATES, POSITIONS, LENGTH_STATES] = [12, 16, 4];
const [FIRST_MODEL, LAST_MODEL, ALIGN_BITS] = [4, 14, 4];

/** Places of the probabilities of one kind of length: of two choices, and of the low, middle and high lengths. */
const [CHOICE, CHOICE_2, LOW, MIDDLE, HIGH, LENGTHS] = [0, 1, 2, 2 + POSITIONS * 8, 2 + POSITIONS * 16, 2 + POSITIONS * 16 + 256];
/** Places of all probabilities, in the order of the specification. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * POSITIONS;
const IS_REP_0 = IS_REP + STATES;
const IS_REP_1 = IS_REP_0 + STATES;
const IS_REP_2 = IS_REP_1 + STATES;
const IS_REP_0_LONG = IS_REP_2 + STATES;
const SLOT = IS_REP_0_LONG + STATES * POSITIONS;
const SPECIAL = SLOT + LENGTH_STATES * 64;
const ALIGN = SPECIAL + 115;
const LENGTH = ALIGN + (1 << ALIGN_BITS);
const REP_LENGTH = LENGTH + LENGTHS;
const LITERAL = REP_LENGTH + LENGTHS;

/** The text of an .lzma file (the LZMA specification of the LZMA SDK). What comes before an error is the text before it. */
export async function* lzmaText(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const queue = new ByteQueue(source);
  try {
    // The first byte of the range coder is no data, and four are its code.
    if (!(await queue.fill(HEADER_BYTES + 5))) throw endsTooEarly();
    const decoder = new LzmaDecoder(queue.bytes);
    queue.drop(HEADER_BYTES + 5);
    while (!decoder.isDone) {
      const isMore = await queue.fill(INPUT_BYTES);
      const { text, used, error } = decoder.decode(queue.bytes, isMore);
      queue.drop(used);
      if (text.length > 0) yield text;
      if (error !== null) throw error;
    }
  } finally {
    await queue.close();
  }
}

class LzmaDecoder {
  isDone = false;
  readonly #contextBits: number;
  readonly #literalMask: number;
  readonly #positionMask: number;
  readonly #size: number;
  readonly #probabilities: Uint16Array;
  readonly #dictionary: Buffer;
  #written = 0;
  #state = 0;
  readonly #distances = [0, 0, 0, 0];
  #range = 0xffff_ffff;
  #code: number;
  #input: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(head: Buffer) {
    const properties = head[0] as number;
    if (properties >= 9 * 5 * 5 || head[HEADER_BYTES] !== 0) throw new DamagedError('it is no lzma stream');
    this.#contextBits = properties % 9;
    this.#literalMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
    this.#positionMask = (1 << Math.floor(properties / 45)) - 1;
    const size = head.readBigUInt64LE(5);
    this.#size = size === NO_SIZE ? Infinity : Number(size);
    const length = Math.max(SHORTEST_DICTIONARY, Math.min(head.readUInt32LE(1), this.#size));
    if (length > LONGEST_DICTIONARY) throw new DamagedError('it needs more memory than it may have');
    this.#dictionary = Buffer.alloc(length);
    this.#probabilities = new Uint16Array(LITERAL + (0x300 << (this.#contextBits + (Math.floor(properties / 9) % 5)))).fill(HALF);
    this.#code = head.readUInt32BE(HEADER_BYTES + 1);
    this.isDone = this.#size === 0;
  }

  /** Decodes some bytes. @param isMore others come behind them, so that symbols that may not be whole wait */
  decode(bytes: Buffer, isMore: boolean): { readonly text: Buffer; readonly used: number; readonly error: DamagedError | null } {
    this.#input = bytes;
    this.#at = 0;
    const last = isMore ? bytes.length - LONGEST_SYMBOL : bytes.length;
    const text = Buffer.allocUnsafe(OUTPUT_BYTES + LONGEST_MATCH);
    let length = 0;
    let error: DamagedError | null = null;
    while (!this.isDone && length < OUTPUT_BYTES && (isMore ? this.#at < last : true) && error === null) {
      const count = this.#symbol();
      if (this.#at > bytes.length) error = endsTooEarly();
      else if (count < 0) error = new DamagedError('the data are damaged');
      else length = this.#copy(count, text, length);
      if (this.#written >= this.#size) this.isDone = true;
    }
    return { text: text.subarray(0, length), used: Math.min(this.#at, bytes.length), error };
  }

  /** The byte that was written so many bytes before. */
  #byteAt(distance: number): number {
    const at = (this.#written - distance) % this.#dictionary.length;
    return this.#dictionary[at] as number;
  }

  #put(byte: number, text: Buffer, at: number): number {
    this.#dictionary[this.#written % this.#dictionary.length] = byte;
    this.#written++;
    text[at] = byte;
    return at + 1;
  }

  /** Writes a literal, which is `count` 0, or bytes that were written before. Returns the new length of the text. */
  #copy(count: number, text: Buffer, length: number): number {
    if (count === 0) return this.isDone ? length : this.#put(this.#literal(), text, length);
    const distance = (this.#distances[0] as number) + 1;
    let at = length;
    for (let i = 0; i < count && this.#written < this.#size; i++) at = this.#put(this.#byteAt(distance), text, at);
    return at;
  }

  /** Reads what the next symbol is: 0 for a literal and for the end, else the length of a match; -1: it is damaged. */
  #symbol(): number {
    const position = this.#written & this.#positionMask;
    const state = this.#state;
    if (this.#bit(IS_MATCH + state * POSITIONS + position) === 0) return 0;
    let length: number;
    if (this.#bit(IS_REP + state) === 1) {
      if (this.#written === 0) return -1;
      if (this.#bit(IS_REP_0 + state) === 0) {
        if (this.#bit(IS_REP_0_LONG + state * POSITIONS + position) === 0) {
          this.#state = state < 7 ? 9 : 11;
          return this.#isWritten() ? 1 : -1;
        }
      } else this.#useDistance(this.#bit(IS_REP_1 + state) === 0 ? 1 : this.#bit(IS_REP_2 + state) === 0 ? 2 : 3);
      length = this.#length(REP_LENGTH, position);
      this.#state = state < 7 ? 8 : 11;
    } else {
      length = this.#length(LENGTH, position);
      this.#state = state < 7 ? 7 : 10;
      const distance = this.#distance(length);
      this.#distances.unshift(distance);
      this.#distances.pop();
      if (distance === END_MARKER) {
        this.isDone = true;
        return 0;
      }
    }
    return this.#isWritten() ? length + 2 : -1;
  }

  #isWritten(): boolean {
    const distance = this.#distances[0] as number;
    return distance < this.#written && distance < this.#dictionary.length;
  }

  #useDistance(at: number): void {
    const [distance = 0] = this.#distances.splice(at, 1);
    this.#distances.unshift(distance);
  }

  #literal(): number {
    const before = this.#written === 0 ? 0 : this.#byteAt(1);
    const context = ((this.#written & this.#literalMask) << this.#contextBits) + (before >> (8 - this.#contextBits));
    const base = LITERAL + 0x300 * context;
    let symbol = 1;
    if (this.#state >= 7) {
      let matched = this.#byteAt((this.#distances[0] as number) + 1);
      do {
        const expected = (matched >> 7) & 1;
        matched <<= 1;
        const bit = this.#bit(base + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== expected) break;
      } while (symbol < 0x100);
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(base + symbol);
    const state = this.#state;
    this.#state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    return symbol & 0xff;
  }

  #length(base: number, position: number): number {
    if (this.#bit(base + CHOICE) === 0) return this.#tree(base + LOW + position * 8, 3);
    if (this.#bit(base + CHOICE_2) === 0) return 8 + this.#tree(base + MIDDLE + position * 8, 3);
    return 16 + this.#tree(base + HIGH, 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(SLOT + Math.min(length, LENGTH_STATES - 1) * 64, 6);
    if (slot < FIRST_MODEL) return slot;
    const bits = (slot >> 1) - 1;
    const distance = (2 | (slot & 1)) * 2 ** bits;
    if (slot < LAST_MODEL) return distance + this.#reverse(SPECIAL + distance - slot, bits);
    return distance + this.#direct(bits - ALIGN_BITS) * 2 ** ALIGN_BITS + this.#reverse(ALIGN, ALIGN_BITS);
  }

  #tree(base: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(base + symbol);
    return symbol - (1 << bits);
  }

  #reverse(base: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(base + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  /** Bits that are as likely as not. */
  #direct(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.#range = this.#range >>> 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      value = value * 2 + (isOne ? 1 : 0);
      this.#normalise();
    }
    return value;
  }

  #bit(at: number): number {
    const probability = this.#probabilities[at] as number;
    const bound = (this.#range >>> PROBABILITY_BITS) * probability;
    const isOne = this.#code >= bound;
    if (isOne) {
      this.#range -= bound;
      this.#code -= bound;
      this.#probabilities[at] = probability - (probability >> MOVE);
    } else {
      this.#range = bound;
      this.#probabilities[at] = probability + ((ONE - probability) >> MOVE);
    }
    this.#normalise();
    return isOne ? 1 : 0;
  }

  #normalise(): void {
    if (this.#range >= LOWEST_RANGE) return;
    this.#range = this.#range * 256;
    this.#code = (this.#code * 256 + (this.#input[this.#at] ?? 0)) % 0x1_0000_0000;
    this.#at++;
  }
}
