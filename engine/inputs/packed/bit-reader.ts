/** Reads bits from bytes, the highest of each byte first. Behind the end there are zero bits. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bits that were read. */
  get usedBits(): number {
    return this.#at * 8 - this.#count;
  }

  /** Bytes that were read, the last one perhaps in part. */
  get wholeBytes(): number {
    return (this.usedBits + 7) >> 3;
  }

  /** Whether more was read than there is. */
  get isBeyond(): boolean {
    return this.wholeBytes > this.#bytes.length;
  }

  /** Looks at the next bits. @param count at most 24 */
  peek(count: number): number {
    while (this.#count < count) {
      this.#held = ((this.#held << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0;
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  /** Goes past bits that were looked at. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** @param count at most 24 */
  read(count: number): number {
    const bits = this.peek(count);
    this.#count -= count;
    return bits;
  }
}
