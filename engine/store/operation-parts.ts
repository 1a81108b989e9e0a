import type { OperationParts } from '../api/operation-types.ts';

/** Parts of the time of an operation, at most: one bit each for errors. */
export const MOST_PARTS = 32;
/** Counts of the parts, and the bits of those with errors. */
const WORDS = MOST_PARTS + 1;
const SLOTS_AT_FIRST = 64;

/** The times of an operation as far as they are known: it has a slot from its second time on. */
export interface TimedTally {
  count: number;
  errors: number;
  first: number;
  last: number;
  /** -1: none. */
  slot: number;
  /** Milliseconds of a part: a power of two. */
  partMs: number;
}

/**
 * The records of operations in parts of their time. Parts begin at multiples of their length, so that two of them make one when an operation becomes longer,
 * whatever the order in which its records come. The part that begins at `n * partMs` is at `n` modulo their number.
 */
export class PartCounts {
  #words = new Uint32Array(SLOTS_AT_FIRST * WORDS);
  #slots = 0;
  readonly #folded = new Uint32Array(WORDS);

  /** Adds a record to a tally, which does not count it yet. */
  add(tally: TimedTally, time: number, isError: boolean): void {
    if (tally.slot < 0) {
      if (tally.count === 0 || time === tally.first) return;
      tally.slot = this.#newSlot();
      this.#put(tally, tally.first, tally.count, tally.errors > 0);
    }
    const from = Math.min(time, tally.first);
    const to = Math.max(time, tally.last);
    while (Math.floor(to / tally.partMs) - Math.floor(from / tally.partMs) >= MOST_PARTS) this.#fold(tally);
    this.#put(tally, time, 1, isError);
  }

  /** The parts of a tally, from that of its first record to that of its last. */
  of({ slot, partMs, first, last, count, errors }: TimedTally): OperationParts {
    const from = Math.floor(first / partMs);
    if (slot < 0) return { from: from * partMs, partMs, counts: [count], errors: errors > 0 ? [0] : [] };
    const counts = Array.from({ length: Math.floor(last / partMs) - from + 1 }, (_unused, i) => this.#words[slot + placeOf(from + i)] ?? 0);
    const bits = this.#words[slot + MOST_PARTS] as number;
    return { from: from * partMs, partMs, counts, errors: [...counts.keys()].filter((i) => ((bits >>> placeOf(from + i)) & 1) === 1) };
  }

  #put({ slot, partMs }: TimedTally, time: number, count: number, isError: boolean): void {
    const place = placeOf(Math.floor(time / partMs));
    (this.#words[slot + place] as number) += count;
    if (isError) (this.#words[slot + MOST_PARTS] as number) |= 1 << place;
  }

  /** Makes parts twice as long. */
  #fold(tally: TimedTally): void {
    const { slot, partMs } = tally;
    const folded = this.#folded.fill(0);
    const bits = this.#words[slot + MOST_PARTS] as number;
    for (let at = Math.floor(tally.first / partMs); at <= Math.floor(tally.last / partMs); at++) {
      const [place, next] = [placeOf(at), placeOf(Math.floor(at / 2))];
      (folded[next] as number) += this.#words[slot + place] as number;
      (folded[MOST_PARTS] as number) |= ((bits >>> place) & 1) << next;
    }
    this.#words.set(folded, slot);
    tally.partMs *= 2;
  }

  #newSlot(): number {
    const slot = this.#slots++ * WORDS;
    if (slot + WORDS > this.#words.length) {
      const more = new Uint32Array(this.#words.length * 2);
      more.set(this.#words);
      this.#words = more;
    }
    return slot;
  }
}

/** The last bits: a remainder of such large numbers takes long. */
const placeOf = (part: number): number => part & (MOST_PARTS - 1);
