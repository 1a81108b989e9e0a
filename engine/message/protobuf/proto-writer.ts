import { MAX_VARINT_BYTES, varintSize, writeVarint } from './varint.ts';

/** Writes a text as UTF-8 from `at` on and returns the place behind it; there is room for 3 bytes a code unit. */
export interface TextWriter {
  write(text: string, target: Uint8Array, at: number): number;
}

const words = new Uint32Array(2);
const asInt64 = new BigInt64Array(words.buffer);
const asDouble = new Float64Array(words.buffer);
const asBytes = new Uint8Array(words.buffer);

/**
 * Writes one message after the other into a buffer that grows. Uses nothing of Node: the same code runs in an isolate.
 *
 * With slabs, messages lie one behind the other in memory that they share, which is several times faster than memory of its own for each; a
 * message that is kept then holds on to a slab.
 */
export class ProtoWriter {
  readonly #text: TextWriter;
  readonly #slab: number;
  #bytes: Uint8Array<ArrayBuffer>;
  /** Start of the message in the buffer. */
  #base = 0;
  #at = 0;

  /** @param slab bytes of a slab; 0: each message gets memory of its own */
  constructor(text: TextWriter, slab = 0) {
    this.#text = text;
    this.#slab = slab;
    this.#bytes = new Uint8Array(slab || SMALL);
  }

  /** Drops the unfinished message. */
  reset(): void {
    // One huge message should not hold its memory for ever.
    if (this.#bytes.length > KEEP) {
      this.#bytes = new Uint8Array(this.#slab || SMALL);
      this.#base = 0;
    }
    this.#at = this.#base;
  }

  /** The written message; later writes do not change it. */
  finish(): Uint8Array {
    if (this.#slab === 0) return this.#bytes.slice(0, this.#at);
    const message = this.#bytes.subarray(this.#base, this.#at);
    this.#base = this.#at;
    return message;
  }

  /** One byte: a key (field number << 3 | wire type) below 128. */
  key(key: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = key;
  }

  /** An int32 or enum; negative ones are extended to 64 bits. */
  int32(value: number): void {
    this.#varint(value, value < 0 ? 0xffff_ffff : 0);
  }

  /** An int64; a value that does not fit wraps around. */
  int64(value: bigint): void {
    asInt64[0] = value;
    this.#varint(words[0] as number, words[1] as number);
  }

  bool(value: boolean): void {
    this.key(value ? 1 : 0);
  }

  double(value: number): void {
    this.#reserve(8);
    asDouble[0] = value;
    for (let i = 0; i < 8; i++) this.#bytes[this.#at++] = asBytes[i] as number;
  }

  /** Length and bytes of a text. The space for the length is reserved as for an ASCII text, as most texts are. */
  text(text: string): void {
    const guess = varintSize(text.length);
    this.#reserve(text.length * 3 + MAX_VARINT_BYTES);
    const start = this.#at + guess;
    const end = this.#text.write(text, this.#bytes, start);
    const length = end - start;
    const shift = length === text.length ? 0 : varintSize(length) - guess;
    if (shift > 0) this.#bytes.copyWithin(start + shift, start, end);
    this.#length(length);
    this.#at = end + shift;
  }

  /** Length and bytes. */
  bytes(bytes: Uint8Array): void {
    this.#varint(bytes.length, 0);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Begins an embedded message or packed list. Returns the argument for `close`. */
  open(): number {
    this.#reserve(1);
    return this.#at++ - this.#base;
  }

  /** Ends it and writes its length in front of it; mostly one byte, for which `open` left space. */
  close(opened: number): void {
    const length = this.#at - this.#base - opened - 1;
    const more = varintSize(length) - 1;
    if (more > 0) this.#reserve(more);
    const start = this.#base + opened + 1;
    if (more > 0) this.#bytes.copyWithin(start + more, start, this.#at);
    this.#at = start - 1;
    this.#length(length);
    this.#at += length;
  }

  #varint(low: number, high: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    this.#at = writeVarint(this.#bytes, this.#at, low, high);
  }

  /** A length, for which there is room. */
  #length(length: number): void {
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const written = this.#at - this.#base;
    const room = Math.max(this.#slab, (written + count) * 2);
    const grown = new Uint8Array(this.#slab === 0 ? Math.max(room, this.#bytes.length * 2) : room);
    grown.set(this.#bytes.subarray(this.#base, this.#at));
    this.#bytes = grown;
    this.#base = 0;
    this.#at = written;
  }
}

const SMALL = 1024;
const KEEP = 1_048_576;
