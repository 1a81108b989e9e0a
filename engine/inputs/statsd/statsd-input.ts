import { textAt } from '../../message/batch/batch.ts';
import { listenerFacts, portOf, type ListenAddress } from '../net/address.ts';
import { UdpInput } from '../net/udp-input.ts';
import type { Input, InputBatch, InputSink, InputStats } from '../types.ts';
import { parseStats } from '../stats/parse.ts';
import type { StatHub } from '../stats/stat-hub.ts';
import { z } from 'zod';
import { address, text } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';

/** The type `StatsdInput` of sections. */
export const statsdInput = inputType({
  type: 'StatsdInput',
  summary: 'Listens for counters, gauges and timers in the format of statsd and passes them to a StatAccumInput. It makes no messages.',
  example: '[statsd]\ntype = "StatsdInput"\naddress = "127.0.0.1:8125"\nstat_accum_name = "stats"\n\n[stats]\ntype = "StatAccumInput"',
  parameters: () => ({
    address: address.default('127.0.0.1:8125').describe('Where to listen, by UDP.'),
    stat_accum_name: text.min(1).default('StatAccumInput').describe('Name of the StatAccumInput section that aggregates the stats.'),
    max_msg_size: z.int().min(1).default(512).meta({ shown: 'bytes' }).describe('Longer datagrams are cut.'),
    ...ending,
  }),
  references: { stat_accum_name: 'StatAccumInput' },
  facts: ({ address: at }) => ({ ...listenerFacts('udp', at), label: `statsd:${portOf(at)}` }),
  make: ({ name, address: at, stat_accum_name: accumulator, max_msg_size: maxSize }, { stats: hub }) =>
    new StatsdInput({ name, address: at, accumulator, maxSize, hub }),
});

export interface StatsdInputOptions {
  readonly name: string;
  /** `host:port`; see `parseAddress`. */
  readonly address: string;
  /** Name of the accumulator that gets the stats. */
  readonly accumulator: string;
  readonly hub: StatHub;
  /** Bytes; longer datagrams are cut. */
  readonly maxSize: number;
}

/** Least time between two notices about lines that are no stats. */
const TELL_BAD_MS = 10_000;
const SHOWN = 200;

/** Takes stats over UDP, some lines in each datagram, to an accumulator. It delivers no messages of its own. */
export class StatsdInput implements Input {
  readonly name: string;
  readonly #options: StatsdInputOptions;
  readonly #listener: UdpInput;
  #sink: InputSink | null = null;
  #stats = 0;
  #bad = 0;
  #lost = 0;
  #toldBad = 0;
  #toldAt = -Infinity;
  #toldLost = false;

  /** Throws an InputError (`port.bad-address`) for an address that cannot be used. */
  constructor(options: StatsdInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new UdpInput({ name: options.name, address: options.address, setHostname: false });
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    await this.#listener.start({
      deliver: (batch) => this.#take(batch),
      notice: (notice) => sink.notice(notice),
      idle: () => sink.idle(),
    });
  }

  async stop(): Promise<void> {
    const end = this.#listener.stop();
    this.#options.hub.ending(end);
    await end;
  }

  /** Records are stats. */
  stats(): InputStats {
    const { bytes, dropped } = this.#listener.stats();
    return { bytes, records: this.#stats, dropped: dropped + this.#lost, totalBytes: bytes };
  }

  figures(): Readonly<Record<string, number>> {
    return { StatCount: this.#stats, BadLineCount: this.#bad, LostStatCount: this.#lost, ...this.#listener.figures() };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listener.address();
  }

  #take({ batch }: InputBatch): Promise<void> {
    for (let row = 0; row < batch.length; row++) this.#takeDatagram(this.#cut(textAt(batch.payload, row) ?? ''));
    return Promise.resolve();
  }

  #takeDatagram(text: string): void {
    const { stats, bad } = parseStats(text);
    const { hub, accumulator: name } = this.#options;
    const accumulator = hub.get(name);
    const before = accumulator?.dropped ?? 0;
    for (const stat of stats) accumulator?.add(stat);
    const lost = accumulator === null ? stats.length : accumulator.dropped - before;
    this.#stats += stats.length - lost;
    this.#bad += bad.length;
    this.#lost += lost;
    if (bad.length > 0) this.#tellBad(bad[0] as string);
    if (lost > 0 && accumulator !== null) this.#tellLost();
  }

  #cut(text: string): string {
    const { maxSize } = this.#options;
    if (text.length * 3 <= maxSize || Buffer.byteLength(text) <= maxSize) return text;
    return Buffer.from(text).subarray(0, maxSize).toString();
  }

  #tellBad(example: string): void {
    if (performance.now() - this.#toldAt < TELL_BAD_MS) return;
    this.#toldAt = performance.now();
    const count = this.#bad - this.#toldBad;
    this.#toldBad = this.#bad;
    const text = `Input ${this.name} got ${count === 1 ? 'a line that is not a stat' : `${count} lines that are not stats`}, such as ${JSON.stringify(example.slice(0, SHOWN))}.`;
    this.#sink?.notice({ level: 'warning', code: 'stat.bad', text });
  }

  #tellLost(): void {
    if (this.#toldLost) return;
    this.#toldLost = true;
    const text = `Input ${this.name} gets stats of more names than are counted; the others are dropped. Check what makes up new names.`;
    this.#sink?.notice({ level: 'warning', code: 'stat.too-many', text });
  }
}
