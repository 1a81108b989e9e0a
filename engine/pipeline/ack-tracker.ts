import { NotDeliveredError } from '../outputs/delivery.ts';
import type { Held } from '../sandbox/contract/types.ts';

interface Waiting {
  /** Number of the first message that is waited for, and of the one behind the last. */
  readonly from: number;
  readonly to: number;
  readonly resolve: () => void;
  readonly reject: (error: NotDeliveredError) => void;
}

/** Counts the messages that the script of an output has taken, and those of them, the last ones, that it holds: these are not safe yet. */
export class AckTracker {
  #taken = 0;
  #held = 0;
  #waiting: Waiting[] = [];
  #ended = false;

  /** Number of messages that it has taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Notes what a call said. @param messages number of those that it has processed */
  note(messages: number, { released, kept }: Held): void {
    this.#taken += messages;
    if (released) this.#held = kept;
    else if (this.#held > 0) this.#held += messages;
    else this.#held = kept;
    const safe = this.#safe;
    const done = this.#waiting.filter(({ to }) => to <= safe);
    if (done.length === 0) return;
    this.#waiting = this.#waiting.filter(({ to }) => to > safe);
    for (const { resolve } of done) resolve();
  }

  /**
   * Resolves when messages are safe that were taken.
   * @param to number of the message behind the last one
   * @throws {NotDeliveredError} when the script ends before that
   */
  safe(messages: number, to: number): Promise<void> {
    const from = to - messages;
    if (to <= this.#safe) return Promise.resolve();
    if (this.#ended) return Promise.reject(this.#left(from));
    return new Promise((resolve, reject) => this.#waiting.push({ from, to, resolve, reject }));
  }

  /** The script takes nothing more. */
  end(): void {
    this.#ended = true;
    for (const { from, reject } of this.#waiting.splice(0)) reject(this.#left(from));
  }

  /** Number of the message behind the last safe one. */
  get #safe(): number {
    return this.#taken - this.#held;
  }

  #left(from: number): NotDeliveredError {
    return new NotDeliveredError('it has ended, and holds messages', false, { done: Math.max(0, this.#safe - from) });
  }
}
