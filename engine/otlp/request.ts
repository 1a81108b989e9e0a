import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { MessageBatch } from '../message/batch/batch.ts';
import { BatchBuilder } from '../message/batch/builder.ts';
import type { Message } from '../message/types.ts';
import { jsonEntries, LOGS, METRICS, protobufEntries, type Entry, type SignalShape } from './entries.ts';
import { messageOfRecord } from './from-log-record.ts';
import { messagesOfMetric } from './metrics.ts';
import { originHead, type OriginHead } from './origin.ts';
import { OtlpType } from './schema.ts';
import { recordOf, type RecordWithOrigin } from './to-log-record.ts';
import { bigintOf, int64, type Int64, type LogRecord, type Origin, type Resource, type ResourceLogs, type Scope } from './types.ts';

export type Encoding = 'protobuf' | 'json';
export type Signal = 'logs' | 'metrics';

/** Content of a request. */
export interface Taken {
  readonly batches: readonly MessageBatch[];
  /** Records or points that are not taken. */
  readonly rejected: number;
  /** The reason for which they are not; empty when all are. */
  readonly reason: string;
}

/** Limits of a batch. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

const TOO_LARGE = 'Records of more than 1 MiB are not taken.';
const ONLY_NUMBERS = 'Only sums and gauges are taken.';

/**
 * Reads a request to export logs or metrics.
 * @throws {Error} for a body that is none
 */
export function readRequest(signal: Signal, encoding: Encoding, body: Buffer, receivedNs: bigint, limits: BatchLimits): Taken {
  if (signal === 'logs') {
    const take = (record: LogRecord, head: OriginHead) => ({ messages: [messageOfRecord(record, head, receivedNs)], rejected: 0 });
    return read(entries(encoding, body, LOGS), take, limits);
  }
  return read(entries(encoding, body, METRICS), (metric, head) => messagesOfMetric(metric, head, receivedNs), limits);
}

const entries = <T extends object>(encoding: Encoding, body: Buffer, shape: SignalShape<T>): Iterable<Entry<T>> =>
  encoding === 'json' ? jsonEntries(body.toString(), shape) : protobufEntries(body, shape);

function read<T>(
  parts: Iterable<Entry<T>>,
  take: (item: T, head: OriginHead) => { readonly messages: readonly Message[]; readonly rejected: number },
  limits: BatchLimits,
): Taken {
  const batches: MessageBatch[] = [];
  const builder = new BatchBuilder();
  const reasons = new Set<string>();
  let rejected = 0;
  for (const { origin, items } of parts) {
    const head = originHead(origin);
    for (const item of items) {
      const taken = item === null ? { messages: [], rejected: 1 } : take(item, head);
      if (taken.rejected > 0) reasons.add(item === null ? TOO_LARGE : ONLY_NUMBERS);
      rejected += taken.rejected;
      for (const message of taken.messages) {
        builder.append(message);
        if (builder.length === limits.records || builder.weight >= limits.bytes) batches.push(builder.build());
      }
    }
  }
  if (builder.length > 0) batches.push(builder.build());
  return { batches, rejected, reason: [...reasons].join(' ') };
}

interface PartialSuccess {
  readonly partialSuccess?: {
    readonly rejectedLogRecords?: Int64;
    readonly rejectedDataPoints?: Int64;
    readonly errorMessage?: string;
  } | null;
}

const RESPONSES: Readonly<Record<Signal, OtlpType<PartialSuccess>>> = {
  logs: new OtlpType('ExportLogsServiceResponse'),
  metrics: new OtlpType('ExportMetricsServiceResponse'),
};
const REJECTED_KEYS = { logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' } as const;
const status = new OtlpType<{ readonly message: string }>('Status');

/** The answer to a request that was taken, but for what was rejected. */
export function answerTo(
  signal: Signal,
  encoding: Encoding,
  { rejected, reason: errorMessage }: Pick<Taken, 'rejected' | 'reason'>,
): Buffer {
  const key = REJECTED_KEYS[signal];
  if (encoding === 'protobuf') {
    const answer = rejected === 0 ? {} : { partialSuccess: { [key]: int64(BigInt(rejected)), errorMessage } };
    return Buffer.from(RESPONSES[signal].encode(answer));
  }
  return Buffer.from(JSON.stringify(rejected === 0 ? {} : { partialSuccess: { [key]: String(rejected), errorMessage } }));
}

/** The body of an answer that refuses a request. */
export function refusal(encoding: Encoding, message: string): Buffer {
  return Buffer.from(encoding === 'json' ? JSON.stringify({ message }) : status.encode({ message }));
}

/** Part of the answer to a request for logs: the records that were not taken. */
interface Rejection {
  readonly rejected: number;
  readonly reason: string;
}

/** Reads the answer to a request for logs in protobuf. Bytes that are no answer reject nothing. */
export function rejectionOf(body: Uint8Array): Rejection {
  try {
    const { partialSuccess } = RESPONSES.logs.decode(body);
    const { rejectedLogRecords, errorMessage = '' } = partialSuccess ?? {};
    return { rejected: rejectedLogRecords === undefined ? 0 : Number(bigintOf(rejectedLogRecords)), reason: errorMessage };
  } catch {
    return { rejected: 0, reason: '' };
  }
}

/** Message of an answer that refuses a request; empty: none that can be read. */
export function refusalText(body: Uint8Array): string {
  try {
    return status.decode(body).message;
  } catch {
    return '';
  }
}

const requestType = new OtlpType<{ readonly resourceLogs: readonly ResourceLogs[] }>('ExportLogsServiceRequest');
const resourceType = new OtlpType<Resource>('Resource');
const scopeType = new OtlpType<Scope>('InstrumentationScope');
const compress = promisify(gzip);

/** Encodes a request for the records of messages, grouped by what they come from, in the order in which that comes first. */
export function logsRequest(messages: readonly Message[]): Uint8Array {
  const resources = new Map<string, { readonly origin: Origin; readonly scopes: Map<string, RecordWithOrigin[]> }>();
  for (const message of messages) {
    const record = recordOf(message);
    const { resource, resourceSchemaUrl, scope, scopeSchemaUrl } = record.origin;
    const { scopes } = needed(resources, keyOf(resourceType.encode(resource), resourceSchemaUrl), () => ({
      origin: record.origin,
      scopes: new Map<string, RecordWithOrigin[]>(),
    }));
    needed(scopes, keyOf(scopeType.encode(scope), scopeSchemaUrl), () => []).push(record);
  }
  const resourceLogs = Array.from(resources.values(), ({ origin: { resource, resourceSchemaUrl: schemaUrl }, scopes }) => ({
    resource,
    schemaUrl,
    scopeLogs: Array.from(scopes.values(), scopeLogs),
  }));
  return requestType.encode({ resourceLogs });
}

/** The same, compressed. */
export const gzippedLogsRequest = (messages: readonly Message[]): Promise<Buffer> => compress(logsRequest(messages));

function scopeLogs(records: readonly RecordWithOrigin[]): ResourceLogs['scopeLogs'][number] {
  const [first] = records;
  const { scope = {}, scopeSchemaUrl: schemaUrl = '' } = first?.origin ?? {};
  return { scope, schemaUrl, logRecords: records.map(({ record }) => record) };
}

const keyOf = (bytes: Uint8Array, schemaUrl: string): string => `${Buffer.from(bytes).toString('latin1')} ${schemaUrl}`;

function needed<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
