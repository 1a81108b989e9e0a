import { ProtoReader, WireType } from '../message/protobuf/proto-reader.ts';
import { readUtf8 } from '../message/utf8.ts';
import { metricParts } from './metric-parts.ts';
import { OtlpType } from './schema.ts';
import { severityNumberNamed } from './severity.ts';
import { temporalityNamed } from './temporality.ts';
import type { LogRecord, Metric, Origin, Resource, Scope } from './types.ts';

/** The items of one resource and scope; null: one that is too large to be read. */
export interface Entry<T> {
  readonly origin: Origin;
  readonly items: Iterable<T | null>;
}

/** A kind of request: what it exports, under which names in JSON. */
export interface SignalShape<T extends object> {
  readonly item: OtlpType<T>;
  /** Of requests, of resources' parts and of scopes' parts. */
  readonly keys: readonly [resources: string, scopes: string, items: string];
  /** Changes an item of JSON into what the schema's JSON has. */
  readonly prepare: (item: Record<string, unknown>) => Record<string, unknown>;
  /** Cuts an item that is too large to be read into such that are not; null: one that cannot be cut. */
  readonly parts: (item: Uint8Array, maxBytes: number) => Iterable<Uint8Array | null>;
}

/** Ids are in hexadecimal in OTLP's JSON, and in Base64 in that of protobuf. */
const preparedRecord = (item: Record<string, unknown>): Record<string, unknown> => ({
  ...item,
  ...('traceId' in item ? { traceId: hexBytes(item['traceId']) } : {}),
  ...('spanId' in item ? { spanId: hexBytes(item['spanId']) } : {}),
  ...(typeof item['severityNumber'] === 'string' ? { severityNumber: severityNumberNamed(item['severityNumber']) } : {}),
});

const hexBytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' && /^(?:[0-9A-Fa-f]{2})*$/.test(value) ? value : '', 'hex');

/** OTLP's JSON has numbers for values of enumerations; that of protobuf, which some senders use, has their names. */
const preparedMetric = (item: Record<string, unknown>): Record<string, unknown> => {
  const { sum } = item;
  if (typeof sum !== 'object' || sum === null || !('aggregationTemporality' in sum)) return item;
  const { aggregationTemporality: temporality } = sum;
  return typeof temporality === 'string' ? { ...item, sum: { ...sum, aggregationTemporality: temporalityNamed(temporality) } } : item;
};

export const LOGS: SignalShape<LogRecord> = {
  item: new OtlpType<LogRecord>('LogRecord'),
  keys: ['resourceLogs', 'scopeLogs', 'logRecords'],
  prepare: preparedRecord,
  parts: () => [null],
};

export const METRICS: SignalShape<Metric> = {
  item: new OtlpType<Metric>('Metric'),
  keys: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  prepare: preparedMetric,
  parts: metricParts,
};

const resourceType = new OtlpType<Resource>('Resource');
const scopeType = new OtlpType<Scope>('InstrumentationScope');

/** Bytes of an item in protobuf: an object in memory takes many times as much. */
const MAX_ITEM_BYTES = 1 << 20;

/**
 * The parts of a request in protobuf. Items are read one by one, for bytes that are cheap to send may make objects by the million.
 * @throws {Error} while it is walked, for bytes that are no such request
 */
export function* protobufEntries<T extends object>(body: Uint8Array, shape: SignalShape<T>): Iterable<Entry<T>> {
  for (const ofResource of embedded(body, 1)) {
    const resource = resourceType.decode(checked(last(ofResource, 1)));
    const resourceSchemaUrl = textOf(last(ofResource, 3));
    for (const ofScope of embedded(ofResource, 2)) {
      const scope = scopeType.decode(checked(last(ofScope, 1)));
      const origin = { resource, resourceSchemaUrl, scope, scopeSchemaUrl: textOf(last(ofScope, 3)) };
      yield { origin, items: protobufItems(ofScope, shape) };
    }
  }
}

function* protobufItems<T extends object>(ofScope: Uint8Array, { item, parts }: SignalShape<T>): Iterable<T | null> {
  for (const bytes of embedded(ofScope, 2)) {
    if (bytes.length <= MAX_ITEM_BYTES) yield item.decode(bytes);
    else for (const part of parts(bytes, MAX_ITEM_BYTES)) yield part === null ? null : item.decode(part);
  }
}

/** The embedded messages of one number. */
function* embedded(bytes: Uint8Array, tag: number): Iterable<Uint8Array> {
  const reader = new ProtoReader(bytes, readUtf8);
  while (reader.next()) {
    if (reader.tag === tag && reader.wireType === WireType.LENGTH) yield reader.bytes();
    else reader.skip();
  }
}

/** Of a field that comes several times, the last one counts. */
function last(bytes: Uint8Array, tag: number): Uint8Array {
  let found: Uint8Array = new Uint8Array();
  for (const each of embedded(bytes, tag)) found = each;
  return found;
}

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_ITEM_BYTES) throw new RangeError(`a resource or scope of ${bytes.length} bytes`);
  return bytes;
}

const textOf = (bytes: Uint8Array): string => readUtf8(bytes, 0, bytes.length);

/**
 * The parts of a request in JSON.
 * @throws {Error} while it is walked, for text that is no such request
 */
export function* jsonEntries<T extends object>(text: string, { item, keys, prepare }: SignalShape<T>): Iterable<Entry<T>> {
  const [resources, scopes, items] = keys;
  for (const ofResource of listIn(objectOf(JSON.parse(text, exactly)), resources)) {
    const resource = resourceType.fromJson(ofResource['resource'] ?? {});
    const resourceSchemaUrl = textIn(ofResource, 'schemaUrl');
    for (const ofScope of listIn(ofResource, scopes)) {
      const scope = scopeType.fromJson(ofScope['scope'] ?? {});
      const origin = { resource, resourceSchemaUrl, scope, scopeSchemaUrl: textIn(ofScope, 'schemaUrl') };
      yield { origin, items: jsonItems(listIn(ofScope, items), item, prepare) };
    }
  }
}

function* jsonItems<T extends object>(list: Iterable<JsonObject>, item: OtlpType<T>, prepare: SignalShape<T>['prepare']): Iterable<T> {
  for (const each of list) yield item.fromJson(prepare(each));
}

/** Integers of 64 bits may be written as numbers, of which JavaScript's do not hold all. */
function exactly(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source);
  return isInexact ? source : value;
}

type JsonObject = Record<string, unknown>;

function objectOf(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new TypeError('an object was expected');
}

function* listIn(object: JsonObject, key: string): Iterable<JsonObject> {
  const list = object[key] ?? [];
  if (!Array.isArray(list)) throw new TypeError(`${key} is not a list`);
  for (const each of list) yield objectOf(each);
}

const textIn = (object: JsonObject, key: string): string => (typeof object[key] === 'string' ? object[key] : '');
