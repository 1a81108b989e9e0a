import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { nowNs } from '../../message/timestamp.ts';
import type * as Otlp from '../../otlp/request.ts';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, bytes } from '../../section/values.ts';
import { Serial } from '../../base/time/serial.ts';
import { tlsListener, type TlsListener } from '../../base/net/tls.ts';
import { listenerFacts, plainHost, portOf, type ListenAddress } from '../net/address.ts';
import { errorText } from '../notices.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { access, ACCESS_RULES, authOf, type HttpAuth } from './credentials.ts';
import { readBody, RefusedRequestError, unpacked } from './request-body.ts';
import { answerEarly, RequestListener } from './request-listener.ts';

const DEFAULT_MAX_BODY = 16 << 20;

/** The type `OtlpInput` of sections. */
export const otlpInput = inputType({
  type: 'OtlpInput',
  summary:
    'Receives logs, metrics and traces from programs that are instrumented with OpenTelemetry, and from collectors, by OTLP over HTTP: protobuf ' +
    'or JSON, plain or gzip. A log record becomes a message of Type `otlp.log`, or of the type that its event name says, a point of a metric ' +
    'one of Type `otlp.metric`, and a span one of Type `otlp.span`. See [otlp.md](../otlp.md). The status of the answer is 200 when all filters and outputs ' +
    'have the messages of the request, 503 while they do not keep up, and 413 when the body is too long. ' +
    'On an address of this machine alone, requests of web pages and those for another host name get status 403 unless `auth_type` is set.',
  example: '[otlp]\ntype = "OtlpInput"\n\n[shown]\ntype = "LogOutput"\nencoder = "text"\nmessage_matcher = "Type =~ /^otlp/"',
  parameters: () => ({
    address: address.default('127.0.0.1:4318').describe('Where to listen.'),
    max_body_size: bytes
      .min(1)
      .max(256 << 20)
      .default(DEFAULT_MAX_BODY)
      .describe('Longest body of a request. The limit holds for the compressed and for the uncompressed body.'),
    ...access,
    ...encryption,
    ...ending,
  }),
  rules: [...ACCESS_RULES, HAS_CERTIFICATE],
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `otlp:${portOf(at)}` }),
  make: (config) =>
    new OtlpInput({
      name: config.name,
      address: config.address,
      auth: authOf(config),
      maxBody: config.max_body_size,
      tls: config.use_tls ? tlsListener(config.tls) : undefined,
    }),
});

export interface OtlpInputOptions {
  /** Name of the input, for notices. */
  readonly name: string;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** null: anybody. */
  readonly auth: HttpAuth | null;
  readonly tls?: TlsListener | undefined;
  /** Bytes of the longest body. */
  readonly maxBody?: number;
  /** Milliseconds; see `BUSY_MS`. */
  readonly busyAfter?: number;
}

/** Requests that are taken at the same time. */
const MAX_REQUESTS = 32;
/** While a request has waited for the pipeline for so long, no other one is taken: its sender would wait in vain as well, and send it again. */
const BUSY_MS = 2_000;
/** Told to senders while the pipeline does not keep up, or failed. With 429, the exporter of Python drops the request; others retry after both. */
const BUSY = 503;
/** Seconds after which senders may try again. */
const RETRY_AFTER = 1;

/** Bodies of requests, by the header Content-Type. */
const ENCODINGS: Readonly<Record<string, Otlp.Encoding>> = { 'application/x-protobuf': 'protobuf', 'application/json': 'json' };
const SIGNALS: Readonly<Record<string, Otlp.Signal>> = { '/v1/logs': 'logs', '/v1/metrics': 'metrics', '/v1/traces': 'traces' };

/** A request that can be read. */
interface ExportRequest {
  readonly signal: Otlp.Signal;
  readonly encoding: Otlp.Encoding;
  readonly packing: string;
}

/** Takes logs, metrics and traces by OTLP over HTTP. A request is answered when all of it has been through the pipeline. */
export class OtlpInput implements Input {
  readonly name: string;
  readonly #options: OtlpInputOptions;
  readonly #listener: RequestListener;
  /** Bodies are unpacked and read one by one, so that memory holds one of them at a time. */
  readonly #reads = new Serial();
  /** Start of each request that is in the pipeline, the oldest first. */
  readonly #delivering = new Set<{ readonly since: number }>();
  #requests = 0;
  #bytes = 0;
  #records = 0;
  #refused = 0;
  #rejected = 0;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: OtlpInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new RequestListener(options);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    await this.#listener.start(sink, (request, response) => this.#serve(request, response, sink));
  }

  /** Requests that are under way are broken off: their senders send them again. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#rejected, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    return { RefusedRequestCount: this.#refused, RejectedRecordCount: this.#rejected };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, sink: InputSink): Promise<void> {
    const from = plainHost(request.socket.remoteAddress ?? '');
    this.#requests++;
    try {
      const asked = exportRequest(request);
      if (this.#isBusy) throw new RefusedRequestError(BUSY, 'The pipeline does not keep up. Send it again later.');
      const { answer, type } = await this.#take(request, asked, sink);
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': answer.length }).end(answer);
    } catch (error) {
      await this.#refuse(request, response, { error, from }, sink);
    } finally {
      this.#requests--;
    }
    sink.idle();
  }

  get #isBusy(): boolean {
    const [oldest] = this.#delivering;
    const { busyAfter = BUSY_MS } = this.#options;
    return this.#requests > MAX_REQUESTS || (oldest !== undefined && performance.now() - oldest.since > busyAfter);
  }

  /** @throws {RefusedRequestError} for what is not taken; other errors: the pipeline does not take it */
  async #take(
    request: IncomingMessage,
    { signal, encoding, packing }: ExportRequest,
    sink: InputSink,
  ): Promise<{ readonly answer: Buffer; readonly type: string }> {
    const { maxBody = DEFAULT_MAX_BODY } = this.#options;
    const body = await readBody(request, maxBody, (count) => (this.#bytes += count));
    const { readRequest, answerTo } = await import('../../otlp/request.ts');
    const limits = { records: MAX_BATCH_RECORDS, bytes: MAX_BATCH_BYTES };
    const taken = await this.#reads.run(async () => {
      const plain = await unpacked(body, packing, maxBody);
      try {
        return readRequest(signal, encoding, plain, nowNs(), limits);
      } catch (error) {
        throw new RefusedRequestError(400, `The body is not a request to export ${signal}: ${errorText(error)}.`, { cause: error });
      }
    });
    const from = plainHost(request.socket.remoteAddress ?? '');
    await this.#deliver(taken.batches, `a request from ${from}`, sink);
    this.#tellRejected(taken, from, sink);
    return { answer: answerTo(signal, encoding, taken), type: typeOf(encoding) };
  }

  /** Resolves when the batches have been through everything. */
  async #deliver(batches: readonly MessageBatch[], source: string, sink: InputSink): Promise<void> {
    const mark = { since: performance.now() };
    this.#delivering.add(mark);
    try {
      const through: Promise<void>[] = [];
      for (const batch of batches) {
        const { promise, resolve } = Promise.withResolvers<void>();
        through.push(promise);
        this.#records += batch.length;
        await sink.deliver({ batch, firstLine: 0, source, acknowledge: resolve });
      }
      await Promise.all(through);
    } finally {
      this.#delivering.delete(mark);
    }
  }

  #tellRejected({ rejected, reason }: Pick<Otlp.Taken, 'rejected' | 'reason'>, from: string, sink: InputSink): void {
    if (rejected === 0) return;
    this.#rejected += rejected;
    const text = `Input ${this.name} did not take ${rejected} ${rejected === 1 ? 'item' : 'items'} of a request from ${from}: ${reason}`;
    sink.notice({ level: 'warning', code: 'record.rejected', text });
  }

  /** @param from the address of the sender, which a connection that is closed does not tell */
  async #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { error, from }: { readonly error: unknown; readonly from: string },
    sink: InputSink,
  ): Promise<void> {
    this.#refused++;
    const status = error instanceof RefusedRequestError ? error.status : BUSY;
    if (request.socket.destroyed) {
      const text = `A request from ${from} to input ${this.name} broke off (${errorText(error)}): nothing of it counts as taken.`;
      sink.notice({ level: 'info', code: 'connection.broken', text });
      return;
    }
    const text = `Input ${this.name} answered a request from ${from} with status ${status}: ${errorText(error)}`;
    sink.notice({ level: 'warning', code: status === 413 ? 'request.too-large' : 'request.refused', text });
    const { refusal } = await import('../../otlp/request.ts');
    const encoding = encodingOf(request) ?? 'json';
    const body = refusal(encoding, errorText(error));
    const headers = {
      'Content-Type': typeOf(encoding),
      ...(status === BUSY ? { 'Retry-After': String(RETRY_AFTER) } : {}),
      ...(status === 405 ? { Allow: 'POST' } : {}),
    };
    answerEarly(request, response, { status, headers, body });
  }
}

/** @throws {RefusedRequestError} for a request that is none to export logs, metrics or traces */
function exportRequest(request: IncomingMessage): ExportRequest {
  const { url = '/', method, headers } = request;
  const path = url.replace(/\?.*$/, '');
  const signal = Object.hasOwn(SIGNALS, path) ? SIGNALS[path] : undefined;
  if (signal === undefined) throw new RefusedRequestError(404, `What is taken is taken at ${Object.keys(SIGNALS).join(', ')}.`);
  if (method !== 'POST') throw new RefusedRequestError(405, 'Only POST is taken.');
  const encoding = encodingOf(request);
  if (encoding === null) throw new RefusedRequestError(415, `A body must be of type ${Object.keys(ENCODINGS).join(' or ')}.`);
  return { signal, encoding, packing: (headers['content-encoding'] ?? '').toLowerCase() };
}

/** null: it is none of those that are known. */
function encodingOf({ headers }: IncomingMessage): Otlp.Encoding | null {
  const type = (headers['content-type'] ?? '').replace(/;.*$/, '').trim().toLowerCase();
  return Object.hasOwn(ENCODINGS, type) ? (ENCODINGS[type] ?? null) : null;
}

const typeOf = (encoding: Otlp.Encoding): string => (encoding === 'json' ? 'application/json' : 'application/x-protobuf');
