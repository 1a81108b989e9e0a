import { describe, expect, test } from 'vitest';
import { DatePattern } from '../../../plugins/modules/date_pattern.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

/** 2021-03-05T14:00:00Z. */
const now = (): number => 1_614_952_800e9;
const parse = (pattern: string, text: string, zone = 'UTC'): string | null =>
  new DatePattern(pattern, now, new WallClock(zone)).parse(text)?.toString() ?? null;

describe('times', () => {
  test.each([
    ['yyyy-MM-dd HH:mm:ss', '2021-03-05 13:07:59', '1614949679000000000'],
    ['yyyy-MM-dd HH:mm:ss,SSS', '2021-03-05 13:07:59,250', '1614949679250000000'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2021-03-05 13:07:59.123456789', '1614949679123456789'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSZ", '2021-03-05T14:07:59.250+0100', '1614949679250000000'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2021-03-05T14:07:59+01:00', '1614949679000000000'],
    ["yyyy-MM-dd'T'HH:mm:ssX", '2021-03-05T13:07:59Z', '1614949679000000000'],
    ['yyyy-MM-dd HH:mm:ss z', '2021-03-05 14:07:59 CET', '1614949679000000000'],
    ['yyyy-MM-dd HH:mm:ss ZZZ', '2021-03-05 14:07:59 Europe/Berlin', '1614949679000000000'],
    ['dd/MMM/yyyy:HH:mm:ss Z', '05/Mar/2021:14:07:59 +0100', '1614949679000000000'],
    ['EEE MMM dd HH:mm:ss yyyy', 'Fri Mar 05 13:07:59 2021', '1614949679000000000'],
    ['EEEE, d MMMM yyyy HH:mm', 'Friday, 5 march 2021 13:07', '1614949620000000000'],
    ['MMM  d HH:mm:ss', 'Mar  5 13:07:59', '1614949679000000000'],
    ['MMM dd HH:mm:ss', 'Dec 31 23:59:58', '1609459198000000000'],
    ['M/d/yy h:mm:ss a', '3/5/21 1:07:59 PM', '1614949679000000000'],
    ['M/d/yyyy hh:mm a', '3/5/2021 12:07 am', '1614902820000000000'],
    ['yyyyMMddHHmmss', '20210305130759', '1614949679000000000'],
    ['yyyyMMddHHmmssSSS', '20210305130759250', '1614949679250000000'],
    ['yyyy.DDD HH:mm:ss', '2021.064 13:07:59', '1614949679000000000'],
    ['yyyy.DDD', '2020.366', '1609372800000000000'],
    ['d.M.yyyy KK:mm a', '5.3.2021 00:07 PM', '1614946020000000000'],
    ['yyyy-MM-dd[ HH:mm[:ss]]', '2021-03-05 13:07', '1614949620000000000'],
    ['yyyy-MM-dd[ HH:mm[:ss]]', '2021-03-05', '1614902400000000000'],
    ['dMMMyyyy HH:mm:ss', '15Mar2021 13:07:59', '1615813679000000000'],
    ['HHmmss dLLLLyyyy', '130759 5March2021', '1614949679000000000'],
    ["h 'o''clock' a, d.M.yyyy", "1 o'clock PM, 5.3.2021", '1614949200000000000'],
    ['HH:mm:ss', '13:07:59', '1614949679000000000'],
    ['HH:mm:ss', '23:07:59', '1614899279000000000'],
    ['kk:mm d.M.yyyy', '24:07 5.3.2021', '1614902820000000000'],
  ])('%s of %s', (pattern, text, ns) => {
    expect(parse(pattern, text)).toBe(ns);
  });

  test('without a zone', () => {
    expect(parse('yyyy-MM-dd HH:mm:ss', '2021-03-05 14:07:59', 'Europe/Berlin')).toBe('1614949679000000000');
  });

  test.each([
    ['yyyy-MM-dd', '2021-13-05'],
    ['dd/MM/yyyy HH:mm:ss', '05/13/2021 13:07:59'],
    ['dd/MM/yyyy HH:mm:ss', '32/12/2021 13:07:59'],
    ['dd/MM/yyyy HH:mm:ss', '00/12/2021 13:07:59'],
    ['yyyy-DDD HH:mm', '2021-000 13:07'],
    ['yyyy-DDD HH:mm', '2021-366 13:07'],
    ['yyyy-DDD HH:mm', '2020-367 13:07'],
    ['hh:mm a', '13:07 AM'],
    ['KK:mm a', '12:07 AM'],
    ['kk:mm', '25:07'],
    ['yyyy-MM-dd', '2021-02-29'],
    ['yyyy-MM-dd', '2021-03-05 13:07'],
    ['yyyy-MM-dd HH:mm', '2021-03-05 25:07'],
    ['yyyy-MM-dd HH:mm', '2021-03-05 13:60'],
    ['MMM d', 'Foo 5'],
    ['yyyy-MM-dd z', '2021-03-05 Nowhere/Land'],
    ['yyyy', ''],
  ])('%s is not %j', (pattern, text) => {
    expect(parse(pattern, text)).toBeNull();
  });

  test.each([
    ['yyyy-MM-dd', '2021-02-29'],
    ['yyyy-DDD', '2021-366'],
    ['DDD', '064'],
  ])('%s is not %j on the clock of a zone', (pattern, text) => {
    expect(parse(pattern, text, 'Europe/Berlin')).toBeNull();
  });

  test('a letter that is none', () => {
    expect(() => parse('yyyy-QQ', '')).toThrow('unknown letter Q in the date pattern: yyyy-QQ');
  });

  test.each(['yyyy[-MM', 'yyyy-MM]'])('a bracket alone: %s', (pattern) => {
    expect(() => parse(pattern, '')).toThrow(`a bracket without its other one in the date pattern: ${pattern}`);
  });
});
