import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { NoticeCode } from '../../api/notices.ts';
import type { TlsListener } from '../../base/net/tls.ts';
import type { InputSink } from '../types.ts';
import { parseAddress, type ListenAddress } from './address.ts';
import { Connections, HANDSHAKE_MS } from './connections.ts';
import { addressOf, listenOnAny } from './listening.ts';

export interface StreamListenerOptions {
  /** Name of the input, for notices. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Connections at the same time (1,000); more are refused. */
  readonly maxConnections?: number | undefined;
  readonly tls?: TlsListener | undefined;
}

const MAX_CONNECTIONS = 1_000;

/** Listens for the connections of senders that are few and send much, such as other collectors. */
export class StreamListener {
  readonly #options: StreamListenerOptions;
  readonly #address: ListenAddress;
  readonly #connections = new Connections();
  #server: Server | null = null;
  #sink: InputSink | null = null;
  #toldRefused = false;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: StreamListenerOptions) {
    this.#options = options;
    this.#address = parseAddress(options.address);
  }

  /** Whether new connections are taken. */
  get isOpen(): boolean {
    return this.#server !== null;
  }

  /** The address that it listens on; null when it does not listen. */
  get address(): ListenAddress | null {
    return addressOf(this.#server);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink, serve: (socket: Socket) => void): Promise<void> {
    this.#sink = sink;
    const make = await this.#serverMaker(serve);
    this.#server = await listenOnAny(this.#address, make, sink);
  }

  /**
   * Takes no more connections, and breaks those that there are off.
   * @param last what is to be done before that
   */
  async stop(last: () => Promise<void>): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    await last();
    this.#connections.destroy();
    await closed;
  }

  tell(code: NoticeCode, text: string, level: 'info' | 'warning' = 'warning'): void {
    this.#sink?.notice({ level, code, text });
  }

  /** Loads TLS only where it is needed. */
  async #serverMaker(serve: (socket: Socket) => void): Promise<() => Server> {
    const { tls } = this.#options;
    if (tls === undefined) return () => this.#limited(createServer(serve));
    const { createServer: createTlsServer } = await import('node:tls');
    return () =>
      this.#limited(
        createTlsServer({ ...tls.options, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
          this.#connections.shaken(socket);
          if (tls.refuses(socket) === null) serve(socket);
          else socket.destroy();
        }).on('tlsClientError', (_, socket) => socket.destroy()),
      );
  }

  #limited(server: Server): Server {
    server.maxConnections = this.#options.maxConnections ?? MAX_CONNECTIONS;
    this.#connections.watch(server, { encrypted: this.#options.tls !== undefined });
    return server.on('drop', () => this.#tellRefused(server.maxConnections));
  }

  #tellRefused(limit: number): void {
    if (this.#toldRefused) return;
    this.#toldRefused = true;
    this.tell(
      'connection.refused',
      `Input ${this.#options.name} refuses connections: ${limit} are open already, which is the most. Close some.`,
    );
  }
}
