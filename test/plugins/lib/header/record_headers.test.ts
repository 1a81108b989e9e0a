import { describe, expect, it } from 'vitest';
import { HeaderNames } from '../../../../plugins/lib/header/record_headers.ts';
import { surround } from '../../support/script_globals.ts';

const NS = 1_614_949_679_250_000_000n;

function names(config: Record<string, string> = {}, isConfigured = true): HeaderNames {
  surround({ config, message: { Timestamp: NS } });
  return new HeaderNames({ time: 'time, ts', severity: 'level,time', pid: 'pid' }, isConfigured);
}

describe('HeaderNames', () => {
  it('has a place for each name, the first of which is best', () => {
    const headers = names();
    expect(headers.placeOf('time')).toEqual({ header: 'time', rank: 0 });
    expect(headers.placeOf('ts')).toEqual({ header: 'time', rank: 1 });
    expect(headers.placeOf('level')).toEqual({ header: 'severity', rank: 0 });
    expect([headers.placeOf('host'), headers.placeOf(''), headers.strictTime]).toEqual([undefined, undefined, false]);
  });

  it('has the names of its parameters in place of the usual ones', () => {
    const headers = names({ time_field: 'at', hostname_field: 'host' });
    expect([headers.placeOf('at')?.header, headers.placeOf('host')?.header, headers.placeOf('ts')]).toEqual([
      'time',
      'hostname',
      undefined,
    ]);
    expect([headers.placeOf('time')?.header, headers.strictTime]).toEqual(['severity', true]);
    expect(names({ time_field: 'at' }, false).placeOf('at')).toBeUndefined();
  });

  it.each<[value: string | number | bigint | boolean, ns: bigint | null]>([
    ['2021-03-05T13:07:59.250Z', NS],
    ['2021-03-05 13:07:59.250', NS],
    [1614949679.25, NS],
    [1614949679250n, NS],
    ['soon', null],
    [true, null],
  ])('time %s', (value, ns) => expect(names().time(value)).toBe(ns));

  it('reads times of a format, in a zone', () => {
    const headers = names({ time_format: '%d.%m.%Y %T', tz: '+01:00' });
    expect(headers.time('05.03.2021 14:07:59')).toBe(1614949679000000000n);
    expect([headers.time('05.03.2021 14:07:59 x'), headers.time('2021-03-05T13:07:59Z')]).toEqual([null, null]);
    expect(names({ time_format: '%s' }).time(1614949679)).toBe(1614949679000000000n);
    expect(names({ time_format: '%Y-%m-%dT%T%z', tz: '+05:00' }).time('2021-03-05T14:07:59+0100')).toBe(1614949679000000000n);
  });

  it('has severities of a scale', () => {
    const values = ['warn', 30, 4, 'x', 7n, true] as const;
    expect(values.map((value) => names().severity(value, 'level'))).toEqual([4, 6, 4, -1, -1, -1]);
    expect(names({ severity_scale: 'python' }).severity(20, 'level')).toBe(6);
    expect(() => names({ severity_scale: 'other' })).toThrow();
  });

  it('has processes from 0 to 2147483647', () => {
    const values = ['812', 812, 0, 2147483647, '2147483648', -1, 1.5, '', 'x', 7n, true] as const;
    expect(values.map((value) => names().pid(value))).toEqual([812, 812, 0, 2147483647, -1, -1, -1, -1, -1, -1, -1]);
  });
});
