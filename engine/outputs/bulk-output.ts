import { BulkWriter, type BulkTarget } from './bulk-writer.ts';
import { RefusedError } from './delivery.ts';
import { HttpClient, type HttpAnswer, type HttpTarget } from '../base/net/http-client.ts';
import { MAX_DATAGRAM, UdpWriter } from './udp-output.ts';
import { z } from 'zod';
import { matching, remoteReceiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { tls } from '../section/tls.ts';
import { flag, text } from '../section/values.ts';
import { tlsConnection } from '../base/net/tls.ts';
import { outputType } from './output-type.ts';
import { exit, framing, login, milliseconds, neededEncoder } from './parameters.ts';

const indexUrl = text
  .refine((value) => URL.canParse(value) && ['http:', 'https:', 'udp:'].includes(new URL(value).protocol), {
    error: 'must be a URL that begins with http://, https:// or udp://',
  })
  .meta({ shown: 'URL' });

/** The type `ElasticSearchOutput` of sections. */
export const bulkOutput = outputType({
  type: 'ElasticSearchOutput',
  summary:
    'Sends messages to the bulk endpoint of a search index, several in each request. Messages that the index refuses are dropped, and the log says how many. ' +
    'Messages wait in a disk buffer unless `use_buffering = false`.',
  example: '[search]\ntype = "ElasticSearchOutput"\nserver = "http://127.0.0.1:9200"\nmessage_matcher = "Type == \'nginx.access\'"',
  parameters: () => ({
    ...matching,
    server: indexUrl
      .default('http://localhost:9200')
      .describe('Address of the index; `/_bulk` is added. With `udp://host:port`, datagrams are sent.'),
    encoder: neededEncoder.default('es_payload'),
    flush_interval: milliseconds.default(1000).describe('How long messages wait for others. 0: not at all.'),
    flush_count: z.int().min(1).default(10).describe('Messages in one request.'),
    ...login,
    http_timeout: milliseconds.default(0).describe('How long a request may take. 0: no limit.'),
    http_disable_keepalives: flag.default(false).describe('Open a new connection for each request.'),
    connect_timeout: milliseconds
      .default(0)
      .describe('How long connecting may take, with the TLS handshake. 0: no limit, except 30 seconds for the handshake.'),
    tls: tls.describe('For `https`.'),
    ...framing,
    ...remoteReceiver,
    ...restart,
    ...exit,
  }),
  rules: [
    {
      holds: ({ username, password }) => (username === undefined) === (password === undefined),
      error: 'needs username and password together',
    },
  ],
  make: async (config, { onProblem }) => {
    const { username, password, http_timeout: timeout, connect_timeout: connectTimeout } = config;
    const options = { flushCount: config.flush_count, flushInterval: config.flush_interval, onProblem };
    const url = new URL(config.server);
    if (url.protocol === 'udp:') {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const port = Number(url.port || '9700');
      const writer = await UdpWriter.open({ host, port, net: 'udp', maxMessageSize: MAX_DATAGRAM, onDropped: onProblem });
      return new BulkWriter(udpIndex(writer), options);
    }
    url.pathname = `${url.pathname.replace(/\/$/, '')}/_bulk`;
    const headers = { Accept: ['application/json'], 'Content-Type': ['application/x-ndjson'] };
    const connection = { connectTimeout, keepAlive: !config.http_disable_keepalives, tls: tlsConnection(config.tls) };
    return new BulkWriter(httpIndex({ url, method: 'POST', headers, username, password, timeout, ...connection }, onProblem), options);
  },
});

/** Some hundred bytes for each message: an answer that is cut is no JSON, and the request would be sent again for ever. */
const MOST_ANSWER_BYTES = 256 << 20;

/** An index that is asked over HTTP. @param onProblem is told of messages that it refuses while it takes others of the same request */
export function httpIndex(target: HttpTarget, onProblem: (text: string) => void): BulkTarget {
  const client = new HttpClient({ mostBody: MOST_ANSWER_BYTES, ...target });
  return {
    maxBytes: Infinity,
    send: async (messages, signal) => judge(await client.send(Buffer.concat(messages), signal), onProblem),
    close: async () => client.close(),
  };
}

/** An index that takes datagrams. */
export function udpIndex(writer: UdpWriter): BulkTarget {
  return { maxBytes: MAX_DATAGRAM_BODY, send: (messages) => writer.write([Buffer.concat(messages)]), close: () => writer.close() };
}

/** Bytes of messages that go into one datagram. */
const MAX_DATAGRAM_BODY = 65_000;

/** The answer to a bulk request, as far as it tells of the messages, https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk */
const bulkItems = z.object({ items: z.array(z.record(z.string(), z.unknown())) });
const refusedItem = z.object({ error: z.looseObject({ reason: z.string().optional() }).or(z.string()) });

/** With status 200, a request counts as sent, also when the index took only a part of it. */
function judge({ status, body }: HttpAnswer, onProblem: (text: string) => void): void {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch (error) {
    throw new Error(`the server answers ${status} with what is not JSON`, { cause: error });
  }
  const failed = typeof answer === 'object' && answer !== null && 'errors' in answer && answer.errors === true;
  if ((failed && status !== 200) || status > 304) throw new RefusedError(`the index answers ${status}: ${body.trim().slice(0, 200)}`);
  if (failed) onProblem(refusal(answer, body));
}

/** Says how many of the items were refused, and why the first one was. */
function refusal(answer: unknown, body: string): string {
  const items = bulkItems.safeParse(answer).data?.items ?? [];
  const reasons = items.flatMap((item) => Object.values(item)).flatMap((result) => refusedItem.safeParse(result).data ?? []);
  const [first] = reasons;
  if (first === undefined) return `the index refused some messages of a request: ${body.trim().slice(0, 200)}`;
  const reason = typeof first.error === 'string' ? first.error : (first.error.reason ?? JSON.stringify(first.error));
  return `the index refused ${reasons.length} of ${items.length} messages of a request: ${reason.slice(0, 200)}`;
}
