import { after, type LongTimer } from '../../base/time/long-timer.ts';

/**
 * Schedule of ticks on the wall clock, the first one interval after the start. At most one tick waits while the work of the last one is
 * going on; others are dropped.
 */
export class TickSchedule {
  readonly #interval: number;
  #due = Infinity;
  #wake: (() => void) | null = null;
  #timer: LongTimer | null = null;
  #stopped = false;

  /** @param interval milliseconds, above 0 */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** True while `next` waits for a tick. */
  get waiting(): boolean {
    return this.#wake !== null;
  }

  start(): void {
    this.#due = performance.now() + this.#interval;
  }

  /** Resolves at the next tick, at once when one was missed, or when it is stopped. */
  async next(): Promise<void> {
    const wait = this.#due - performance.now();
    if (wait > 0 && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#timer = after(wait, resolve);
      });
      this.#wake = null;
    }
    const missed = Math.max(0, Math.floor((performance.now() - this.#due) / this.#interval));
    this.#due += (missed + 1) * this.#interval;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#wake?.();
  }
}
