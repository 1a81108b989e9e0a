import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logsRequest, readRequest, type Encoding, type Signal } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { jsonOf } from '../../../engine/otlp/any-value.ts';
import {
  bigintOf,
  int64,
  type AnyValue,
  type Int64,
  type KeyValue,
  type LogRecord,
  type Metric,
  type NumberDataPoint,
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
const SCOPE = fc.record({ name: TEXT, version: TEXT, attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
const RESOURCE = fc.record({ attributes: ATTRIBUTES, droppedAttributesCount: UINT32 });
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
    time: bigintOf(timeUnixNano),
    observed: bigintOf(observedTimeUnixNano),
    severityNumber,
    severityText,
    body: body === undefined || body === null ? null : jsonOf(body),
    attributes: plainAttributes(attributes),
    droppedAttributesCount,
    flags,
    traceId: [...traceId],
    spanId: [...spanId],
    eventName,
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
    const one = fc.record({ resource: RESOURCE, schemaUrl: TEXT, scope: SCOPE, scopeUrl: TEXT, record: RECORD });
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
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'object' && value !== null && 'low' in value && 'high' in value) {
    const isSigned = key === 'intValue' || key === 'asInt';
    return (isSigned ? bigintOf(value as Int64) : BigInt.asUintN(64, bigintOf(value as Int64))).toString();
  }
  return value;
}

/** The messages of a request, without the members that differ each time. */
function taken(signal: Signal, encoding: Encoding, body: Uint8Array): unknown {
  const { batches, ...rest } = readRequest(signal, encoding, Buffer.from(body), NOW, LIMITS);
  const messages = batches.flatMap((batch) => Array.from({ length: batch.length }, (_, row) => ({ ...batch.message(row), uuid: null })));
  return { messages, ...rest };
}

const jsonBody = (sent: object): Buffer => Buffer.from(JSON.stringify(sent, written));

describe('a request for logs', () => {
  it('in JSON makes the messages that it makes in protobuf', () => {
    fc.assert(
      fc.property(RESOURCE, SCOPE, TEXT, fc.array(RECORD, { maxLength: 4 }), (of, by, schemaUrl, logRecords) => {
        const sent = { resourceLogs: [{ resource: of, schemaUrl, scopeLogs: [{ scope: by, schemaUrl, logRecords }] }] };
        const inProtobuf = taken('logs', 'protobuf', request.encode(sent));
        expect(inProtobuf).toMatchObject({ rejected: 0 });
        expect(taken('logs', 'json', jsonBody(sent))).toEqual(inProtobuf);
      }),
    );
  });
});

const metricType = new OtlpType<Metric>('Metric');
const resourceType = new OtlpType<Resource>('Resource');
const scopeType = new OtlpType<Scope>('InstrumentationScope');

/** A field of protobuf that has bytes. */
function embedded(tag: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    length.push(left < 128 ? left : (left & 127) | 128);
    if (left < 128) return Buffer.concat([Buffer.of((tag << 3) | 2, ...length), bytes]);
  }
}

const POINT: fc.Arbitrary<NumberDataPoint> = fc
  .record({
    startTimeUnixNano: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(int64),
    timeUnixNano: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(int64),
    attributes: ATTRIBUTES,
    flags: fc.nat({ max: 3 }),
    value: fc.oneof(
      fc.double().map((asDouble) => ({ asDouble })),
      fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map((value) => ({ asInt: int64(value) })),
      fc.constant({}),
    ),
  })
  .map(({ value, ...point }) => ({ ...point, ...value }));

const UNTAKEN = fc.record({ dataPoints: fc.array(fc.constant({}), { maxLength: 3 }) });
const METRIC: fc.Arbitrary<Metric> = fc
  .tuple(
    fc.record({ name: TEXT, description: TEXT, unit: TEXT }),
    fc.oneof(
      fc.record({ gauge: fc.record({ dataPoints: fc.array(POINT, { maxLength: 3 }) }) }),
      fc.record({
        sum: fc.record({
          dataPoints: fc.array(POINT, { maxLength: 3 }),
          aggregationTemporality: fc.nat({ max: 3 }),
          isMonotonic: fc.boolean(),
        }),
      }),
      UNTAKEN.map((histogram) => ({ histogram })),
      UNTAKEN.map((exponentialHistogram) => ({ exponentialHistogram })),
      UNTAKEN.map((summary) => ({ summary })),
      fc.constant({}),
    ),
  )
  .map(([head, data]) => ({ ...head, ...data }));

describe('a request for metrics', () => {
  it('in JSON makes the messages that it makes in protobuf', () => {
    fc.assert(
      fc.property(RESOURCE, SCOPE, TEXT, fc.array(METRIC, { maxLength: 4 }), (resource, scope, schemaUrl, metrics) => {
        const url = embedded(3, Buffer.from(schemaUrl));
        const each = metrics.map((metric) => embedded(2, metricType.encode(metric)));
        const ofScope = Buffer.concat([embedded(1, scopeType.encode(scope)), ...each, url]);
        const ofResource = Buffer.concat([embedded(1, resourceType.encode(resource)), embedded(2, ofScope), url]);
        const json = jsonBody({ resourceMetrics: [{ resource, schemaUrl, scopeMetrics: [{ scope, schemaUrl, metrics }] }] });
        expect(taken('metrics', 'json', json)).toEqual(taken('metrics', 'protobuf', embedded(1, ofResource)));
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
