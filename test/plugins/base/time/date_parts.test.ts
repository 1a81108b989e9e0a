import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blanksEnd,
  daysOf,
  digitsTo,
  gapEnd,
  hasDashes,
  isDateMark,
  isYear,
  MISSING,
  numberOf,
  wordEnd,
} from '../../../../plugins/base/time/date_parts.ts';

describe('between a date and its time', () => {
  it.each<[gap: string, length: number]>([
    [' ', 1],
    ['   ', 3],
    ['    ', -1],
    ['T', 1],
    ['T ', -1],
    [', ', 2],
    [',', 1],
    [' -- ', 4],
    [' - ', 3],
    [' at ', 4],
    [', at ', 5],
    [' um ', 4],
    ['::', 2],
    [':', 1],
    ['@', 1],
    ['|', 1],
    ['=', -1],
    ['', -1],
  ])('%j', (gap, length) => expect(gapEnd(`2021-03-05${gap}13:07`, 10, 20 + gap.length)).toBe(length < 0 ? -1 : 10 + length));

  it('ends where the line ends', () => {
    expect(gapEnd('2021-03-05 13', 10, 11)).toBe(-1);
    expect(gapEnd('2021', -1, 4)).toBe(-1);
    expect([hasDashes('a -- b', 1), hasDashes('a - b', 1)]).toEqual([true, false]);
  });
});

describe('parts', () => {
  it.each<[text: string, at: number, end: number, digits: number, blanks: number, word: number]>([
    ['12ab', 0, 4, 2, 0, 0],
    ['12ab', 2, 4, 2, 2, 4],
    ['123', 0, 2, 2, 0, 0],
    ['     x', 0, 6, 0, 3, 0],
    ['März. 5', 0, 7, 0, 0, 5],
    ['abcdefghijklmnop', 0, 16, 0, 0, 13],
  ])('%j from %i to %i', (text, at, end, digits, blanks, word) => {
    expect([digitsTo(text, at, end), blanksEnd(text, at, end), wordEnd(text, at, end)]).toEqual([digits, blanks, word]);
  });

  it.each<[text: string, number: number]>([
    ['7', 7],
    ['07', 7],
    ['2021', 2021],
    ['123', -1],
    ['', -1],
  ])('%j is the number %i', (text, number) => expect(numberOf(text, 0, text.length)).toBe(number));

  it('knows marks of dates', () => {
    expect([...'-/. \t'].map((mark) => isDateMark(mark.charCodeAt(0)))).toEqual([true, true, true, true, true]);
    expect([...':,x0'].map((mark) => isDateMark(mark.charCodeAt(0)))).toEqual([false, false, false, false]);
  });
});

describe('the calendar', () => {
  it('is that of Date', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2199 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        expect(daysOf(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
        expect(isYear(year)).toBe(true);
      }),
    );
  });

  it('has a leap day where the year is not written', () => expect([daysOf(MISSING, 2), daysOf(1900, 2)]).toEqual([29, 28]));

  it('has years from 1970 to 2199', () => expect([1969, 2200, MISSING].map(isYear)).toEqual([false, false, false]));
});
