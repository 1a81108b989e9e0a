import type { IncomingMessage, RequestListener as Handler, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TlsListener } from '../../base/net/tls.ts';
import { parseAddress, plainHost, type ListenAddress } from '../net/address.ts';
import { Connections, HANDSHAKE_MS } from '../net/connections.ts';
import { addressOf, listenOnAny } from '../net/listening.ts';
import { errorText } from '../notices.ts';
import type { InputSink } from '../types.ts';
import { carries, type HttpAuth } from './credentials.ts';
import { foreignness, isLoopback } from './foreign-requests.ts';

export interface RequestListenerOptions {
  /** Name of the input, for notices. */
  readonly name: string;
  /** Name of the listener in notices; `Input NAME` when absent. */
  readonly who?: string;
  /** Advice to one who is refused for coming from elsewhere. */
  readonly advice?: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** null: anybody may send. */
  readonly auth: HttpAuth | null;
  /** Headers of all answers. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly tls?: TlsListener | undefined;
  /** A request may take any time to come, and not a minute: it is taken while it comes. */
  readonly isPatient?: boolean;
}

/** Milliseconds that the head of a request may take, and a whole request that is not taken while it comes; and those between two looks at that. */
const HEAD_MS = 10_000;
const WHOLE_MS = 60_000;
const LOOK_MS = 2_000;

/** Milliseconds for which the rest of a refused body is read, so that the sender gets to read why. */
const LINGER_MS = 30_000;

/** Listens for HTTP requests, as those of an input. Those without its credentials get status 401. */
export class RequestListener {
  readonly #options: RequestListenerOptions;
  readonly #address: ListenAddress;
  readonly #connections = new Connections();
  #server: Server | null = null;
  #sink: InputSink | null = null;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: RequestListenerOptions) {
    this.#options = options;
    this.#address = parseAddress(options.address);
  }

  /** The address that it listens on; null when it does not listen. */
  get address(): ListenAddress | null {
    return addressOf(this.#server);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. @param serve answers allowed requests */
  async start(sink: InputSink, serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<void> {
    this.#sink = sink;
    const makeServer = await this.#serverMaker((request, response) => {
      response.on('error', () => undefined);
      for (const [name, values] of Object.entries(this.#options.headers ?? {})) response.setHeader(name, [...values]);
      if (this.#isAllowed(request, response)) void serve(request, response);
    });
    const encrypted = this.#options.tls !== undefined;
    const watched = (): Server => {
      const server = makeServer();
      this.#connections.watch(server, { encrypted });
      return server;
    };
    this.#server = await listenOnAny(this.#address, watched, sink);
  }

  /** Requests that are under way are broken off. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      this.#connections.destroy();
    });
  }

  /** Loads the protocol's module only now: that takes longer than everything else in a command without requests. */
  async #serverMaker(listener: Handler): Promise<() => Server> {
    const { tls, isPatient = false } = this.#options;
    const limits = { requestTimeout: isPatient ? 0 : WHOLE_MS, headersTimeout: HEAD_MS, connectionsCheckingInterval: LOOK_MS };
    if (tls === undefined) {
      const { createServer } = await import('node:http');
      return () => createServer(limits, listener);
    }
    const { createServer } = await import('node:https');
    return () => {
      const server = createServer({ ...limits, ...tls.options, handshakeTimeout: HANDSHAKE_MS }, listener);
      server.on('secureConnection', (socket: TLSSocket) => {
        this.#connections.shaken(socket);
        const reason = tls.refuses(socket);
        if (reason !== null) this.#refuse(socket, reason);
      });
      return server.on('tlsClientError', (error: Error, socket: Socket) => this.#refuse(socket, errorText(error)));
    };
  }

  #refuse(socket: Socket, reason: string): void {
    const from = plainHost(socket.remoteAddress ?? '');
    this.#sink?.notice({
      level: 'info',
      code: 'connection.refused',
      text: `A client ${from} of input ${this.#options.name} was refused: ${reason}.`,
    });
    socket.destroy();
  }

  #isAllowed(request: IncomingMessage, response: ServerResponse): boolean {
    const { auth, name } = this.#options;
    if (auth === null) return this.#isOwn(request, response);
    if (carries(request, auth)) return true;
    this.#tellRefused(request, 'it may not send any');
    if (auth.kind === 'basic') response.setHeader('WWW-Authenticate', `Basic realm="${name.replaceAll(/["\\]/g, '')}"`);
    answerEarly(request, response, { status: 401, headers: {}, body: '' });
    return false;
  }

  /** Whether a request without credentials to this machine alone does not come from elsewhere. */
  #isOwn(request: IncomingMessage, response: ServerResponse): boolean {
    const why = isLoopback(this.#address.host) ? foreignness(request, this.#options.headers) : null;
    if (why === null) return true;
    this.#tellRefused(request, why);
    const { advice = 'Set auth_type to let others send.' } = this.#options;
    const body = `Any program on this machine may ask, but not a web page, and not by another name: ${why}. ${advice}\n`;
    answerEarly(request, response, { status: 403, headers: TEXT, body });
    return false;
  }

  get #who(): string {
    return this.#options.who ?? `Input ${this.#options.name}`;
  }

  #tellRefused({ socket }: IncomingMessage, why: string): void {
    const text = `${this.#who} refused a request from ${plainHost(socket.remoteAddress ?? '')}: ${why}.`;
    this.#sink?.notice({ level: 'warning', code: 'request.refused', text });
  }
}

/** Headers of an answer in words. */
export const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

export interface EarlyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Answers a request whose body may still be coming. The rest is read for a while, so that its sender gets to read the answer: the end of the answer closes the
 * connection, and a sender that is still sending would see that alone.
 */
export function answerEarly(request: IncomingMessage, response: ServerResponse, { status, headers, body }: EarlyAnswer): void {
  const length = { 'Content-Length': Buffer.byteLength(body) };
  // Only a whole request may be followed by another one.
  if (request.complete) {
    response.writeHead(status, { ...headers, ...length }).end(body);
    return;
  }
  response.writeHead(status, { ...headers, ...length, Connection: 'close' });
  if (length['Content-Length'] === 0) response.flushHeaders();
  else response.write(body);
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  request.once('end', () => response.end());
  socket.once('close', () => clearTimeout(timer));
  request.resume();
}
