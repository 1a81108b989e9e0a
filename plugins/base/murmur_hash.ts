/** MurmurHash64A (A. Appleby), computed in halves of 32 bits. */

const M_HIGH = 0xc6a4a793 | 0;
const M_LOW = 0x5bd1e995;
const [M_LOW_HIGH, M_LOW_LOW] = [M_LOW >>> 16, M_LOW & 0xffff];
const SEED = 0xadc83b19 | 0;

/** Hashes one byte sequence at a time; `high` and `low` are the halves of the last hash. */
export class MurmurHash {
  high = 0;
  low = 0;

  /** Hashes the first `length` bytes. */
  update(bytes: Uint8Array, length: number): void {
    let high = upperProduct(0, length);
    let low = Math.imul(length, M_LOW) ^ SEED;
    const tail = length & ~7;
    for (let i = 0; i < tail; i += 8) {
      // k *= m, k ^= k >> 47, k *= m, h ^= k, h *= m
      const first = word(bytes, i);
      const second = upperProduct(word(bytes, i + 4), first);
      const folded = Math.imul(first, M_LOW) ^ (second >>> 15);
      const mixed = low ^ Math.imul(folded, M_LOW);
      high = upperProduct(high ^ upperProduct(second, folded), mixed);
      low = Math.imul(mixed, M_LOW);
    }
    if (tail < length) {
      const mixed = low ^ partOfWord(bytes, tail, length);
      high = upperProduct(high ^ partOfWord(bytes, tail + 4, length), mixed);
      low = Math.imul(mixed, M_LOW);
    }
    // h ^= h >> 47, h *= m, h ^= h >> 47
    const folded = low ^ (high >>> 15);
    this.high = upperProduct(high, folded);
    this.low = Math.imul(folded, M_LOW) ^ (this.high >>> 15);
  }
}

/** The upper half of the product with m. */
function upperProduct(high: number, low: number): number {
  const [lowHigh, lowLow] = [low >>> 16, low & 0xffff];
  const middle = lowHigh * M_LOW_LOW + ((lowLow * M_LOW_LOW) >>> 16);
  const carry = lowLow * M_LOW_HIGH + (middle & 0xffff);
  return (lowHigh * M_LOW_HIGH + (middle >>> 16) + (carry >>> 16) + Math.imul(high, M_LOW) + Math.imul(low, M_HIGH)) | 0;
}

/** Four bytes, little endian. */
function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

/** The same; bytes from `end` on are 0. */
function partOfWord(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(end, at + 4) - 1; i >= at; i--) value = (value << 8) | (bytes[i] as number);
  return value;
}
