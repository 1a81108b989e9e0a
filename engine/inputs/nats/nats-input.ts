import { setTimeout as delay } from 'node:timers/promises';
import { Backoff, type BackoffOptions } from '../../base/time/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import { BatchError, decodeBatch } from '../../nats/batch.ts';
import { deniedText, NatsLink, reasonOf, type NatsServers } from '../../nats/connection.ts';
import { natsName, natsServers, ONE_LOGIN, serversOf, subject } from '../../nats/parameters.ts';
import { text } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { LiveBatches } from './live-batches.ts';
import { StreamBatches, type ConsumerStart } from './stream-batches.ts';
import type { BatchSource, ReceivedBatch } from './received-batch.ts';

/** The type `NatsInput` of sections. */
export const natsInput = inputType({
  type: 'NatsInput',
  summary:
    'Reads the batches that a `NatsOutput` has published to a stream of NATS JetStream; see [cluster.md](../cluster.md). Inputs with the same ' +
    '`durable`, on any machines, share the work. A batch is acknowledged when all filters and outputs have its messages. Otherwise it is ' +
    'delivered again, here or elsewhere. Without a `stream`, the input gets what is published while it listens, and nothing is kept for it.',
  example:
    '[logs]\ntype = "NatsInput"\nservers = ["127.0.0.1:4222"]\nstream = "LOGS"\ndurable = "lake"\n\n[lake]\ntype = "ParquetOutput"\npath = "/lake"\nmessage_matcher = "TRUE"',
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
  readonly retries: BackoffOptions;
}

/** Milliseconds for which a stopping input waits for what is under way. */
const CLOSE_MS = 2_000;
/** Milliseconds after which the server is told that a batch is still being worked on; it waits several times as long. */
const WORKING_MS = 10_000;
/** Refusals of the server that are told: a subject for acknowledgements has a number in it. */
const MOST_DENIED = 5;
/** Milliseconds after which a batch of a newer format may be offered again. */
const LATER_MS = 30_000;

/** Takes batches from NATS, one after the other. */
export class NatsInput implements Input {
  readonly name: string;
  readonly #options: NatsInputOptions;
  readonly #link: NatsLink;
  /** Refusals of the server that were told. */
  readonly #denied = new Set<string>();
  readonly #stop = new AbortController();
  readonly #underWay = new Set<ReceivedBatch>();
  readonly #place = { last: 0, created: '' };
  #sink: InputSink | null = null;
  #source: BatchSource | null = null;
  #done: Promise<void> = Promise.resolve();
  #working: NodeJS.Timeout | null = null;
  #whenDrained: (() => void) | null = null;
  #bytes = 0;
  #records = 0;
  #batches = 0;
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
    this.#working = setInterval(() => this.#underWay.forEach((batch) => batch.working()), WORKING_MS);
    this.#done = this.#run(sink);
    sink.idle();
    return Promise.resolve();
  }

  /** Stops taking batches. Those that were taken are acknowledged if they are processed in time; the server delivers the rest again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#source?.stop();
    await this.#done;
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
        await this.#takeAll(this.#source, sink);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#tellAway(error, sink);
        await delay(backoff.next() ?? 0, null, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #open(): Promise<BatchSource> {
    const { stream, durable, start = 'begin', subject: of } = this.#options;
    const connection = await this.#link.open();
    if (stream === null) return LiveBatches.open(connection, of);
    return StreamBatches.open(connection, { stream, durable: durable === '' ? null : durable, subject: of, start, place: this.#place });
  }

  /** Resolves when the source has ended. */
  async #takeAll(source: BatchSource, sink: InputSink): Promise<void> {
    for await (const batch of source) {
      if (batch === null) sink.idle();
      else await this.#take(batch, sink);
      if (this.#stop.signal.aborted) return;
    }
  }

  async #take(received: ReceivedBatch, sink: InputSink): Promise<void> {
    this.#batches++;
    this.#bytes += received.body.length;
    const decoded = await decodeBatch(received.body).catch((error: unknown) => this.#refuse(received, error, sink));
    if (decoded === null) return;
    const batch = decoded.with({ isIdentified: true });
    this.#records += batch.length;
    if (batch.length === 0) return received.acknowledge();
    this.#underWay.add(received);
    const acknowledge = (): void => {
      received.acknowledge();
      this.#underWay.delete(received);
      if (this.#underWay.size === 0) this.#whenDrained?.();
    };
    try {
      await sink.deliver({ batch, firstLine: 0, source: received.source, acknowledge });
    } catch (error) {
      this.#underWay.delete(received);
      throw error;
    }
  }

  /** Refuses a message that cannot be read. One that is no batch is not delivered again; a batch of a newer format is, as another input of this consumer may read it. */
  #refuse(received: ReceivedBatch, error: unknown, sink: InputSink): null {
    this.#refused++;
    const isNewer = error instanceof BatchError && error.isNewer;
    if (isNewer) received.later(LATER_MS);
    else received.discard();
    const next = isNewer
      ? 'Update this program: it is offered again.'
      : `Whoever publishes to ${received.subject} without a NatsOutput should not.`;
    const text = `Input ${this.name} cannot read ${received.source}: ${messageOf(error)}. ${next}`;
    sink.notice({ level: 'warning', code: isNewer ? 'batch.newer' : 'batch.damaged', text });
    return null;
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
