/** MurmurHash64A (A. Appleby), computed in halves of 32 bits. */

const M_HIGH = 0xc6a4a793 | 0;
const M_LOW = 0x5bd1e995;
const SEED = 0xadc83b19 | 0;

/** Hashes one byte sequence at a time; `high` and `low` are the halves of the last hash. */
export class MurmurHash {
  high = 0;
  low = 0;

  /** Hashes the first `length` bytes. */
  update(bytes: Uint8Array, length: number): void {
    this.high = 0;
    this.low = length;
    this.#multiply();
    this.low ^= SEED;
    const tail = length & ~7;
    for (let i = 0; i < tail; i += 8) this.#mix(bytes, i);
    if (tail < length) {
      this.low ^= word(bytes, tail, length);
      this.high ^= word(bytes, tail + 4, length);
      this.#multiply();
    }
    this.#fold();
    this.#multiply();
    this.#fold();
  }

  #mix(bytes: Uint8Array, at: number): void {
    const { high, low } = this;
    this.low = word(bytes, at, at + 8);
    this.high = word(bytes, at + 4, at + 8);
    this.#multiply();
    this.#fold();
    this.#multiply();
    this.low ^= low;
    this.high ^= high;
    this.#multiply();
  }

  /** h *= m */
  #multiply(): void {
    const { high, low } = this;
    this.low = Math.imul(low, M_LOW);
    this.high = (highProduct(low, M_LOW) + Math.imul(high, M_LOW) + Math.imul(low, M_HIGH)) | 0;
  }

  /** h ^= h >> 47 */
  #fold(): void {
    this.low ^= this.high >>> 15;
  }
}

/** Four bytes, little endian; those from `end` on are 0. */
function word(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(end, at + 4) - 1; i >= at; i--) value = (value << 8) | (bytes[i] as number);
  return value;
}

/** The upper half of the product of two unsigned numbers of 32 bits. */
function highProduct(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000);
}
