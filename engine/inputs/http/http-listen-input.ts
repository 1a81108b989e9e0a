import type { IncomingMessage, ServerResponse } from 'node:http';
import { tlsListener, type TlsListener } from '../../base/net/tls.ts';
import { withTextFields } from '../decorate.ts';
import { listenerFacts, plainHost, portOf, type ListenAddress } from '../net/address.ts';
import { bytesText, errorText } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import { StreamBatches } from '../shared/stream-batches.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { z } from 'zod';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, text } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';
import { access, ACCESS_RULES, authOf, type HttpAuth } from './credentials.ts';
import { headers } from './headers.ts';
import { IDLE_MS, received, RefusedRequestError, unpackedBody } from './request-body.ts';
import { answerEarly, RequestListener, TEXT } from './request-listener.ts';

/** The type `HttpListenInput` of sections. */
export const httpListenInput = inputType({
  type: 'HttpListenInput',
  summary:
    'Receives HTTP requests, plain or gzip. Each body is one record unless `splitter` cuts it. Messages have the Type `svc.httpdata.request` and fields for ' +
    'the request: Protocol, UserAgent, ContentType, Path, Host, RemoteAddr, chosen headers, and the parameters of the query. The status of ' +
    'the answer is 200 when the whole body was accepted, 404 for a path that `paths` does not have, 408 when a body that is one record stands still for 20 seconds, ' +
    '413 when the body or a record in it is longer than 16 MiB, and 503 when the pipeline does not take it. On an address of this machine alone, requests of web pages ' +
    'and those for another host name get status 403 unless `auth_type` is set; `headers` with an `Access-Control-Allow-Origin` let pages send.',
  example:
    '[web]\ntype = "HttpListenInput"\naddress = "127.0.0.1:8325"\nauth_type = "API"\napi_key = "secret"\nsplitter = "line"\ndecoder = "json_lines"',
  parameters: () => ({
    address: address.default('127.0.0.1:8325').describe('Where to listen.'),
    paths: z
      .array(text.startsWith('/'))
      .min(1)
      .default(['/'])
      .meta({ shown: 'list of paths' })
      .describe(
        'Paths at which requests are taken; `/` alone when this is left out. One that ends in `*` stands for all that begin so: `/*` for all. Others get status 404, which names these.',
      ),
    headers: headers.describe('Headers of all answers, as `[NAME.headers]`.'),
    request_headers: z
      .array(text.min(1))
      .default([])
      .meta({ shown: 'list of names' })
      .describe('Headers of the request that become fields of the message.'),
    ...access,
    ...encryption,
    splitter: splitter.default('none').describe(`How the body of a request is cut into records; with \`none\` it is one record.${FRAMING}`),
    ...framing,
    ...decoding,
  }),
  rules: [...ACCESS_RULES, HAS_CERTIFICATE],
  source: { form: () => 'whole' },
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `http:${portOf(at)}` }),
  make: (config, { split, hostname }) => {
    const { name, address: at, paths, headers: answered, request_headers: requestHeaders } = config;
    return new HttpListenInput({
      name,
      address: at,
      paths,
      headers: answered,
      requestHeaders,
      auth: authOf(config),
      split,
      hostname,
      tls: config.use_tls ? tlsListener(config.tls) : undefined,
    });
  },
});

export interface HttpListenInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** Paths at which requests are taken; `*` at the end stands for anything. All when absent. */
  readonly paths?: readonly string[];
  /** Splitting of bodies; by default each is one record. */
  readonly split?: SplitOptions;
  /** Headers of all answers. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Names of headers of requests that become fields. */
  readonly requestHeaders: readonly string[];
  /** null: anybody. */
  readonly auth: HttpAuth | null;
  readonly tls?: TlsListener | undefined;
  readonly hostname: string;
  /** Longest record in bytes; longer ones are cut. */
  readonly maxRecord?: number;
}

const TYPE = 'svc.httpdata.request';
const INFORMATIONAL = 6;
/** Characters of a path that an answer shows. */
const MOST_SHOWN = 100;
const DEFAULT_MAX_RECORD = 16 << 20;

/**
 * Takes the bodies of HTTP requests, plain or gzip. A request is answered when the pipeline has taken its records, so senders wait when that is busy. The
 * answer is 413 when not all of a body was taken, because it, or a record in it, is too long.
 */
export class HttpListenInput implements Input {
  readonly name: string;
  readonly #options: HttpListenInputOptions;
  readonly #listener: RequestListener;
  #sink: InputSink | null = null;
  #bytes = 0;
  #records = 0;

  /** Throws an InputError (`port.bad-address`, `split.bad`) for an address or a way to split that cannot be used. */
  constructor(options: HttpListenInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new RequestListener({ ...options, isPatient: true });
    if (options.split !== undefined) makeSplitter(options.split);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    await this.#listener.start(sink, (request, response) => this.#serve(request, response, sink));
  }

  /** Requests that are under way are broken off. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: 0, totalBytes: this.#bytes };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, sink: InputSink): Promise<void> {
    const from = plainHost(request.socket.remoteAddress ?? '');
    try {
      this.#checkPath(request);
      await this.#take(request, sink);
      response.writeHead(200).end();
    } catch (error) {
      if (error instanceof RefusedRequestError && !request.socket.destroyed) return this.#refuseBody(request, response, error);
      this.#fail(request, response, error, from);
    }
    sink.idle();
  }

  /** @throws {RefusedRequestError} for a path at which nothing is taken: its sender would believe that somebody has it */
  #checkPath({ url = '/' }: IncomingMessage): void {
    const { paths } = this.#options;
    if (paths === undefined) return;
    const { path } = targetOf(url);
    const isTaken = paths.some((taken) => (taken.endsWith('*') ? path.startsWith(taken.slice(0, -1)) : path === taken));
    if (!isTaken) throw new RefusedRequestError(404, `Nothing is taken at ${path.slice(0, MOST_SHOWN)}, but at ${paths.join(', ')}.`);
  }

  /** Says that a request broke off, or that the pipeline does not take it. */
  #fail({ socket }: IncomingMessage, response: ServerResponse, error: unknown, from: string): void {
    if (socket.destroyed) {
      const text = `A request from ${from} to input ${this.name} broke off (${errorText(error)}). What came before was read.`;
      this.#sink?.notice({ level: 'info', code: 'connection.broken', text });
      return;
    }
    response.writeHead(503).end();
    const text = `Input ${this.name} answered a request from ${from} with status 503: ${errorText(error)}`;
    this.#sink?.notice({ level: 'warning', code: 'request.refused', text });
  }

  /** Says why not all of a body was taken, to its sender and in a notice. */
  #refuseBody(request: IncomingMessage, response: ServerResponse, { status, message: why }: RefusedRequestError): void {
    const from = plainHost(request.socket.remoteAddress ?? '');
    this.#sink?.notice({
      level: 'warning',
      code: status === 413 ? 'request.too-large' : 'request.refused',
      text: `Input ${this.name} answered a request from ${from} with status ${status}: ${why}`,
    });
    answerEarly(request, response, { status, headers: TEXT, body: `${why}\n` });
    this.#sink?.idle();
  }

  /** @throws {RefusedRequestError} when not all of the body was taken */
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
    const encoding = (request.headers['content-encoding'] ?? '').toLowerCase();
    for await (const batch of batches.read(
      limited(unpackedBody(this.#received(request, isWhole ? IDLE_MS : Infinity), encoding), mostBytes),
    )) {
      taken += batch.batch.length;
      this.#records += batch.batch.length;
      await sink.deliver({ ...batch, source });
    }
    if (cut) {
      const size = bytesText(maxRecord);
      throw new RefusedRequestError(413, `${taken} records were taken, and those longer than ${size} were cut there.`);
    }
  }

  async *#received(request: IncomingMessage, idleMs: number): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of received(request, idleMs)) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  #fieldsOf(request: IncomingMessage): [name: string, text: string][] {
    const { headers, httpVersion, url = '/', socket } = request;
    const { path, query } = targetOf(url);
    const copied = this.#options.requestHeaders.flatMap((name): [string, string][] => {
      const value = headers[name.toLowerCase()];
      return value === undefined || value === '' ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    });
    return [
      ['Protocol', `HTTP/${httpVersion}`],
      ['UserAgent', headers['user-agent'] ?? ''],
      ['ContentType', headers['content-type'] ?? ''],
      ['Path', path],
      ['Host', withoutPort(headers.host ?? '')],
      ['RemoteAddr', plainHost(socket.remoteAddress ?? '')],
      ...copied,
      ...query,
    ];
  }
}

/** @throws {RefusedRequestError} as soon as there are more bytes than may come; the rest is still to be read then */
async function* limited(chunks: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    yield chunk;
  }
}

/** A client may also send the whole URL. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** The path of a request as it was sent, and the parameters of its query. */
function targetOf(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const target = url.replace(ORIGIN, '');
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return { path: path || '/', query: new URLSearchParams(end < 0 ? '' : target.slice(end)) };
}

const tooLarge = (most: number): RefusedRequestError =>
  new RefusedRequestError(
    413,
    `The body is longer than the ${bytesText(most)} that one record may have, and nothing of it was taken. Send smaller ones.`,
  );

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
