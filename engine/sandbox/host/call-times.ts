import type { CallTimesHead } from '../protocol.ts';
import type { Sampling } from '../types.ts';

/** Durations of which the percentile is taken: the last ones. */
const KEPT = 1024;
/** In the beginning calls are timed more often than the sampling wants, for the percentile alone: about so many for each doubling of their number. */
const EARLY = 64;

/**
 * Says which calls of process_message are timed one by one, and keeps what that brought: one in so many, beginning with the first; all of
 * them as long as there is a profile; and those that the engine wants besides.
 */
export class CallTimes {
  readonly #every: number;
  readonly #random: () => number;
  /** Calls that are still to be timed for the profile. */
  #profiling: number;
  #profile = { samples: 0, nanoseconds: 0 };
  #wanted = 0;
  /** Calls before the next sample, and before the next one for the percentile alone. */
  #next = 0;
  #early = 0;
  #calls = 0;
  #samples = 0;
  #nanoseconds = 0;
  #cold = true;
  readonly #last = new Float64Array(KEPT);
  #noted = 0;

  /** @param random from 0 to below 1 */
  constructor({ every, profile }: Sampling, random: () => number = Math.random) {
    this.#every = Math.max(1, every);
    this.#profiling = profile;
    this.#random = random;
  }

  /** Calls that come before the next one to be timed. */
  get due(): number {
    return this.#wanted > 0 || this.#profiling > 0 ? 0 : Math.min(this.#next, this.#early);
  }

  /** The next calls are all timed, so many of them. */
  want(calls: number): void {
    this.#wanted = calls;
  }

  /** Calls went by that were not timed. */
  passed(calls: number): void {
    this.#calls += calls;
    this.#next -= calls;
    this.#early -= calls;
  }

  /** A call was timed. */
  note(nanoseconds: number): void {
    const counts = this.#next <= 0 || this.#wanted > 0 || this.#profiling > 0;
    this.passed(1);
    this.#last[this.#noted++ % KEPT] = nanoseconds;
    if (this.#early < 0) this.#early = this.#gapOfEarly();
    if (!counts) return;
    this.#samples++;
    // The first call also compiles the script: it is taken to have been as long as the second one as soon as that is known.
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

  /** 99 of 100 of the last calls that were timed took no longer; 0 when none was. */
  percentile99(): number {
    const kept = this.#last.slice(0, Math.min(this.#noted, KEPT)).sort();
    return kept[Math.ceil(kept.length * 0.99) - 1] ?? 0;
  }

  #gapOfEarly(): number {
    const gap = Math.floor(this.#calls / EARLY);
    return gap >= this.#every ? Infinity : gap;
  }

  /** What comes next counts anew, with the profile as its first sample: a script must not buy time by having been fast. */
  #endProfile(): void {
    this.#profile = { samples: this.#samples, nanoseconds: this.#nanoseconds };
    this.#nanoseconds = Math.trunc(this.#nanoseconds / this.#samples);
    this.#samples = 1;
  }
}
