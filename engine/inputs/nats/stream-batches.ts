import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerConfig, ConsumerInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Pull, type PulledMessage } from './pull.ts';
import { NOBODY, sourceOf, type BatchSource, type ReceivedBatch } from './received-batch.ts';

/** Start of a new consumer: at the oldest batch, behind the newest one, or at a time in milliseconds since 1970. */
export type ConsumerStart = 'begin' | 'end' | number;

export interface StreamConsumer {
  readonly stream: string;
  /** null: a consumer of its own, which the server forgets and which takes nothing from others. */
  readonly durable: string | null;
  readonly subject: string;
  readonly start: ConsumerStart;
  /** Batches that may be under way at all inputs of a consumer that is made, and are not acknowledged. */
  readonly maxPending: number;
  /** Returns the number of batches that can be processed together now. */
  readonly wanted: () => number;
  /** Milliseconds for which further ones are waited for. */
  readonly gatherMs: number;
  /** Place at which a consumer of its own goes on. */
  readonly place: StreamPlace;
}

/** Position up to which a stream was read. */
interface StreamPlace {
  /** Number of the last batch that came; 0: none. */
  last: number;
  /** Time at which the stream that has it was made: one that was made since begins at 1 again. */
  created: string;
}

/** Milliseconds that the server waits for the acknowledgement of a batch before it offers it again. */
const ACK_WAIT_MS = 60_000;
/** Milliseconds that a question for batches waits at the server. */
const EXPIRES_MS = 2_000;
/** The same for a question for further ones. */
const FURTHER_MS = 20;
/** Error code of JetStream: there is no such consumer. */
const NO_CONSUMER = 10_014;
const NS_PER_MS = 1e6;
/** Milliseconds after which the server forgets a consumer that was left. */
const FORGOTTEN_MS = 60_000;

/** The batches of a consumer. They are asked for when there is time for them, so that none waits here while another input has time for it. */
export class StreamBatches implements BatchSource {
  readonly lost = 0;
  readonly mostUnanswered: number;
  readonly answerMs: number;
  readonly #pull: Pull;
  readonly #wanted: StreamConsumer;
  readonly #info: () => Promise<ConsumerInfo>;
  readonly #stop = new AbortController();

  private constructor(pull: Pull, wanted: StreamConsumer, info: () => Promise<ConsumerInfo>, { config }: ConsumerInfo) {
    const { max_ack_pending: most = 0, ack_wait: waitNs = ACK_WAIT_MS * NS_PER_MS } = config;
    const isAnswered = wanted.durable !== null;
    this.#pull = pull;
    this.#wanted = wanted;
    this.#info = info;
    // -1 and 0: there is no limit.
    this.mostUnanswered = isAnswered && most > 0 ? most : Infinity;
    this.answerMs = isAnswered ? waitNs / NS_PER_MS : Infinity;
  }

  /** Makes the consumer when it is missing. @throws {Error} when there is no such stream, or the server does not say */
  static async open(connection: NatsConnection, wanted: StreamConsumer): Promise<StreamBatches> {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const { stream, durable } = wanted;
    const name = durable === null ? await ownConsumer(connection, wanted) : await durableConsumer(connection, wanted, durable);
    const { consumers } = await jetstreamManager(connection);
    const info = (): Promise<ConsumerInfo> => consumers.info(stream, name);
    return new StreamBatches(new Pull(connection, stream, name), wanted, info, await info());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ReceivedBatch[], void, undefined> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const came = await this.#next();
      // Batches that still arrive are returned to the server, for another input.
      if (signal.aborted) return came.forEach((message) => this.#received(message).answer.later(0));
      this.#wanted.place.last = came.at(-1)?.seq ?? this.#wanted.place.last;
      yield came.map((message) => this.#received(message));
    }
  }

  /** Whether nothing comes because too much is not acknowledged. */
  async isHeldUp(): Promise<boolean> {
    const { num_pending, num_ack_pending } = await this.#info();
    return num_pending > 0 && num_ack_pending >= this.mostUnanswered;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const message of await this.#pull.stop()) this.#received(message).answer.later(0);
  }

  /** Waits for a batch, and then for others that can be processed together with it. */
  async #next(): Promise<PulledMessage[]> {
    const { wanted, gatherMs } = this.#wanted;
    const most = wanted();
    const came = await this.#pull.next(most, EXPIRES_MS);
    // A consumer that was deleted does not always say so.
    if (came === null) await this.#info();
    if (came === null || came.length === 0 || came.length >= most || gatherMs === 0) return came ?? [];
    await delay(gatherMs, null, { signal: this.#stop.signal }).catch(() => undefined);
    if (this.#stop.signal.aborted) return came;
    // A failure is that of the next question, too.
    const further = await this.#pull.next(most - came.length, FURTHER_MS).catch(() => null);
    return [...came, ...(further ?? [])];
  }

  #received(message: PulledMessage): ReceivedBatch {
    const { subject, data, answer } = message;
    // The server waits for none of a consumer that acknowledges nothing.
    const isAnswered = this.#wanted.durable !== null;
    return { subject, source: () => sourceOf(message), body: data, answer: isAnswered ? answer : NOBODY };
  }
}

/** The name of a consumer that keeps what was acknowledged; it is made when it is missing. */
async function durableConsumer(
  connection: NatsConnection,
  { stream, subject, start, maxPending }: StreamConsumer,
  durable: string,
): Promise<string> {
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
      max_ack_pending: maxPending,
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
