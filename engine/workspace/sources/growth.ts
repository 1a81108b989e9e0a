/** A file that has grown within this time is live, in milliseconds. */
const LIVE_MS = 5000;

/** Whether a source was read to its end, and when it has grown since. */
export class Growth {
  #caughtUp = false;
  /** Time at which records last came after it was read to its end, by performance.now; null: none did. */
  #grewAt: number | null = null;

  /** Whether it was read to its end: what comes now is new. */
  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  /** Whether it has grown within the last seconds since it was read to its end. */
  get isLive(): boolean {
    return this.#grewAt !== null && performance.now() - this.#grewAt < LIVE_MS;
  }

  /** Begins anew. @param caughtUp nothing is there to be read first */
  begin(caughtUp: boolean): void {
    this.#caughtUp = caughtUp;
    this.#grewAt = null;
  }

  /** Notes that its end was reached. */
  reachedEnd(): void {
    this.#caughtUp = true;
  }

  /** Notes that records came. */
  came(): void {
    if (this.#caughtUp) this.#grewAt = performance.now();
  }
}
