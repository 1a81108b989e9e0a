import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import type { TextPool } from '../../message/text-pool.ts';
import { MessageOpener, type FramedOptions, type SignedMessage } from '../framed.ts';
import { errorCode } from '../../base/errors.ts';
import { damagedStreamNotice, errorText } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import { tlsListener, type TlsListener } from '../../base/net/tls.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { addressOn, listenerFacts, parseAddress, plainHost, type ListenAddress } from './address.ts';
import { cutUnless } from './cut.ts';
import { Connections, HANDSHAKE_MS } from './connections.ts';
import { freeChunk } from './free-chunk.ts';
import { addressOf, listenOnAny } from './listening.ts';
import { SyslogFraming, type StreamFault } from './framing.ts';
import { MessageStream } from './message-stream.ts';
import { packingNotice, SINGLE_BY_LINES, streamCompression, zlibNotice, type Packing } from './packing.ts';
import { BatchSender } from './sender.ts';
import type { Records } from './records.ts';
import { RawConnection, type Pausable } from './raw-connection.ts';
import { SingleRecords } from './single-records.ts';
import { SplitStream } from './split-stream.ts';
import { brokenNotice, clientNotice, faultNotice, fullNotice, lostNotice, unreadNotice } from './tcp-notices.ts';
import { ZlibConnection } from './zlib-connection.ts';
import { z } from 'zod';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, flag, seconds } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { clock, decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';

/** The type `TcpInput` of sections. */
export const tcpInput = inputType({
  type: 'TcpInput',
  summary:
    'Listens for connections. A sender waits when the pipeline is busy. Hostname is its address, unless a decoder sets another one, and the field `remote_port` of its records is its port.',
  example: '[stream]\ntype = "TcpInput"\naddress = "[::1]:5514"\nsplitter = "line"',
  parameters: () => ({
    net: z
      .enum(['tcp', 'tcp4', 'tcp6'])
      .default('tcp')
      .describe('Networks of an address without a host: IPv4 and IPv6, IPv4 only, or IPv6 only.'),
    address: address.describe('Where to listen.'),
    splitter: splitter
      .default('line')
      .describe(`How a connection is cut into records. \`line\` also knows the octet counts of syslog (RFC 6587).${FRAMING}`),
    compression: streamCompression,
    ...framing,
    ...encryption,
    keep_alive: flag.default(true).describe('Let the system test connections on which nothing is sent.'),
    keep_alive_period: seconds.default(0).describe('Time without data after which the system tests a connection. 0: as the system is set.'),
    ...decoding,
    clock: clock('Listeners use `wall`.'),
  }),
  rules: [HAS_CERTIFICATE, SINGLE_BY_LINES],
  source: { form: () => 'chunks' },
  facts: ({ address: at }) => listenerFacts('tcp', at),
  make: (
    { name, net, address: at, compression, use_tls: encrypted, tls, keep_alive: alive, keep_alive_period: period },
    { split, type, texts },
  ) =>
    new TcpInput({
      name,
      address: addressOn(net, at),
      compression,
      keepAlive: alive ? period * 1000 : null,
      tls: encrypted ? tlsListener(tls) : undefined,
      type,
      texts,
      ...cutUnless('line', split),
    }),
});

export interface TcpInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Type of the records; the name by default. */
  readonly type?: string | undefined;
  /** Memory for texts; see `SenderOptions`. */
  readonly texts?: TextPool | undefined;
  /** Longest record in bytes (64 KiB); longer ones are delivered cut. */
  readonly maxRecord?: number;
  /** Splitting into records; by default that of syslog over TCP, see `SyslogFraming`. */
  readonly split?: SplitOptions;
  /** Takes framed protobuf messages instead of text; they keep their headers. */
  readonly framed?: FramedOptions;
  /** Senders pack messages one by one, which is not for another splitting, or each connection as one zlib stream; neither by default. */
  readonly compression?: Packing;
  /** Takes encrypted connections only. */
  readonly tls?: TlsListener | undefined;
  /** Milliseconds of silence after which a connection is tested; 0: as the system is set (the default); null: it is not. */
  readonly keepAlive?: number | null;
  /** Connections at the same time (10,000; of zlib streams, which take more memory, 1,000); more are refused. */
  readonly maxConnections?: number;
  /** Handshakes of TLS under way at the same time (1,000); of more, the oldest is cut off. */
  readonly maxHandshakes?: number;
}

/** An open connection. */
interface Connection {
  readonly flow: Pausable;
  /** Absent: it is not packed. */
  readonly packed: ZlibConnection | null;
  /** Resolves when all that came over it was taken. */
  readonly ended: Promise<void>;
}

const CLOSE_MS = 1000;
/** Milliseconds for which a stopping input reads at most what the system has received. */
const READ_OUT_MS = 1000;
/** Milliseconds without data after which that reading ends. */
const QUIET_MS = 25;

/**
 * Syslog, or lines of any text, over TCP; see `SyslogFraming`. Hostname is the sender's address, `remote_port` its port. The order within a connection is kept. When
 * the pipeline does not keep up, no connection is read from.
 */
export class TcpInput implements Input {
  readonly name: string;
  readonly #options: TcpInputOptions;
  readonly #address: ListenAddress;
  readonly #opener: MessageOpener | null;
  readonly #singles: SingleRecords | null;
  readonly #sockets = new Map<Socket, Connection>();
  readonly #connections: Connections;
  #server: Server | null = null;
  #sender: BatchSender | null = null;
  #sink: InputSink | null = null;
  #bytes = 0;
  #unpackedBytes = 0;
  #records = 0;
  #damaged = 0;
  #toldRefused = false;

  /** Throws an InputError (`port.bad-address`, `split.bad`) for an address or a way to split that cannot be used. */
  constructor(options: TcpInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#connections = new Connections(options.maxHandshakes);
    this.#address = parseAddress(options.address);
    if (options.split !== undefined) makeSplitter(options.split);
    this.#opener = options.framed === undefined ? null : new MessageOpener(options.framed);
    this.#singles = options.compression === 'single' ? new SingleRecords(this.#maxRecord) : null;
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    const onDrain = (): void => this.#sockets.forEach(({ flow }) => flow.resume());
    const sender = new BatchSender(sink, { name: this.name, type: this.#options.type, texts: this.#options.texts, onDrain });
    this.#sink = sink;
    this.#sender = sender;
    const makeServer = await this.#serverMaker(sender);
    this.#server = await listenOnAny(this.#address, () => this.#limited(makeServer()), sink);
  }

  /** Ends all connections; what has come over them is delivered, an unfinished last record too. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server) {
      const closed = [...this.#sockets.values()].map(({ ended }) => ended);
      closed.push(new Promise<void>((resolve) => server.close(() => resolve())));
      await this.#readOut();
      for (const [socket, { packed }] of this.#sockets) (packed ?? socket).destroy();
      this.#connections.destroy();
      await Promise.all(closed);
    }
    await this.#sender?.close(CLOSE_MS);
    this.#tellLost();
  }

  /** Tells the senders that nothing more is taken, and reads what the system has of them. */
  async #readOut(): Promise<void> {
    for (const socket of this.#sockets.keys()) socket.end();
    const late = performance.now() + READ_OUT_MS;
    for (let before = -1; this.#sockets.size > 0 && (this.#bytes !== before || this.#isBusy);) {
      if (performance.now() > late) return this.#sink?.notice(unreadNotice(this.name, this.#sockets.size));
      before = this.#bytes;
      await delay(QUIET_MS);
      // Data that arrived while this process had no turn is read between timers and this callback.
      await immediate();
    }
  }

  /** Something was read that is not delivered yet. */
  get #isBusy(): boolean {
    return this.#sender?.isFull === true || [...this.#sockets.values()].some(({ packed }) => packed?.isBusy === true);
  }

  stats(): InputStats {
    const lost = this.#sender?.lost ?? 0;
    const dropped = lost + this.#damaged + (this.#opener?.dropped ?? 0);
    return { bytes: this.#bytes, records: this.#records - lost, dropped, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    const { compression = 'none' } = this.#options;
    if (compression === 'stream') return { UnpackedByteCount: this.#unpackedBytes };
    return this.#singles === null ? {} : { UnpackedByteCount: this.#singles.unpackedBytes, DamagedMessageCount: this.#damaged };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return addressOf(this.#server);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  #limited(server: Server): Server {
    server.maxConnections = this.#options.maxConnections ?? (this.#options.compression === 'stream' ? 1000 : 10_000);
    this.#connections.watch(server, { encrypted: this.#options.tls !== undefined });
    return server.on('drop', () => this.#tellRefused(server.maxConnections));
  }

  /** Loads TLS only where it is needed: that takes long. */
  async #serverMaker(sender: BatchSender): Promise<() => Server> {
    const { tls, keepAlive = 0 } = this.#options;
    const options = { keepAlive: keepAlive !== null, keepAliveInitialDelay: keepAlive ?? 0, noDelay: false };
    const accept = (socket: Socket): void => this.#accept(socket, sender);
    if (tls === undefined) return () => createServer(options, accept);
    const { createServer: createTlsServer } = await import('node:tls');
    return () => {
      const server = createTlsServer({ ...options, ...tls.options, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
        this.#connections.shaken(socket);
        const reason = tls.refuses(socket);
        if (reason === null) return accept(socket);
        this.#tellClient(socket, reason);
        socket.destroy();
      });
      return server.on('tlsClientError', (error, socket) => this.#tellClient(socket, errorText(error)));
    };
  }

  #accept(socket: Socket, sender: BatchSender): void {
    const peer = { host: plainHost(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const text = (bytes: Buffer): void => {
      stream.push(bytes);
      // Messages are read in the bytes that have come.
      if (this.#opener === null) freeChunk(bytes);
      if (sender.isFull) for (const { flow } of this.#sockets.values()) flow.pause();
    };
    const end = (): void => {
      this.#sockets.delete(socket);
      stream.end();
      resolve();
    };
    const packed = this.#options.compression === 'stream' ? this.#unpack(socket, peer.host, text, end) : null;
    const flow = packed ?? socket;
    const stream = this.#streamOf(flow, sender, peer);
    this.#sockets.set(socket, { flow, packed, ended });
    if (stream instanceof SyslogFraming) socket.once('data', (chunk: Buffer) => this.#tellPacking(chunk, peer.host));
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (packed === null) text(chunk);
      else packed.push(chunk);
    });
    socket.on('error', (error) => this.#sink?.notice(brokenNotice(error, { host: peer.host, name: this.name })));
    socket.on('close', () => (packed === null ? end() : packed.end()));
    if (sender.isFull) flow.pause();
  }

  #unpack(socket: Socket, host: string, text: (bytes: Buffer) => void, end: () => void): ZlibConnection {
    const fault = (error: Error): void => {
      // Of one that broke, or that this input has ended, that is told already or no news.
      const isCut = errorCode(error) === 'Z_BUF_ERROR';
      if (!isCut || (socket.readableEnded && this.#server !== null)) this.#sink?.notice(zlibNotice(error, { host, name: this.name }));
    };
    const take = (bytes: Buffer): void => {
      this.#unpackedBytes += bytes.length;
      text(bytes);
    };
    return new ZlibConnection(socket, { text: take, fault, end });
  }

  #tellPacking(chunk: Buffer, host: string): void {
    const notice = packingNotice(chunk, this.#options.compression ?? 'none', { host, name: this.name });
    if (notice !== null) this.#sink?.notice(notice);
  }

  #streamOf(flow: Pausable, sender: BatchSender, peer: ListenAddress): SyslogFraming | SplitStream | MessageStream | RawConnection {
    if (this.#opener !== null) return this.#messageStream(sender, peer.host, this.#opener);
    const { split, name, type = name } = this.#options;
    if (split?.kind !== 'raw' || this.#sink === null) return this.#textStream(sender, peer);
    return new RawConnection(this.#sink, flow, { type, logger: name, hostname: peer.host }, peer.port);
  }

  #textStream(sender: BatchSender, peer: ListenAddress): SyslogFraming | SplitStream {
    const told = new Set<StreamFault>();
    const fault = (kind: StreamFault): void => {
      if (kind === 'packed') this.#damaged++;
      if (told.has(kind)) return;
      told.add(kind);
      this.#sink?.notice(faultNotice(kind, { host: peer.host, name: this.name }, this.#maxRecord));
    };
    const take = (bytes: Buffer, records: Records): void => {
      this.#records += records.count;
      sender.add(bytes, records, peer.host, peer.port);
    };
    const { split } = this.#options;
    if (split !== undefined) return new SplitStream(makeSplitter(split, this.#maxRecord), take, fault);
    const singles = this.#singles;
    if (singles === null) return new SyslogFraming(this.#maxRecord, take, fault);
    return new SyslogFraming(this.#maxRecord, (bytes, records) => singles.push(bytes, records, take, fault), fault, { singles: true });
  }

  #messageStream(sender: BatchSender, host: string, opener: MessageOpener): MessageStream {
    let told = false;
    const fault = (what: string): void => {
      if (!told) this.#sink?.notice(damagedStreamNotice(`The stream from ${host} to input ${this.name}`, what));
      told = true;
    };
    const take = (message: SignedMessage): void => {
      this.#records++;
      sender.addMessage(message);
    };
    return new MessageStream(opener, take, fault);
  }

  get #maxRecord(): number {
    return this.#options.maxRecord ?? 65_536;
  }

  #tellClient({ remoteAddress }: Socket, reason: string): void {
    const host = remoteAddress === undefined ? undefined : plainHost(remoteAddress);
    this.#sink?.notice(clientNotice(this.name, host, reason));
  }

  #tellLost(): void {
    const lost = this.#sender?.lost ?? 0;
    if (lost > 0) this.#sink?.notice(lostNotice(this.name, lost));
  }

  #tellRefused(limit: number): void {
    if (!this.#toldRefused) this.#sink?.notice(fullNotice(this.name, limit));
    this.#toldRefused = true;
  }
}
