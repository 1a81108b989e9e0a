import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogTime, type DateOrder } from '../../../../plugins/base/time/log_time.ts';
import { RARE_SHAPES, TIME_START } from '../../../../plugins/base/time/time_shapes.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';
import { MONTHS, RARE, READ_AT, SEPARATIONS, SHORT_YEARS, ZONES, ZONES_BEFORE } from './time_cases.ts';

const WEAK = { alone: true, epoch: true };

function read(text: string, zone = 'UTC', order: DateOrder = 'auto', from = 0): string {
  const time = new LogTime(() => READ_AT, new WallClock(zone), order);
  const to = time.read(text, from, text.length, WEAK);
  if (to < 0) return 'none';
  const fraction = String(((time.ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = new Date(Number(time.ns / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}${fraction === '' ? '' : `.${fraction}`} ${text.slice(to)}`.trimEnd();
}

const AT = '2021-03-05T13:07:59';

describe('LogTime', () => {
  it.each<[string, string]>([
    ['2021-03-05 13:07:59', AT],
    ['2021-03-05T13:07:59.250123456Z x', `${AT}.250123456  x`],
    ['2021/03/05 13:07:59,250 - x', `${AT}.25  - x`],
    ['2021-3-5 13:07:59', AT],
    ['Fri  5 Mar 14:07:59 CET 2021 x', `${AT}  x`],
    ['Fr 5. Mär 13:07:59 UTC 2021', AT],
    ['March 5th 2021, 13:07:59.250', `${AT}.25`],
    ['5th March 2021 13:07:59', AT],
    ['2021-03-05/13:07:59 x', `${AT}  x`],
    ['2021-03-05] [13:07:59] x', `${AT} ] x`],
    ['2021-03-05 (13:07:59) x', `${AT} ) x`],
    ['2021-03-05 @ 13:07:59 x', `${AT}  x`],
    ['05 mars 2021 à 13:07:59 x', `${AT}  x`],
    ['2021-03-05~13:07:59 x', `${AT}  x`],
    ['2021/03/05 下午1:07:59 x', `${AT}  x`],
    ['2021. 03. 05. 오후 1:07:59 x', `${AT}  x`],
    ['3/5/2021, 1:07:59\u202fPM x', `${AT}  x`],
    ['2021-03-05 13:07:59 (UTC+1) x', `2021-03-05T12:07:59  x`],
    ['2021-03-05 13:07:59 UTC +01:00 x', `2021-03-05T12:07:59  x`],
    ['2021-03-05 13:07:59 MEZ x', `2021-03-05T12:07:59  x`],
    ['210305-13:07:59 x', `${AT}  x`],
    ['210305_13:07:59 x', `${AT}  x`],
    ['210305T13:07:59 x', `${AT}  x`],
    ['991231 13:07:59 x', '1999-12-31T13:07:59  x'],
    ['31.12.99 13:07:59 x', '1999-12-31T13:07:59  x'],
    ['2021.03.05 13.07.59.25', `${AT}.25`],
    ['2021-03-05-13.07.59.250123+060', '2021-03-05T12:07:59.250123'],
    ['2021:03:05-13:07:59', AT],
    ['2021-03-05 13-07-59 x', `${AT}  x`],
    ['2021-03-05_13-07-59', AT],
    ['2021-03-05-13-07-59', AT],
    ['2021-03-05_13:07:59.25012', `${AT}.25012`],
    ['2021-03-05 13:07', '2021-03-05T13:07:00'],
    ['2021-03-05  1:07:59', '2021-03-05T01:07:59'],
    ['2021 Mar  5 13:07:59', AT],
    ['2021-Mar-05 13:07:59', AT],
    ['2021年3月5日 13:07:59', AT],
    ['2021-064T13:07:59Z', AT],
    ['2021064 13:07:59', AT],
    ['2020-366T00:00:00Z', '2020-12-31T00:00:00'],
    ['20210305T130759Z', AT],
    ['20210305-13:07:59:250|x', `${AT}.25 |x`],
    ['20210305-0:1:9:5|x', '2021-03-05T00:01:09.005 |x'],
    ['20210305-0:12:9:57|x', '2021-03-05T00:12:09.057 |x'],
    ['20210305130759', AT],
    ['20210305130759250', `${AT}.25`],
    ['210305 13:07:59', AT],
    ['210305  1:07:59', '2021-03-05T01:07:59'],
    ['081109 203615 148', '2008-11-09T20:36:15  148'],
    ['05/Mar/2021:13:07:59 +0100', '2021-03-05T12:07:59'],
    ['05-MAR-21 01.07.59.250 PM', `${AT}.25`],
    ['5-Mar-2021::13:07:59', AT],
    ['5. März 2021 13:07:59', AT],
    ['05 mars 2021 13:07:59', AT],
    ['5 мар. 2021 13:07:59', AT],
    ['Fri, 05 Mar 2021 13:07:59 GMT', AT],
    ['ven. 05 mars 2021 13:07:59', AT],
    ['Fri Mar  5 13:07:59 CET 2021 x', '2021-03-05T12:07:59  x'],
    ['Fri Mar 05 13:07:59.250123 2021', `${AT}.250123`],
    ['Fri Mar  5 13:07:59 2021 +0100', '2021-03-05T12:07:59'],
    ['Mar 05, 2021 1:07:59 PM x', `${AT}  x`],
    ['mar/05/2021 13:07:59', AT],
    ['Mar  5 13:07:59 box1', `${AT}  box1`],
    ['Mar-05 13:07:59.250', `${AT}.25`],
    ['Dec 31 23:59:58', '2020-12-31T23:59:58'],
    ['ago  5 13:07:59', '2020-08-05T13:07:59'],
    ['3/5/2021 1:07:59 PM', AT],
    ['3/5/2021, 1:07:59 p.m.', AT],
    ['03/05/2021 13:07:59', AT],
    ['25/03/2021 13:07:59', '2021-03-25T13:07:59'],
    ['5/3/2021 -- 13:07:59', AT],
    ['05.03.2021 13:07:59', AT],
    ['05-03-2021 13:07:59', AT],
    ['21/03/05 13:07:59', AT],
    ['3/5/21 13:07:59:250 CET]', '2021-03-05T12:07:59.25 ]'],
    ['03/05/21,13:07:59,x', `${AT} ,x`],
    ['10.30 16:49:06]', '2020-10-30T16:49:06 ]'],
    ['03-05|13:07:59.250] x', `${AT}.25 ] x`],
    ['2021-03-05|13:07:59|x', `${AT} |x`],
    ['03-05 13:07:59.250', `${AT}.25`],
    ['03/05-13:07:59.250123', `${AT}.250123`],
    ['0305/130759.250123:ERROR', `${AT}.250123 :ERROR`],
    ['I0305 13:07:59.250000', `${AT}.25`],
    ['W210305 13:07:59.250123', `${AT}.250123`],
    ['1614949679', AT],
    ['1614949679.250123 x', `${AT}.250123  x`],
    ['1.61494967925e+09 x', `${AT}.25  x`],
    ['1.6149496792501230e+09', `${AT}.250123`],
    ['1614949679250', `${AT}.25`],
    ['1614949679250123', `${AT}.250123`],
    ['1614949679250123456', `${AT}.250123456`],
    ['@4000000060422d390ee6b280', `${AT}.25`],
    ['@4000000060422d39 x', `${AT}  x`],
    ['13:07:59.250', `${AT}.25`],
    ['15:07:59', '2021-03-04T15:07:59'],
    ['1:07PM', '2021-03-05T13:07:00'],
    ['2021-03-05 13:07:59 EST x', '2021-03-05T18:07:59  x'],
    ['2021-03-05 13:07:59 (CET)', '2021-03-05T12:07:59'],
    ['2021-03-05 13:07:59 INFO', `${AT}  INFO`],
    ['2021-03-05 13:07:59 -12 items', `${AT}  -12 items`],
    ['2021-03-05 13:07:59,001801000000', `${AT} ,001801000000`],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ...[
      '2021-13-05 13:07:59',
      '2021-02-29 13:07:59',
      '2021-03-05 25:07:59',
      '2021-03-05 13:60:59',
      '2021-03-05',
      '2021-366T13:07:59',
      '1.2.3.4',
    ],
    ...[
      '192.0.2.1:443',
      '12:34',
      '9999999999',
      '1614949679-7',
      '@4000000060422d390ee6b28z',
      'Marvin 5 of 6',
      'hello',
      '31/02/2021 13:07:59',
      '30/30 13:07:59',
    ],
    ...['2021-03-0x 13:07:59', '0099-01-01 00:00:00'],
  ])('none in %s', (text) => {
    expect(read(text)).toBe('none');
  });

  it.each([...ZONES, ...SEPARATIONS, ...SHORT_YEARS])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(ZONES_BEFORE)('%s: a zone in front', (text, from, expected) => {
    expect(read(text, 'UTC', 'auto', from).slice(0, 19)).toBe(expected);
  });

  it.each(MONTHS)('reads months in %s', (_, october, march) => {
    expect(read(`${october} 21 12:00:00 box1`)).toBe('2020-10-21T12:00:00  box1');
    expect(read(`${march.trim()} 05 13:07:59 box1`)).toBe(`${AT}  box1`);
  });

  it.each(RARE)('reads the rare shape %s', (text) => {
    expect(read(text)).toBe(AT);
  });

  it('has an example of each rare shape', () => {
    for (const shape of RARE_SHAPES) expect(RARE.filter((text) => new RegExp(`^${shape}`).test(text))).not.toEqual([]);
  });

  it.each([...RARE, ...SEPARATIONS.map(([text]) => text).filter((text) => !/^\d\d:/.test(text)), ...SHORT_YEARS.map(([text]) => text)])(
    'begins a record with %s',
    (text) => {
      expect(text).toMatch(new RegExp(`^${TIME_START}`));
    },
  );

  it('takes the zone that the clock has for a name of several', () => {
    expect(read('2021-03-05 13:07:59 CST', 'Asia/Shanghai')).toBe('2021-03-05T05:07:59');
    expect(read('2021-03-05 13:07:59 CST', 'Europe/Berlin')).toBe('2021-03-05T19:07:59');
    expect(read('2021-03-05 13:07:59 CET', 'America/New_York')).toBe('2021-03-05T12:07:59');
  });

  it('reads times without a zone in that of the clock', () => {
    expect(read('2021-07-05 13:07:59', 'Europe/Berlin')).toBe('2021-07-05T11:07:59');
    expect(read('13:07:59', '+02:00')).toBe('2021-03-05T11:07:59');
  });

  it('takes dates of numbers in the order that it is told', () => {
    expect(read('3/5/2021 13:07:59', 'UTC', 'dmy')).toBe('2021-05-03T13:07:59');
    expect(read('05.03.2021 13:07:59', 'UTC', 'mdy')).toBe('2021-05-03T13:07:59');
    expect(read('04/05/06 13:07:59', 'UTC', 'dmy')).toBe('2006-05-04T13:07:59');
    expect(read('04/05/06 13:07:59', 'UTC', 'ymd')).toBe('2004-05-06T13:07:59');
  });

  it('reads what RFC 3339 can say, to the nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 4_102_444_800_000_000_000n }), (ns) => {
        const second = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
        const text = `${second}.${String(ns % 1_000_000_000n).padStart(9, '0')}Z`;
        const time = new LogTime(() => READ_AT, new WallClock('UTC'), 'auto');
        expect([time.read(text, 0, text.length, WEAK), time.ns]).toEqual([text.length, ns]);
      }),
    );
  });

  it('never reads beyond the end, and nothing makes it fail', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\dA-Za-z:./ ,T@+-]{0,40}$/), fc.nat(40), (text, end) => {
        const time = new LogTime(() => READ_AT, new WallClock('UTC'), 'auto');
        const to = time.read(text, 0, Math.min(end, text.length), WEAK);
        expect(to).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
