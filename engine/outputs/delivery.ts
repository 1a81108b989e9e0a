import { setTimeout as delay } from 'node:timers/promises';
import { Backoff, type BackoffOptions } from '../base/time/backoff.ts';
import { messageOf } from '../base/errors.ts';
import type { Pieces, Receipt, Writer } from './writers.ts';

/** Data was not delivered but is not lost: whoever keeps it may deliver it again later. */
export class NotDeliveredError extends Error {
  override readonly name = 'NotDeliveredError';
  /** There is to be no further attempt: the output has ended. */
  readonly final: boolean;
  /** Number of the messages, from the first on, that are through all the same. */
  readonly done: number;

  constructor(text: string, final: boolean, { done = 0, ...options }: ErrorOptions & { readonly done?: number } = {}) {
    super(text, options);
    this.final = final;
    this.done = done;
  }
}

/** The target has refused data for good: it is lost, and later data may go through. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError';
}

/** The target asks to be left alone for a while. */
export class TryLaterError extends Error {
  override readonly name = 'TryLaterError';
  /** Milliseconds. */
  readonly wait: number;

  constructor(text: string, wait: number) {
    super(text);
    this.wait = wait;
  }
}

export interface DeliveryOptions {
  readonly retries: BackoffOptions;
  /** Reports to the user that delivery fails, and later that it works again. */
  readonly onProblem: (text: string) => void;
}

/** Time for which a delivery may fail after the service was told to stop. */
const CLOSING_MS = 2000;
/** Time for all that is still to be delivered then, also when it goes well. */
const GRACE_MS = 10_000;

/** Repeats an attempt, after longer and longer waits, until it succeeds. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #problem: string | null = null;
  #isClosing = false;
  /** Deliveries that are under way. */
  #open = 0;
  /** Gives up what is under way. */
  #patience: NodeJS.Timeout | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.retries);
  }

  /** The reason for which the last attempt has failed; null: it has not. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Aborted when attempts are given up. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Calls `attempt` until it succeeds.
   * @throws {NotDeliveredError} when it was given up
   * @throws {RefusedError} that the attempt throws
   */
  async until(attempt: () => Promise<void>): Promise<void> {
    this.#open++;
    this.#limit();
    try {
      await this.#repeat(attempt);
    } finally {
      this.#open--;
      this.#limit();
    }
  }

  async #repeat(attempt: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        if (this.#stop.signal.aborted) throw new Error('the service stops');
        await attempt();
        this.#worked();
        return;
      } catch (error) {
        if (error instanceof RefusedError) {
          this.#worked();
          throw error;
        }
        await this.#wait(error);
      }
    }
  }

  /**
   * Limits the remaining attempts, as the service is about to stop. What comes late, because other parts took their time, is not given up for that: only a
   * delivery that gets nowhere is.
   */
  closing(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    setTimeout(() => this.giveUp(), GRACE_MS).unref();
    this.#limit();
  }

  #limit(): void {
    clearTimeout(this.#patience);
    if (this.#isClosing && this.#open > 0) this.#patience = setTimeout(() => this.giveUp(), CLOSING_MS).unref();
  }

  /** Ends the attempts. */
  giveUp(): void {
    this.#stop.abort();
  }

  #worked(): void {
    this.#backoff.reset();
    this.#limit();
    if (this.#problem !== null) this.#options.onProblem('is delivered to again');
    this.#problem = null;
  }

  async #wait(error: unknown): Promise<void> {
    const text = messageOf(error);
    if (this.#stop.signal.aborted) throw new NotDeliveredError(`was not delivered to: ${text}`, false, { cause: error });
    const problem = `cannot be delivered to and is tried again: ${text}`;
    if (this.#problem === null) this.#options.onProblem(problem);
    this.#problem = problem;
    const wait = this.#backoff.next();
    if (wait === null) throw new NotDeliveredError(`was given up: ${text}`, true, { cause: error });
    const asked = error instanceof TryLaterError ? error.wait : 0;
    await delay(Math.max(wait, asked), null, { signal: this.#stop.signal }).catch(() => undefined);
  }
}

/** Repeats failed writes, for messages that are kept in the queue until then. */
export class RetriedWriter implements Writer {
  readonly #writer: Writer;
  readonly #delivery: Delivery;

  constructor(writer: Writer, options: DeliveryOptions) {
    this.#writer = writer;
    this.#delivery = new Delivery(options);
  }

  get resumedAt(): string | null {
    return this.#writer.resumedAt ?? null;
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  write(pieces: Pieces, receipt?: Receipt): Promise<void> {
    return this.#delivery.until(() => this.#writer.write(pieces, receipt, this.#delivery.signal));
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#delivery.giveUp();
    await this.#writer.close();
  }

  async reopen(): Promise<void> {
    await this.#writer.reopen?.();
  }
}
