import { MOST_PATIENCE, SHARE } from '../contract/cpu-starvation.ts';

/**
 * The clock of a host's work, in milliseconds. It never is ahead of the machine's clock (`performance.now`), and goes slower, by ten times at most, while the
 * machine keeps the host from a processor. Where processor times are not known, it goes as the machine's clock does.
 */
export class WorkClock {
  readonly #usedMs: () => number | null;
  /** The time of this clock, and that of the machine's clock at the same moment. */
  #ms: number;
  #at: number;
  #used: number | null = null;
  /** Its last speed, in parts of the machine's clock. */
  #rate = 1;
  /** The call that was seen last: its beginning on the machine's clock, and on this one. */
  #call: { readonly since: number; readonly ms: number } | null = null;

  /** @param usedMs returns the processor time of the host's process, in milliseconds; null: not known */
  constructor(now: number, usedMs: () => number | null) {
    this.#ms = now;
    this.#at = now;
    this.#usedMs = usedMs;
  }

  /** Goes on to a time of the machine's clock. Returns the time of this one. */
  goOn(now: number): number {
    const passed = now - this.#at;
    const used = this.#usedMs();
    const worked = used === null || this.#used === null ? passed : (used - this.#used) / SHARE;
    const gone = Math.min(passed, Math.max(worked, passed / MOST_PATIENCE));
    this.#rate = passed === 0 ? 1 : gone / passed;
    this.#at = now;
    this.#used = used;
    this.#ms += gone;
    return this.#ms;
  }

  /** Translates the beginning of the call that the host serves from the machine's clock; it lies behind the `goOn` before the last one. */
  began(since: number): number {
    if (this.#call?.since !== since) this.#call = { since, ms: this.#ms - this.#rate * Math.max(0, this.#at - since) };
    return this.#call.ms;
  }
}
