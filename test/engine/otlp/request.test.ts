import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest, type Encoding, type Signal } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { bigintOf, int64, type Int64, type KeyValue } from '../../../engine/otlp/types.ts';
import {
  ATTRIBUTES,
  LIMITS,
  NOW,
  RECORD,
  request,
  requestOf,
  RESOURCE,
  SCOPE,
  TEXT,
  type Metric,
  type NumberDataPoint,
} from './fixtures.ts';

/** Values that the mapping of OTLP to JSON writes. */
function written(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value).toString(key === 'traceId' || key === 'spanId' || key === 'parentSpanId' ? 'hex' : 'base64');
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

const COUNT = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(int64);
const COUNTS = fc.array(COUNT, { maxLength: 3 });
const HEAD = {
  timeUnixNano: COUNT,
  startTimeUnixNano: COUNT,
  attributes: ATTRIBUTES,
  flags: fc.nat({ max: 3 }),
  count: COUNT,
  sum: fc.double(),
};
const points = <T>(point: fc.Arbitrary<T>): fc.Arbitrary<{ dataPoints: T[] }> =>
  fc.record({ dataPoints: fc.array(point, { maxLength: 3 }) });
const HISTOGRAM = points(
  fc.record({ ...HEAD, bucketCounts: COUNTS, explicitBounds: fc.array(fc.double(), { maxLength: 3 }), max: fc.double() }),
);
const BUCKETS = fc.record({ offset: fc.integer(), bucketCounts: COUNTS });
const EXPONENTIAL = points(fc.record({ ...HEAD, scale: fc.integer(), zeroCount: COUNT, positive: BUCKETS, negative: BUCKETS }));
const QUANTILE = fc.record({ quantile: fc.double(), value: fc.double() });
const SUMMARY = points(fc.record({ ...HEAD, quantileValues: fc.array(QUANTILE, { maxLength: 3 }) }));
const METRIC: fc.Arbitrary<Metric> = fc
  .tuple(
    fc.record({ name: TEXT, description: TEXT, unit: TEXT }),
    fc.oneof(
      fc.record({ gauge: points(POINT) }),
      fc.record({
        sum: fc.record({
          dataPoints: fc.array(POINT, { maxLength: 3 }),
          aggregationTemporality: fc.nat({ max: 3 }),
          isMonotonic: fc.boolean(),
        }),
      }),
      HISTOGRAM.map((histogram) => ({ histogram })),
      EXPONENTIAL.map((exponentialHistogram) => ({ exponentialHistogram })),
      SUMMARY.map((summary) => ({ summary })),
      fc.constant({}),
    ),
  )
  .map(([head, data]) => ({ ...head, ...data }));

describe('a request for metrics', () => {
  it('in JSON makes the messages that it makes in protobuf', () => {
    fc.assert(
      fc.property(RESOURCE, SCOPE, TEXT, fc.array(METRIC, { maxLength: 4 }), (resource, scope, schemaUrl, metrics) => {
        const inProtobuf = requestOf(
          { resource, scope, schemaUrl },
          metrics.map((metric) => metricType.encode(metric)),
        );
        const json = jsonBody({ resourceMetrics: [{ resource, schemaUrl, scopeMetrics: [{ scope, schemaUrl, metrics }] }] });
        expect(taken('metrics', 'json', json)).toEqual(taken('metrics', 'protobuf', inProtobuf));
      }),
    );
  });
});

interface Span {
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

const spanType = new OtlpType<Span>('Span');
const ID = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const EVENT = fc.record({ timeUnixNano: COUNT, name: TEXT, attributes: ATTRIBUTES });
const LINK = fc.record({ traceId: ID(16), spanId: ID(8), traceState: TEXT, attributes: ATTRIBUTES });
const SPAN: fc.Arbitrary<Span> = fc.record({
  ...{
    traceId: ID(16),
    spanId: ID(8),
    parentSpanId: ID(8),
    traceState: TEXT,
    name: TEXT,
    kind: fc.nat({ max: 6 }),
    attributes: ATTRIBUTES,
  },
  ...{ startTimeUnixNano: COUNT, endTimeUnixNano: COUNT, status: fc.record({ message: TEXT, code: fc.nat({ max: 3 }) }) },
  ...{ events: fc.array(EVENT, { maxLength: 2 }), links: fc.array(LINK, { maxLength: 2 }) },
});

describe('a request for traces', () => {
  it('in JSON makes the messages that it makes in protobuf', () => {
    fc.assert(
      fc.property(RESOURCE, SCOPE, fc.array(SPAN, { maxLength: 4 }), (resource, scope, spans) => {
        const inProtobuf = requestOf(
          { resource, scope },
          spans.map((span) => spanType.encode(span)),
        );
        const json = jsonBody({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] });
        expect(taken('traces', 'json', json)).toEqual(taken('traces', 'protobuf', inProtobuf));
      }),
    );
  });
});
