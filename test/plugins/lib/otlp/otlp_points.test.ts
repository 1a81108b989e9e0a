import { describe, expect, it } from 'vitest';
import { pointMessages } from '../../../../plugins/lib/otlp/otlp_points.ts';

const point = { timeUnixNano: '1614949679000000000' };
const NS = 1614949679000000000n;

/** Messages with their fields by name; units stand behind values. */
function messages(metric: Parameters<typeof pointMessages>[0]): unknown[] {
  return pointMessages(metric).map(({ Timestamp, Type, Fields = [] }) => ({
    Timestamp,
    Type,
    ...Object.fromEntries(Fields.map(({ name, value, representation: unit }) => [name, unit === undefined ? value : [value, unit]])),
  }));
}

describe('pointMessages', () => {
  it('has a message for each point of a sum', () => {
    const dataPoints = [
      { ...point, asInt: '7', startTimeUnixNano: '5', attributes: [{ key: 'host', value: { stringValue: 'a' } }] },
      { asDouble: 1.5, attributes: [{ key: 'value', value: { stringValue: 'b' } }] },
    ];
    expect(messages({ name: 'requests', unit: 'By', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } })).toEqual([
      {
        Timestamp: NS,
        Type: 'otlp.metric',
        metric: 'requests',
        kind: 'sum',
        temporality: 'cumulative',
        monotonic: true,
        value: [7n, 'By'],
        start_timestamp: [5n, 'ns'],
        host: 'a',
      },
      {
        Timestamp: undefined,
        Type: 'otlp.metric',
        metric: 'requests',
        kind: 'sum',
        temporality: 'cumulative',
        monotonic: true,
        value: [1.5, 'By'],
        'attributes.value': 'b',
      },
    ]);
  });

  it('has none for points without a value', () => {
    expect(messages({ gauge: { dataPoints: [{ ...point, asInt: 7, flags: 1 }, point] } })).toEqual([]);
    expect(messages({})).toEqual([]);
  });

  it('takes histograms as their parts', () => {
    const histogram = {
      aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
      dataPoints: [{ ...point, count: '3', sum: 1.5, min: 0, bucketCounts: ['1', '2'], explicitBounds: [0.5] }],
    };
    expect(messages({ name: 'd', unit: 's', histogram })).toEqual([
      {
        Timestamp: NS,
        Type: 'otlp.metric',
        metric: 'd',
        kind: 'histogram',
        temporality: 'delta',
        count: 3n,
        sum: [1.5, 's'],
        min: [0, 's'],
        bucket_counts: [1n, 2n],
        explicit_bounds: [0.5],
      },
    ]);
  });

  it('keeps inner parts as JSON, and no list that holds something else', () => {
    const exponential = {
      dataPoints: [{ ...point, count: 1, scale: 3, zeroCount: '2', positive: { offset: 1 }, negative: {}, bucketCounts: ['x'] }],
    };
    const summary = { dataPoints: [{ ...point, count: 1, quantileValues: [{ quantile: 0.5, value: 2 }] }] };
    expect(messages({ exponentialHistogram: exponential, summary })).toEqual([
      {
        Timestamp: NS,
        Type: 'otlp.metric',
        kind: 'exponential_histogram',
        count: 1n,
        scale: 3n,
        zero_count: 2n,
        positive: ['{"offset":1}', 'json'],
      },
      { Timestamp: NS, Type: 'otlp.metric', kind: 'summary', count: 1n, quantile_values: ['[{"quantile":0.5,"value":2}]', 'json'] },
    ]);
  });
});
