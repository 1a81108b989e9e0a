import { isRotatedName } from './rotation.ts';
import type { TailQueue } from './tail-queue.ts';
import type { Tail } from './tail.ts';

/** Time until the rest of a file that others wait for, or that has no name any more, is delivered. */
const LAST_FLUSH_MS = 250;
/** The same, when there is no such time, of a file that was rotated away, to go by its name. */
const ROTATED_FLUSH_MS = 1000;

/** The files whose last line has no end yet, and the times when these lines are delivered as they are. */
export class PendingLines {
  readonly #tails = new Set<Tail>();
  readonly #flushMs: number;
  readonly #tornMs: number;

  /**
   * @param flushMs milliseconds of silence; 0: never, as long as more may come
   * @param tornMs the same within a line
   */
  constructor(flushMs: number, tornMs = flushMs) {
    this.#flushMs = flushMs;
    this.#tornMs = tornMs;
  }

  /** Milliseconds until the next is due; Infinity: none will be. */
  get waitMs(): number {
    let wait = Infinity;
    for (const tail of this.#tails) wait = Math.min(wait, this.#dueIn(tail));
    return wait;
  }

  add(tail: Tail): void {
    this.#tails.add(tail);
  }

  delete(tail: Tail): void {
    this.#tails.delete(tail);
  }

  /** Queues those that are due. */
  queueDue(queue: TailQueue): void {
    for (const tail of this.#tails) {
      if (this.#dueIn(tail) > 0) continue;
      this.#tails.delete(tail);
      tail.flush = true;
      queue.add(tail);
    }
  }

  #dueIn(tail: Tail): number {
    const isLast = tail.retiredAt > 0 || tail.awaited;
    const wait = isLast
      ? LAST_FLUSH_MS
      : this.#flushMs > 0
        ? this.#silenceOf(tail)
        : isRotatedName(tail.path)
          ? ROTATED_FLUSH_MS
          : Infinity;
    return tail.restSince + wait - performance.now();
  }

  /** Within a line the silence began when the file was written, which may be long ago. */
  #silenceOf({ isTorn, modifiedNs, restSince }: Tail): number {
    if (!isTorn) return this.#flushMs;
    const before = Date.now() - Number(modifiedNs) / 1e6 - (performance.now() - restSince);
    return Math.max(this.#flushMs, this.#tornMs - Math.max(0, before));
  }
}
