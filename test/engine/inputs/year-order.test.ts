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
