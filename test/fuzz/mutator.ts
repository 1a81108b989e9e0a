/** A small generator of random numbers with a seed (mulberry32), so that a failure can be had again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Bytes at which parsers like to go wrong. */
const SPECIAL = [0, 1, 0x1e, 0x1f, 0x7f, 0x80, 0xff, 0x0a, 0x22, 0x27, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x2f, 0x28, 0x29, 0x2a, 0x2b];
const MAX_BYTES = 1 << 15;

/** One to some changes of bytes: bits, bytes, numbers, pieces cut out, doubled, moved, or taken from another input. */
export function mutate(random: Random, bytes: Uint8Array, other: Uint8Array, words: readonly string[]): Uint8Array {
  let changed: Buffer = Buffer.from(bytes);
  for (let left = 1 + random.below(random.below(8) === 0 ? 16 : 3); left > 0; left--) changed = mutateOnce(random, changed, other, words);
  return changed.subarray(0, MAX_BYTES);
}

function mutateOnce(random: Random, bytes: Buffer, other: Uint8Array, words: readonly string[]): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + random.below(random.below(4) === 0 ? 64 : 6));
  const splice = (start: number, end: number, ...middle: Uint8Array[]): Buffer =>
    Buffer.concat([bytes.subarray(0, start), ...middle, bytes.subarray(end)]);
  switch (random.below(10)) {
    case 0:
      return splice(at, to, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))), bytes.subarray(at + 1, to));
    case 1:
      return splice(at, at + 1, Uint8Array.of(random.pick(SPECIAL)));
    case 2:
      return splice(at, at, Uint8Array.of(random.below(256)));
    case 3:
      return splice(at, to);
    case 4:
      return splice(at, at, ...Array.from({ length: 1 + random.below(8) }, () => bytes.subarray(at, to)));
    case 5: {
      const from = random.below(other.length + 1);
      return splice(at, random.below(2) === 0 ? at : to, other.subarray(from, from + random.below(64)));
    }
    case 6:
      return words.length === 0 ? bytes : splice(at, random.below(2) === 0 ? at : to, Buffer.from(random.pick(words)));
    case 7: {
      const number = Buffer.alloc(random.pick([1, 2, 4, 8]));
      number.fill(random.pick([0, 0xff, 0x7f, 0x80]));
      number[0] = random.below(256);
      return splice(at, at + number.length, number);
    }
    case 8:
      return bytes.subarray(0, at);
    default: {
      const target = random.below(bytes.length + 1);
      const piece = bytes.subarray(at, to);
      const without = splice(at, to);
      return Buffer.concat([without.subarray(0, target), piece, without.subarray(target)]);
    }
  }
}
