import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tlsListener, type TlsListener } from '../../tls.ts';
import { withTextFields } from '../decorate.ts';
import { listenerFacts, parseAddress, plainHost, portOf, type ListenAddress } from '../net/address.ts';
import { Connections, HANDSHAKE_MS } from '../net/connections.ts';
import { addressOf, listenOnAny } from '../net/listening.ts';
import { bytesText, errorText } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import { StreamBatches } from '../shared/stream-batches.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { z } from 'zod';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, text } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';
import { headers } from './headers.ts';

/** The type `HttpListenInput` of sections. */
export const httpListenInput = inputType({
  type: 'HttpListenInput',
  summary:
    'Takes the bodies of HTTP requests, each of which is one record of Type `svc.httpdata.request`, with fields for the request: Protocol, ' +
    'UserAgent, ContentType, Path, Host, RemoteAddr, chosen headers, and the parameters of the query. The status of the answer is 200 when all of a body ' +
    'was taken, and 413 when it, or a record in it, is longer than 16 MiB.',
  example:
    '[web]\ntype = "HttpListenInput"\naddress = "127.0.0.1:8325"\nauth_type = "API"\napi_key = "secret"\nsplitter = "line"\ndecoder = "json_lines"',
  parameters: {
    address: address.default('127.0.0.1:8325').describe('Where to listen.'),
    headers: headers.describe('Headers of all answers, as `[NAME.headers]`.'),
    request_headers: z
      .array(text.min(1))
      .default([])
      .meta({ shown: 'list of names' })
      .describe('Headers of requests that become fields, when they are there.'),
    auth_type: z
      .enum(['', 'Basic', 'API'])
      .default('')
      .describe(
        'Who may send: anybody, who knows `username` and `password`, or who sends `api_key` in the header `X-API-Key`. Others get status 401.',
      ),
    username: text.default('').describe('For `Basic`.'),
    password: text.default('').describe('For `Basic`.'),
    api_key: text.default('').describe('For `API`.'),
    ...encryption,
    splitter: splitter.default('none').describe(`How the body of a request is cut into records; with \`none\` it is one record.${FRAMING}`),
    ...framing,
    ...decoding,
  },
  rules: [
    {
      holds: ({ auth_type: type, username, password }) => type !== 'Basic' || username !== '' || password !== '',
      error: 'is needed for Basic',
      path: ['username'],
    },
    { holds: ({ auth_type: type, api_key: key }) => type !== 'API' || key !== '', error: 'is needed for API', path: ['api_key'] },
    HAS_CERTIFICATE,
  ],
  source: { form: () => 'whole' },
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `http:${portOf(at)}` }),
  make: (config, { split, hostname }) => {
    const { name, address: at, headers: answered, request_headers: requestHeaders, username, password, api_key: key } = config;
    const auths = { '': null, Basic: { kind: 'basic', username, password }, API: { kind: 'key', key } } as const;
    const tls = config.use_tls && { tls: tlsListener(config.tls) };
    return new HttpListenInput({
      name,
      address: at,
      headers: answered,
      requestHeaders,
      auth: auths[config.auth_type],
      split,
      hostname,
      ...tls,
    });
  },
});

/** The credentials that requests must carry. */
export type HttpAuth =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** The key is in the header X-API-Key. */
  | { readonly kind: 'key'; readonly key: string };

export interface HttpListenInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Splitting of bodies; by default each is one record. */
  readonly split?: SplitOptions;
  /** Headers of all answers. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Names of headers of requests that become fields. */
  readonly requestHeaders: readonly string[];
  /** null: anybody. */
  readonly auth: HttpAuth | null;
  readonly tls?: TlsListener;
  readonly hostname: string;
  /** Longest record in bytes; longer ones are cut. */
  readonly maxRecord?: number;
}

const TYPE = 'svc.httpdata.request';
const INFORMATIONAL = 6;
const DEFAULT_MAX_RECORD = 16 << 20;
/** Milliseconds for which the rest of a refused body is read, so that the sender gets to read why. */
const LINGER_MS = 5_000;

/** Something of a body is longer than a record may be. */
class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Takes the bodies of HTTP requests. A request is answered when the pipeline has taken its records, so senders wait when that is busy. The answer is
 * 413 when not all of a body was taken, because it, or a record in it, is too long.
 */
export class HttpListenInput implements Input {
  readonly name: string;
  readonly #options: HttpListenInputOptions;
  readonly #address: ListenAddress;
  readonly #connections = new Connections();
  #server: Server | null = null;
  #sink: InputSink | null = null;
  #bytes = 0;
  #records = 0;

  /** Throws an InputError (`port.bad-address`, `split.bad`) for an address or a way to split that cannot be used. */
  constructor(options: HttpListenInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#address = parseAddress(options.address);
    if (options.split !== undefined) makeSplitter(options.split);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    const serve: RequestListener = (request, response) => void this.#serve(request, response, sink);
    const makeServer = await this.#serverMaker(serve);
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

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: 0, totalBytes: this.#bytes };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return addressOf(this.#server);
  }

  /** Loads the protocol's module only now: that takes longer than everything else in a command without requests. */
  async #serverMaker(listener: RequestListener): Promise<() => Server> {
    const { tls } = this.#options;
    if (tls === undefined) {
      const { createServer } = await import('node:http');
      return () => createServer(listener);
    }
    const { createServer } = await import('node:https');
    return () => {
      const server = createServer({ ...tls.options, handshakeTimeout: HANDSHAKE_MS }, listener);
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
      text: `A client ${from} of input ${this.name} was refused: ${reason}.`,
    });
    socket.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse, sink: InputSink): Promise<void> {
    response.on('error', () => undefined);
    for (const [name, values] of Object.entries(this.#options.headers)) response.setHeader(name, [...values]);
    const { auth } = this.#options;
    if (auth !== null && !isAllowed(auth, request)) {
      const from = plainHost(request.socket.remoteAddress ?? '');
      this.#sink?.notice({
        level: 'warning',
        code: 'request.refused',
        text: `Input ${this.name} refused a request from ${from}: it may not send any.`,
      });
      if (auth.kind === 'basic') response.setHeader('WWW-Authenticate', `Basic realm="${this.name.replaceAll(/["\\]/g, '')}"`);
      response.writeHead(401).end();
      return;
    }
    try {
      await this.#take(request, sink);
      response.writeHead(200).end();
    } catch (error) {
      if (error instanceof TooLargeError) return this.#refuseBody(request, response, error.message);
      if (!request.destroyed) response.writeHead(503).end();
      const text = `A request to input ${this.name} broke off (${errorText(error)}). What came before was read.`;
      this.#sink?.notice({ level: 'info', code: 'connection.broken', text });
    }
    sink.idle();
  }

  /** Says why not all of a body was taken, to its sender and in a notice. */
  #refuseBody(request: IncomingMessage, response: ServerResponse, why: string): void {
    const from = plainHost(request.socket.remoteAddress ?? '');
    this.#sink?.notice({
      level: 'warning',
      code: 'request.too-large',
      text: `Input ${this.name} answered a request from ${from} with status 413: ${why}`,
    });
    response.writeHead(413, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${why}\n`);
    request.resume();
    const { socket } = request;
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    this.#sink?.idle();
  }

  /** @throws {TooLargeError} when not all of the body was taken */
  async #take(request: IncomingMessage, sink: InputSink): Promise<void> {
    const { split = { kind: 'none' }, hostname, maxRecord = DEFAULT_MAX_RECORD } = this.#options;
    const isWhole = split.kind === 'none' || (split.kind === 'raw' && split.whole);
    const mostBytes = isWhole ? maxRecord : Infinity;
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(maxRecord);
    const fields = this.#fieldsOf(request);
    let cut = false;
    let taken = 0;
    const batches = new StreamBatches({
      name: `a request to input ${this.name}`,
      split,
      maxRecord,
      headers: { type: TYPE, logger: this.name, hostname },
      notice: (notice) => {
        if (notice.code === 'record.truncated') cut = true;
        else sink.notice(notice);
      },
      decorate: (batch) =>
        withTextFields(
          batch.with({ severity: { constant: INFORMATIONAL }, envVersion: { constant: '1' }, pid: { constant: process.pid } }),
          fields,
        ),
    });
    const source = `a request from ${plainHost(request.socket.remoteAddress ?? '')}`;
    for await (const batch of batches.read(this.#chunks(request, mostBytes))) {
      taken += batch.batch.length;
      this.#records += batch.batch.length;
      await sink.deliver({ ...batch, source });
    }
    if (cut) {
      const size = bytesText(maxRecord);
      throw new TooLargeError(`${taken} records were taken, and those longer than ${size} were cut there.`);
    }
  }

  /** @throws {TooLargeError} as soon as there are more bytes than may come; the rest is still to be read then */
  async *#chunks(request: IncomingMessage, mostBytes: number): AsyncGenerator<Buffer, void, undefined> {
    let bytes = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length;
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      yield chunk;
    }
  }

  #fieldsOf(request: IncomingMessage): [name: string, text: string][] {
    const { headers, httpVersion, url = '/', socket } = request;
    const parsed = URL.canParse(url, 'http://x') ? new URL(url, 'http://x') : null;
    const copied = this.#options.requestHeaders.flatMap((name): [string, string][] => {
      const value = headers[name.toLowerCase()];
      return value === undefined || value === '' ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    });
    return [
      ['Protocol', `HTTP/${httpVersion}`],
      ['UserAgent', headers['user-agent'] ?? ''],
      ['ContentType', headers['content-type'] ?? ''],
      ['Path', parsed?.pathname ?? url],
      ['Host', withoutPort(headers.host ?? '')],
      ['RemoteAddr', plainHost(socket.remoteAddress ?? '')],
      ...copied,
      ...(parsed === null ? [] : [...parsed.searchParams]),
    ];
  }
}

const tooLarge = (most: number): TooLargeError =>
  new TooLargeError(
    `The body is longer than the ${bytesText(most)} that one record may have, and nothing of it was taken. Send smaller ones.`,
  );

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

function isAllowed(auth: HttpAuth, { headers }: IncomingMessage): boolean {
  if (auth.kind === 'key') return isSame(String(headers['x-api-key'] ?? ''), auth.key);
  const [, given = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return isSame(Buffer.from(given, 'base64').toString(), `${auth.username}:${auth.password}`);
}

/** Takes as long for texts that are nearly the same. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
