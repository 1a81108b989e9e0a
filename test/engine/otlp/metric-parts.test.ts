import { describe, expect, it } from 'vitest';
import type { Message } from '../../../engine/message/types.ts';
import { readRequest, type Taken } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { int64, type Metric, type NumberDataPoint } from '../../../engine/otlp/types.ts';

const metricType = new OtlpType<Metric>('Metric');

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

const embedded = (key: number, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([key, ...varint(bytes.length)]), bytes]);

/** Reads a request with one metric. */
function read(metric: Uint8Array): Taken {
  const body = embedded(0x0a, embedded(0x12, embedded(0x12, metric)));
  return readRequest('metrics', 'protobuf', body, 1n, { records: 4096, bytes: 1 << 20 });
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

  it('of a histogram has all its points rejected', () => {
    const ofKind = Buffer.concat(Array.from({ length: 5000 }, () => embedded(0x0a, embedded(0x3a, Buffer.alloc(300, 'x')))));
    const taken = read(Buffer.concat([embedded(0x0a, Buffer.from('sizes')), embedded(0x4a, ofKind)]));
    expect([messagesOf(taken).length, taken.rejected, taken.reason]).toEqual([0, 5000, 'Only sums and gauges are taken.']);
  });

  it('without points, or with a name of more than that, is none', () => {
    const long = embedded(0x12, Buffer.alloc(2 << 20, 'x'));
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
