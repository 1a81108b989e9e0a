import { describe, expect, it } from 'vitest';
import { readRequest, type Encoding, type Signal } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import type { Resource, Scope } from '../../../engine/otlp/types.ts';
import { decodeAll, type Decoded } from '../../plugins/support/decode.ts';
import { startPlugin } from '../../plugins/support/sandbox.ts';
import { LIMITS, NOW, requestOf } from './fixtures.ts';

const NAMES = {
  logs: ['resourceLogs', 'scopeLogs', 'logRecords', 'LogRecord'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics', 'Metric'],
  traces: ['resourceSpans', 'scopeSpans', 'spans', 'Span'],
} as const;
const resource = {
  attributes: [
    { key: 'host.name', value: { stringValue: 'web1' } },
    { key: 'process.pid', value: { intValue: '7' } },
    { key: 'service.name', value: { stringValue: 'shop' } },
  ],
};
const scope = { name: 'cart', version: '1', attributes: [{ key: 'm', value: { boolValue: true } }] };
const NS = '1614949679250123456';
const POINT = { timeUnixNano: NS, startTimeUnixNano: '5', attributes: [{ key: 'count', value: { stringValue: 'mine' } }] };
const map = (...values: readonly object[]): object => ({ kvlistValue: { values } });
const IDS = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

/** Ids are in Base64 in protobuf's own JSON. */
const withBytes = (item: object): object =>
  Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((each: object) => (typeof each === 'object' ? withBytes(each) : each))
        : /(?:race|pan)Id$/.test(key)
          ? Buffer.from(value as string, 'hex')
          : value,
    ]),
  );

function received(signal: Signal, encoding: Encoding, body: Buffer): Decoded[] {
  const { batches, rejected } = readRequest(signal, encoding, body, NOW, LIMITS);
  expect(rejected).toBe(0);
  return batches.flatMap((batch) =>
    Array.from({ length: batch.length }, (_, row) => {
      const { fields, ...message } = batch.message(row);
      const names = {
        timestamp: 'Timestamp',
        type: 'Type',
        logger: 'Logger',
        severity: 'Severity',
        payload: 'Payload',
        pid: 'Pid',
        hostname: 'Hostname',
      };
      const headers = Object.entries(names).flatMap(([member, name]) => {
        const value = message[member as keyof typeof message];
        return value === undefined ? [] : [[name, member === 'timestamp' ? String(value) : value]];
      });
      const plain = fields.map(({ name, values, representation }) => {
        const single: unknown = values.length === 1 ? values[0] : values;
        return [name, representation === undefined ? single : [single, representation]];
      });
      return Object.fromEntries([...headers, ...plain]) as Decoded;
    }),
  );
}

describe('what is received', () => {
  const plugin = startPlugin('decoders/otlp_json.ts', { unwrap: false });

  it.each<[title: string, signal: Signal, item: object, has: Decoded]>([
    [
      'a record with a map',
      'logs',
      {
        ...{
          timeUnixNano: NS,
          observedTimeUnixNano: '7',
          severityNumber: 18,
          severityText: 'CRIT',
          body: { stringValue: '{"a":1}' },
          flags: 1,
          ...IDS,
        },
        attributes: [
          {
            key: 'deep',
            value: map(
              { key: 'x', value: { arrayValue: { values: [{ intValue: '1' }, map({ key: 'y', value: {} })] } } },
              { key: 'z', value: { intValue: '2' } },
            ),
          },
          ...[
            { key: 'trace_id', value: { stringValue: 'mine' } },
            { key: 'raw', value: { bytesValue: 'AP8=' } },
          ],
          { key: 'list', value: { arrayValue: { values: [{ doubleValue: 1.5 }, { doubleValue: 'NaN' }] } } },
        ],
      },
      {
        ...{
          Timestamp: NS,
          Severity: 2,
          Payload: '{"a":1}',
          Hostname: 'web1',
          Pid: 7,
          Logger: 'cart',
          'resource.service.name': 'shop',
          'scope.m': true,
        },
        ...{
          'deep.x': ['[1,{"y":null}]', 'json'],
          'deep.z': 2n,
          'attributes.trace_id': 'mine',
          trace_id: IDS.traceId,
          raw: Uint8Array.of(0, 255),
        },
      },
    ],
    [
      'a record whose body is a map',
      'logs',
      { timeUnixNano: NS, body: map({ key: 'a', value: { doubleValue: 1 } }), eventName: 'e' },
      { Type: 'e', 'body.a': 1 },
    ],
    [
      'a sum',
      'metrics',
      { name: 'n', unit: 'By', sum: { dataPoints: [{ ...POINT, asInt: '-7' }], aggregationTemporality: 1, isMonotonic: true } },
      { value: [-7n, 'By'] },
    ],
    ['a gauge', 'metrics', { name: 'n', gauge: { dataPoints: [{ ...POINT, asDouble: 0 }] } }, { value: 0, 'attributes.count': 'mine' }],
    [
      'a histogram',
      'metrics',
      {
        name: 'n',
        unit: 's',
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [{ ...POINT, count: '3', sum: 0, min: -1, max: 4, bucketCounts: ['1', '2'], explicitBounds: [0.5] }],
        },
      },
      {
        kind: 'histogram',
        temporality: 'cumulative',
        count: 3n,
        sum: [0, 's'],
        min: [-1, 's'],
        bucket_counts: [1n, 2n],
        explicit_bounds: 0.5,
      },
    ],
    [
      'an exponential histogram',
      'metrics',
      {
        name: 'n',
        exponentialHistogram: {
          dataPoints: [{ ...POINT, count: '3', scale: -2, zeroCount: '1', positive: { offset: -3, bucketCounts: ['1', '2'] } }],
        },
      },
      { kind: 'exponential_histogram', scale: -2n, zero_count: 1n, positive_offset: -3n, positive_counts: [1n, 2n] },
    ],
    [
      'a summary',
      'metrics',
      {
        name: 'n',
        summary: {
          dataPoints: [
            {
              ...POINT,
              count: '3',
              quantileValues: [
                { quantile: 0.5, value: 1 },
                { quantile: 0.9, value: 2 },
              ],
            },
          ],
        },
      },
      { kind: 'summary', sum: 0, quantiles: [0.5, 0.9], quantile_values: [1, 2] },
    ],
    [
      'a span',
      'traces',
      {
        ...{
          ...IDS,
          parentSpanId: 'b7ad6b7169203332',
          name: 'GET /',
          kind: 2,
          startTimeUnixNano: NS,
          endTimeUnixNano: '1614949679350123456',
          traceState: 'a=b',
        },
        ...{ status: { code: 2, message: 'no' }, attributes: [{ key: 'kind', value: { stringValue: 'mine' } }] },
        ...{
          events: [{ timeUnixNano: NS, name: 'exception', attributes: [{ key: 'a', value: map({ key: 'b', value: { intValue: '1' } }) }] }],
          links: [{ ...IDS }],
        },
      },
      {
        ...{
          Timestamp: NS,
          Type: 'otlp.span',
          Severity: 3,
          Payload: 'GET /',
          kind: 'server',
          duration: [0.1, 's'],
          status: 'error',
          'attributes.kind': 'mine',
        },
        ...{
          events: [`[{"timeUnixNano":"${NS}","name":"exception","attributes":{"a":{"b":1}}}]`, 'json'],
          links: [`[${JSON.stringify(IDS)}]`, 'json'],
        },
      },
    ],
  ])('is what the decoder makes of it in a file: %s', (_title, signal, item, has) => {
    const [resources, scopes, items, type] = NAMES[signal];
    const line = JSON.stringify({ [resources]: [{ resource, [scopes]: [{ scope, [items]: [item] }] }] });
    const decoded = decodeAll(plugin, line);
    expect(decoded).toMatchObject([has]);
    expect(received(signal, 'json', Buffer.from(line))).toEqual(decoded);
    const origin = {
      resource: new OtlpType<Resource>('Resource').fromJson(resource),
      scope: new OtlpType<Scope>('InstrumentationScope').fromJson(scope),
    };
    const itemType = new OtlpType<object>(type);
    expect(received(signal, 'protobuf', requestOf(origin, [itemType.encode(itemType.fromJson(withBytes(item)))]))).toEqual(decoded);
  });
});
