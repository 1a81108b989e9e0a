/** Expected growth in bytes between two measurements, at the pace of the rows before. */
const STEP = 4 << 20;
/** Maximum number of rows between two measurements; a measurement takes two microseconds. */
const MAX_ROWS = 4096;

/**
 * Computes after how many rows an isolate's memory is to be measured next. It counts rows and bytes, not time, so that a script that holds too
 * much memory is ended near the same row on each machine.
 */
export class MemoryPace {
  #gap = 1;
  #left = 1;
  #held = 0;

  /** Number of rows before the next measurement. */
  get due(): number {
    return this.#left;
  }

  /** Counts rows. Returns whether it is time to measure. */
  passed(rows: number): boolean {
    this.#left -= rows;
    return this.#left <= 0;
  }

  /** Takes the result of a measurement: the number of bytes held. */
  looked(held: number): void {
    const growth = held - this.#held;
    const largest = Math.min(2 * this.#gap, MAX_ROWS);
    const wanted = growth > 0 ? Math.floor((this.#gap * STEP) / growth) : largest;
    this.#gap = Math.max(1, Math.min(wanted, largest));
    this.#left = this.#gap;
    this.#held = held;
  }
}
