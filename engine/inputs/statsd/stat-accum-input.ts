import { setImmediate } from 'node:timers/promises';
import { batchOf } from '../../message/batch/builder.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import { nowNs } from '../../message/timestamp.ts';
import type { Message } from '../../message/types.ts';
import { Ticker } from '../ticker.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import type { Accumulator } from '../stats/accumulator.ts';
import { emittedValues, fieldsOf, payloadOf, type EmissionOptions } from './emission.ts';
import type { StatHub } from '../stats/stat-hub.ts';
import { z } from 'zod';
import { count, flag, text } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding, interval } from '../shared/parameters.ts';

const prefix = (usual: string, of: string): z.ZodDefault<z.ZodString> =>
  text.default(usual).describe(`Prefix of the names of ${of}. Empty: none.`);

/** The type `StatAccumInput` of sections. */
export const statAccumInput = inputType({
  type: 'StatAccumInput',
  summary: 'Aggregates counters, gauges and timers and emits them as one message at each tick, also when none were received.',
  example: '[stats]\ntype = "StatAccumInput"\nemit_in_fields = true\nticker_interval = 10\npercent_threshold = [90, 99]',
  parameters: () => ({
    emit_in_payload: flag.default(true).describe('Messages hold the stats as lines `NAME VALUE SECONDS` in the Payload.'),
    emit_in_fields: flag.default(false).describe('Messages hold the stats as fields, for `stat_graph` and matchers.'),
    percent_threshold: z
      .array(count.max(100))
      .default([90])
      .meta({ shown: 'list of percentages' })
      .describe(
        'Timers get `mean_P` and `upper_P` for each of these percentages: the mean and the largest of that part of their values, without the ' +
          'largest ones.',
      ),
    message_type: text.default('svc.statmetric').describe('Type of the messages.'),
    ticker_interval: interval.default(10).describe('Time between two messages, and the period of rates.'),
    legacy_namespaces: flag
      .default(false)
      .describe(
        'Name counters as older servers do: `stats.NAME` for the rate, `stats_counts.NAME` for the count, and `statsd.numStats` for the number ' +
          'of stats.',
      ),
    global_prefix: prefix('stats', 'all stats'),
    counter_prefix: prefix('counters', 'counters'),
    timer_prefix: prefix('timers', 'timers'),
    gauge_prefix: prefix('gauges', 'gauges'),
    statsd_prefix: prefix('statsd', '`numStats`, the number of stats'),
    delete_idle_stats: flag
      .default(false)
      .describe('Delete all stats after each message, so that each message holds only the stats received since the last one.'),
    ...decoding,
  }),
  rules: [
    {
      holds: ({ emit_in_payload: inPayload, emit_in_fields: inFields }) => inPayload || inFields,
      error: 'must be true, unless emit_in_fields is: otherwise no stat would be emitted',
      path: ['emit_in_payload'],
    },
  ],
  facts: ({ name }) => ({ kind: 'stats', label: name, location: `stats of ${name}` }),
  make: (config, { stats: hub, hostname }) => {
    const { global_prefix: global, counter_prefix: counter, timer_prefix: timer, gauge_prefix: gauge, statsd_prefix: statsd } = config;
    return new StatAccumInput({
      name: config.name,
      hub,
      inPayload: config.emit_in_payload,
      inFields: config.emit_in_fields,
      thresholds: config.percent_threshold,
      type: config.message_type,
      seconds: config.ticker_interval,
      legacy: config.legacy_namespaces,
      prefixes: { global, counter, timer, gauge, statsd },
      deleteIdle: config.delete_idle_stats,
      hostname,
    });
  },
});

export interface StatAccumInputOptions extends EmissionOptions {
  /** Name of the input, by which stats are sent to it, and Logger of its messages. */
  readonly name: string;
  readonly hub: StatHub;
  readonly inPayload: boolean;
  readonly inFields: boolean;
  /** Type of the messages. */
  readonly type: string;
  /** Forget all stats after each emission. */
  readonly deleteIdle: boolean;
  readonly hostname: string;
  readonly pid?: number;
}

const SECOND = 1_000_000_000n;

/** Adds up stats that others bring, and emits them as one message at each tick, and once more when it is stopped. */
export class StatAccumInput implements Input {
  readonly name: string;
  readonly #options: StatAccumInputOptions;
  #sink: InputSink | null = null;
  #accumulator: Accumulator | null = null;
  #ticker: Ticker | null = null;
  #messages = 0;
  #names = 0;

  constructor(options: StatAccumInputOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(sink: InputSink): Promise<void> {
    const { hub, seconds } = this.#options;
    this.#sink = sink;
    this.#accumulator = hub.open(this.name);
    this.#ticker = new Ticker(seconds * 1000, () => this.#emit());
    this.#ticker.start();
    sink.idle();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    const { hub } = this.#options;
    await this.#ticker?.stop();
    // Inputs that stop at the same time may still send stats.
    await setImmediate();
    await hub.settled();
    await this.#emit();
    hub.close(this.name);
    this.#accumulator = null;
  }

  stats(): InputStats {
    return { bytes: 0, records: this.#messages, dropped: 0, totalBytes: 0 };
  }

  figures(): Readonly<Record<string, number>> {
    return { StatNameCount: this.#names };
  }

  async #emit(): Promise<void> {
    if (this.#accumulator === null || this.#sink === null) return;
    const taken = this.#accumulator.take(this.#options.deleteIdle);
    const values = emittedValues(taken, this.#options);
    this.#names = taken.counters.size + taken.gauges.size + taken.timers.size;
    this.#messages++;
    try {
      await this.#sink.deliver({ batch: batchOf([this.#message(values)]), firstLine: 0, acknowledge: () => undefined });
    } catch {
      // The pipeline takes nothing more, and has said why.
      return;
    }
    this.#sink.idle();
  }

  #message(values: ReturnType<typeof emittedValues>): Message {
    const { type, hostname, pid = process.pid, inPayload, inFields } = this.#options;
    const timestamp = nowNs();
    const seconds = timestamp / SECOND;
    return {
      uuid: randomUuid(),
      timestamp,
      type,
      logger: this.name,
      payload: inPayload ? payloadOf(values, seconds) : '',
      hostname,
      pid,
      fields: inFields ? fieldsOf(values, seconds) : [],
    };
  }
}
