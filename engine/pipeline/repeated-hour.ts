import { zoneOffset, type ZoneOffset } from '../../plugins/base/zone_offset.ts';

const DAY = 86_400;
/** A change of a clock is looked for so long after a day: the hour that it repeats may have begun on that day. */
const LONGEST_CHANGE = 10_800;
/** Records of one program may be out of order by so many seconds. */
const OUT_OF_ORDER = 300;
const NS_PER_SECOND = 1_000_000_000n;

/** An hour that a clock shows twice. Times are seconds since 1970. */
interface Repetition {
  /** Times at which the clock shows the hour first: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Until it shows the same again. */
  readonly later: number;
}

/** Tells by the order of the records of one log whether a time of an hour that the clock shows twice is of the second one. Decoders read all as of the first. */
export class RepeatedHour {
  readonly #offsetAt: ZoneOffset;
  #day = NaN;
  #repetition: Repetition | null = null;
  #last = NaN;
  #isSecond = false;
  /** Days that were asked for, by their beginning. */
  readonly #days = new Map<number, Repetition | null>();

  private constructor(offsetAt: ZoneOffset) {
    this.#offsetAt = offsetAt;
  }

  /** Null for a zone whose clock is never changed. */
  static of(zone: unknown): RepeatedHour | null {
    if (typeof zone !== 'string' || zone === 'UTC' || /^[+-]/.test(zone)) return null;
    try {
      return new RepeatedHour(zoneOffset(zone));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Whether the clock shows twice what it shows at a time. @param ns since 1970 */
  isTwice(ns: bigint): boolean {
    const seconds = Number(ns) / 1e9;
    const day = Math.floor(seconds / DAY) * DAY;
    return [day - DAY, day].some((from) => {
      const known = this.#days.get(from);
      const found = known === undefined ? this.#repetitionOf(from) : known;
      this.#days.set(from, found);
      return found !== null && seconds >= found.from && seconds < found.to + found.later;
    });
  }

  /** The times of the next records; the same array when none is of a second hour. */
  settled(times: BigInt64Array): BigInt64Array {
    let settled = times;
    for (let row = 0; row < times.length; row++) {
      const time = times[row] as bigint;
      const later = this.#later(Number(time) / 1e9);
      if (later === 0) continue;
      if (settled === times) settled = times.slice();
      settled[row] = time + BigInt(later) * NS_PER_SECOND;
    }
    return settled;
  }

  /** Seconds to add to the time of the next record. */
  #later(seconds: number): number {
    const day = Math.floor(seconds / DAY);
    if (day !== this.#day) {
      this.#day = day;
      this.#repetition = this.#repetitionOf(day * DAY);
    }
    const found = this.#repetition;
    const last = this.#last;
    this.#last = seconds;
    if (found === null || seconds < found.from || seconds >= found.to) return 0;
    const isBehind = last >= found.to + found.later && last - (seconds + found.later) <= OUT_OF_ORDER;
    const isBetween = last >= found.from && last < found.to;
    this.#isSecond = isBehind || (isBetween && (this.#isSecond || seconds < last - OUT_OF_ORDER));
    return this.#isSecond ? found.later : 0;
  }

  /** The hour of a day, which begins at `from`, that the clock shows twice; null: there is none. */
  #repetitionOf(from: number): Repetition | null {
    const later = this.#offsetAt(from - 1) - this.#offsetAt(from + DAY + LONGEST_CHANGE);
    if (later <= 0) return null;
    let [before, after] = [from - 1, from + DAY + LONGEST_CHANGE];
    const offset = this.#offsetAt(before);
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    return { from: after - later, to: after, later };
  }
}
