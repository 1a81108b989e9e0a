/** Counts the crashes of the last while. */
export class CrashCount {
  readonly #windowMs: number;
  readonly #now: () => number;
  #times: readonly number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(windowMs: number, now: () => number = () => performance.now()) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** Adds a crash and returns the number of those within the window, this one included. */
  add(): number {
    const now = this.#now();
    this.#times = [...this.#times.filter((at) => now - at <= this.#windowMs), now];
    return this.#times.length;
  }

  /** Forgets the crashes so far. */
  forget(): void {
    this.#times = [];
  }
}
