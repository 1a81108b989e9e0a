import { describe, expect, it } from 'vitest';
import { RARE_SHAPES, rareDate, TIME_START, ZONE_BEHIND } from '../../../../plugins/base/time/time_shapes.ts';

const DATES: readonly [text: string, year: number, time: number][] = [
  ['I0305 13:07:59.250000', -1, 6],
  ['I210305 13:07:59.250000', 2021, 8],
  ['I20210305-13:07:59.250(+1)', 2021, 10],
  ['0305/130759.250123', -1, 5],
  ['2021年3月5日 13:07:59', 2021, 10],
  ['2021. 03. 05. (금) 13:07:59', 2021, 18],
  ['3月 05 13:07:59', -1, 6],
  ['Th03 05 13:07:59', -1, 8],
  ['05Mar2021 13:07:59.250', 2021, 10],
  ['21/03/05@13:07:59.250', 2021, 9],
  ['2021 03 05 13:07:59:250', 2021, 11],
];

describe('dates that few programs write', () => {
  it.each(DATES)('%s', (text, year, time) => expect(rareDate(text, 0)).toEqual({ year, month: 3, day: 5, time }));

  it('are found in the middle of a line', () => {
    expect(rareDate('x 05Mar2021 13:07:59', 2)).toEqual({ year: 2021, month: 3, day: 5, time: 12 });
    expect(rareDate('x 05Mar2021 13:07:59', 1)).toBeNull();
  });

  it.each(['', 'words', '05Xyz2021 13:07:59', '2021-03-05 13:07:59', 'I0305', 'i0305 13:07:59.250'])('%j has none', (text) =>
    expect(rareDate(text, 0)).toBeNull(),
  );

  it('have a test for each shape', () => {
    const shapes = RARE_SHAPES.map((shape) => new RegExp(`^${shape}`));
    expect(shapes.filter((shape) => !DATES.some(([text]) => shape.test(text)))).toEqual([]);
  });
});

describe('beginnings of records', () => {
  const start = new RegExp(`^${TIME_START}`);

  it.each([
    ...DATES.map(([text]) => text),
    '2021-03-05T13:07:59',
    '2021-Mar-05 13:07:59',
    '20210305 130759',
    '210305-13:07:59',
    'March 5th 2021, 13:07:59',
    'Mar-05-2021 13:07:59',
    '2021/03/05 下午1:07:59',
    '2021-03-05/13:07:59',
    '1614949679.250 ',
    '1.6149496792501230e+09\t',
    '@40000000604229ef',
    '5. März 2021 um 13:07',
    '03/05/21 13:07:59',
    'Mar  5 13:07:59',
    'Fri Mar 05 13:07:59',
    '210305 13:07:59',
  ])('%s', (text) => expect(text).toMatch(start));

  it.each(['words', '12345', '127.0.0.1 - -', '1.2.3', '13:07:59', 'GET /'])('%s is none', (text) => expect(text).not.toMatch(start));
});

describe('zones behind a time', () => {
  const zone = new RegExp(`^${ZONE_BEHIND}$`);

  it.each([
    'Z',
    ' Z',
    '+01:00',
    ' +0100',
    ' UTC',
    ' [GMT+1]',
    ' GMT+0100 (CET)',
    ' Europe/Berlin',
    ' [Europe/Berlin]',
    ' (UTC+2)',
    ' UTC +02:00',
  ])('%j', (text) => expect(text).toMatch(zone));

  it.each(['', ' X', ' +1', ' INFO', ' Nowhere/Berlin'])('%j is none', (text) => expect(text).not.toMatch(zone));
});
