import { setImmediate } from 'node:timers/promises';
import { batchOf } from '../../message/builder.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import { nowNs } from '../../message/timestamp.ts';
import type { Message } from '../../message/types.ts';
import { Ticker } from '../ticker.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import type { Accumulator } from './accumulator.ts';
import { emittedValues, fieldsOf, payloadOf, type EmissionOptions } from './emission.ts';
import type { StatHub } from './stat-hub.ts';

export interface StatAccumInputOptions extends EmissionOptions {
  /** Name of the input: where stats are brought to, and Logger of its messages. */
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
    // Those that stop at the same time may still have something.
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
