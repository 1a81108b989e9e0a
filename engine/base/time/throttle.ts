/**
 * Calls back soon, but not more often than every so many milliseconds: the first request is served at once, and after a burst there is
 * always one more call.
 */
export class Throttle {
  readonly #callback: () => void;
  readonly #interval: () => number;
  #last = -Infinity;
  /** Time of the call that is still to come. */
  #due = Infinity;
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

  /** @param interval milliseconds for this request, which may hasten a call that is still to come */
  request(interval = this.#interval()): void {
    const due = this.#last + interval;
    if (this.#timer !== null && due >= this.#due) return;
    this.stop();
    const wait = due - performance.now();
    if (wait <= 0) return this.#fire();
    this.#due = due;
    this.#timer = setTimeout(() => this.#fire(), wait);
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
