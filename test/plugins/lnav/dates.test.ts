import { describe, expect, it } from 'vitest';
import { datePattern } from '../../../plugins/lnav/dates.ts';
import { DatePattern } from '../../../plugins/modules/date_pattern.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

describe('forms of times', () => {
  it.each([
    ['%Y-%m-%d %H:%M:%S', '2021-03-05 13:07:59', '1614949679000000000'],
    ['%Y-%m-%d %H:%M:%S', '2021-03-05 13:07:59.250', '1614949679250000000'],
    ['%Y-%m-%d %H:%M:%S', '2021-03-05 13:07:59,250', '1614949679250000000'],
    ['%Y-%m-%d %H:%M:%S.%L', '2021-03-05 13:07:59.250', '1614949679250000000'],
    ['%Y-%m-%d %H:%M:%S,%f', '2021-03-05 13:07:59,250001', '1614949679250001000'],
    ['%Y-%m-%dT%H:%M:%S.%N%z', '2021-03-05T14:07:59.250000001+0100', '1614949679250000001'],
    ['%d/%b/%Y:%H:%M:%S %z', '05/Mar/2021:14:07:59 +0100', '1614949679000000000'],
    ['%a %b %e %H:%M:%S %Z %Y', 'Fri Mar  5 14:07:59 CET 2021', '1614949679000000000'],
    ['%b-%d %H:%M:%S', 'Mar-05 13:07:59.250', '1614949679250000000'],
    ['%m/%d/%y %I:%M:%S %p', '03/05/21 01:07:59 PM', '1614949679000000000'],
    ['%H:%M:%S', '13:07:59', '1614949679000000000'],
    ['[%F %T]', '[2021-03-05 13:07:59]', '1614949679000000000'],
    ['%Y-%m-%d %H:%M:%S [UTC]', '2021-03-05 13:07:59 [UTC]', '1614949679000000000'],
    ["It's class '%F %T", "It's class '2021-03-05 13:07:59.250", '1614949679250000000'],
    ['%% %Y.%j %k', '% 2021.064  9', '1614934800000000000'],
  ])('%s of %s', (format, text, ns) => {
    const { pattern } = datePattern(format);
    const date = new DatePattern(pattern as string, () => 1_614_952_800e9, new WallClock('UTC'));
    expect(date.parse(text)?.toString()).toBe(ns);
  });

  it.each(['%s', '%s.%f', '%i', '%6'])('%s is a number', (format) => {
    expect(datePattern(format)).toEqual({ pattern: null });
  });

  it('names a specifier without a counterpart', () => {
    expect(() => datePattern('%Y %Q')).toThrow('%Q');
  });
});
