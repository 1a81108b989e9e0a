import { describe, expect, it } from 'vitest';
import { ADDRESS, ENDPOINT, timeIn, unlessDash } from '../../../../plugins/lib/access/service_fields.ts';
import { INTEGER, type FieldType } from '../../../../plugins/lib/format/log_fields.ts';
import { upTo } from '../../../../plugins/base/scan.ts';
import { written } from '../../support/field_types.ts';

describe('fields of services', () => {
  it.each<[name: string, type: FieldType, value: string, calls: unknown[] | null]>([
    [
      'ENDPOINT',
      ENDPOINT,
      '192.0.2.1:2817',
      [
        ['x_addr (ipv4)', '192.0.2.1'],
        ['x_port', 2817],
      ],
    ],
    [
      'ENDPOINT',
      ENDPOINT,
      '[2001:db8::7]:443',
      [
        ['x_addr (ipv6)', '2001:db8::7'],
        ['x_port', 443],
      ],
    ],
    [
      'ENDPOINT',
      ENDPOINT,
      '2001:db8::7:443',
      [
        ['x_addr (ipv6)', '2001:db8::7'],
        ['x_port', 443],
      ],
    ],
    [
      'ENDPOINT',
      ENDPOINT,
      'box1:80',
      [
        ['x_addr (hostname)', 'box1'],
        ['x_port', 80],
      ],
    ],
    ['ENDPOINT', ENDPOINT, '192.0.2.1', null],
    ['ENDPOINT', ENDPOINT, ':80', null],
    ['ENDPOINT', ENDPOINT, '192.0.2.1:', null],
    [
      'ADDRESS',
      ADDRESS,
      '192.0.2.1:2817',
      [
        ['x_addr (ipv4)', '192.0.2.1'],
        ['x_port', 2817],
      ],
    ],
    ['ADDRESS', ADDRESS, '192.0.2.1', [['x_addr (ipv4)', '192.0.2.1']]],
    ['ADDRESS', ADDRESS, 'box1', [['x_addr (hostname)', 'box1']]],
    ['unlessDash', unlessDash(INTEGER), '7', [['x', 7]]],
    ['unlessDash', unlessDash(INTEGER), '-', []],
    ['unlessDash', unlessDash(INTEGER), '--', null],
  ])('%s %j', (_, type, value, calls) => expect(written(type, value)).toEqual(calls));

  it('has no code of a type that a dash extends', () =>
    expect([INTEGER.code === undefined, unlessDash(INTEGER).code]).toEqual([false, undefined]));

  it.each<[text: string, ns: bigint | null]>([
    ['2021-03-05T13:07:59.250Z', 1614949679250000000n],
    ['05/Mar/2021:14:07:59 +0100', 1614949679000000000n],
    ['2021-03-05 13:07:59', 1614949679000000000n],
    ['soon', null],
    ['', null],
  ])('reads the time %j up to a bracket', (text, ns) => {
    const type = timeIn(upTo(']'));
    expect(written(type, text)?.map((call) => (call as unknown[]).map(String)) ?? null).toEqual(
      ns === null ? null : [['timestamp', String(ns)]],
    );
    expect([type.required, type.columns('time')]).toEqual([true, []]);
  });
});
