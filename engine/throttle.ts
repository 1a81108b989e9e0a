/**
 * Calls back soon, but not more often than every `intervalMs`: the first request is served at once, and after a burst there is
 * always one more call.
 */
export class Throttle {
  readonly #callback: () => void;
  readonly #intervalMs: number;
  #last = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(callback: () => void, intervalMs: number) {
    this.#callback = callback;
    this.#intervalMs = intervalMs;
  }

  request(): void {
    if (this.#timer !== null) return;
    const wait = this.#last + this.#intervalMs - performance.now();
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
    this.#callback();
  }
}
