import { afterEach, expect, it, vi, describe } from 'vitest';
import { nowNs, formatTimestamp, parseTimestamp } from '../../../engine/message/timestamp.ts';
import fc from 'fast-check';

afterEach(() => vi.useRealTimers());

it('Now follows the clock of the system, also when that is set', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_795_168_800_123 });
  expect(nowNs()).toBe(1_795_168_800_123_000_000n);
  vi.setSystemTime(1_795_168_000_000);
  expect(nowNs()).toBe(1_795_168_000_000_000_000n);
});

describe('parseTimestamp', () => {
  const noon = 1614949679_000000000n; // 2021-03-05T13:07:59Z
  const hour = 3_600_000_000_000n;

  it.each<[string, bigint]>([
    ['123', 123n],
    ['0x7b', 123n],
    ['0173', 123n],
    ['-5', -5n],
    ['Fri Mar  5 13:07:59 2021', noon],
    ['Fri Mar 5 13:07:59 2021', noon],
    ['Fri Mar 15 13:07:59 2021', noon + 240n * hour],
    ['Fri Mar  5 13:07:59 UTC 2021', noon],
    ['Fri Mar  5 13:07:59 GMT 2021', noon],
    ['Fri Mar  5 13:07:59 EST 2021', noon + 5n * hour],
    ['Fri Mar 05 13:07:59 +0100 2021', noon - hour],
    ['05 Mar 21 13:07 UTC', noon - 59_000_000_000n],
    ['05 Mar 21 13:07 +0100', noon - 59_000_000_000n - hour],
    ['05 Mar 21 13:07 PDT', noon - 59_000_000_000n + 7n * hour],
    ['05 Mar 69 13:07 UTC', -26045580_000000000n],
    ['Friday, 05-Mar-21 13:07:59 UTC', noon],
    ['Fri, 05 Mar 2021 13:07:59 UTC', noon],
    ['Fri, 05 Mar 2021 13:07:59 +0100', noon - hour],
    ['Fri, 05 Mar 2021 13:07:59 -0130', noon + hour + hour / 2n],
    ['2021-03-05T13:07:59Z', noon],
    ['2021-03-05T13:07:59.25+01:00', noon - hour + 250_000_000n],
    ['2021-03-05T13:07:59.123456789Z', noon + 123_456_789n],
    ['2021-03-05T13:07:59.1234567899Z', noon + 123_456_789n],
    ['2020-02-29T00:00:00Z', 1582934400_000000000n],
    ['1969-12-31T23:59:59.5Z', -500_000_000n],
    ['2021-03-05T00:00:00+14:00', 1614852000_000000000n],
  ])('%j', (text, ns) => expect(parseTimestamp(text)).toBe(ns));

  it.each([
    '',
    'now',
    '1:07PM',
    'Mar  5 13:07:59',
    'Mar  5 13:07:59.123',
    '2021-03-05',
    '2021-03-05T13:07:59',
    '2021-03-05T24:00:00Z',
    '2021-03-05T13:60:00Z',
    '2021-03-05T13:07:60Z',
    '2021-02-29T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '2021-00-01T00:00:00Z',
    '2021-03-05T13:07:59+24:00',
    'Fri Mar  5 13:07:59 XYZ 2021',
    'Fre Mar  5 13:07:59 2021',
    'Friday, 05-Mar-21 13:07:59 CONSTRUCTOR',
    'Fri Mar  0 13:07:59 2021',
    '9223372036854775808',
    '3000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    `${'1'.repeat(1000)}`,
  ])('refuses %j', (text) => expect(parseTimestamp(text)).toBeNull());

  it('reads what formatTimestamp wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -9_000_000_000_000_000_000n, max: 9_000_000_000_000_000_000n }), (ns) => {
        expect(parseTimestamp(formatTimestamp(ns))).toBe(ns);
      }),
    );
  });

  it.each<[bigint, string]>([
    [0n, '1970-01-01T00:00:00Z'],
    [noon + 250_000_000n, '2021-03-05T13:07:59.250Z'],
    [noon + 1_000n, '2021-03-05T13:07:59.000001Z'],
    [noon + 1n, '2021-03-05T13:07:59.000000001Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
  ])('formats %s as %s', (ns, text) => expect(formatTimestamp(ns)).toBe(text));
});
