/**
 * Calls back soon, but not more often than every so many milliseconds: the first request is served at once, and after a burst there is
 * always one more call.
 */
export class Throttle {
  readonly #callback: () => void;
  readonly #interval: () => number;
  #last = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  /** @param interval milliseconds, or a function that returns them */
  constructor(callback: () => void, interval: number | (() => number)) {
    this.#callback = callback;
    this.#interval = typeof interval === 'number' ? () => interval : interval;
  }

  /** Whether a call is still to come. */
  get waiting(): boolean {
    return this.#timer !== null;
  }

  request(): void {
    if (this.#timer !== null) return;
    const wait = this.#last + this.#interval() - performance.now();
    if (wait <= 0) this.#fire();
    else this.#timer = setTimeout(() => this.#fire(), wait);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #fire(): void {
    this.#timer = null;
    this.#last = performance.now();
    try {
      this.#callback();
    } finally {
      // The time that the call took is not part of the pause.
      this.#last = performance.now();
    }
  }
}
