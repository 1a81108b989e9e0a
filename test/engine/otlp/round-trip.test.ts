import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logsRequest, readRequest } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { jsonOf } from '../../../engine/otlp/any-value.ts';
import {
  bigintOf,
  int64,
  type AnyValue,
  type Int64,
  type KeyValue,
  type LogRecord,
  type Resource,
  type Scope,
} from '../../../engine/otlp/types.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';

const LIMITS = { records: 4096, bytes: 1 << 20 };
const NOW = 1_700_000_000_000_000_000n;

const request = new OtlpType<{ resourceLogs: { resource?: Resource; schemaUrl?: string; scopeLogs: ScopeLogs[] }[] }>(
  'ExportLogsServiceRequest',
);
interface ScopeLogs {
  readonly scope?: Scope;
  readonly schemaUrl?: string;
  readonly logRecords: readonly LogRecord[];
}

function messagesOf(bytes: Uint8Array): Message[] {
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

const TEXT = fc.oneof(
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

const ATTRIBUTES = fc.uniqueArray(fc.record({ key: KEY, value: VALUE }), { maxLength: 5, selector: ({ key }) => key });
const UINT32 = fc.oneof(fc.constant(0), fc.nat({ max: 0xffffffff }));
const ID = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ minLength: length, maxLength: length }).filter((id) => id.some((byte) => byte !== 0)),
  );

const RECORD: fc.Arbitrary<LogRecord> = fc.record({
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

/** A record in a form that can be compared. Attributes are a set. */
function plainRecord(record: LogRecord): unknown {
  const { timeUnixNano = int64(0n), observedTimeUnixNano = int64(0n), body, traceId = [], spanId = [], attributes } = record;
  const { severityNumber = 0, severityText = '', droppedAttributesCount = 0, flags = 0, eventName = '' } = record;
  return {
    ...{ time: bigintOf(timeUnixNano), observed: bigintOf(observedTimeUnixNano), severityNumber, severityText },
    ...{ body: body === undefined || body === null ? null : jsonOf(body), attributes: plainAttributes(attributes) },
    ...{ droppedAttributesCount, flags, traceId: [...traceId], spanId: [...spanId], eventName },
  };
}

const plainAttributes = (attributes: readonly KeyValue[] = []): unknown =>
  attributes
    .filter(({ key }) => key !== 'log.record.uid')
    .map(({ key = '', value }) => [key, JSON.stringify(jsonOf(value ?? {}))])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));

const plainOrigin = (resource: Resource = {}, resourceUrl = '', scope: Scope = {}, scopeUrl = ''): unknown => [
  [plainAttributes(resource.attributes), resource.droppedAttributesCount ?? 0, resourceUrl],
  [scope.name ?? '', scope.version ?? '', plainAttributes(scope.attributes), scope.droppedAttributesCount ?? 0, scopeUrl],
];

function plainRequest(bytes: Uint8Array): unknown[] {
  return request
    .decode(bytes)
    .resourceLogs.flatMap(({ resource, schemaUrl, scopeLogs }) =>
      scopeLogs.flatMap((each) =>
        each.logRecords.map((record) => [plainOrigin(resource, schemaUrl, each.scope, each.schemaUrl), plainRecord(record)]),
      ),
    );
}

describe('log records of OTLP', () => {
  it('come out as they went in', () => {
    const scope = fc.record({ name: TEXT, version: TEXT, attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
    const resource = fc.record({ attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
    const one = fc.record({ resource, schemaUrl: TEXT, scope, scopeUrl: TEXT, record: RECORD });
    fc.assert(
      fc.property(one, ({ resource: of, schemaUrl, scope: by, scopeUrl, record }) => {
        const sent = request.encode({
          resourceLogs: [{ resource: of, schemaUrl, scopeLogs: [{ scope: by, schemaUrl: scopeUrl, logRecords: [record] }] }],
        });
        expect(plainRequest(logsRequest(messagesOf(sent)))).toEqual(plainRequest(sent));
      }),
    );
  });
});

/** Values that the mapping of OTLP to JSON writes. */
function written(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString(key === 'traceId' || key === 'spanId' ? 'hex' : 'base64');
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'object' && value !== null && 'low' in value && 'high' in value) {
    return (key === 'intValue' ? bigintOf(value as Int64) : BigInt.asUintN(64, bigintOf(value as Int64))).toString();
  }
  return value;
}

/** Messages without what differs each time. */
function plainMessages(encoding: 'protobuf' | 'json', body: Buffer): unknown[] {
  const { batches, rejected } = readRequest('logs', encoding, body, NOW, LIMITS);
  expect(rejected).toBe(0);
  return batches.flatMap((batch) => Array.from({ length: batch.length }, (_, row) => ({ ...batch.message(row), uuid: null })));
}

describe('a request for logs', () => {
  it('in JSON makes the messages that it makes in protobuf', () => {
    const scope = fc.record({ name: TEXT, version: TEXT, attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
    const resource = fc.record({ attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
    fc.assert(
      fc.property(resource, scope, TEXT, fc.array(RECORD, { maxLength: 4 }), (of, by, schemaUrl, logRecords) => {
        const sent = { resourceLogs: [{ resource: of, schemaUrl, scopeLogs: [{ scope: by, schemaUrl, logRecords }] }] };
        const json = Buffer.from(JSON.stringify(sent, written));
        expect(plainMessages('json', json)).toEqual(plainMessages('protobuf', Buffer.from(request.encode(sent))));
      }),
    );
  });
});

const FIELD_NAME = fc
  .string({ minLength: 1, maxLength: 10 })
  .filter((name) => !['body', 'event_name', 'host.name', 'severity_number'].includes(name));

const FIELD: fc.Arbitrary<Field> = fc.oneof(
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.STRING), values: fc.array(TEXT, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    name: FIELD_NAME,
    valueType: fc.constant(ValueType.INTEGER),
    values: fc.array(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.DOUBLE), values: fc.array(fc.double(), { minLength: 1, maxLength: 3 }) }),
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.BOOL), values: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }) }),
  fc.record({
    name: FIELD_NAME,
    valueType: fc.constant(ValueType.BYTES),
    values: fc.array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  }),
);

describe('messages', () => {
  it('come out of OTLP as they went in', () => {
    const message: fc.Arbitrary<Message> = fc
      .record({
        uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }),
        timestamp: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).filter((ns) => ns !== 0n),
        type: TEXT.filter((text) => text !== ''),
        logger: fc.option(
          TEXT.filter((text) => text !== ''),
          { nil: undefined },
        ),
        severity: fc.option(fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer()), { nil: undefined }),
        payload: fc.option(TEXT, { nil: undefined }),
        envVersion: fc.option(TEXT, { nil: undefined }),
        pid: fc.option(fc.integer(), { nil: undefined }),
        hostname: fc.option(TEXT, { nil: undefined }),
        fields: fc.uniqueArray(FIELD, { maxLength: 6, selector: ({ name }) => name }),
      })
      .map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)) as unknown as Message);
    fc.assert(
      fc.property(message, (sent) => {
        expect(messagesOf(logsRequest([sent]))).toEqual([sent]);
      }),
    );
  });

  it('are grouped by where they come from, and none is lost', () => {
    const few = fc.record({ host: fc.constantFrom('a', 'b'), logger: fc.constantFrom('x', 'y'), number: fc.nat() });
    fc.assert(
      fc.property(fc.array(few, { maxLength: 20 }), (list) => {
        const sent = list.map(({ host, logger, number }): Message => {
          const values = [BigInt(number)];
          return { uuid: new Uint8Array(16), timestamp: 1n, hostname: host, logger, fields: [{ name: 'n', valueType: 2, values }] };
        });
        const bytes = logsRequest(sent);
        const { resourceLogs } = request.decode(bytes);
        expect(resourceLogs).toHaveLength(new Set(list.map(({ host }) => host)).size);
        const texts = (messages: readonly Message[]): string[] =>
          messages.map(({ hostname, logger, fields }) => `${hostname} ${logger} ${String(fields[0]?.values[0])}`).sort();
        expect(texts(messagesOf(bytes))).toEqual(texts(sent));
      }),
    );
  });
});
