/**
 * A stream of random numbers that is the same for the same seed on every machine (Mulberry32: one 32-bit word of state).
 */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `low` to `high`, both included. @param {number} low @param {number} high */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True with the given probability. @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[Math.floor(this.next() * items.length)]);
  }

  /**
   * One of the items, by weight.
   * @template T
   * @param {readonly (readonly [weight: number, item: T])[]} items
   * @returns {T}
   */
  weighted(items) {
    let left = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return /** @type {[number, T]} */ (items.at(-1))[1];
  }

  /** A waiting time with the given mean. @param {number} mean */
  exponential(mean) {
    return -mean * Math.log(1 - this.next());
  }

  /** `digits` hexadecimal digits. @param {number} digits */
  hex(digits) {
    return Array.from({ length: digits }, () => this.int(0, 15).toString(16)).join('');
  }
}

/**
 * Gives indexes 0 to `size` - 1 where the n-th is drawn about 1 / n^`skew` as often as the first, as visitors and pages are.
 * @param {Random} random
 * @param {number} size
 * @param {number} [skew]
 * @returns {() => number}
 */
export function zipf(random, size, skew = 1) {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) sums[rank] = sum += (rank + 1) ** -skew;
  return () => {
    const target = random.next() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (sums[middle]) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
