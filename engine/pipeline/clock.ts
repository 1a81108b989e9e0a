import { INT64_MAX } from '../message/int64.ts';

/** Most ticks for one gap in the messages' time; older ones are left out. */
const MAX_TICKS_OF_A_GAP = 1000;

/** A tick of the message clock: it comes before row `row` of the batch (its length: after the last row). */
export interface Tick {
  readonly row: number;
  readonly ns: bigint;
}

/**
 * The message clock of one plugin. Time is the highest timestamp seen so far, so a late message does not turn it back. The
 * first tick comes one interval after the first message, as with the wall clock; ticks depend on the messages alone, never on
 * how they were cut into batches.
 */
export class MessageTicker {
  readonly #interval: bigint;
  #next: bigint | null = null;
  #now: bigint | null = null;

  /** @param seconds the interval, whole seconds above 0 */
  constructor(seconds: number) {
    this.#interval = BigInt(seconds) * 1_000_000_000n;
  }

  /** Time of the messages; null before the first message. */
  get now(): bigint | null {
    return this.#now;
  }

  /** Advances over the timestamps of a batch and returns the ticks that came, ascending by row. */
  advance(timestamps: BigInt64Array): Tick[] {
    const ticks: Tick[] = [];
    let row = 0;
    if (this.#next === null) {
      if (timestamps.length === 0) return ticks;
      this.#now = timestamps[0] as bigint;
      this.#next = this.#now + this.#interval;
    }
    const words = new Uint32Array(timestamps.buffer, timestamps.byteOffset, timestamps.length * 2);
    while (this.#next <= INT64_MAX && (row = firstAtOrAfter(words, row, this.#next)) < timestamps.length) {
      this.#now = timestamps[row] as bigint;
      this.#pushTicks(ticks, row, this.#now);
    }
    this.#now = highest(timestamps, this.#now as bigint);
    return ticks;
  }

  #pushTicks(ticks: Tick[], row: number, now: bigint): void {
    const next = this.#next as bigint;
    const missed = (now - next) / this.#interval;
    let ns = missed >= BigInt(MAX_TICKS_OF_A_GAP) ? next + (missed - BigInt(MAX_TICKS_OF_A_GAP - 1)) * this.#interval : next;
    for (; ns <= now; ns += this.#interval) ticks.push({ row, ns });
    this.#next = ns;
  }
}

/** Finds the first row at or after a time that a message can have. Compares by 32-bit halves, since reading BigInts would allocate one per message. */
function firstAtOrAfter(words: Uint32Array, from: number, bound: bigint): number {
  const low = Number(BigInt.asUintN(32, bound));
  const high = Number(BigInt.asIntN(32, bound >> 32n));
  const rows = words.length / 2;
  for (let row = from; row < rows; row++) {
    const rowHigh = (words[row * 2 + 1] as number) | 0;
    if (rowHigh > high || (rowHigh === high && (words[row * 2] as number) >= low)) return row;
  }
  return rows;
}

/** The highest of the timestamps and `start`. */
export function highest(timestamps: BigInt64Array, start: bigint): bigint {
  const words = new Uint32Array(timestamps.buffer, timestamps.byteOffset, timestamps.length * 2);
  let high = Number(BigInt.asIntN(32, start >> 32n));
  let low = Number(BigInt.asUintN(32, start));
  for (let i = 0; i < words.length; i += 2) {
    const rowHigh = (words[i + 1] as number) | 0;
    if (rowHigh < high) continue;
    const rowLow = words[i] as number;
    if (rowHigh > high || rowLow > low) {
      high = rowHigh;
      low = rowLow;
    }
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
