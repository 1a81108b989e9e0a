import { describe, expect, it } from 'vitest';
import { lookOf, shortLogger, statusClass } from '../../../../../../renderer/src/views/logs/table/cell.ts';

describe('lookOf', () => {
  it.each([
    ['size', 'number', 'B', '12345', '12.3 kB'],
    ['size', 'number', 'KiB', '2', '2.0 kB'],
    ['took', 'number', 's', '0.21', '210 ms'],
    ['took', 'number', 'us', '1500', '1.5 ms'],
    ['load', 'number', '%', '12.345', '12.3 %'],
    ['port', 'number', null, '50122', '50122'],
    ['took_ms', 'number', null, '57.367170254539', '57.367'],
    ['took_ms', 'number', null, '-1234567.123456', '-1234567.123'],
    ['took_ms', 'number', null, '0.7751179594', '0.7751'],
    ['ratio', 'number', null, '0.1234', '0.1234'],
    ['tiny', 'number', null, '0.0000000', '0'],
    ['size', 'number', 'B', 'many', 'many'],
    ['size', 'number', 'toString', '12', '12 toString'],
    ['skew', 'number', 'ns', '-5000000', '−5 ms'],
    ['addr', 'string', 'ipv4', '192.0.2.1', '192.0.2.1'],
    ['status', 'number', null, '404', '404'],
  ] as const)('%s: %s in %s: %s is %s', (name, type, representation, value, text) => {
    const look = lookOf(name, { type, representation });
    expect(look.text(value)).toBe(text);
    expect(look.right).toBe(type === 'number');
  });

  it.each([
    ['org.apache.hadoop.mapreduce.v2.app.MRAppMaster', 'o.a.h.m.v.a.MRAppMaster'],
    ['org.example.shop.Checkout', 'o.e.shop.Checkout'],
    ['shop.db', 'shop.db'],
    ['kernel: [  12.345] not a name at all', 'kernel: [  12.345] not a name at all'],
  ])('writes the logger %s as %s', (name, text) => expect(shortLogger(name)).toBe(text));

  it('leaves values as they are while nothing is known of the field', () => {
    expect(lookOf('size', undefined).text('12345')).toBe('12345');
    expect(lookOf('size', undefined).right).toBe(false);
  });

  it('colours statuses by their class, and nothing else', () => {
    expect(['200', '304', '404', '503', '99', '600', ''].map(lookOf('status', undefined).tone)).toEqual([
      '2xx',
      '3xx',
      '4xx',
      '5xx',
      null,
      null,
      null,
    ]);
    expect(lookOf('upstream_status', undefined).tone('502')).toBe('5xx');
    expect(lookOf('size', undefined).tone('502')).toBeNull();
    expect(statusClass('2000')).toBeNull();
  });
});
