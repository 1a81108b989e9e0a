import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { Serial } from '../base/time/serial.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';
import { UnsentFile } from './unsent-file.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import { joined, type Piece, type Pieces, type Receipt, type Writer } from './writers.ts';
import { parseAddress } from '../inputs/net/address.ts';
import { buffering, matching, remoteReceiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { tls } from '../section/tls.ts';
import { address, count, flag, seconds } from '../section/values.ts';
import { tlsConnection } from '../base/net/tls.ts';
import { outputType } from './output-type.ts';
import { encoder, exit, framedProtobuf, localAddress } from './parameters.ts';

/** The type `TcpOutput` of sections. */
export const tcpOutput = outputType({
  type: 'TcpOutput',
  summary:
    'Sends messages over a TCP connection. When the connection breaks, it is opened again, and what was sent in the last second before is ' +
    'sent again, because it is unknown what the other side has read. Messages wait in a disk buffer unless `use_buffering = false`. Its ' +
    'files have at most 128 MiB, and the checkpoint is written after 50 messages.',
  example: '[forward]\ntype = "TcpOutput"\naddress = "logs.example.org:9125"\nuse_tls = true\nmessage_matcher = "Severity <= 4"',
  parameters: () => ({
    ...matching,
    address: address.default('localhost:9125').describe('Where to connect to.'),
    local_address: localAddress,
    encoder: encoder('protobuf'),
    ...framedProtobuf,
    use_tls: flag.default(false).describe('Encrypt the connection.'),
    tls: tls.describe('For `use_tls`.'),
    keep_alive: flag.default(false).describe('Let the system test connections on which nothing is sent.'),
    keep_alive_period: seconds.default(0).describe('Time without data after which the system tests a connection. 0: as the system is set.'),
    reconnect_after: count.default(0).describe('Number of messages after which the connection is closed and opened anew. 0: never.'),
    ...remoteReceiver,
    buffering: buffering({ maxFileSize: 134_217_728, cursorUpdateCount: 50 }).prefault({}).describe('Limits of the disk buffer.'),
    ...restart,
    ...exit,
  }),
  rules: [
    {
      holds: ({ use_tls: encrypted, local_address: local }) => !encrypted || local === undefined,
      error: 'local_address cannot be used together with use_tls',
    },
  ],
  make: async (config, { onProblem, stateFolder, notedAfter }) => {
    const { local_address: local, keep_alive: alive, keep_alive_period: period, reconnect_after: reconnectAfter, retries } = config;
    const { host, port } = parseAddress(config.address);
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const writer = new TcpWriter({
      host: host || 'localhost',
      port,
      local: local === undefined ? undefined : parseAddress(local),
      tls: config.use_tls ? { ...name, ...tlsConnection(config.tls) } : null,
      keepAlive: alive ? period * 1000 : null,
      reconnectAfter,
      portionMessages: notedAfter,
      unsent: stateFolder === undefined ? null : join(stateFolder, 'unsent'),
      retries,
      onProblem,
    });
    await writer.resume();
    return writer;
  },
});

export interface TcpWriterOptions extends DeliveryOptions {
  readonly host: string;
  readonly port: number;
  /** Address to connect from. */
  readonly local?: { readonly host: string; readonly port: number } | undefined;
  /** null: without TLS. */
  readonly tls: ConnectionOptions | null;
  /** Milliseconds of silence after which the connection is tested; 0: the system's; null: it is not. */
  readonly keepAlive: number | null;
  /** The connection is closed after so many messages; 0: never. */
  readonly reconnectAfter: number;
  /** Messages that are sent before it is noted that they were. */
  readonly portionMessages?: number | undefined;
  /** File for what was not sent, or may not have been read, when the service ends; absent or null: it is lost. */
  readonly unsent?: string | null;
}

/** Bytes that are given to the system at once; a portion that fails is sent again as a whole. */
const PORTION_BYTES = 256 << 10;
const CONNECT_MS = 30_000;
const CLOSE_MS = 1000;
/** Number of times that the end is sent again when the connection breaks meanwhile. */
const CLOSE_ATTEMPTS = 3;
const NOTHING = Buffer.alloc(0);
/** Age and size of the data sent last that is sent again after a connection broke: the other side may not have read it. */
const RECENT_MS = 1000;
const RECENT_BYTES = 8 << 20;

interface Sent {
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * Writes to a TCP connection, which is made when the first message comes and made again when it breaks. The other side does not confirm what it has
 * read: after a break, the data of the last second is sent again. Until it is, it lies in a file, too.
 */
export class TcpWriter implements Writer {
  readonly #options: TcpWriterOptions;
  readonly #delivery: Delivery;
  #socket: Socket | null = null;
  /** The data sent last over the connection, the oldest first. */
  #recent: Sent[] = [];
  #recentBytes = 0;
  /** Data to send before anything else. */
  #again: Buffer[] = [];
  /** Keeps that data. */
  readonly #unsent: UnsentFile | null;
  #messages = 0;
  readonly #turns = new Serial();
  #closing = false;

  constructor(options: TcpWriterOptions) {
    this.#options = options;
    this.#delivery = new Delivery(options);
    this.#unsent = options.unsent ? new UnsentFile(options.unsent, options.onProblem) : null;
    this.#delivery.signal.addEventListener('abort', () => this.#socket?.destroy());
  }

  /** Begins to send what an earlier run has left. */
  async resume(): Promise<void> {
    const left = await this.#unsent?.load();
    if (left) this.#sendAgain([left]);
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: Pieces, receipt?: Receipt): Promise<void> {
    let taken = 0;
    for (const portion of this.#portions(pieces)) {
      await this.#inTurn(joined(portion));
      await receipt?.taken((taken += portion.length));
      this.#messages += portion.length;
      const { reconnectAfter } = this.#options;
      if (reconnectAfter > 0 && this.#messages >= reconnectAfter) await this.#hangUp();
    }
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#turns.idle();
    await this.#hangUp();
    for (let attempt = 0; this.#again.length > 0 && attempt < CLOSE_ATTEMPTS && !this.#delivery.signal.aborted; attempt++) {
      await this.#inTurn(NOTHING).catch(() => undefined);
      await this.#hangUp();
    }
    this.#delivery.giveUp();
    const left = this.#again.reduce((sum, { length }) => sum + length, 0);
    // Without a file for it, nothing sends it at the next start.
    if (left > 0 && this.#unsent === null)
      this.#options.onProblem(`${left} bytes that were sent last may not have been read, and are not sent again`);
    await this.#unsent?.settled();
  }

  #inTurn(bytes: Buffer): Promise<void> {
    return this.#turns.run(() => this.#delivery.until(() => this.#send(bytes)));
  }

  /** Pieces that are sent together: not more messages than the connection may still have. */
  *#portions(pieces: Pieces): Iterable<Pieces> {
    const { reconnectAfter, portionMessages = Infinity } = this.#options;
    let from = 0;
    let bytes = 0;
    for (let i = 0; i < pieces.length; i++) {
      bytes += lengthOf(pieces, i);
      const left = Math.min(portionMessages, reconnectAfter === 0 ? Infinity : reconnectAfter - this.#messages);
      if (bytes < PORTION_BYTES && i + 1 - from < left && i + 1 < pieces.length) continue;
      yield pieces.slice(from, i + 1);
      from = i + 1;
      bytes = 0;
    }
  }

  async #send(bytes: Buffer): Promise<void> {
    const socket = (this.#socket ??= await this.#connect());
    for (let next = this.#again[0]; next !== undefined; next = this.#again[0]) {
      await this.#sendBytes(socket, next);
      this.#again.shift();
    }
    void this.#unsent?.keep([]);
    if (bytes.length > 0) await this.#sendBytes(socket, bytes);
  }

  async #sendBytes(socket: Socket, bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
    // The connection may have broken meanwhile: then it counts as not sent.
    if (this.#socket !== socket) throw new Error('the connection broke');
    const now = performance.now();
    this.#recent.push({ at: now, bytes });
    this.#recentBytes += bytes.length;
    this.#forgetOld(now);
  }

  #forgetOld(now: number): void {
    while (this.#recent.length > 0 && (this.#recentBytes > RECENT_BYTES || now - (this.#recent[0] as Sent).at > RECENT_MS)) {
      this.#recentBytes -= (this.#recent.shift() as Sent).bytes.length;
    }
  }

  /** Takes out the data sent last, to be sent again or forgotten. */
  #takeRecent(): Buffer[] {
    const recent = this.#recent.map((sent) => sent.bytes);
    this.#recent = [];
    this.#recentBytes = 0;
    return recent;
  }

  #broken(socket: Socket): void {
    socket.destroy();
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#messages = 0;
    this.#forgetOld(performance.now());
    this.#sendAgain(this.#takeRecent());
  }

  /** Data goes out before anything else, and at once, not with the next message. */
  #sendAgain(data: readonly Buffer[]): void {
    this.#again = [...data, ...this.#again];
    void this.#unsent?.keep(this.#again);
    if (this.#again.length > 0 && !this.#closing) this.#inTurn(NOTHING).catch(() => undefined);
  }

  async #connect(): Promise<Socket> {
    const { host, port, local, tls, keepAlive } = this.#options;
    const from = { localAddress: local?.host, localPort: local?.port };
    const alive = keepAlive === null ? {} : { keepAlive: true, keepAliveInitialDelay: keepAlive };
    const { signal } = this.#delivery;
    // Loaded only where it is needed: that takes long.
    const secure = tls === null ? null : await import('node:tls');
    signal.throwIfAborted();
    const socket = secure === null ? connectTcp({ host, port, ...from, ...alive }) : secure.connect({ host, port, ...alive, ...tls });
    const abort = (): void => void socket.destroy(new Error('the service stops'));
    signal.addEventListener('abort', abort, { once: true });
    // Not a time-out of the socket: a handshake that goes on byte by byte is never silent.
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${CONNECT_MS / 1000} seconds`)), CONNECT_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once(tls === null ? 'connect' : 'secureConnect', resolve).once('error', reject);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    socket.setNoDelay(true);
    socket.on('error', () => this.#broken(socket));
    socket.on('close', () => this.#broken(socket));
    // The other side takes nothing more. Whether it has read all cannot be seen: a reset that comes behind its end is not told.
    socket.on('end', () => this.#broken(socket));
    // Data from the other side is of no interest, but has to be read, or its end is not seen.
    socket.resume();
    return socket;
  }

  /** Closes the connection after the system has sent all of it. When it breaks meanwhile, the data sent last is to be sent again. */
  async #hangUp(): Promise<void> {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    this.#messages = 0;
    const clean = await ended(socket);
    const recent = this.#takeRecent();
    if (!clean) this.#sendAgain(recent);
  }
}

const lengthOf = (pieces: Pieces, i: number): number =>
  pieces instanceof PackedPieces ? (pieces.ends[i] as number) - pieces.startOf(i) : (pieces[i] as Piece).length;

/** Ends a connection; false: it broke before the other side had ended it too. */
async function ended(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return false;
  let clean = true;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
    socket.once('error', () => (clean = false));
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end();
  });
  return clean;
}
