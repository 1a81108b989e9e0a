/** Rows between two looks bring about so many bytes, at the pace of the rows before. */
const STEP = 4 << 20;
/** Rows between two looks at most: a look takes two microseconds. */
const MOST_ROWS = 4096;

/**
 * Says after how many rows an isolate's memory is to be looked at next. Counted in rows and bytes, not in time, so that a script that keeps too
 * much ends near the same row on each machine.
 */
export class MemoryPace {
  #gap = 1;
  #left = 1;
  #held = 0;

  /** Rows that may still go by before the next look. */
  get due(): number {
    return this.#left;
  }

  /** Rows went by. Returns whether it is time to look. */
  passed(rows: number): boolean {
    this.#left -= rows;
    return this.#left <= 0;
  }

  /** A look showed that so many bytes are held. */
  looked(held: number): void {
    const growth = held - this.#held;
    const most = Math.min(2 * this.#gap, MOST_ROWS);
    const wanted = growth > 0 ? Math.floor((this.#gap * STEP) / growth) : most;
    this.#gap = Math.max(1, Math.min(wanted, most));
    this.#left = this.#gap;
    this.#held = held;
  }
}
