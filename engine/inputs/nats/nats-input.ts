import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Backoff, type BackoffOptions } from '../../base/time/backoff.ts';
import { BatchReader, type BatchError } from '../../nats/batch.ts';
import { deniedText, NatsLink, reasonOf, type NatsServers } from '../../nats/connection.ts';
import { natsName, natsServers, ONE_LOGIN, serversOf, subject } from '../../nats/parameters.ts';
import { count, text } from '../../section/values.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { LiveBatches } from './live-batches.ts';
import { StreamBatches, type ConsumerStart } from './stream-batches.ts';
import type { BatchAnswer, BatchSource, ReceivedBatch } from './received-batch.ts';

/** The type `NatsInput` of sections. */
export const natsInput = inputType({
  type: 'NatsInput',
  summary:
    'Reads the batches that a `NatsOutput` has published to a stream of NATS JetStream; see [cluster.md](../cluster.md). Inputs with the same ' +
    '`durable`, on any machines, share the work. Batches that are there together are processed together, and acknowledged when all filters ' +
    'and outputs have their messages. Otherwise they are delivered again, here or elsewhere. Without a `stream`, the input gets what is ' +
    'published while it listens, and nothing is kept for it.',
  example:
    '[logs]\ntype = "NatsInput"\nservers = ["127.0.0.1:4222"]\nstream = "LOGS"\ndurable = "lake"\n\n[lake]\ntype = "ParquetOutput"\npath = "/lake"\n' +
    'message_matcher = "TRUE"\nuse_buffering = false',
  parameters: () => ({
    ...natsServers,
    stream: natsName.min(1).optional().describe('Stream to read from. Without it, the input gets only what is published while it listens.'),
    durable: natsName
      .default('sluicebox')
      .describe(
        'Name of the consumer of the stream. It is created when it is missing, and it remembers which batches were acknowledged. An empty name ' +
          'is for watching: nothing is acknowledged, other consumers get what they would get without it, and each start begins where `start` says.',
      ),
    start: text
      .refine((value) => startOf(value) !== null, { error: 'must be begin, end or a time such as 2026-11-22T12:00:00Z' })
      .default('begin')
      .describe(
        'Where a new consumer begins: `begin`, `end` for what is published from then on, or a time such as `2026-11-22T12:00:00Z`.',
      ),
    subject: subject
      .refine((value) => !/(?:^|\.)>\./.test(value), { error: 'must have > at its end only' })
      .default('logs.>')
      .describe('Subjects to read, such as `logs.web1.*`. A consumer that exists keeps its own.'),
    flush_interval: count
      .default(100)
      .meta({ shown: 'milliseconds' })
      .describe('How long batches are gathered, to be processed together. 0: only those that are there.'),
    batch_messages: z.int().min(1).max(1_000_000).default(10_000).describe('Messages of the batches that are processed together, about.'),
    max_ack_pending: z
      .int()
      .min(1)
      .default(10_000)
      .describe('Batches of a consumer that may be unacknowledged, at all its inputs together. A consumer that exists keeps its own.'),
    ...ending,
  }),
  rules: [ONE_LOGIN],
  repeats: true,
  facts: ({ servers, stream, subject: of }) => ({
    kind: 'tcp',
    label: `nats:${stream ?? of}`,
    location: `${servers.join(', ')} ${stream === undefined ? of : `${stream} ${of}`}`,
    bringsOutputs: true,
  }),
  make: (config) =>
    new NatsInput({
      name: config.name,
      servers: serversOf(config),
      stream: config.stream ?? null,
      durable: config.durable,
      start: startOf(config.start) ?? 'begin',
      subject: config.subject,
      flushInterval: config.flush_interval,
      batchMessages: config.batch_messages,
      maxAckPending: config.max_ack_pending,
      retries: config.retries,
    }),
});

/** Reads the parameter `start`; null: it is none. */
function startOf(text: string): ConsumerStart | null {
  if (text === 'begin' || text === 'end') return text;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? null : time;
}

export interface NatsInputOptions {
  readonly name: string;
  readonly servers: NatsServers;
  /** null: what is published while it listens. */
  readonly stream: string | null;
  /** Empty: a consumer of its own. */
  readonly durable: string;
  /** `begin` by default. */
  readonly start?: ConsumerStart;
  readonly subject: string;
  /** Milliseconds for which batches are gathered. */
  readonly flushInterval: number;
  /** Messages of batches that are delivered together. */
  readonly batchMessages: number;
  /** Batches of a new consumer that may be unacknowledged. */
  readonly maxAckPending: number;
  readonly retries: BackoffOptions;
}

/** Milliseconds for which a stopping input waits for what is under way. */
const CLOSE_MS = 2_000;
/** The server is told so often that a batch is still being worked on, in the time after which it would offer the batch again. */
const TOLD_TIMES = 3;
/** Milliseconds between two such times, at least and at most. */
const WORKING_MS = { least: 500, most: 60_000 };
/** Batches that one question asks for. */
const MOST_BATCHES = 2_000;
/** Part of the number of batches that was expected so far, in the expectation for the next ones. */
const EARLIER = 0.8;
/** Refusals of the server that are told: a subject for acknowledgements has a number in it. */
const MOST_DENIED = 5;
/** Milliseconds after which a batch of a newer format may be offered again. */
const LATER_MS = 30_000;

/** Takes batches from NATS, those together that are there. */
export class NatsInput implements Input {
  readonly name: string;
  readonly #options: NatsInputOptions;
  readonly #link: NatsLink;
  /** Refusals of the server that were told. */
  readonly #denied = new Set<string>();
  readonly #stop = new AbortController();
  readonly #reader = new BatchReader();
  readonly #underWay = new Set<BatchAnswer>();
  readonly #place = { last: 0, created: '' };
  #sink: InputSink | null = null;
  #source: BatchSource | null = null;
  #done: Promise<void> = Promise.resolve();
  #working: NodeJS.Timeout | null = null;
  #whenDrained: (() => void) | null = null;
  #bytes = 0;
  #records = 0;
  #batches = 0;
  /** Messages of a batch, on average. */
  #size = 1;
  #refused = 0;
  #away: string | null = null;

  constructor(options: NatsInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#link = new NatsLink(options.servers, `sluicebox ${options.name}`, (denied) => this.#tellDenied(deniedText(denied)));
  }

  /** Resolves at once: the servers may come later. */
  start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    this.#done = this.#run(sink);
    sink.idle();
    return Promise.resolve();
  }

  /** Stops taking batches. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#source?.stop();
    await this.#done;
    if (this.#underWay.size === 0) await this.settle();
  }

  /** Batches that were taken are acknowledged if they are processed in time; the server delivers the rest again. */
  async settle(): Promise<void> {
    if (this.#underWay.size > 0) {
      const drained = new Promise<void>((resolve) => (this.#whenDrained = resolve));
      await Promise.race([drained, delay(CLOSE_MS, null, { ref: false })]);
    }
    if (this.#working !== null) clearInterval(this.#working);
    await this.#link.close();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#refused + this.#lost, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    return {
      BatchCount: this.#batches,
      RefusedBatchCount: this.#refused,
      LostBatchCount: this.#lost,
      UnacknowledgedBatchCount: this.#underWay.size,
    };
  }

  get problem(): string | null {
    return this.#away;
  }

  get #lost(): number {
    return this.#source?.lost ?? 0;
  }

  async #run(sink: InputSink): Promise<void> {
    const backoff = new Backoff({ ...this.#options.retries, max_retries: -1 });
    while (!this.#stop.signal.aborted) {
      try {
        this.#source = await this.#open();
        if (this.#away !== null) sink.notice({ level: 'info', code: 'source.back', text: `Input ${this.name} is connected again.` });
        this.#away = null;
        backoff.reset();
        this.#tellWorking(this.#source.answerMs / TOLD_TIMES);
        await this.#takeAll(this.#source, sink).finally(() => this.#source?.stop());
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#tellAway(error, sink);
        this.#link.leaveFor(error);
        await delay(backoff.next() ?? 0, null, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  #tellWorking(everyMs: number): void {
    if (this.#working !== null) clearInterval(this.#working);
    if (everyMs === Infinity) return;
    const pause = Math.min(Math.max(WORKING_MS.least, everyMs), WORKING_MS.most);
    this.#working = setInterval(() => this.#underWay.forEach((batch) => batch.working()), pause);
  }

  async #open(): Promise<BatchSource> {
    const { stream, durable, start = 'begin', subject: of, maxAckPending: maxPending, flushInterval: gatherMs } = this.#options;
    const connection = await this.#link.open();
    if (stream === null) return LiveBatches.open(connection, of);
    const wanted = (): number => Math.min(Math.ceil(this.#options.batchMessages / this.#size), MOST_BATCHES);
    const consumer = { stream, durable: durable === '' ? null : durable, subject: of, start };
    return StreamBatches.open(connection, { ...consumer, maxPending, wanted, gatherMs, place: this.#place });
  }

  /** Resolves when the source has ended. */
  async #takeAll(source: BatchSource, sink: InputSink): Promise<void> {
    for await (const came of source) {
      if (came.length === 0) await this.#rest(source, sink);
      for (let rest = came; rest.length > 0;) rest = rest.slice(await this.#take(rest, sink));
      // Other readers have their share of what may be unanswered.
      if (this.#underWay.size * 2 >= source.mostUnanswered) sink.hurry?.();
      if (this.#stop.signal.aborted) return;
    }
  }

  /** Nothing comes for now: all is read, or too much is not written yet. */
  async #rest(source: BatchSource, sink: InputSink): Promise<void> {
    if (this.#underWay.size > 0 && (await source.isHeldUp())) sink.hurry?.();
    else sink.idle();
  }

  /** Delivers batches, from the first one on, together. Returns their number. */
  async #take(came: readonly ReceivedBatch[], sink: InputSink): Promise<number> {
    const read = await this.#reader.read(
      came.map(({ body }) => body),
      this.#options.batchMessages,
    );
    const batch = read.batch.with({ isIdentified: true });
    const fine: ReceivedBatch[] = [];
    for (const [i, error] of read.refused.entries()) {
      const received = came[i] as ReceivedBatch;
      this.#batches++;
      this.#bytes += received.body.length;
      if (error === null) fine.push(received);
      else this.#refuse(received, error, sink);
    }
    const [first] = fine;
    if (first === undefined) return read.refused.length;
    this.#size = Math.max(1, EARLIER * this.#size + (1 - EARLIER) * (batch.length / fine.length));
    this.#records += batch.length;
    const source = fine.length === 1 ? first.source() : `${fine.length} batches, of which one is ${first.source()}`;
    await this.#deliver(
      batch,
      source,
      fine.map(({ answer }) => answer),
      sink,
    );
    return read.refused.length;
  }

  async #deliver(batch: MessageBatch, source: string, answers: readonly BatchAnswer[], sink: InputSink): Promise<void> {
    if (batch.length === 0) return answers.forEach((answer) => answer.acknowledge());
    for (const answer of answers) this.#underWay.add(answer);
    const forget = (): void => answers.forEach((answer) => this.#underWay.delete(answer));
    const acknowledge = (): void => {
      for (const answer of answers) answer.acknowledge();
      forget();
      if (this.#underWay.size === 0) this.#whenDrained?.();
    };
    try {
      await sink.deliver({ batch, firstLine: 0, source, isPatient: this.#options.stream !== null, acknowledge });
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Refuses a message that cannot be read. One that is no batch is not delivered again; a batch of a newer format is, as another input of this consumer may read it. */
  #refuse({ subject: of, source, answer }: ReceivedBatch, { isNewer, message }: BatchError, sink: InputSink): void {
    this.#refused++;
    if (isNewer) answer.later(LATER_MS);
    else answer.discard();
    const next = isNewer ? 'Update this program: it is offered again.' : `Whoever publishes to ${of} without a NatsOutput should not.`;
    const text = `Input ${this.name} cannot read ${source()}: ${message}. ${next}`;
    sink.notice({ level: 'warning', code: isNewer ? 'batch.newer' : 'batch.damaged', text });
  }

  /** Questions and acknowledgements that may not be sent have no other answer. */
  #tellDenied(what: string): void {
    if (this.#denied.has(what) || this.#denied.size >= MOST_DENIED) return;
    this.#denied.add(what);
    this.#sink?.notice({ level: 'warning', code: 'source.denied', text: `Input ${this.name}: ${what}, which the server refuses.` });
  }

  #tellAway(error: unknown, sink: InputSink): void {
    const text = `Input ${this.name} gets nothing and tries again: ${reasonOf(error)}.`;
    if (this.#away === null) sink.notice({ level: 'warning', code: 'source.away', text });
    this.#away = text;
  }
}
