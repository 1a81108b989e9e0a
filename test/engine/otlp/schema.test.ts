import { describe, expect, it } from 'vitest';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { bigintOf, type LogRecord } from '../../../engine/otlp/types.ts';
import type { Metric } from './fixtures.ts';

describe('OtlpType', () => {
  it('has the numbers of the protocol', () => {
    const log = new OtlpType<LogRecord>('LogRecord');
    expect(Buffer.from(log.encode({ severityNumber: 9, severityText: 'INFO', body: { stringValue: 'x' } })).toString('hex')).toBe(
      '10091a04494e464f2a030a0178',
    );
    const metric = new OtlpType<Metric>('Metric');
    expect(Buffer.from(metric.encode({ name: 'a', unit: 's' })).toString('hex')).toBe('0a01611a0173');
  });

  it('reads what it wrote, and JSON alike', () => {
    const type = new OtlpType<LogRecord>('LogRecord');
    const json = { timeUnixNano: '1614949679000000001', body: { intValue: '-5' }, unknown: 1 };
    const record = type.decode(type.encode(type.fromJson(json)));
    expect(record.timeUnixNano && bigintOf(record.timeUnixNano)).toBe(1614949679000000001n);
    expect(record.body?.intValue && bigintOf(record.body.intValue)).toBe(-5n);
  });

  it('refuses what is no such message', () => {
    const type = new OtlpType<LogRecord>('LogRecord');
    expect(() => type.decode(Uint8Array.of(0x2a, 9))).toThrow();
    for (const json of [null, 7, 'x', []]) expect(() => type.fromJson(json)).toThrow('an object was expected');
    expect(() => new OtlpType('Nothing')).toThrow();
  });
});
