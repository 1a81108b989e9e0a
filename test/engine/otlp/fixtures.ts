import fc from 'fast-check';
import { expect } from 'vitest';
import { readRequest } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { int64, type AnyValue, type KeyValue, type LogRecord, type Resource, type Scope } from '../../../engine/otlp/types.ts';
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

export const ATTRIBUTES = fc.uniqueArray(fc.record({ key: KEY, value: VALUE }), { maxLength: 5, selector: ({ key }) => key });
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
