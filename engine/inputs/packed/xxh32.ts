const [PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;
const STRIPE = 16;

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const round = (lane: number, input: number): number => Math.imul(rotated((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);

/** The checksum xxHash of 32 bits with the seed 0, of bytes that come in pieces (the specification of xxHash, section XXH32). */
export class Xxh32 {
  readonly #lanes = Int32Array.of(PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1);
  readonly #held = Buffer.alloc(STRIPE);
  #heldBytes = 0;
  #total = 0;

  update(bytes: Buffer): this {
    this.#total += bytes.length;
    let at = 0;
    if (this.#heldBytes > 0) {
      at = bytes.copy(this.#held, this.#heldBytes, 0, STRIPE - this.#heldBytes);
      this.#heldBytes += at;
      if (this.#heldBytes < STRIPE) return this;
      this.#stripes(this.#held, 0);
    }
    at = this.#stripes(bytes, at);
    this.#heldBytes = bytes.copy(this.#held, 0, at);
    return this;
  }

  digest(): number {
    const [a, b, c, d] = this.#lanes as unknown as readonly [number, number, number, number];
    let hash = this.#total < STRIPE ? PRIME_5 | 0 : rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
    hash = (hash + this.#total) | 0;
    let at = 0;
    for (; at + 4 <= this.#heldBytes; at += 4)
      hash = Math.imul(rotated((hash + Math.imul(this.#held.readInt32LE(at), PRIME_3)) | 0, 17), PRIME_4);
    for (; at < this.#heldBytes; at++) hash = Math.imul(rotated((hash + Math.imul(this.#held[at] as number, PRIME_5)) | 0, 11), PRIME_1);
    hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  /** Takes whole stripes. Returns the position behind them. */
  #stripes(bytes: Buffer, from: number): number {
    let [a, b, c, d] = this.#lanes as unknown as [number, number, number, number];
    let at = from;
    for (; at + STRIPE <= bytes.length; at += STRIPE) {
      a = round(a, bytes.readInt32LE(at));
      b = round(b, bytes.readInt32LE(at + 4));
      c = round(c, bytes.readInt32LE(at + 8));
      d = round(d, bytes.readInt32LE(at + 12));
    }
    this.#lanes.set([a, b, c, d]);
    return at;
  }
}

/** The checksum of bytes that are there as a whole. */
export const xxh32 = (bytes: Buffer): number => new Xxh32().update(bytes).digest();
