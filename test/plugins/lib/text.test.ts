import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClfDate, Rfc3164Date, Rfc3339Date, daysSince1970, type DateReader } from '../../../plugins/base/dates.ts';
import { client, host, hostForm } from '../../../plugins/lib/hosts.ts';
import { decimalIn, fractionIn, integerIn } from '../../../plugins/base/scan.ts';
import { FormatDate } from '../../../plugins/base/strftime.ts';
import { parseUserAgent } from '../../../plugins/lib/access/user_agent.ts';

/** The part of the text that the reader takes, and the time in it; null when it takes nothing. */
function read(reader: DateReader, text: string): [taken: string, iso: string] | null {
  const to = reader.read(`9${text}:00`, 1, text.length + 1);
  return to < 0 ? null : [text.slice(0, to - 1), new Date(reader.seconds * 1000 + reader.nanos / 1e6).toISOString()];
}

describe('hosts', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4', 'ipv4'],
    ['0.255.99.1 x', '0.255.99.1', 'ipv4'],
    ['1.2.3.4.example.com', '1.2.3.4', 'ipv4'],
    ['1.2.3.456', '1.2.3.45', 'ipv4'],
    ['256.1.1.1', '256.1.1.1', 'hostname'],
    ['01.2.3.4', '01.2.3.4', 'hostname'],
    ['1.2.3', '1.2.3', 'hostname'],
    ['::', '::', 'ipv6'],
    ['::1]', '::1', 'ipv6'],
    ['2001:db8::7', '2001:db8::7', 'ipv6'],
    ['2001:DB8:0:1:2:3:4:5 ', '2001:DB8:0:1:2:3:4:5', 'ipv6'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7::', 'ipv6'],
    ['1:2:3:4:5:6:7:8::', '1:2:3:4:5:6:7:8', 'ipv6'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4', 'ipv6'],
    ['::1.2.3.4', '::1.2.3.4', 'ipv6'],
    ['64:ff9b::192.0.2.33', '64:ff9b::192.0.2.33', 'ipv6'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', 'ipv6'],
    ['fe80::1%eth0', 'fe80::1', 'ipv6'],
    ['1::2::3', '1::2', 'ipv6'],
    ['1:2:3', '1', 'hostname'],
    ['dead:', 'dead', 'hostname'],
    ['web-1.example.net,', 'web-1.example.net,', 'hostname'],
    ['a%20b%2', 'a%20b', 'hostname'],
    ['-', '-', 'hostname'],
    ['unix:', 'unix', 'hostname'],
  ])('%s', (text, taken, form) => {
    const to = host(`x${text}0`, 1, text.length + 1);
    expect([text.slice(0, to - 1), hostForm(text, 0, to - 1)]).toEqual([taken, form]);
  });

  test.each(['', ':', ':1', '"x', 'é'])('%j is none', (text) => {
    expect(host(text, 0, text.length)).toBe(-1);
  });

  test('a client may be a Unix socket', () => {
    expect([client('unix:', 0, 5), client('unix:', 0, 4), client('1.2.3.4', 0, 7)]).toEqual([5, 4, 7]);
    expect(hostForm('unix:', 0, 5)).toBe('unix');
  });

  test('addresses that were generated', () => {
    fc.assert(fc.property(fc.ipV6(), (text) => host(text, 0, text.length) === text.length && hostForm(text, 0, text.length) === 'ipv6'));
    fc.assert(fc.property(fc.ipV4(), (text) => host(text, 0, text.length) === text.length && hostForm(text, 0, text.length) === 'ipv4'));
  });
});

describe('numbers', () => {
  test('are those of the language', () => {
    const digits = fc.stringMatching(/^\d{1,20}$/);
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        expect(integerIn(`x${a}y`, 1, a.length + 1)).toBe(Number(a));
        expect(decimalIn(`1${a}.${b}2`, 1, a.length + b.length + 2)).toBe(Number(`${a}.${b}`));
        expect(fractionIn(`${a}9`, 0, a.length)).toBe(Number(`0.${a}`));
      }),
    );
  });
});

describe('dates', () => {
  test.each([
    ['05/Mar/2021:13:07:59 +0100', '2021-03-05T12:07:59.000Z'],
    ['31/Dec/1969:23:59:60 -0830', '1970-01-01T08:30:00.000Z'],
    ['31/Feb/2021:00:00:00 +0000', '2021-03-03T00:00:00.000Z'],
    ['29/Feb/0000:00:00:00 +0000', '0000-02-29T00:00:00.000Z'],
  ])('of the common log format: %s', (text, iso) => {
    expect(read(new ClfDate(), text)).toEqual([text, iso]);
  });

  test.each([
    '05/Mar/2021:13:07:59',
    '05/Mar/2021:13:07:59 0100',
    '05/Mar/2021:13:07:59 +01:00',
    '5/Mar/2021:13:07:59 +0100',
    '05/mar/2021:13:07:59 +0100',
    '32/Mar/2021:13:07:59 +0100',
    '05/Mar/2021:24:07:59 +0100',
    '05/Mar/2021:13:60:59 +0100',
    '05/Mar/2021:13:07:61 +0100',
    '05-Mar-2021:13:07:59 +0100',
    '05/Mar/2021:13:07:59 +010',
  ])('not of the common log format: %s', (text) => {
    expect(read(new ClfDate(), text)).toBeNull();
  });

  test.each([
    ['2021-03-05T13:07:59Z', '2021-03-05T13:07:59.000Z'],
    ['2021-03-05T13:07:59.250+01:00', '2021-03-05T12:07:59.250Z'],
    ['2021-03-05T13:07:60.5-07:30', '2021-03-05T20:38:00.500Z'],
  ])('of RFC 3339: %s', (text, iso) => {
    expect(read(new Rfc3339Date(), text)).toEqual([text, iso]);
  });

  test.each([
    '2021-03-05t13:07:59Z',
    '2021-03-05T13:07:59z',
    '2021-03-05T13:07:59',
    '2021-03-05T13:07:59.Z',
    '2021-13-05T13:07:59Z',
    '2021-03-05T13:07:59+0100',
  ])('not of RFC 3339: %s', (text) => {
    expect(read(new Rfc3339Date(), text)).toBeNull();
  });

  test.each(['Mar  5 13:07:59', 'Mar 05 13:07:59', 'Mar   5  13:07:59', 'Mar 5 13:07:59'])('of RFC 3164: %s', (text) => {
    expect(read(new Rfc3164Date(() => Date.UTC(2021, 5) * 1e6), text)).toEqual([text, '2021-03-05T13:07:59.000Z']);
  });

  test('RFC 3339 as the language writes it', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        expect(read(new Rfc3339Date(), date.toISOString())?.[1]).toBe(date.toISOString());
      }),
    );
  });

  test('days as the language counts them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          expect(daysSince1970(year, month, day)).toBe(Date.UTC(year, month - 1, day) / 86_400_000);
        },
      ),
    );
  });
});

describe('dates in a format', () => {
  test.each([
    ['%a %A %b %e %T %Y', 'Fri Friday Mar  5 13:07:59 2021', '2021-03-05T13:07:59.000Z'],
    ['%c', 'Fri Mar  5 13:07:59 2021', '2021-03-05T13:07:59.000Z'],
    ['%D %r', '03/05/21 01:07:59 PM', '2021-03-05T13:07:59.000Z'],
    ['%F %I %p', '2021-03-05 12 AM', '2021-03-05T00:00:00.000Z'],
    ['%F %I %p', '2021-03-05 12 PM', '2021-03-05T12:00:00.000Z'],
    ['%F %k:%M', '2021-03-05  7:08', '2021-03-05T07:08:00.000Z'],
    ['%F %l%p', '2021-03-05 11PM', '2021-03-05T23:00:00.000Z'],
    ['%F', '2021-03-05', '2021-03-05T12:00:00.000Z'],
    ['%d %B %G%n%R', '05 September 2021\n13:07', '2021-09-05T13:07:00.000Z'],
    ['%F %X %z', '2021-03-05 13:07:59 +0130', '2021-03-05T11:37:59.000Z'],
    ['%F %X %Z', '2021-03-05 13:07:59 PST', '2021-03-05T21:07:59.000Z'],
    ['%F %X %Z', '2021-03-05 13:07:59 CET', '2021-03-05T13:07:59.000Z'],
    ['%F %X%Z', '2021-03-05 13:07:59', '2021-03-05T13:07:59.000Z'],
    ['%s', '1614949679', '2021-03-05T13:07:59.000Z'],
    ['%x\t%j %u %w %U %C%%', '03/05/21 064 5 5 09 20%', '2021-03-05T12:00:00.000Z'],
  ])('%j takes %j', (format, text, iso) => {
    expect(read(new FormatDate(format), text)).toEqual([text, iso]);
  });

  test.each([
    ['%H:%M', '13:07'],
    ['%F', '2021-3-05'],
    ['%F', '2021-03-5'],
    ['%F %H', '2021-03-05 24'],
    ['%F %p', '2021-03-05 XM'],
    ['%a %F', 'Xxx 2021-03-05'],
    ['%F!', '2021-03-05'],
  ])('%j does not take %j', (format, text) => {
    expect(read(new FormatDate(format), text)).toBeNull();
  });

  test.each(['%Q', '%', '%F %-d', '%E'])('%j has no meaning', (format) => {
    expect(() => new FormatDate(format)).toThrow('unknown date specifier');
  });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:86.0) Gecko/20100101 Firefox/86.0', 'Firefox', 86, 'Windows 10'],
  ['Mozilla/5.0 (Linux; Android 11; Pixel 4) Chrome/88.0.4324.181 Mobile Safari/537.36', 'Chrome', 88, 'Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 11_2_2) Version/14.0.3 Safari/605.1.15', 'Safari', 605, 'Macintosh'],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)', 'MSIE', 8, 'Windows XP'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/88.0.4324.190 Safari/537.36 Edg/88.0.705.81', 'Chrome', 88, 'Windows 10'],
  ['Opera/9.70 (Windows NT 6.0) Presto/2.9.160 Version/11.52', 'Opera', 11, 'Windows Vista'],
  ['Opera/9.80 (Android; Opera Mini/36.2/119.132; U; en) Presto/2.12.423 Version/12.16', 'Opera Mini', 12, 'Android'],
  ['Mozilla/5.0 (Mobile; rv:48.0) Gecko/48.0 Firefox/48.0', 'Firefox', 48, 'FirefoxOS'],
  ['Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0; Touch) like Gecko', null, null, 'Windows 8.1'],
  ['Mozilla/5.0 (Windows NT 6.2; Win64) AppleWebKit/537.36 Chrome/32.0.1667.0 Safari/537.36', 'Chrome', 32, 'Windows 8'],
  ['Mozilla/5.0 (iPad; CPU OS 6_0) Version/6.0 Mobile/10A5355d Safari/8536.25', 'Safari', 8536, 'iPad'],
  ['Mozilla/5.0 (iPad; U; CPU OS 3_2_1) AppleWebKit/531.21.10 Mobile/7B405', null, null, 'iPad'],
  ['iPod iPad iPhone Android BlackBerry Linux Macintosh', null, null, 'iPod'],
  ['Macintosh Linux', null, null, 'Linux'],
  ['Windows NT 5.0 Windows NT 10.0', null, null, 'Windows 10'],
  ['linux android', null, null, null],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0; MSIE; )', 'MSIE', null, 'Windows 7'],
  ['Firefox/29.0 FxSync/1.31.0.20140327113732.desktop', 'Firefox', 29, null],
  ['Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54', 'Opera Mini', 10, null],
  ['Opera/12.02 (Android 4.1; Linux; Opera Mobi/ADR-1111101157; U; en-US) Version/12.02', 'Opera Mobi', 12, 'Android'],
  ['Firefox/x Chrome/y', 'Chrome', null, null],
  ['Googlebot/2.1 (+http://www.google.com/bot.html)', null, null, null],
  ['', null, null, null],
  ['curl/7.74.0', null, null, null],
  ['-', null, null, null],
  ['Chrome', 'Chrome', null, null],
  ['Opera', 'Opera', null, null],
  ['Safari/x', 'Safari', null, null],
])('the user agent %s', (header, browser, version, os) => {
  expect(parseUserAgent(header)).toEqual({ browser, version, os });
});
