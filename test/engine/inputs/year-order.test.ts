import { describe, expect, it } from 'vitest';
import { yearDay, YearOrder } from '../../../engine/inputs/year-order.ts';
import { line } from './years-fixtures.ts';

describe('years in the order of days', () => {
  it.each<[title: string, days: string, years: string]>([
    ['a new year', '12-31 01-01', '0 1'],
    ['several years', '06-01 12-31 01-01 12-01 02-01 03-01', '0 0 1 1 2 2'],
    ['a date that is late', '03-05 03-04 03-05', '0 0 0'],
    ['a date of the last year that is late', '12-31 01-01 12-31 01-01', '0 1 0 1'],
    ['half a year without any', '01-05 08-20 03-01', '0 0 1'],
    ['a clock that was three months wrong', '08-20 11-10 08-21', '0 0 0'],
    ['a machine without a battery', '09-20 01-01 01-01 09-20 12-30 01-01', '0 0 0 0 0 1'],
  ])('%s', (_, days, years) => {
    const [first = 0, ...others] = days.split(' ').map((day) => yearDay(line(Date.parse(`2020-${day}`)), 0));
    const order = new YearOrder(0, first);
    const seen = others.map((day) => {
      order.follow(day);
      return order.year;
    });
    expect([0, ...seen].join(' ')).toBe(years);
  });
});

describe('a day without a year', () => {
  it.each([
    'Mar  5 13:07:59 box1 shop[7]: x',
    '<13>Mar  5 13:07:59 box1 shop[7]: x',
    '[Mar  5 13:07:59] WARNING[7]: x.c:1 y: x',
    '123: *Mar  5 13:07:59.250: %SYS-5-X: x',
    'I0305 13:07:59.250000 7 a.cc:1] x',
    '03-05 13:07:59.250  123  456 E Tag: x',
    'INFO [03-05|13:07:59.250] x',
    '03/05 13:07:59 x',
    '[0305/130759.250123:ERROR:a.cc(1)] x',
  ])('%s', (text) => expect(yearDay(text, 0)).toBe(64));

  it.each(['[Mar  5 13:07:59 2021] x', '2021-03-05 13:07:59 x', '13:07:59 x', 'words'])('%s has none', (text) =>
    expect(yearDay(text, 0)).toBe(-1),
  );
});
