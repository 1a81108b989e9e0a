/** Number of retries and the waits before them; times in milliseconds. */
export interface BackoffOptions {
  /** First wait; each further one is twice as long. */
  readonly delay: number;
  /** Longest wait, without the jitter. */
  readonly max_delay: number;
  /** A random time up to this is added to each wait. */
  readonly max_jitter: number;
  /** -1: without end. */
  readonly max_retries: number;
}

/** The waits between attempts. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: () => number;
  #attempts = 0;

  /** @param random from 0 to below 1 */
  constructor(options: BackoffOptions, random: () => number = Math.random) {
    this.#options = options;
    this.#random = random;
  }

  /** The next wait in milliseconds; null: there is to be no further attempt. */
  next(): number | null {
    const { delay, max_delay: longest, max_jitter: jitter, max_retries: most } = this.#options;
    if (most >= 0 && this.#attempts >= most) return null;
    const wait = Math.min(delay * 2 ** Math.min(this.#attempts, 60), longest);
    this.#attempts++;
    return wait + this.#random() * jitter;
  }

  /** Begins anew after a success: the next wait is the first one again. */
  reset(): void {
    this.#attempts = 0;
  }
}
