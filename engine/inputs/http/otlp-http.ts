import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as Otlp from '../../otlp/request.ts';
import { plainHost, type ListenAddress } from '../net/address.ts';
import { errorText } from '../notices.ts';
import type { InputSink } from '../types.ts';
import { BUSY, type OtlpReceiver } from './otlp-receiver.ts';
import { readBody, RefusedRequestError } from './request-body.ts';
import { answerEarly, RequestListener, type RequestListenerOptions } from './request-listener.ts';

/** Seconds after which senders may try again. */
const RETRY_AFTER = 1;

/** Bodies of requests, by the header Content-Type. */
const ENCODINGS: Readonly<Record<string, Otlp.Encoding>> = { 'application/x-protobuf': 'protobuf', 'application/json': 'json' };
const SIGNALS: Readonly<Record<string, Otlp.Signal>> = { '/v1/logs': 'logs', '/v1/metrics': 'metrics', '/v1/traces': 'traces' };

/** Takes OTLP over HTTP. A request is answered when all of it has been through the pipeline. */
export class OtlpHttp {
  readonly #listener: RequestListener;
  readonly #receiver: OtlpReceiver;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: RequestListenerOptions, receiver: OtlpReceiver) {
    this.#listener = new RequestListener(options);
    this.#receiver = receiver;
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    await this.#listener.start(sink, (request, response) => this.#serve(request, response, sink));
  }

  /** Requests that are under way are broken off. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }

  /** The address that it listens on; null when it does not listen. */
  get address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, sink: InputSink): Promise<void> {
    // A connection that is closed does not tell it.
    const from = plainHost(request.socket.remoteAddress ?? '');
    try {
      const { signal, encoding, packing } = exportRequest(request);
      const read = async (most: number, onBytes: (count: number) => void) => ({ bytes: await readBody(request, most, onBytes), packing });
      const answer = await this.#receiver.take({ signal, encoding, from, read }, sink);
      response.writeHead(200, { 'Content-Type': typeOf(encoding), 'Content-Length': answer.length }).end(answer);
    } catch (error) {
      const isGone = request.socket.destroyed;
      const status = this.#receiver.refuse({ error, from, isGone }, sink);
      if (!isGone) await answerRefused(request, response, status, errorText(error));
    }
    sink.idle();
  }
}

async function answerRefused(request: IncomingMessage, response: ServerResponse, status: number, text: string): Promise<void> {
  const { refusal } = await import('../../otlp/request.ts');
  const encoding = encodingOf(request) ?? 'json';
  const headers = {
    'Content-Type': typeOf(encoding),
    ...(status === BUSY ? { 'Retry-After': String(RETRY_AFTER) } : {}),
    ...(status === 405 ? { Allow: 'POST' } : {}),
  };
  answerEarly(request, response, { status, headers, body: refusal(encoding, text) });
}

/** @throws {RefusedRequestError} for a request that is none to export logs, metrics or traces */
function exportRequest(request: IncomingMessage): {
  readonly signal: Otlp.Signal;
  readonly encoding: Otlp.Encoding;
  readonly packing: string;
} {
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
