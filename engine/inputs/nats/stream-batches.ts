import type { Consumer, ConsumerConfig, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { sourceOf, type BatchSource, type ReceivedBatch } from './received-batch.ts';

/** Start of a new consumer: at the oldest batch, behind the newest one, or at a time in milliseconds since 1970. */
export type ConsumerStart = 'begin' | 'end' | number;

export interface StreamConsumer {
  readonly stream: string;
  /** null: a consumer of its own, which the server forgets and which takes nothing from others. */
  readonly durable: string | null;
  readonly subject: string;
  readonly start: ConsumerStart;
  /** Place at which a consumer of its own goes on. */
  readonly place: StreamPlace;
}

/** Position up to which a stream was read. */
export interface StreamPlace {
  /** Number of the last batch that came; 0: none. */
  last: number;
  /** Time at which the stream that has it was made: one that was made since begins at 1 again. */
  created: string;
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
/** Milliseconds after which the server forgets a consumer that was left. */
const FORGOTTEN_MS = 60_000;

/** The batches of a durable consumer. They are asked for one by one, so that none waits here while another input has time for it. */
export class StreamBatches implements BatchSource {
  readonly lost = 0;
  readonly #consumer: Consumer;
  readonly #place: StreamPlace;
  /** Whether the server waits for acknowledgements. */
  readonly #isAnswered: boolean;
  #isStopped = false;
  /** Ends the wait for a batch. */
  #wake: () => void = () => undefined;

  private constructor(consumer: Consumer, place: StreamPlace, isAnswered: boolean) {
    this.#consumer = consumer;
    this.#place = place;
    this.#isAnswered = isAnswered;
  }

  /** Makes the consumer when it is missing. @throws {Error} when there is no such stream, or the server does not say */
  static async open(connection: NatsConnection, wanted: StreamConsumer): Promise<StreamBatches> {
    const { jetstream } = await import('@nats-io/jetstream');
    const { stream, durable, place } = wanted;
    const name = durable === null ? await ownConsumer(connection, wanted) : await durableConsumer(connection, wanted, durable);
    return new StreamBatches(await jetstream(connection).consumers.get(stream, name), place, durable !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReceivedBatch | null, void, undefined> {
    while (!this.#isStopped) {
      const asked = this.#consumer.next({ expires: EXPIRES_MS });
      const message = await this.#unlessStopped(asked);
      if (this.#isStopped) return void asked.then((late) => this.#isAnswered && late?.nak()).catch(() => undefined);
      if (message !== null) this.#place.last = message.seq;
      yield message === null ? null : this.#received(message);
    }
  }

  /** Stops. Batches that still arrive are returned to the server, for another input. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    return Promise.resolve();
  }

  #received(message: JsMsg): ReceivedBatch {
    const tell = (answer: () => void): void => {
      if (this.#isAnswered) unlessClosed(answer);
    };
    return {
      subject: message.subject,
      source: sourceOf(message),
      body: message.data,
      acknowledge: () => tell(() => message.ack()),
      working: () => tell(() => message.working()),
      later: (ms) => tell(() => message.nak(ms)),
      discard: () => tell(() => message.term()),
    };
  }

  /** Not by Promise.race with one promise for all batches: that promise would keep something for each of them. */
  #unlessStopped(asked: Promise<JsMsg | null>): Promise<JsMsg | null> {
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(null);
      asked.then(resolve, reject);
    });
  }
}

/** The name of a consumer that keeps what was acknowledged; it is made when it is missing. */
async function durableConsumer(connection: NatsConnection, { stream, subject, start }: StreamConsumer, durable: string): Promise<string> {
  const { AckPolicy, JetStreamApiError, jetstreamManager } = await import('@nats-io/jetstream');
  const { consumers } = await jetstreamManager(connection);
  try {
    await consumers.info(stream, durable);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== NO_CONSUMER) throw error;
    await consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NS_PER_MS,
      max_ack_pending: MAX_PENDING,
      filter_subject: subject,
      ...(await beginning(start)),
    });
  }
  return durable;
}

async function ownConsumer(connection: NatsConnection, { stream, subject, start, place }: StreamConsumer): Promise<string> {
  const { AckPolicy, DeliverPolicy, jetstreamManager } = await import('@nats-io/jetstream');
  const { consumers, streams } = await jetstreamManager(connection);
  const { created } = await streams.info(stream);
  const isNew = place.last > 0 && place.created !== created;
  place.created = created;
  if (isNew) place.last = 0;
  const after = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: place.last + 1 };
  const { name } = await consumers.add(stream, {
    ack_policy: AckPolicy.None,
    inactive_threshold: FORGOTTEN_MS * NS_PER_MS,
    mem_storage: true,
    num_replicas: 1,
    filter_subject: subject,
    ...(place.last === 0 && !isNew ? await beginning(start) : after),
  });
  return name;
}

/** The part of a consumer's configuration that says where it begins. */
async function beginning(start: ConsumerStart): Promise<Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_time'>> {
  const { DeliverPolicy } = await import('@nats-io/jetstream');
  if (start === 'begin') return { deliver_policy: DeliverPolicy.All };
  if (start === 'end') return { deliver_policy: DeliverPolicy.New };
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(start).toISOString() };
}

/** Without a connection there is nobody to tell: the batch comes again. */
function unlessClosed(tell: () => void): void {
  try {
    tell();
  } catch {
    // It is closed.
  }
}
