import { describe, expect, it } from 'vitest';
import { messagesOfMetric } from '../../../engine/otlp/metrics.ts';
import { int64, type Metric } from '../../../engine/otlp/types.ts';
import type { Message } from '../../../engine/message/types.ts';

const HEAD = {
  hostname: 'box1',
  pid: undefined,
  logger: 'shop',
  fields: [{ name: 'resource.os', valueType: 0, values: ['linux'] }],
} as const;
const plain = ({ fields, ...headers }: Message): Record<string, unknown> => ({
  ...headers,
  uuid: undefined,
  ...Object.fromEntries(
    fields.map(({ name, values, representation: unit }) => [name, unit === undefined || unit === '' ? values[0] : [values[0], unit]]),
  ),
});
const read = (metric: Metric): unknown[] => messagesOfMetric(metric, HEAD, 99n).messages.map(plain);

describe('messagesOfMetric', () => {
  it('has a message for each point of a sum', () => {
    const dataPoints = [
      {
        timeUnixNano: int64(5n),
        startTimeUnixNano: int64(3n),
        asInt: int64(7n),
        attributes: [
          { key: 'path', value: { stringValue: '/' } },
          { key: 'value', value: { boolValue: true } },
        ],
      },
    ];
    expect(read({ name: 'requests', unit: 'By', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } })).toEqual([
      {
        uuid: undefined,
        timestamp: 5n,
        type: 'otlp.metric',
        hostname: 'box1',
        pid: undefined,
        logger: 'shop',
        metric: 'requests',
        kind: 'sum',
        temporality: 'cumulative',
        monotonic: true,
        value: [7n, 'By'],
        start_timestamp: [3n, 'ns'],
        path: '/',
        'attributes.value': true,
        'resource.os': 'linux',
      },
    ]);
  });

  it('has the time of its arrival where a point of a gauge has none', () => {
    expect(read({ gauge: { dataPoints: [{ asDouble: 1.5 }] } })).toMatchObject([{ timestamp: 99n, kind: 'gauge', value: 1.5 }]);
  });

  it('has none for points without a value', () => {
    expect(read({ gauge: { dataPoints: [{}, { asDouble: 1, flags: 1 }] } })).toEqual([]);
  });

  it('counts the points of other kinds', () => {
    const metric = { histogram: { dataPoints: [{}, {}] }, summary: { dataPoints: [{}] } } as Metric;
    expect(messagesOfMetric(metric, HEAD, 1n)).toEqual({ messages: [], rejected: 3 });
  });
});
