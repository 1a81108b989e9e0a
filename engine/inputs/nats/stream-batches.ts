import type { Consumer, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { sourceOf, type BatchSource, type ReceivedBatch } from './received-batch.ts';

export interface StreamConsumer {
  readonly stream: string;
  readonly durable: string;
  readonly subject: string;
}

/** Milliseconds that the server waits for the acknowledgement of a batch before it offers it again. */
const ACK_WAIT_MS = 60_000;
/** Batches of a consumer that may be under way, at all its inputs together. */
const MAX_PENDING = 1_000;
/** Milliseconds of a question for the next batch. */
const EXPIRES_MS = 5_000;
/** Error code of JetStream: there is no such consumer. */
const NO_CONSUMER = 10_014;
const NS_PER_MS = 1e6;

/** The batches of a durable consumer. They are asked for one by one, so that none waits here while another input has time for it. */
export class StreamBatches implements BatchSource {
  readonly lost = 0;
  readonly #consumer: Consumer;
  readonly #stopped = Promise.withResolvers<null>();
  #isStopped = false;

  private constructor(consumer: Consumer) {
    this.#consumer = consumer;
  }

  /** Makes the consumer when it is missing. @throws {Error} when there is no such stream, or the server does not say */
  static async open(connection: NatsConnection, { stream, durable, subject }: StreamConsumer): Promise<StreamBatches> {
    const { AckPolicy, JetStreamApiError, jetstream, jetstreamManager } = await import('@nats-io/jetstream');
    const manager = await jetstreamManager(connection);
    try {
      await manager.consumers.info(stream, durable);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== NO_CONSUMER) throw error;
      await manager.consumers.add(stream, {
        durable_name: durable,
        ack_policy: AckPolicy.Explicit,
        ack_wait: ACK_WAIT_MS * NS_PER_MS,
        max_ack_pending: MAX_PENDING,
        filter_subject: subject,
      });
    }
    return new StreamBatches(await jetstream(connection).consumers.get(stream, durable));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReceivedBatch | null, void, undefined> {
    while (!this.#isStopped) {
      const asked = this.#consumer.next({ expires: EXPIRES_MS });
      const message = await Promise.race([asked, this.#stopped.promise]);
      if (this.#isStopped) return void asked.then((late) => late?.nak()).catch(() => undefined);
      yield message === null ? null : receivedBatch(message);
    }
  }

  /** What still comes goes back, for another input. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.resolve(null);
    return Promise.resolve();
  }
}

const receivedBatch = (message: JsMsg): ReceivedBatch => ({
  subject: message.subject,
  source: sourceOf(message),
  body: message.data,
  acknowledge: () => unlessClosed(() => message.ack()),
  working: () => unlessClosed(() => message.working()),
  later: (ms) => unlessClosed(() => message.nak(ms)),
  discard: () => unlessClosed(() => message.term()),
});

/** Without a connection there is nobody to tell: the batch comes again. */
function unlessClosed(tell: () => void): void {
  try {
    tell();
  } catch {
    // It is closed.
  }
}
