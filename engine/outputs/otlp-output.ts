import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { HttpClient, type HttpAnswer, type HttpTarget } from '../base/net/http-client.ts';
import { decodeMessage } from '../message/protobuf/protobuf.ts';
import type { Message } from '../message/types.ts';
import type * as Otlp from '../otlp/request.ts';
import { retryAfterMs } from './retry-after.ts';
import { matching, remoteReceiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { tls } from '../section/tls.ts';
import { flag, headerName, headerValue, url } from '../section/values.ts';
import { tlsConnection } from '../base/net/tls.ts';
import { BulkWriter, type BulkTarget, type Refused } from './bulk-writer.ts';
import { RefusedError, TryLaterError } from './delivery.ts';
import { outputType } from './output-type.ts';
import { exit, login, milliseconds } from './parameters.ts';

/** The type `OtlpOutput` of sections. */
export const otlpOutput = outputType({
  type: 'OtlpOutput',
  summary:
    'Sends messages as log records to a collector of OpenTelemetry, or to any other receiver of OTLP over HTTP (protobuf); see ' +
    '[otlp.md](../otlp.md). A request that fails is sent again, but not before the time that the collector asks for. Records that the collector ' +
    'refuses are lost; they are counted, and the log says so. Messages wait in a disk buffer unless `use_buffering = false`. A script with ' +
    'this target passes it messages in protobuf, one with each call.',
  example: '[collector]\ntype = "OtlpOutput"\naddress = "http://127.0.0.1:4318"\nmessage_matcher = "Severity <= 4"',
  parameters: () => ({
    ...matching,
    address: url.default('http://127.0.0.1:4318').describe('Where the collector listens. `/v1/logs` is added if it is missing.'),
    headers: z
      .record(headerName, z.array(headerValue))
      .prefault({})
      .meta({ shown: 'table of lists' })
      .describe('Headers of the requests, as `[NAME.headers]` with lists of texts.'),
    ...login,
    gzip: flag.default(true).describe('Compress requests by gzip.'),
    flush_interval: milliseconds.default(1000).describe('How long messages wait for others. 0: not at all.'),
    flush_count: z
      .int()
      .min(1)
      .max(100_000)
      .default(1000)
      .describe('Messages in one request. A request has at most 4 MiB of them before it is compressed.'),
    http_timeout: milliseconds.default(10_000).describe('How long a request may take. 0: no limit.'),
    tls: tls.describe('For `https`.'),
    ...remoteReceiver,
    ...restart,
    ...exit,
  }),
  make: (config, { onProblem }) => {
    const { username, password, http_timeout: timeout, retries, gzip } = config;
    const headers = { ...config.headers, 'Content-Type': ['application/x-protobuf'], ...(gzip ? { 'Content-Encoding': ['gzip'] } : {}) };
    const address = new URL(config.address);
    const path = address.pathname.replace(/\/$/, '');
    if (!path.endsWith('/v1/logs')) address.pathname = `${path}/v1/logs`;
    const target = { url: address, method: 'POST', headers, username, password, timeout, tls: tlsConnection(config.tls) };
    const options = { flushCount: config.flush_count, flushInterval: config.flush_interval, retries, onProblem };
    return new BulkWriter(otlpCollector(target, { gzip, onProblem }), options);
  },
});

/** Bytes of messages that go into one request. */
const MAX_BYTES = 4 << 20;
/** Longest wait that a collector can ask for. */
const MAX_WAIT_MS = 600_000;

interface CollectorOptions {
  readonly gzip: boolean;
  readonly onProblem: (text: string) => void;
}

/** A collector that is sent log records over HTTP. */
export function otlpCollector(target: HttpTarget, { gzip, onProblem }: CollectorOptions): BulkTarget {
  const client = new HttpClient(target);
  return {
    maxBytes: MAX_BYTES,
    send: async (pieces, signal) => {
      const otlp = await import('../otlp/request.ts');
      const messages = pieces.flatMap((piece) => decoded(piece, onProblem));
      const body = gzip ? await otlp.gzippedLogsRequest(messages) : Buffer.from(otlp.logsRequest(messages));
      return judge(await client.send(body, signal), otlp);
    },
    close: async () => client.close(),
  };
}

/** Statuses that say that the request itself is at fault: it would be refused again. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/** @throws {RefusedError} for data that is refused; other errors: it is to be sent again */
function judge({ status, headers, bytes }: HttpAnswer, { rejectionOf, refusalText }: typeof Otlp): Refused | void {
  if (status >= 200 && status < 300) {
    const { rejected, reason } = rejectionOf(bytes);
    return rejected > 0 ? { messages: rejected, reason: `the collector rejected them: ${reason}` } : undefined;
  }
  const said = refusalText(bytes);
  const text = `the collector answers ${status}${said === '' ? '' : `: ${said.slice(0, 200)}`}`;
  if (REFUSALS.has(status)) throw new RefusedError(text);
  throw new TryLaterError(text, Math.min(retryAfterMs(headers['retry-after'] ?? '', Date.now()), MAX_WAIT_MS));
}

/** No message: it is none, which only a script can bring about. */
function decoded(piece: Buffer, onProblem: (text: string) => void): Message[] {
  try {
    return [decodeMessage(piece)];
  } catch (error) {
    onProblem(`a message that is not valid protobuf is lost: ${messageOf(error)}`);
    return [];
  }
}
