import fc from 'fast-check';
import { expect } from 'vitest';
import { readRequest } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { int64, type AnyValue, type Int64, type KeyValue, type LogRecord, type Resource, type Scope } from '../../../engine/otlp/types.ts';
import type { Message } from '../../../engine/message/types.ts';

export const LIMITS = { records: 4096, bytes: 1 << 20 };
export const NOW = 1_700_000_000_000_000_000n;

export const request = new OtlpType<{ resourceLogs: { resource?: Resource; schemaUrl?: string; scopeLogs: ScopeLogs[] }[] }>(
  'ExportLogsServiceRequest',
);
export interface ScopeLogs {
  readonly scope?: Scope;
  readonly schemaUrl?: string;
  readonly logRecords: readonly LogRecord[];
}

export function messagesOf(bytes: Uint8Array): Message[] {
  const { batches, rejected } = readRequest('logs', 'protobuf', Buffer.from(bytes), NOW, LIMITS);
  expect(rejected).toBe(0);
  return batches.flatMap((batch) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
}

export interface NumberDataPoint {
  readonly startTimeUnixNano?: Int64;
  readonly timeUnixNano?: Int64;
  readonly asDouble?: number;
  readonly asInt?: Int64;
  readonly attributes?: readonly KeyValue[];
  readonly flags?: number;
}

/** A metric; of its data only what is written here has a type. */
export interface Metric {
  readonly name?: string;
  readonly unit?: string;
  readonly gauge?: object;
  readonly sum?: object;
  readonly histogram?: object;
  readonly exponentialHistogram?: object;
  readonly summary?: object;
}

const resourceType = new OtlpType<Resource>('Resource');
const scopeType = new OtlpType<Scope>('InstrumentationScope');

/** A field of protobuf that has bytes. */
export function embedded(tag: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    length.push(left < 128 ? left : (left & 127) | 128);
    if (left < 128) return Buffer.concat([Buffer.of((tag << 3) | 2, ...length), bytes]);
  }
}

export interface SentOrigin {
  readonly resource?: Resource;
  readonly scope?: Scope;
  readonly schemaUrl?: string;
}

/** A request of any signal, in protobuf. @param items each in protobuf */
export function requestOf({ resource = {}, scope = {}, schemaUrl = '' }: SentOrigin, items: readonly Uint8Array[]): Buffer {
  const url = embedded(3, Buffer.from(schemaUrl));
  const ofScope = Buffer.concat([embedded(1, scopeType.encode(scope)), ...items.map((item) => embedded(2, item)), url]);
  return embedded(1, Buffer.concat([embedded(1, resourceType.encode(resource)), embedded(2, ofScope), url]));
}

/** Names of parts, of headers and of groups, in all combinations that could be mistaken. */
const KEY = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc
    .tuple(
      fc.constantFrom('', 'resource.', 'scope.', 'attributes.', 'attributes.attributes.', 'resource.attributes.', 'attributes.resource.'),
      fc.constantFrom(
        ...['trace_id', 'span_id', 'severity_number', 'severity_text', 'observed_timestamp', 'trace_flags', 'event_name', 'body'],
        ...['dropped_attributes_count', 'schema_url', 'version', 'name', 'host.name', 'process.pid', 'x', '', '__proto__', 'constructor'],
      ),
    )
    .map(([prefix, name]) => prefix + name),
);

export const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('0123456789abcdef', '00112233445566778899aabbccddeeff', '{}', '{"intValue":"1"}', '', 'otlp.log'),
);

const { value: VALUE } = fc.letrec<{ value: AnyValue; pairs: KeyValue[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    TEXT.map((stringValue): AnyValue => ({ stringValue })),
    fc.boolean().map((boolValue): AnyValue => ({ boolValue })),
    fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map((value): AnyValue => ({ intValue: int64(value) })),
    fc.integer({ min: -2, max: 30 }).map((value): AnyValue => ({ intValue: int64(BigInt(value)) })),
    fc.double().map((doubleValue): AnyValue => ({ doubleValue })),
    fc.uint8Array({ maxLength: 6 }).map((bytesValue): AnyValue => ({ bytesValue })),
    fc.constant<AnyValue>({}),
    fc.array(tie('value'), { maxLength: 3 }).map((values): AnyValue => ({ arrayValue: { values } })),
    tie('pairs').map((values): AnyValue => ({ kvlistValue: { values } })),
  ),
  pairs: fc.array(fc.record<{ key: string; value: AnyValue }>({ key: fc.string({ maxLength: 4 }), value: tie('value') }), { maxLength: 3 }),
}));

const listOf = <K extends keyof AnyValue>(key: K, values: fc.Arbitrary<NonNullable<AnyValue[K]>>): fc.Arbitrary<AnyValue> =>
  fc
    .array(values, { minLength: 2, maxLength: 3 })
    .map((list): AnyValue => ({ arrayValue: { values: list.map((value): AnyValue => ({ [key]: value })) } }));
const INT64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map(int64);

/** Values that come out of messages as they went in. */
export const KEPT_VALUE: fc.Arbitrary<AnyValue> = fc.oneof(
  TEXT.map((stringValue): AnyValue => ({ stringValue })),
  fc.boolean().map((boolValue): AnyValue => ({ boolValue })),
  INT64.map((intValue): AnyValue => ({ intValue })),
  fc.integer({ min: -2, max: 30 }).map((value): AnyValue => ({ intValue: int64(BigInt(value)) })),
  fc.double().map((doubleValue): AnyValue => ({ doubleValue })),
  fc.uint8Array({ maxLength: 6 }).map((bytesValue): AnyValue => ({ bytesValue })),
  listOf('stringValue', TEXT),
  listOf('intValue', INT64),
  listOf('doubleValue', fc.double()),
  fc.constant<AnyValue>({ arrayValue: { values: [{ stringValue: 'x' }, { intValue: int64(7n) }, { arrayValue: { values: [{}] } }] } }),
);

const attributesOf = (value: fc.Arbitrary<AnyValue>): fc.Arbitrary<KeyValue[]> =>
  fc.uniqueArray(fc.record({ key: KEY, value }), { maxLength: 5, selector: ({ key }) => key });
export const ATTRIBUTES = attributesOf(VALUE);
export const KEPT_ATTRIBUTES = attributesOf(KEPT_VALUE);
const UINT32 = fc.oneof(fc.constant(0), fc.nat({ max: 0xffffffff }));
export const SCOPE = fc.record({ name: TEXT, version: TEXT, attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
export const RESOURCE = fc.record({ attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
const ID = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ minLength: length, maxLength: length }).filter((id) => id.some((byte) => byte !== 0)),
  );

export const RECORD: fc.Arbitrary<LogRecord> = fc.record({
  timeUnixNano: fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }).map(int64),
  observedTimeUnixNano: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(int64),
  severityNumber: fc.integer({ min: -1, max: 26 }),
  severityText: TEXT,
  body: fc.option(VALUE, { nil: null }),
  attributes: ATTRIBUTES,
  droppedAttributesCount: UINT32,
  flags: UINT32,
  traceId: ID(16),
  spanId: ID(8),
  eventName: TEXT,
});
