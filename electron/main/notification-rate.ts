/** Largest number of notifications within a minute. */
const MOST = 5;
const WINDOW_MS = 60_000;
/** Least milliseconds between two notifications. */
const PAUSE_MS = 4_000;

/** Limits the rate of notifications. */
export class NotificationRate {
  readonly #now: () => number;
  /** Times of the last ones. */
  #shown: readonly number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns milliseconds until one may be shown; 0: now. */
  wait(): number {
    const last = this.#shown.at(-1) ?? -Infinity;
    const oldest = this.#shown.at(-MOST) ?? -Infinity;
    return Math.max(0, Math.ceil(Math.max(last + PAUSE_MS, oldest + WINDOW_MS) - this.#now()));
  }

  /** One is shown now. */
  shown(): void {
    this.#shown = [...this.#shown.slice(1 - MOST), this.#now()];
  }
}
