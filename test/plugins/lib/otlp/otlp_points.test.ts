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

  it('takes the buckets of exponential histograms and the quantiles of summaries as lists, and no list that holds something else', () => {
    const exponential = {
      dataPoints: [
        {
          ...{ ...point, scale: 3, zeroCount: '2', positive: { offset: 1, bucketCounts: ['4', 5] }, negative: { bucketCounts: [6] } },
          bucketCounts: ['x'],
        },
      ],
    };
    const summary = { dataPoints: [{ ...point, count: 1, quantileValues: [{ value: 1 }, { quantile: 0.5, value: 2 }] }] };
    expect(messages({ unit: 's', exponentialHistogram: exponential, summary })).toEqual([
      {
        Timestamp: NS,
        Type: 'otlp.metric',
        kind: 'exponential_histogram',
        count: 0n,
        scale: 3n,
        zero_count: 2n,
        positive_offset: 1n,
        positive_counts: [4n, 5n],
        negative_offset: 0n,
        negative_counts: [6n],
      },
      {
        ...{ Timestamp: NS, Type: 'otlp.metric', kind: 'summary', count: 1n, sum: [0, 's'] },
        ...{ quantiles: [0, 0.5], quantile_values: [[1, 2], 's'] },
      },
    ]);
  });
});
