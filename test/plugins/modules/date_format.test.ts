import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DateFormat } from '../../../plugins/modules/date_format.ts';
import { FormatDate } from '../../../plugins/base/strftime.ts';

/** 2021-03-05T13:07:59Z, a Friday. */
const FRIDAY = 1614949679;

test.each<[format: string, text: string]>([
  ['%Y-%m-%dT%H:%M:%SZ', '2021-03-05T13:07:59Z'],
  ['%a %A %b %B %h', 'Fri Friday Mar March Mar'],
  ['%c', 'Fri Mar  5 13:07:59 2021'],
  ['%C %y %g %G', '20 21 21 2021'],
  ['%D %x %F', '03/05/21 03/05/21 2021-03-05'],
  ['%e|%k|%l|%I %p', ' 5|13| 1|01 PM'],
  ['%j %U %V %W %u %w', '064 09 09 09 5 5'],
  ['%r %R %T %X', '01:07:59 PM 13:07 13:07:59 13:07:59'],
  ['%s%n%t%%', '1614949679\n\t%'],
  ['%z %Z', '+0000 GMT'],
  ['plain, %Q and %', 'plain, %Q and %'],
  ['', ''],
])('%j', (format, text) => {
  expect(new DateFormat(format).text(FRIDAY + 0.9)).toBe(text);
});

test.each<[date: string, text: string]>([
  ['2021-01-03', '2020 53 00 01 7'],
  ['2021-01-04', '2021 01 01 01 1'],
  ['2020-12-28', '2020 53 52 52 1'],
  ['2019-12-30', '2020 01 52 52 1'],
  ['2024-12-31', '2025 01 53 52 2'],
  ['2000-01-01', '1999 52 00 00 6'],
  ['1969-12-31', '1970 01 52 52 3'],
])('weeks at %s', (date, text) => {
  expect(new DateFormat('%G %V %W %U %u').text(Date.parse(date) / 1000)).toBe(text);
});

test('noon and midnight', () => {
  expect([0, 3600 * 12].map((seconds) => new DateFormat('%I %l %p').text(seconds))).toEqual(['12 12 AM', '12 12 PM']);
});

test('a clock ahead of UTC', () => {
  expect(new DateFormat('%F %T %z %Z').text(FRIDAY, 5.5 * 3600)).toBe('2021-03-05 18:37:59 +0530 +0530');
  expect(new DateFormat('%F %T %z').text(FRIDAY, -14 * 3600)).toBe('2021-03-04 23:07:59 -1400');
});

test('what it writes is read again', () => {
  const format = '%a %A %b %B %C%y %d/%H:%M:%S %j %Y-%m';
  const reader = new FormatDate('%a %A %b %B %C%y %d/%H:%M:%S %j %Y-%m');
  fc.assert(
    fc.property(fc.integer({ min: Date.parse('2000-01-01') / 1000, max: Date.parse('2099-12-31') / 1000 }), (seconds) => {
      const text = new DateFormat(format).text(seconds);
      expect(reader.read(text, 0, text.length)).toBe(text.length);
      expect(reader.seconds).toBe(seconds);
    }),
  );
});

test('one format writes times one after the other as others do that write one each', () => {
  const format = '%Y-%m-%d %H:%M:%S %j %w %s %z';
  const near = fc.integer({ min: -200_000, max: 200_000 }).map((seconds) => FRIDAY + seconds);
  const far = fc.constantFrom(0, -1, 86_399, 86_400, 8.64e12 - 3600, -8.64e12 + 12_600);
  const offset = fc.constantFrom(0, 0, 3600, -12_600, 45.5);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(near, far), offset), { maxLength: 30 }), (times) => {
      const date = new DateFormat(format);
      for (const [seconds, ahead] of times) expect(date.text(seconds, ahead)).toBe(new DateFormat(format).text(seconds, ahead));
    }),
  );
});

test.each([NaN, Infinity, 8.64e12 + 1, -8.64e12 - 1])('%s is no time', (seconds) => {
  expect(() => new DateFormat('%a').text(seconds)).toThrow(`bad argument #1 to 'text' (time in seconds expected, not ${seconds})`);
});
