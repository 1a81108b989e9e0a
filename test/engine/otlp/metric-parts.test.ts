import { describe, expect, it } from 'vitest';
import type { Message } from '../../../engine/message/types.ts';
import { readRequest, type Taken } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { int64 } from '../../../engine/otlp/types.ts';
import { embedded, requestOf, type Metric, type NumberDataPoint } from './fixtures.ts';

const metricType = new OtlpType<Metric>('Metric');

/** Reads a request with one metric. */
function read(metric: Uint8Array): Taken {
  return readRequest('metrics', 'protobuf', requestOf({}, [metric]), 1n, { records: 4096, bytes: 1 << 20 });
}

const messagesOf = ({ batches }: Taken): Message[] =>
  batches.flatMap((batch) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
const valueOf = ({ fields }: Message, name: string): unknown => fields.find((field) => field.name === name)?.values[0];

/** A point of some 300 bytes. */
const point = (value: number, more = 270): NumberDataPoint => ({
  asInt: int64(BigInt(value)),
  attributes: [{ key: 'series', value: { stringValue: `${value}`.padEnd(more, '.') } }],
});
const points = (count: number): NumberDataPoint[] => Array.from({ length: count }, (_, i) => point(i));

describe('a metric of more than 1 MiB', () => {
  it('has all its points, in order, and what is said about them', () => {
    const bytes = metricType.encode({
      name: 'requests',
      unit: 'By',
      sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: points(8000) },
    });
    expect(bytes.length).toBeGreaterThan(2 << 20);
    const taken = read(bytes);
    expect([taken.rejected, taken.reason]).toEqual([0, '']);
    const messages = messagesOf(taken);
    expect(messages.map((message) => valueOf(message, 'value'))).toEqual(Array.from({ length: 8000 }, (_, i) => BigInt(i)));
    for (const message of [messages[0], messages.at(-1)] as Message[]) {
      const names = ['metric', 'kind', 'temporality', 'monotonic'];
      expect(names.map((name) => valueOf(message, name))).toEqual(['requests', 'sum', 'delta', true]);
      expect(message.fields.find(({ name }) => name === 'value')?.representation).toBe('By');
    }
  });

  it('of a gauge is read in the same way', () => {
    const messages = messagesOf(read(metricType.encode({ name: 'load', gauge: { dataPoints: points(5000) } })));
    expect([messages.length, valueOf(messages[4999] as Message, 'kind')]).toEqual([5000, 'gauge']);
  });

  it('loses only a point that is too large by itself', () => {
    const taken = read(metricType.encode({ name: 'load', gauge: { dataPoints: [point(1), point(2, 1 << 20), point(3)] } }));
    expect(messagesOf(taken).map((message) => valueOf(message, 'value'))).toEqual([1n, 3n]);
    expect([taken.rejected, taken.reason]).toEqual([1, 'Records of more than 1 MiB are not taken.']);
  });

  it('of a histogram is read in the same way', () => {
    const dataPoints = points(5000).map(({ attributes }, i) => ({ attributes, count: int64(BigInt(i)), bucketCounts: [int64(1n)] }));
    const messages = messagesOf(read(metricType.encode({ name: 'sizes', histogram: { aggregationTemporality: 2, dataPoints } })));
    const last = messages[4999] as Message;
    expect([messages.length, valueOf(last, 'kind'), valueOf(last, 'temporality'), valueOf(last, 'count')]).toEqual([
      ...[5000, 'histogram', 'cumulative', 4999n],
    ]);
  });

  it('without points, or with a name of more than that, is none', () => {
    const long = embedded(2, Buffer.alloc(2 << 20, 'x'));
    expect(read(long)).toMatchObject({ batches: [], rejected: 0 });
    expect(read(Buffer.concat([long, metricType.encode({ gauge: { dataPoints: [point(1)] } })]))).toMatchObject({
      batches: [],
      rejected: 1,
    });
  });

  it('that is cut off is refused', () => {
    const bytes = metricType.encode({ name: 'load', gauge: { dataPoints: points(5000) } });
    expect(() => read(bytes.subarray(0, -1))).toThrow();
  });
});
