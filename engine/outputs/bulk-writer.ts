import { messageOf } from '../base/errors.ts';
import { after, type LongTimer } from '../base/time/long-timer.ts';
import { Serial } from '../base/time/serial.ts';
import { Delivery, NotDeliveredError, type DeliveryOptions } from './delivery.ts';
import { joined, type Piece, type Pieces, type Writer } from './writers.ts';

export interface BulkWriterOptions {
  /** Messages that are sent together, and milliseconds that they wait for others; 0: they do not. */
  readonly flushCount: number;
  readonly flushInterval: number;
  /** Waits before failed requests are sent again; by default they are for ever. */
  readonly retries?: DeliveryOptions['retries'];
  readonly onProblem: (text: string) => void;
}

interface Waiting {
  readonly piece: Buffer;
  readonly done: PromiseWithResolvers<void>;
}

/** Messages of a request that are lost. */
export interface Refused {
  readonly messages: number;
  readonly reason: string;
}

/** The destination of the messages. */
export interface BulkTarget {
  /** Bytes that are sent at once at most; a message that is larger goes alone. */
  readonly maxBytes: number;
  /**
   * Sends messages.
   * @returns how many of them were refused for good, if any
   * @throws {RefusedError} when all of them are; other errors: they are to be sent again
   */
  send(messages: readonly Buffer[], signal: AbortSignal): Promise<Refused | void>;
  close(): Promise<void>;
}

const RETRIES: DeliveryOptions['retries'] = { delay: 250, max_delay: 5000, max_jitter: 0, max_retries: -1 };

/** Gathers messages and sends some of them in each request. */
export class BulkWriter implements Writer {
  readonly overlaps = true;
  readonly #options: BulkWriterOptions;
  readonly #target: BulkTarget;
  readonly #delivery: Delivery;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #timer: LongTimer | null = null;
  readonly #requests = new Serial();
  #sent = 0;
  #dropped = 0;

  constructor(target: BulkTarget, options: BulkWriterOptions) {
    this.#options = options;
    this.#target = target;
    const { retries = RETRIES, onProblem } = options;
    this.#delivery = new Delivery({ retries, onProblem });
  }

  /** Messages that were sent, and that the target refused. */
  get figures(): Readonly<Record<string, number>> {
    return { SentMessageCount: this.#sent, DropMessageCount: this.#dropped };
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: Pieces): Promise<void> {
    const { flushCount, flushInterval } = this.#options;
    const done = Array.from(pieces, (piece: Piece) => {
      const waiting = { piece: joined([piece]), done: Promise.withResolvers<void>() };
      if (this.#bytes + waiting.piece.length > this.#target.maxBytes) this.#flush();
      this.#waiting.push(waiting);
      this.#bytes += waiting.piece.length;
      if (this.#waiting.length >= flushCount) this.#flush();
      return waiting.done.promise;
    });
    if (this.#waiting.length > 0) {
      if (flushInterval === 0) this.#flush();
      else this.#timer ??= after(flushInterval, () => this.#flush());
    }
    await Promise.all(done);
  }

  /** Sends the messages that wait for others. */
  closing(): void {
    this.#flush();
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#requests.idle();
    this.#delivery.giveUp();
    await this.#target.close();
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    if (batch.length > 0) void this.#requests.run(() => this.#send(batch));
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const messages = batch.map(({ piece }) => piece);
    try {
      let refused: Refused | void = undefined;
      await this.#delivery.until(async () => {
        refused = await this.#target.send(messages, this.#delivery.signal);
      });
      this.#count(batch.length, refused);
    } catch (error) {
      if (error instanceof NotDeliveredError) {
        for (const { done } of batch) done.reject(error);
        return;
      }
      this.#count(batch.length, { messages: batch.length, reason: messageOf(error) });
    }
    for (const { done } of batch) done.resolve();
  }

  #count(messages: number, refused: Refused | void): void {
    const lost = Math.min(refused?.messages ?? 0, messages);
    this.#sent += messages - lost;
    this.#dropped += lost;
    if (lost > 0) this.#options.onProblem(`${lost} messages are lost: ${refused?.reason ?? ''}`);
  }
}
