import { Delivery, type DeliveryOptions } from './delivery.ts';
import { HttpClient, type HttpTarget } from '../base/net/http-client.ts';
import { joined, type Pieces, type Receipt, type Writer } from './writers.ts';
import { z } from 'zod';
import { matching, receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { tls } from '../section/tls.ts';
import { headerName, headerValue, text, url } from '../section/values.ts';
import { tlsConnection } from '../base/net/tls.ts';
import { outputType } from './output-type.ts';
import { exit, framing, login, milliseconds, neededEncoder } from './parameters.ts';

/** The type `HttpOutput` of sections. */
export const httpOutput = outputType({
  type: 'HttpOutput',
  summary:
    'Sends a request for each message. A request that fails, or is answered by a status from 400 on, is sent again. To send several messages ' +
    'in a request, use a filter that makes batches, such as `influx_batch`.',
  example:
    '[influx]\ntype = "HttpOutput"\naddress = "http://127.0.0.1:8086/write?db=logs"\nencoder = "payload"\nmessage_matcher = "Fields[payload_name] == \'influx_batch\'"\n\n[payload]\ntype = "SandboxEncoder"\nplugin = "plain_text"',
  parameters: () => ({
    ...matching,
    address: url.describe('Where to send requests to. Each message is a request.'),
    method: text
      .transform((value) => value.toUpperCase())
      .refine((value) => ['GET', 'POST', 'PUT'].includes(value), { error: 'must be GET, POST or PUT' })
      .prefault('POST')
      .meta({ shown: '`GET`, `POST`, `PUT`' })
      .describe('Method of the requests. The message is the body; requests with `GET` have none.'),
    headers: z
      .record(headerName, z.array(headerValue))
      .prefault({})
      .meta({ shown: 'table of lists' })
      .describe('Headers of the requests, as `[NAME.headers]` with lists of texts.'),
    ...login,
    encoder: neededEncoder,
    ...framing,
    http_timeout: milliseconds.default(0).describe('How long a request may take. 0: no limit.'),
    tls: tls.describe('For `https`.'),
    ...receiver,
    ...restart,
    ...exit,
  }),
  make: (config, { onProblem }) => {
    const { address, method, headers, username, password, http_timeout: timeout, retries } = config;
    const target = { url: new URL(address), method, headers, username, password, timeout, tls: tlsConnection(config.tls) };
    return new HttpWriter(target, { retries, onProblem });
  },
});

/** Sends a request for each message, in order. One that fails, or is answered by a status from 400 on, is sent again. */
export class HttpWriter implements Writer {
  readonly #client: HttpClient;
  readonly #delivery: Delivery;
  readonly #withBody: boolean;

  constructor(target: HttpTarget, options: DeliveryOptions) {
    this.#client = new HttpClient(target);
    this.#delivery = new Delivery(options);
    this.#withBody = target.method !== 'GET';
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: Pieces, receipt?: Receipt): Promise<void> {
    let taken = 0;
    for (const piece of pieces) {
      const body = this.#withBody ? joined([piece]) : null;
      await this.#delivery.until(async () => {
        const { status, body: answer } = await this.#client.send(body, this.#delivery.signal);
        if (status >= 400) throw new Error(`the server answers ${status}${answer === '' ? '' : `: ${answer.trim().slice(0, 200)}`}`);
      });
      await receipt?.taken(++taken);
    }
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#delivery.giveUp();
    this.#client.close();
  }
}
