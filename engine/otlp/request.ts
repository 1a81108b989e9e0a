import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { MessageBatch } from '../message/batch/batch.ts';
import { BatchBuilder } from '../message/batch/builder.ts';
import type { Message } from '../message/types.ts';
import { jsonEntries, protobufEntries, SHAPES } from './entries.ts';
import { OtlpType } from './schema.ts';
import { recordOf, type RecordWithOrigin } from './to-log-record.ts';
import { messageOf } from './to-message.ts';
import { bigintOf, int64, type Int64, type Origin, type Resource, type ResourceLogs, type Scope } from './types.ts';

export type Encoding = 'protobuf' | 'json';
export type Signal = keyof typeof SHAPES;

/** Content of a request. */
export interface Taken {
  readonly batches: readonly MessageBatch[];
  /** Records, points or spans that are not taken. */
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

/**
 * Reads a request to export logs, metrics or traces.
 * @throws {Error} for a body that is none
 */
export function readRequest(signal: Signal, encoding: Encoding, body: Buffer, receivedNs: bigint, limits: BatchLimits): Taken {
  const shape = SHAPES[signal];
  const entries = encoding === 'json' ? jsonEntries(body.toString(), shape) : protobufEntries(body, shape);
  const batches: MessageBatch[] = [];
  const builder = new BatchBuilder();
  let rejected = 0;
  for (const { origin, items } of entries) {
    for (const item of items) {
      if (item === null) rejected++;
      for (const injected of item === null ? [] : shape.messages(item)) {
        builder.append(messageOf(injected, origin, receivedNs));
        if (builder.length === limits.records || builder.weight >= limits.bytes) batches.push(builder.build());
      }
    }
  }
  if (builder.length > 0) batches.push(builder.build());
  return { batches, rejected, reason: rejected === 0 ? '' : TOO_LARGE };
}

interface PartialSuccess {
  readonly partialSuccess?: {
    readonly rejectedLogRecords?: Int64;
    readonly rejectedDataPoints?: Int64;
    readonly rejectedSpans?: Int64;
    readonly errorMessage?: string;
  } | null;
}

const RESPONSES: Readonly<Record<Signal, OtlpType<PartialSuccess>>> = {
  logs: new OtlpType('ExportLogsServiceResponse'),
  metrics: new OtlpType('ExportMetricsServiceResponse'),
  traces: new OtlpType('ExportTraceServiceResponse'),
};
const REJECTED_KEYS = { logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints', traces: 'rejectedSpans' } as const;
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
