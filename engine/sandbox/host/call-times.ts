import type { CallTimesHead } from '../contract/protocol.ts';
import type { Sampling } from '../contract/types.ts';

/** Number of the latest durations from which the percentile is computed. */
const KEPT = 1024;
/** Further samples at the beginning, for the percentile alone: about this many for each doubling of the number of calls. */
const EARLY = 64;

/**
 * Chooses the process_message calls that are timed one by one, and keeps their durations. These are one in `every` on average, beginning with
 * the first; the first `profile` samples; and those that the engine asks for.
 */
export class CallTimes {
  readonly #every: number;
  readonly #random: () => number;
  /** Number of calls still to be timed for the profile. */
  #profiling: number;
  #profile = { samples: 0, nanoseconds: 0 };
  #wanted = 0;
  /** Number of calls before the next sample, and before the next one for the percentile alone. */
  #next = 0;
  #early = 0;
  #calls = 0;
  #samples = 0;
  #nanoseconds = 0;
  #cold = true;
  readonly #last = new Float64Array(KEPT);
  #noted = 0;

  /** @param random returns a number from 0 to below 1 */
  constructor({ every, profile }: Sampling, random: () => number = Math.random) {
    this.#every = Math.max(1, every);
    this.#profiling = profile;
    this.#random = random;
  }

  /** Number of calls before the next one to be timed. */
  get due(): number {
    return this.#wanted > 0 || this.#profiling > 0 ? 0 : Math.min(this.#next, this.#early);
  }

  /** Has each of the next `calls` calls timed. */
  want(calls: number): void {
    this.#wanted = calls;
  }

  /** Counts calls that were not timed. */
  passed(calls: number): void {
    this.#calls += calls;
    this.#next -= calls;
    this.#early -= calls;
  }

  /** Counts a call that was timed, with its duration. */
  note(nanoseconds: number): void {
    const counts = this.#next <= 0 || this.#wanted > 0 || this.#profiling > 0;
    this.passed(1);
    this.#last[this.#noted++ % KEPT] = nanoseconds;
    if (this.#early < 0) this.#early = this.#gapOfEarly();
    if (!counts) return;
    this.#samples++;
    // The first call also compiles the script, so the second one's duration replaces its own.
    this.#nanoseconds = this.#cold && this.#samples === 2 ? 2 * nanoseconds : this.#nanoseconds + nanoseconds;
    this.#cold &&= this.#samples < 2;
    if (this.#wanted > 0) this.#wanted--;
    if (this.#next < 0) this.#next = Math.floor(this.#random() * (2 * this.#every - 1));
    if (this.#profiling > 0 && --this.#profiling === 0) this.#endProfile();
  }

  head(): CallTimesHead {
    const { samples, nanoseconds } = this.#profile;
    return { samples: this.#samples, nanoseconds: this.#nanoseconds, profileSamples: samples, profileNanoseconds: nanoseconds };
  }

  /** The 99th percentile of the kept durations; 0 when there are none. */
  percentile99(): number {
    const kept = this.#last.slice(0, Math.min(this.#noted, KEPT)).sort();
    return kept[Math.ceil(kept.length * 0.99) - 1] ?? 0;
  }

  #gapOfEarly(): number {
    const gap = Math.floor(this.#calls / EARLY);
    return gap >= this.#every ? Infinity : gap;
  }

  /** Ends the profile and restarts the totals with its average as one sample, so that fast early calls do not make up for slow later ones. */
  #endProfile(): void {
    this.#profile = { samples: this.#samples, nanoseconds: this.#nanoseconds };
    this.#nanoseconds = Math.trunc(this.#nanoseconds / this.#samples);
    this.#samples = 1;
  }
}
