import type { TextPool } from '../../message/text-pool.ts';
import { MessageOpener, type FramedOptions, type SignedMessage } from '../framed.ts';
import { damagedStreamNotice, portProblem } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { addressOn, formatAddress, hostsToTry, listenerFacts, parseAddress, type ListenAddress } from './address.ts';
import { cutUnless } from './cut.ts';
import { eachRun, type SentBlock } from './datagram-block.ts';
import { DatagramSource } from './datagram-source.ts';
import { trimRecord } from './framing.ts';
import { GelfDatagrams, GelfError } from './gelf-datagrams.ts';
import { KernelDrops } from './kernel-drops.ts';
import { LostDatagrams, type Losses } from './lost-datagrams.ts';
import { MessageStream } from './message-stream.ts';
import { datagramCompression, SINGLE_IS_SYSLOG, singleNotice } from './packing.ts';
import { Records } from './records.ts';
import { BatchSender } from './sender.ts';
import { SingleRecords } from './single-records.ts';
import { SplitStream } from './split-stream.ts';
import { z } from 'zod';
import { address, count, flag } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { clock, decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';

const DEFAULT_QUEUE_BYTES = 256 << 20;

/** The type `UdpInput` of sections. */
export const udpInput = inputType({
  type: 'UdpInput',
  summary:
    'Listens for datagrams. Each is one record. Datagrams that arrive faster than they are processed wait in memory (`queue_size`). They are ' +
    'lost when there is no room in this memory or in the buffer that the system has for the socket. Reports count them (`LostDatagramCount`, ' +
    'of which `KernelLostDatagramCount` were lost in the system, and `WaitingDatagramCount`), and the log mentions them from time to time ' +
    'and at the end. Sluicebox asks for the largest buffer that the system allows (Linux: `net.core.rmem_max`).',
  example: '[syslog]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\ndecoder = "syslog"',
  parameters: () => ({
    net: z
      .enum(['udp', 'udp4', 'udp6'])
      .default('udp')
      .describe('Networks of an address without a host: IPv4 and IPv6, IPv4 only, or IPv6 only.'),
    address: address.describe('Where to listen.'),
    splitter: splitter.default('none').describe(`How a datagram is cut into records.${FRAMING}`),
    gelf: flag
      .default(false)
      .describe(
        'Datagrams are those of GELF: chunks are put together, gzip and zlib are unpacked, and each message is cut by `splitter`. Messages of ' +
          'which a chunk does not come within five seconds are counted (`IncompleteMessageCount`).',
      ),
    compression: datagramCompression,
    ...framing,
    queue_size: count
      .default(DEFAULT_QUEUE_BYTES)
      .meta({ shown: 'bytes' })
      .describe('Memory for datagrams that wait while the pipeline is busy. When it is full, further ones are dropped and counted.'),
    set_hostname: flag
      .default(false)
      .describe('Set Hostname to the address of the sender. Each datagram then takes several times as long to receive.'),
    ...decoding,
    clock: clock('Listeners use `wall`.'),
  }),
  rules: [SINGLE_IS_SYSLOG],
  source: { form: () => 'whole' },
  facts: ({ address: at }) => listenerFacts('udp', at),
  make: ({ name, net, address: at, gelf, compression, set_hostname: setHostname, queue_size: queueBytes }, { split, type, texts }) =>
    new UdpInput({
      name,
      address: addressOn(net, at),
      gelf,
      compression,
      setHostname,
      queueBytes,
      type,
      texts,
      ...cutUnless('none', split),
    }),
});

export interface UdpInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Type of the records; the name by default. */
  readonly type?: string | undefined;
  /** Memory for texts; see `SenderOptions`. */
  readonly texts?: TextPool | undefined;
  /** Records get the address of the sender as Hostname; true by default. */
  readonly setHostname?: boolean;
  /** Datagrams are messages of GELF, or chunks of them. */
  readonly gelf?: boolean;
  /** Datagrams may be messages that rsyslog has packed; not by default. */
  readonly compression?: 'none' | 'single';
  /** Splitting of a datagram into records; by default each is one. */
  readonly split?: SplitOptions;
  /** Takes framed protobuf messages instead of text; they keep their headers. */
  readonly framed?: FramedOptions;
  /** Bytes of memory for datagrams that wait while the pipeline is busy (256 MiB); taken when they are needed. */
  readonly queueBytes?: number;
  /** Bytes that the system is asked to hold (32 MiB); it may give less. */
  readonly receiveBytes?: number;
}

const RECEIVE_BYTES = 32 << 20;
const COUNT_MS = 2000;
/** At the end, how long the pipeline may take nothing, and how long it may take in all. */
const CLOSE_MS = 1000;
const DRAIN_MS = 10_000;

/** A port that is listened on, with what belongs to it. */
interface Listening {
  readonly source: DatagramSource;
  readonly sender: BatchSender;
  readonly kernel: KernelDrops;
  readonly lost: LostDatagrams;
  readonly timer: NodeJS.Timeout;
}

/**
 * Syslog, or any text, over UDP: one record for each datagram, without a line end. Hostname is the sender's address. A thread reads the datagrams and
 * queues them while the pipeline is busy. Those that find no room are lost, and counted; so are those that the kernel dropped, where it tells (Linux).
 */
export class UdpInput implements Input {
  readonly name: string;
  readonly #address: ListenAddress;
  readonly #options: UdpInputOptions;
  readonly #opener: MessageOpener | null;
  readonly #gelf: GelfDatagrams | null;
  readonly #singles: SingleRecords | null;
  #toldDamaged = false;
  #listening: Listening | null = null;
  #stopped = true;
  #sink: InputSink | null = null;
  /** Memory of blocks that is given back when the pipeline takes more. */
  #held: ArrayBuffer[] = [];
  #movedAt = 0;
  #bytes = 0;
  #records = 0;
  #damaged = 0;

  /** Throws an InputError (`port.bad-address`, `split.bad`) for an address or a way to split that cannot be used. */
  constructor(options: UdpInputOptions) {
    this.name = options.name;
    this.#address = parseAddress(options.address);
    if (options.split !== undefined) makeSplitter(options.split);
    this.#options = options;
    this.#opener = options.framed === undefined ? null : new MessageOpener(options.framed);
    this.#gelf = options.gelf === true ? new GelfDatagrams() : null;
    this.#singles = options.compression === 'single' ? new SingleRecords() : null;
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    const { type, setHostname, texts } = this.#options;
    const sender = new BatchSender(sink, { name: this.name, type, setHostname, texts, onDrain: () => this.#giveBack() });
    const source = await this.#listen(sender);
    if (source === null) return;
    this.#stopped = false;
    const lost = new LostDatagrams(this.name, source.receiveBytes, (notice) => sink.notice(notice));
    const timer = setInterval(() => void this.#countLost(), COUNT_MS);
    this.#listening = { source, sender, lost, timer, kernel: new KernelDrops(source.address) };
    this.#giveBack();
    sink.idle();
  }

  /** Delivers what has arrived, as long as the pipeline takes it; the rest is lost and counted. */
  async stop(): Promise<void> {
    if (this.#listening === null || this.#stopped) return;
    this.#stopped = true;
    const { source, sender, kernel, lost, timer } = this.#listening;
    clearInterval(timer);
    await source.finished();
    await kernel.read();
    kernel.take(await this.#drain(source));
    await sender.close(CLOSE_MS);
    this.#gelf?.end();
    lost.end(this.#losses);
    this.#tellIncomplete();
  }

  stats(): InputStats {
    const { kernel, queue } = this.#losses;
    const dropped = kernel + queue + (this.#opener?.dropped ?? 0) + (this.#gelf?.lost ?? 0) + this.#damaged;
    return { bytes: this.#bytes, records: this.#records - (this.#listening?.sender.lost ?? 0), dropped, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    const { kernel, queue } = this.#losses;
    return {
      LostDatagramCount: kernel + queue,
      KernelLostDatagramCount: kernel,
      WaitingDatagramCount: this.#listening?.source.waiting ?? 0,
      ...(this.#gelf === null ? {} : { IncompleteMessageCount: this.#gelf.lost }),
      ...(this.#singles === null ? {} : { UnpackedByteCount: this.#singles.unpackedBytes, DamagedMessageCount: this.#damaged }),
    };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listening === null || this.#stopped ? null : this.#listening.source.address;
  }

  get #losses(): Losses {
    if (this.#listening === null) return { kernel: 0, queue: 0 };
    const { source, sender, kernel } = this.#listening;
    return { kernel: kernel.total, queue: source.dropped + sender.lost };
  }

  /** Resolves to null after a notice when it cannot listen. */
  async #listen(sender: BatchSender): Promise<DatagramSource | null> {
    const { queueBytes = DEFAULT_QUEUE_BYTES, receiveBytes = RECEIVE_BYTES, setHostname = true } = this.#options;
    // Notices about damaged messages name the sender, and ids of chunks are its own.
    const withSenders = setHostname || this.#opener !== null || this.#gelf !== null || this.#singles !== null;
    const { host, port } = this.#address;
    const onProblem = (error: unknown): void => this.#sink?.notice(portProblem('UDP', formatAddress(this.#address), error).toNotice());
    const onBlock = (block: SentBlock): void => this.#take(block, sender);
    try {
      return await DatagramSource.listen({ hosts: hostsToTry(host), port, queueBytes, withSenders, receiveBytes, onBlock, onProblem });
    } catch (error) {
      onProblem(error);
      return null;
    }
  }

  async #countLost(): Promise<void> {
    await this.#listening?.kernel.read();
    if (!this.#stopped) this.#listening?.lost.update(this.#losses);
  }

  /** Returns what `DatagramSource.close` does. */
  async #drain(source: DatagramSource): Promise<number | null> {
    this.#movedAt = performance.now();
    const end = this.#movedAt + DRAIN_MS;
    const watch = setInterval(() => {
      const now = performance.now();
      if (now - this.#movedAt > CLOSE_MS || now > end) source.discard();
    }, CLOSE_MS / 10);
    const drops = await source.close();
    clearInterval(watch);
    return drops;
  }

  #take(block: SentBlock, sender: BatchSender): void {
    this.#movedAt = performance.now();
    eachRun(block, (bytes, datagrams, host) => this.#receive(bytes, datagrams, host, sender));
    this.#held.push(block.memory);
    if (!sender.isFull) this.#giveBack();
  }

  #giveBack(): void {
    if (this.#listening === null) return;
    for (const memory of this.#held) this.#listening.source.done(memory);
    this.#held = [];
  }

  #receive(bytes: Buffer, datagrams: Records, host: string, sender: BatchSender): void {
    const { starts, ends, count } = datagrams;
    for (let i = 0; i < count; i++) this.#bytes += (ends[i] as number) - (starts[i] as number);
    if (this.#singles === null) return this.#cut(bytes, datagrams, host, sender);
    const take = (text: Buffer, records: Records): void => this.#cut(text, records, host, sender);
    this.#singles.push(bytes, datagrams, take, () => this.#dropDamaged(host));
  }

  #dropDamaged(host: string): void {
    if (this.#damaged++ === 0) this.#sink?.notice(singleNotice(`${host} sends compressed datagrams to input ${this.name}`));
  }

  #cut(bytes: Buffer, datagrams: Records, host: string, sender: BatchSender): void {
    const { split } = this.#options;
    const { starts, ends, count } = datagrams;
    if (this.#opener === null && this.#gelf === null && split === undefined)
      return this.#add(sender, bytes, trimmed(bytes, datagrams), host);
    for (let i = 0; i < count; i++) {
      const datagram = this.#whole(bytes.subarray(starts[i], ends[i]), host);
      if (datagram === null) continue;
      if (this.#opener !== null) this.#receiveMessages(datagram, this.#opener, host, sender);
      else if (split !== undefined) this.#receiveRecords(datagram, split, sender, host);
      else this.#add(sender, datagram, trimmed(datagram, wholeOf(datagram)), host);
    }
  }

  /** The message that a datagram is or completes; null: there is none yet, or it is damaged. */
  #whole(datagram: Buffer, host: string): Buffer | null {
    if (this.#gelf === null) return datagram;
    try {
      return this.#gelf.take(datagram, host);
    } catch (error) {
      if (!(error instanceof GelfError)) throw error;
      if (!this.#toldDamaged) this.#sink?.notice(damagedStreamNotice(`A datagram from ${host} to input ${this.name}`, error.message));
      this.#toldDamaged = true;
      return null;
    }
  }

  #tellIncomplete(): void {
    const lost = this.#gelf?.lost ?? 0;
    if (lost === 0) return;
    const text = `Input ${this.name} lost ${lost} messages of GELF of which chunks did not come (send over TCP, which loses none).`;
    this.#sink?.notice({ level: 'warning', code: 'datagrams.dropped', text });
  }

  #add(sender: BatchSender, bytes: Buffer, records: Records, host: string): void {
    this.#records += records.count;
    sender.add(bytes, records, host);
  }

  #receiveRecords(datagram: Buffer, split: SplitOptions, sender: BatchSender, host: string): void {
    const { start, end } = trimRecord(datagram, 0, datagram.length);
    if (start === end) return;
    const stream = new SplitStream(
      makeSplitter(split),
      (bytes, records) => this.#add(sender, bytes, records, host),
      () => undefined,
    );
    stream.push(datagram);
    stream.end();
  }

  /** Each datagram holds whole records. */
  #receiveMessages(datagram: Buffer, opener: MessageOpener, host: string, sender: BatchSender): void {
    const take = (message: SignedMessage): void => {
      this.#records++;
      sender.addMessage(message);
    };
    const fault = (what: string): void => {
      this.#sink?.notice(damagedStreamNotice(`A datagram from ${host} to input ${this.name}`, what));
    };
    const stream = new MessageStream(opener, take, fault);
    // The messages keep parts of these bytes, whose memory is used again.
    stream.push(Buffer.from(datagram));
    stream.end();
  }
}

function wholeOf({ length }: Buffer): Records {
  const records = new Records();
  records.add(0, length);
  return records;
}

/** Datagrams without the line ends and the NUL bytes around them; those that are empty then are left out. */
function trimmed(bytes: Buffer, { starts, ends, count }: Records): Records {
  const records = new Records();
  for (let i = 0; i < count; i++) {
    const { start, end } = trimRecord(bytes, starts[i] as number, ends[i] as number);
    if (start < end) records.add(start, end);
  }
  return records;
}
