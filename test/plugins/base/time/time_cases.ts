/** Times as programs write them, and what they mean; see `READ_AT` for those without a year. */

/** When the records were read: 2021-03-05T14:00:00Z. */
export const READ_AT = Date.UTC(2021, 2, 5, 14) * 1e6;

const AT = '2021-03-05T13:07:59';
const EARLIER = '2021-03-05T12:07:59';

/** Each with the time in UTC, and the text behind it. */
export const ZONES: readonly [string, string][] = [
  ['2021-03-05 13:07:59 GMT+01:00 x', `${EARLIER}  x`],
  ['2021-03-05 07:07:59 UTC-05:00 x', `${EARLIER}  x`],
  ['2021-03-05 13:07:59 UTC+1 x', `${EARLIER}  x`],
  ['2021-03-05 13:07:59.250 GMT+0100', `${EARLIER}.25`],
  ['2021-03-05T17:37:59 UTC+05:30', EARLIER],
  ['2021-03-05 13:07:59 Europe/Berlin x', `${EARLIER}  x`],
  ['2021-03-05 09:07:59 America/Argentina/Buenos_Aires', EARLIER],
  ['2021-03-05T13:07:59.250+01:00[Europe/Paris] x', `${EARLIER}.25  x`],
  ['2021-03-05T12:07:59Z[UTC] x', `${EARLIER}  x`],
  ['Fri Mar 05 2021 13:07:59 GMT+0100 (Central European Standard Time) x', `${EARLIER}  x`],
  ['Fri Mar 05 2021 13:07:59 GMT+0100 (CET)', EARLIER],
  ['Fri Mar 05 2021 13:07:59 GMT+0100 (Mitteleuropäische Normalzeit)', EARLIER],
  ['2021-03-05 13:07:59 [CET] x', `${EARLIER}  x`],
  ['2021-03-05 13:07:59 [+0100] x', `${EARLIER}  x`],
  ['2021-03-05 13:07:59.250123 +0100 CET m=+0.1', `${EARLIER}.250123  m=+0.1`],
  ['2021-03-05 12:07:59 +0000 UTC x', `${EARLIER}  x`],
  ['2021-03-05 21:07:59 JST', EARLIER],
  ['2021-03-05 17:37:59 IST', EARLIER],
  ['2021-03-05 20:07:59 SGT', EARLIER],
  ['Mar 5, 2021 1:07:59,250 PM GMT+01:00> <Error>', `${EARLIER}.25 > <Error>`],
  ['2021-03-05 13:07:59 INFO Foo/Bar', `${AT}  INFO Foo/Bar`],
  ['2021-03-05 13:07:59 [main] x', `${AT}  [main] x`],
  ['2021-03-05 13:07:59 (x)', `${AT}  (x)`],
  ['2021-03-05 13:07:59 Europe/Nowhere', `${AT}  Europe/Nowhere`],
];

/** Zones in front of a time, each with the characters before the time. */
export const ZONES_BEFORE: readonly [string, number, string][] = [
  ['UTC 2021-03-05 13:07:59 x', 4, AT],
  ['[CET] 2021-03-05 13:07:59 x', 6, EARLIER],
  ['(UTC+01:00) 2021-03-05 13:07:59 x', 12, EARLIER],
  ['GMT+1 05.03.2021 13:07:59', 6, EARLIER],
  ['x EST Mar  5 2021 07:07:59', 6, EARLIER],
  ['INFO 2021-03-05 13:07:59', 5, AT],
  ['[AST1] 2021-03-05 13:07:59', 7, AT],
  ['[UTC] 2021-03-05 13:07:59 +0100', 6, EARLIER],
];

export const SEPARATIONS: readonly [string, string][] = [
  ['2021/03/05 - 13:07:59 | 200', `${AT}  | 200`],
  ['2021-03-05\t13:07:59\tx', `${AT} \tx`],
  ['05.03.2021\t13:07:59\tx', `${AT} \tx`],
  ['2021-03-05@13:07:59.250 x', `${AT}.25  x`],
  ['2021-03-05;13:07:59 x', `${AT}  x`],
  ['2021-03-05,13:07:59 x', `${AT}  x`],
  ['March 5, 2021 at 1:07:59 PM x', `${AT}  x`],
  ['5. März 2021 um 13:07:59', AT],
  ['05Mar2021 13:07:59.250] x', `${AT}.25 ] x`],
  ['Mar/05/2021:13:07:59 +0100]', `${EARLIER} ]`],
  ['21/03/05@13:07:59.250+0000]', `${AT}.25 ]`],
  ['I20210305-13:07:59.250(+1)? x', `${EARLIER}.25 ? x`],
  ['20210305130759.250 NOTICE', `${AT}.25  NOTICE`],
  ['2021-03-05 13:07:59:250123] x', `${AT}.250123 ] x`],
  ['05/Mar/2021:13:07:59:250123] x', `${AT}.250123 ] x`],
  ['13:07:59:250123 x', `${AT}.250123  x`],
  ['September 30, 2020 19:38:49', '2020-09-30T19:38:49'],
  ['5 March 2021 13:07', '2021-03-05T13:07:00'],
  ['Friday, March 5, 2021 1:07:59 PM', AT],
  ['Friday, 05-Mar-21 13:07:59 UTC', AT],
  ['2021 03 05 13:07:59:250', `${AT}.25`],
  ['I0305 13:07:59.000000 7 a.cc:1]', `${AT}  7 a.cc:1]`],
  ['210305 13:07:59 [Note] x', `${AT}  [Note] x`],
  ['210305  3:07:59 x', '2021-03-05T03:07:59  x'],
];

export const SHORT_YEARS: readonly [string, string][] = [
  ['05.03.21 13:07:59 x', `${AT}  x`],
  ['28.02.20 13:07 x', '2020-02-28T13:07:00  x'],
  ['31.12.19, 13:07:59', '2019-12-31T13:07:59'],
  ['5.3.21 13:07:59', AT],
  ['01.02.03 13:07:59', '2003-02-01T13:07:59'],
  ['25/12/19 13:07:59', '2019-12-25T13:07:59'],
  ['31-12-19 13:07:59', '2019-12-31T13:07:59'],
  ['12/31/20 13:07:59', '2020-12-31T13:07:59'],
  ['21/03/05 13:07:59', AT],
  ['19-12-31 13:07:59', '2019-12-31T13:07:59'],
  ['21.03.05 13:07:59', '2005-03-21T13:07:59'],
];

/** October 21 and March 5 as `strftime` writes them in these languages. */
export const MONTHS: readonly [language: string, october: string, march: string][] = [
  ['German', 'Okt', 'Mär'],
  ['French', 'oct.', 'mars'],
  ['Spanish', 'oct', 'mar'],
  ['Italian', 'ott', 'mar'],
  ['Portuguese', 'out', 'mar'],
  ['Dutch', 'okt', 'mrt'],
  ['Polish', 'paź', 'mar'],
  ['Russian', 'окт', 'мар'],
  ['Ukrainian', 'жов', 'бер'],
  ['Greek', 'Οκτ', 'Μάρ'],
  ['Turkish', 'Eki', 'Mar'],
  ['Czech', 'říj', 'bře'],
  ['Finnish', 'loka', 'maalis'],
  ['Norwegian', 'okt.', 'mars'],
  ['Hungarian', 'okt', 'márc'],
  ['Romanian', 'oct', 'mar'],
  ['Serbian', 'окт', 'мар'],
  ['Lithuanian', 'spal.', 'kov.'],
  ['Estonian', 'okt', 'märts'],
  ['Indonesian', 'Okt', 'Mar'],
  ['Chinese', '10月', '3月'],
  ['Korean', '10월', ' 3월'],
  ['Vietnamese', 'Th10', 'Th03'],
];

/** A time for each of the rare shapes, 2021-03-05 13:07:59. */
export const RARE: readonly string[] = [
  'I0305 13:07:59.000000',
  'W210305 13:07:59.000000',
  'I20210305-13:07:59.000',
  '0305/130759.000000',
  '2021年3月5日 13:07:59',
  '2021年03月05日 星期五 13:07:59',
  '2021년 3월 5일 (금) 13:07:59',
  '2021. 03. 05. (금) 13:07:59',
  '3月 05 13:07:59',
  '3月5日 金曜日 13:07:59',
  'Th03 05 13:07:59',
  'thg 3 05 13:07:59',
  '05Mar2021 13:07:59.000',
  '21/03/05@13:07:59.000',
  '2021 03 05 13:07:59:000',
];
