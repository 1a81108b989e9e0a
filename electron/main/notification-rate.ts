/** Largest number of notifications within a minute. */
const MOST = 5;
const WINDOW_MS = 60_000;
/** Least milliseconds between two notifications. */
const PAUSE_MS = 4_000;

/** Limits the rate of notifications: those that come too soon are counted, and the next one tells their number. */
export class NotificationRate {
  readonly #now: () => number;
  #shown: number[] = [];
  #held = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the number of notifications held back before this one; null: this one is held back as well. */
  take(): number | null {
    const now = this.#now();
    this.#shown = this.#shown.filter((at) => now - at < WINDOW_MS);
    if (this.#shown.length >= MOST || now - (this.#shown.at(-1) ?? -Infinity) < PAUSE_MS) {
      this.#held++;
      return null;
    }
    this.#shown.push(now);
    const held = this.#held;
    this.#held = 0;
    return held;
  }
}
