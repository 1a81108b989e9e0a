/**
 * Finds the most frequent values of a stream in bounded memory: J. Misra, D. Gries, "Finding Repeated Elements", 1982. A weight is never above the
 * value's count; a value that makes up more than one in `capacity` is never lost.
 */
import { checkString, unexpected, wholeNumber } from '../base/arguments.ts';

/** The most frequent values; see above. */
export class HeavyHitters {
  readonly #capacity: number;
  #weights = new Map<string, number>();

  /** @param capacity how many values are kept, at least 1 */
  constructor(capacity: number) {
    this.#capacity = wholeNumber('HeavyHitters', 1, capacity, 1);
  }

  /** Counts a value. */
  add(value: string): void {
    checkString('add', 1, value);
    const weight = this.#weights.get(value);
    if (weight !== undefined) this.#weights.set(value, weight + 1);
    else if (this.#weights.size < this.#capacity) this.#weights.set(value, 1);
    else this.#change((old) => old - 1);
  }

  /** Values and weights, heaviest first. */
  sorted(): [value: string, weight: number][] {
    return [...this.#weights].sort(([, a], [, b]) => b - a);
  }

  /** The weight of a value; 0 for one that is not kept. */
  weightOf(value: string): number {
    checkString('weightOf', 1, value);
    return this.#weights.get(value) ?? 0;
  }

  /**
   * Counts all that another one has counted (P. K. Agarwal et al., "Mergeable Summaries", 2012). What is said above holds for the sum of both, if their
   * capacities are equal: a weight is too small by at most one in `capacity + 1` of all values.
   */
  merge(other: HeavyHitters): void {
    if (!(other instanceof HeavyHitters)) throw unexpected('merge', 1, 'HeavyHitters', other);
    for (const [value, weight] of other.#weights) this.#weights.set(value, (this.#weights.get(value) ?? 0) + weight);
    if (this.#weights.size <= this.#capacity) return;
    const [, tooLight] = this.sorted()[this.#capacity] as [string, number];
    this.#change((weight) => weight - tooLight);
  }

  /** Halves all weights, so that what was frequent long ago counts less. */
  halve(): void {
    this.#change((weight) => Math.floor(weight / 2));
  }

  #change(to: (weight: number) => number): void {
    for (const [value, weight] of this.#weights) {
      const changed = to(weight);
      if (changed > 0) this.#weights.set(value, changed);
      else this.#weights.delete(value);
    }
  }

  /** Capacity and weights, for `fromSaved`. The weights are those that this one and the new one go on with: no copy. */
  toSaved(): [capacity: number, weights: Map<string, number>] {
    return [this.#capacity, this.#weights];
  }

  static fromSaved([capacity, weights]: [capacity: number, weights: Map<string, number>]): HeavyHitters {
    const hitters = new HeavyHitters(capacity);
    hitters.#weights = weights;
    return hitters;
  }
}
