import type { Agent, IncomingHttpHeaders, OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { errorCode } from '../errors.ts';

/** The address of a server and the settings of requests to it. */
export interface HttpTarget {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Milliseconds that a request may take; 0: any. */
  readonly timeout: number;
  /** Milliseconds that making a connection may take, the handshake of TLS included; any but that of the handshake when it is absent or 0. */
  readonly connectTimeout?: number;
  readonly tls: ConnectionOptions;
  /** Bytes of an answer that are kept; 8 MiB by default. */
  readonly mostBody?: number;
  /** Use a connection for several requests; true by default. */
  readonly keepAlive?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** `OK`, or another text of the server. */
  readonly statusText: string;
  /** `1.1`. */
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** The body was longer: what is behind these bytes is not kept. */
  readonly isCut: boolean;
}

/** Time for the handshake of TLS where making a connection may take any time: a server that is mute would be waited for for ever. */
const HANDSHAKE_MS = 30_000;
export const MOST_BODY_BYTES = 8 << 20;

/** Errors of a request over a connection that the server has closed. */
const STALE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Sends requests to one address. */
export class HttpClient {
  readonly #target: HttpTarget;
  #connections: Promise<Connections> | null = null;

  constructor(target: HttpTarget) {
    this.#target = target;
  }

  /**
   * Sends a request; once more, and at once, when a connection that was kept open turns out to be closed: servers do that while nothing is sent, and then
   * it has not taken the request.
   * @param body null: none
   * @throws when there is no answer
   */
  async send(body: Buffer | null, signal: AbortSignal): Promise<HttpAnswer> {
    const { timeout } = this.#target;
    const late = timeout === 0 ? null : AbortSignal.timeout(timeout);
    const limits = late === null ? signal : AbortSignal.any([signal, late]);
    try {
      const sent = await this.#send(body, limits);
      const answer = sent === 'stale' ? await this.#send(body, limits) : sent;
      if (answer === 'stale') throw new Error('the server closes its connections');
      return answer;
    } catch (error) {
      if (late?.aborted !== true || signal.aborted) throw error;
      throw new Error(`there is no whole answer within ${timeout} ms`, { cause: error });
    }
  }

  /** `stale`: a connection that was used before is reset before there is an answer. */
  async #send(body: Buffer | null, signal: AbortSignal): Promise<HttpAnswer | 'stale'> {
    const { send, agent } = await (this.#connections ??= connectionsTo(this.#target));
    const { url, method, connectTimeout = 0, mostBody = MOST_BODY_BYTES } = this.#target;
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = send(url, { method, headers: this.#headers(body), agent, signal }, (response) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          if (size < mostBody) chunks.push(chunk.subarray(0, mostBody - size));
          size += chunk.length;
        });
        response.on('end', () => {
          const { statusCode: status = 0, statusMessage: statusText = '', httpVersion: version, headers } = response;
          const bytes = Buffer.concat(chunks);
          resolve({ status, statusText, version, headers, body: bytes.toString(), bytes, isCut: size > mostBody });
        });
        response.on('error', (error) => reject(new Error('the connection broke amid the answer', { cause: error })));
      });
      request.on('error', (error) => {
        if (request.reusedSocket && !isAnswered && STALE.has(errorCode(error))) resolve('stale');
        else reject(error);
      });
      request.once('socket', (socket) => limitConnecting(socket, connectTimeout));
      request.end(body ?? undefined);
    });
  }

  close(): void {
    void this.#connections?.then(({ agent }) => agent.destroy());
  }

  #headers(body: Buffer | null): OutgoingHttpHeaders {
    const { headers, username, password } = this.#target;
    const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
    return {
      'User-Agent': 'svc',
      ...(body === null ? {} : { 'Content-Length': String(body.length) }),
      // A Host in a list is refused by Node.
      ...Object.fromEntries(Object.entries(headers).map(([name, [...values]]) => [name, values.length === 1 ? values[0] : values])),
      ...(username === undefined && password === undefined ? {} : { Authorization: `Basic ${basic}` }),
    };
  }
}

interface Connections {
  readonly send: typeof request;
  readonly agent: Agent;
}

/** Loads the protocol's module only now: that takes longer than everything else in a command without requests. */
async function connectionsTo({ url, keepAlive = true, tls }: HttpTarget): Promise<Connections> {
  if (url.protocol === 'https:') {
    const { Agent, request: send } = await import('node:https');
    return { send, agent: new Agent({ keepAlive, ...tls }) };
  }
  const { Agent, request: send } = await import('node:http');
  return { send, agent: new Agent({ keepAlive }) };
}

/** Bounds the time in which a new connection is made. @param ms 0: any time, up to the handshake */
function limitConnecting(socket: Socket, ms: number): void {
  if (!socket.connecting) return;
  const isTls = 'encrypted' in socket;
  if (ms > 0) limit(socket, isTls ? 'secureConnect' : 'connect', ms, `no connection within ${ms} ms`);
  else if (isTls) socket.once('connect', () => limit(socket, 'secureConnect', HANDSHAKE_MS, TIMED_OUT));
}

const TIMED_OUT = `no end of the TLS handshake within ${HANDSHAKE_MS / 1000} seconds`;

function limit(socket: Socket, event: 'connect' | 'secureConnect', ms: number, text: string): void {
  const timer = setTimeout(() => socket.destroy(new Error(text)), ms);
  const done = (): void => clearTimeout(timer);
  socket.once(event, done).once('close', done);
}
