import type { Http2Session, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseAddress, plainHost, type ListenAddress } from '../net/address.ts';
import { Connections, HANDSHAKE_MS } from '../net/connections.ts';
import { addressOf, listenOnAny } from '../net/listening.ts';
import { errorText } from '../notices.ts';
import type { InputSink } from '../types.ts';
import { carries } from './credentials.ts';
import { foreignness, isLoopback } from './foreign-requests.ts';
import { codeOf, framed, statusText } from './grpc.ts';
import { RefusedRequestError } from './request-body.ts';
import type { RequestListenerOptions } from './request-listener.ts';

/** Milliseconds in which a client must have begun to speak HTTP/2. */
const GREETING_MS = 10_000;
/** Calls of one connection at the same time. */
const MAX_CALLS = 100;
const TYPE = 'application/grpc';
const ENCODINGS = 'identity,gzip';

/** A call of a method. */
export interface GrpcCall {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly stream: ServerHttp2Stream;
  /** The address of the caller. */
  readonly from: string;
}

/** Listens for the calls of an input by gRPC: HTTP/2, encrypted or not. */
export class GrpcListener {
  readonly #options: RequestListenerOptions;
  readonly #address: ListenAddress;
  readonly #connections = new Connections();
  #server: Server | null = null;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: RequestListenerOptions) {
    this.#options = options;
    this.#address = parseAddress(options.address);
  }

  /** The address that it listens on; null when it does not listen. */
  get address(): ListenAddress | null {
    return addressOf(this.#server);
  }

  /**
   * Resolves when it listens, or after a notice when it cannot; then it can be started again.
   * @param serve answers a call, with or without the right to make it
   */
  async start(sink: InputSink, serve: (call: GrpcCall) => Promise<void>): Promise<void> {
    const { createServer, createSecureServer } = await import('node:http2');
    const { tls } = this.#options;
    const settings = { settings: { maxConcurrentStreams: MAX_CALLS } };
    const make = (): Server => {
      const server =
        tls === undefined ? createServer(settings) : createSecureServer({ ...settings, ...tls.options, handshakeTimeout: HANDSHAKE_MS });
      server.on('session', greeted);
      server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
        stream.on('error', () => undefined);
        const from = plainHost(stream.session?.socket.remoteAddress ?? '');
        void serve({ path: headers[':path'] ?? '', headers, stream, from });
      });
      this.#connections.watch(server, { encrypted: tls !== undefined });
      if (tls !== undefined) this.#watchHandshakes(server, (socket) => tls.refuses(socket), sink);
      return server;
    };
    this.#server = await listenOnAny(this.#address, make, sink);
  }

  /** Calls that are under way are broken off. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      this.#connections.destroy();
    });
  }

  /** @throws {RefusedRequestError} for what is no call, or a call that its sender may not make */
  check({ headers }: GrpcCall): void {
    const { ':method': method, 'content-type': type = '' } = headers;
    if (method !== 'POST' || !/^application\/grpc(?:\+proto)?(?:;|$)/i.test(type))
      throw new RefusedRequestError(415, `Only ${TYPE} is taken.`);
    const { auth } = this.#options;
    if (auth !== null) {
      if (carries({ headers }, auth)) return;
      throw new RefusedRequestError(401, 'The call does not have the credentials that auth_type requires.');
    }
    const why = isLoopback(this.#address.host) ? foreignness({ headers: { ...headers, host: headers[':authority'] } }) : null;
    if (why === null) return;
    const text = `Anybody on this machine may send, but not a web page, and not by another name: ${why}. Set auth_type to let others send.`;
    throw new RefusedRequestError(403, text);
  }

  #watchHandshakes(server: Server, refuses: (socket: TLSSocket) => string | null, sink: InputSink): void {
    const refuse = (socket: Socket, reason: string): void => {
      const text = `A client ${plainHost(socket.remoteAddress ?? '')} of input ${this.#options.name} was refused: ${reason}.`;
      sink.notice({ level: 'info', code: 'connection.refused', text });
      socket.destroy();
    };
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#connections.shaken(socket);
      const reason = refuses(socket);
      if (reason !== null) refuse(socket, reason);
    });
    server.on('tlsClientError', (error: Error, socket: Socket) => refuse(socket, errorText(error)));
  }
}

/** Ends a connection on which nothing of HTTP/2 comes. */
function greeted(session: Http2Session): void {
  const timer = setTimeout(() => session.destroy(), GREETING_MS).unref();
  session.once('remoteSettings', () => clearTimeout(timer));
  session.once('close', () => clearTimeout(timer));
  session.on('error', () => undefined);
}

/** Answers a call. */
export function answerCall(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': 200, 'content-type': TYPE }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(framed(message));
}

/** Milliseconds for which the rest of a refused call is passed over, so that the caller gets to read why. */
const LINGER_MS = 1000;

/** Refuses a call. What is still to come of it is passed over. @param status that of HTTP for the same */
export function refuseCall(stream: ServerHttp2Stream, status: number, text: string): void {
  if (stream.destroyed || stream.closed) return;
  const headers = { ':status': 200, 'content-type': TYPE, 'grpc-status': String(codeOf(status)), 'grpc-message': statusText(text) };
  stream.respond({ ...headers, 'grpc-accept-encoding': ENCODINGS }, { endStream: true });
  stream.resume();
  const timer = setTimeout(() => stream.close(), LINGER_MS).unref();
  stream.once('close', () => clearTimeout(timer));
}
