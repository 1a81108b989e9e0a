import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { MessageOpener, type FramedOptions, type SignedMessage } from '../framed.ts';
import { damagedStreamNotice, portProblem } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { addressOn, formatAddress, hostsToTry, listenerFacts, parseAddress, plainHost, type ListenAddress } from './address.ts';
import { cutUnless } from './cut.ts';
import { trimRecord } from './framing.ts';
import { kernelDrops } from './kernel-drops.ts';
import { MessageStream } from './message-stream.ts';
import { BatchSender } from './sender.ts';
import { SplitStream } from './split-stream.ts';
import { z } from 'zod';
import { address, flag } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { clock, decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';

/** The type `UdpInput` of sections. */
export const udpInput = inputType({
  type: 'UdpInput',
  summary: 'Listens for datagrams; each is one record. Datagrams that arrive faster than they are processed are dropped and counted.',
  example: '[syslog]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\ndecoder = "rsyslog"',
  parameters: {
    net: z
      .enum(['udp', 'udp4', 'udp6'])
      .default('udp')
      .describe('For an address without a host: both kinds of networks, IPv4 only, or IPv6.'),
    address: address.describe('Where to listen.'),
    splitter: splitter.default('none').describe(`How a datagram is cut into records.${FRAMING}`),
    ...framing,
    set_hostname: flag.default(false).describe('Give messages the address of the sender as Hostname.'),
    ...decoding,
    clock: clock('Listeners use `wall`.'),
  },
  source: { form: () => 'whole' },
  facts: ({ address: at }) => listenerFacts('udp', at),
  make: ({ name, net, address: at, set_hostname: setHostname }, { split, type }) =>
    new UdpInput({ name, address: addressOn(net, at), setHostname, ...(type && { type }), ...cutUnless('none', split) }),
});

export interface UdpInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Type of the records; the name by default. */
  readonly type?: string;
  /** Records get the address of the sender as Hostname; true by default. */
  readonly setHostname?: boolean;
  /** Splitting of a datagram into records; by default each is one. */
  readonly split?: SplitOptions;
  /** Takes framed protobuf messages instead of text; they keep their headers. */
  readonly framed?: FramedOptions;
}

/** The kernel gives less where its limit (Linux: net.core.rmem_max) is lower. */
const RECEIVE_BUFFERS = [32 << 20, 8 << 20, 2 << 20];
const DROPS_MS = 2000;
/** Least time between two notices about lost datagrams. */
const TELL_DROPS_MS = 30_000;
const CLOSE_MS = 1000;

/**
 * Syslog, or any text, over UDP: one record for each datagram, without a line end. Hostname is the sender's address. Datagrams that the pipeline cannot
 * take are lost, and counted; so are those that the kernel dropped, where it tells (Linux).
 */
export class UdpInput implements Input {
  readonly name: string;
  readonly #address: ListenAddress;
  readonly #options: UdpInputOptions;
  readonly #opener: MessageOpener | null;
  #toldDamagedAt = -Infinity;
  #socket: Socket | null = null;
  #sender: BatchSender | null = null;
  #sink: InputSink | null = null;
  #timer: NodeJS.Timeout | null = null;
  #bytes = 0;
  #records = 0;
  #dropped = 0;
  #kernelDropped = 0;
  #kernelBefore: number | null = null;
  #toldDropped = 0;
  #toldAt = -Infinity;

  /** Throws an InputError (`port.bad-address`, `split.bad`) for an address or a way to split that cannot be used. */
  constructor(options: UdpInputOptions) {
    this.name = options.name;
    this.#address = parseAddress(options.address);
    if (options.split !== undefined) makeSplitter(options.split);
    this.#options = options;
    this.#opener = options.framed === undefined ? null : new MessageOpener(options.framed);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    const { type, setHostname } = this.#options;
    this.#sender = new BatchSender(sink, { name: this.name, type, setHostname });
    let failure: unknown;
    for (const host of hostsToTry(this.#address.host)) {
      try {
        this.#socket = await this.#listen({ host, port: this.#address.port });
        break;
      } catch (error) {
        failure = error;
      }
    }
    if (this.#socket === null) {
      sink.notice(portProblem('UDP', formatAddress(this.#address), failure).toNotice());
      return;
    }
    await this.#countKernelDrops();
    this.#timer = setInterval(() => void this.#countKernelDrops(), DROPS_MS);
    sink.idle();
  }

  async stop(): Promise<void> {
    const socket = this.#socket;
    await this.#countKernelDrops();
    this.#socket = null;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (socket) await new Promise<void>((resolve) => socket.close(resolve));
    await this.#sender?.close(CLOSE_MS);
  }

  stats(): InputStats {
    const dropped = this.#lost + (this.#opener?.dropped ?? 0);
    return { bytes: this.#bytes, records: this.#records, dropped, totalBytes: this.#bytes };
  }

  /** Datagrams that nobody could take. */
  get #lost(): number {
    return this.#dropped + this.#kernelDropped;
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    if (this.#socket === null) return null;
    const { address, port } = this.#socket.address();
    return { host: address, port };
  }

  async #listen({ host, port }: ListenAddress): Promise<Socket> {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    socket.on('message', (datagram, sender) => this.#receive(datagram, sender));
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ port, address: host, exclusive: true }, resolve);
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on('error', (error) => this.#sink?.notice(portProblem('UDP', formatAddress(this.#address), error).toNotice()));
    for (const size of RECEIVE_BUFFERS) {
      try {
        socket.setRecvBufferSize(size);
        break;
      } catch {
        // The next smaller one.
      }
    }
    return socket;
  }

  #receive(datagram: Buffer, sender: RemoteInfo): void {
    this.#bytes += datagram.length;
    if (this.#opener !== null) {
      this.#receiveMessages(datagram, this.#opener, plainHost(sender.address));
      return;
    }
    const { start, end } = trimRecord(datagram, 0, datagram.length);
    if (start === end || this.#sender === null) return;
    if (this.#isLost(this.#sender)) return;
    const { split } = this.#options;
    const host = plainHost(sender.address);
    if (split === undefined) this.#add(this.#sender, datagram, start, end, host);
    else this.#receiveRecords(datagram, split, this.#sender, host);
  }

  #add(sender: BatchSender, bytes: Buffer, start: number, end: number, host: string): void {
    this.#records++;
    sender.add(bytes, start, end, host);
  }

  #receiveRecords(datagram: Buffer, split: SplitOptions, sender: BatchSender, host: string): void {
    const stream = new SplitStream(
      makeSplitter(split),
      (bytes, start, end) => this.#add(sender, bytes, start, end, host),
      () => undefined,
    );
    stream.push(datagram);
    stream.end();
  }

  /** Each datagram holds whole records. */
  #receiveMessages(datagram: Buffer, opener: MessageOpener, host: string): void {
    const sender = this.#sender;
    if (sender === null || this.#isLost(sender)) return;
    const take = (message: SignedMessage): void => {
      this.#records++;
      sender.addMessage(message);
    };
    const fault = (what: string): void => {
      if (performance.now() - this.#toldDamagedAt < TELL_DROPS_MS) return;
      this.#toldDamagedAt = performance.now();
      this.#sink?.notice(damagedStreamNotice(`A datagram from ${host} to input ${this.name}`, what));
    };
    const stream = new MessageStream(opener, take, fault);
    stream.push(datagram);
    stream.end();
  }

  /** Whether a datagram is lost because the pipeline does not keep up. */
  #isLost(sender: BatchSender): boolean {
    if (!sender.isFull) return false;
    this.#dropped++;
    this.#tellDropped();
    return true;
  }

  async #countKernelDrops(): Promise<void> {
    const port = this.address()?.port;
    const drops = port === undefined ? null : await kernelDrops(port);
    // The first count includes earlier losses of other sockets on that port.
    this.#kernelBefore ??= drops ?? 0;
    if (drops === null || drops - this.#kernelBefore <= this.#kernelDropped) return;
    this.#kernelDropped = drops - this.#kernelBefore;
    this.#tellDropped();
  }

  #tellDropped(): void {
    if (performance.now() - this.#toldAt < TELL_DROPS_MS) return;
    this.#toldAt = performance.now();
    const lost = this.#lost - this.#toldDropped;
    this.#toldDropped += lost;
    const text = `Input ${this.name} lost ${lost} datagrams, because more came than can be worked on. Send over TCP, which waits, or send less.`;
    this.#sink?.notice({ level: 'warning', code: 'datagrams.dropped', text });
  }
}
