import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest, type Encoding, type Signal } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { bigintOf, int64, type Int64, type Metric, type NumberDataPoint, type Resource, type Scope } from '../../../engine/otlp/types.ts';
import { LIMITS, NOW, request, TEXT, ATTRIBUTES, SCOPE, RESOURCE, RECORD } from './fixtures.ts';

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
