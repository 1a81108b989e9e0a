/** Buffers that grow: what a column takes is not known before its last value. */

const FIRST_BYTES = 256;

/** Bytes in one piece, with little-endian words. */
export class GrowingBytes {
  data: Buffer;
  length = 0;

  constructor(capacity = FIRST_BYTES) {
    this.data = Buffer.allocUnsafeSlow(capacity);
  }

  /** Makes room for so many bytes more. */
  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.data.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.data.length * 2));
    this.data.copy(larger, 0, 0, this.length);
    this.data = larger;
  }

  byte(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }

  word(value: number): void {
    this.reserve(4);
    this.length = this.data.writeUInt32LE(value, this.length);
  }

  bytes(source: Uint8Array, start = 0, end = source.length): void {
    const count = end - start;
    this.reserve(count);
    if (count < SHORT) for (let i = 0; i < count; i++) this.data[this.length + i] = source[start + i] as number;
    else this.data.set(source.subarray(start, end), this.length);
    this.length += count;
  }

  /** A variable-length integer (ULEB128). The value is below 2^53. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.data[this.length++] = (rest % 128) | 0x80;
    this.data[this.length++] = rest;
  }

  /** The bytes that were written, in the same memory. */
  view(): Buffer {
    return this.data.subarray(0, this.length);
  }
}

/** Pieces below this are copied byte by byte: a call of `set` costs more. */
const SHORT = 24;

/** Numbers below 2^32. */
export class GrowingWords {
  data = new Uint32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) this.#grow(1);
    this.data[this.length++] = value;
  }

  /** Adds the same number several times. */
  repeat(value: number, count: number): void {
    if (this.length + count > this.data.length) this.#grow(count);
    this.data.fill(value, this.length, this.length + count);
    this.length += count;
  }

  view(): Uint32Array {
    return this.data.subarray(0, this.length);
  }

  #grow(by: number): void {
    const larger = new Uint32Array(Math.max(this.length + by, this.data.length * 2));
    larger.set(this.view());
    this.data = larger;
  }
}
