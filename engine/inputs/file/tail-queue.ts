import type { Tail } from './tail.ts';

/** The files that may have something to read, in the order in which this was noticed. */
export class TailQueue {
  readonly #tails = new Set<Tail>();
  /** Milliseconds until `take` can return a file that it could not return last time. */
  waitMs = Infinity;

  get isEmpty(): boolean {
    return this.#tails.size === 0;
  }

  add(tail: Tail): void {
    this.#tails.add(tail);
  }

  delete(tail: Tail): void {
    this.#tails.delete(tail);
  }

  /** Takes out the first file that may be read now (`now`: performance.now()); null when there is none. */
  take(now: number): Tail | null {
    this.waitMs = Infinity;
    for (const tail of this.#tails) {
      if (tail.after?.drained) tail.after = null;
      if (tail.after !== null) continue;
      if (tail.notBefore > now) {
        this.waitMs = Math.min(this.waitMs, tail.notBefore - now);
        continue;
      }
      this.#tails.delete(tail);
      return tail;
    }
    return null;
  }
}
