import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { NOBODY, sourceOf, type BatchSource, type ReceivedBatch } from './received-batch.ts';

/** Batches that wait here at most; of more, the new ones are lost, as nothing keeps them. */
const MAX_WAITING = 256;
/** Milliseconds without a batch after which there is none for now. */
const QUIET_MS = 250;

/** The batches that are published while it listens. */
export class LiveBatches implements BatchSource {
  readonly #subscription: Subscription;
  readonly #waiting: ReceivedBatch[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  /** The reason for which nothing comes any more; null: the connection ended. */
  #refusal: Error | null = null;
  #toldQuiet = false;
  readonly mostUnanswered = Infinity;
  readonly answerMs = Infinity;
  lost = 0;

  private constructor(connection: NatsConnection, subject: string) {
    this.#subscription = connection.subscribe(subject, {
      callback: (error, message) => (error === null ? this.#add(message) : this.#end(error)),
    });
    void this.#subscription.closed.then(() => this.#end());
  }

  /** Resolves when the server knows of it. @throws {Error} when the user may not listen */
  static async open(connection: NatsConnection, subject: string): Promise<LiveBatches> {
    const batches = new LiveBatches(connection, subject);
    await connection.flush();
    // The server refuses before it answers.
    if (batches.#refusal !== null) throw batches.#refusal;
    return batches;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ReceivedBatch[], void, undefined> {
    for (;;) {
      if (this.#waiting.length > 0) yield this.#waiting.splice(0);
      else if (this.#refusal !== null) throw this.#refusal;
      else if (this.#ended) return;
      else if (!(await this.#isWoken())) yield [];
    }
  }

  isHeldUp(): Promise<boolean> {
    return Promise.resolve(false);
  }

  stop(): Promise<void> {
    this.#subscription.unsubscribe();
    this.#end();
    return Promise.resolve();
  }

  /** false: nothing came for a while. Said once; then it waits for as long as it takes. */
  async #isWoken(): Promise<boolean> {
    let timer: NodeJS.Timeout | null = null;
    const woken = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(true);
      if (!this.#toldQuiet) timer = setTimeout(() => resolve(false), QUIET_MS);
    });
    if (timer !== null) clearTimeout(timer);
    this.#toldQuiet = !woken;
    return woken;
  }

  #add(message: Msg): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.lost++;
      return;
    }
    this.#waiting.push(receivedBatch(message));
    this.#wake?.();
  }

  #end(refusal: Error | null = null): void {
    this.#ended = true;
    this.#refusal ??= refusal;
    this.#wake?.();
  }
}

const receivedBatch = (message: Msg): ReceivedBatch => ({
  subject: message.subject,
  source: () => sourceOf(message),
  body: message.data,
  answer: NOBODY,
});
