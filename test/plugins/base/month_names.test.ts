import { describe, expect, it } from 'vitest';
import { isWeekday, monthOf } from '../../../plugins/base/month_names.ts';

describe('monthOf', () => {
  it.each<[word: string, month: number]>([
    ['Jan', 1],
    ['FEBRUARY', 2],
    ['Mrz', 3],
    ['urr', 10],
    ['avq', 8],
    ['ruj', 9],
    ['Rgp', 8],
    ['кас', 10],
    ['أكتوبر', 10],
    ['März', 3],
    ['avr.', 4],
    ['Mai', 5],
    ['juin', 6],
    ['Temmuz', 7],
    ['août', 8],
    ['wrz', 9],
    ['października', 10],
    ['нояб.', 11],
    ['Δεκ', 12],
    ['lip', 7],
    ['cervna', 6],
    ['cervence', 7],
    ['דצמ׳', 12],
  ])('%s is %i', (word, month) => expect(monthOf(word)).toBe(month));

  it.each(['', 'Ma', 'x', 'Mon', 'error', '2021', 'Septemberfeste', '__proto__', 'constructor'])('%j is none', (word) =>
    expect(monthOf(word)).toBe(-1),
  );

  it('answers in the same way after words without number', () => {
    for (let i = 0; i < 5000; i++) expect(monthOf(`zz${i}`)).toBe(-1);
    expect([monthOf('Okt'), monthOf('Okt')]).toEqual([10, 10]);
  });
});

describe('isWeekday', () => {
  it.each(['Mon', 'monday', 'Fr', 'Fr.', 'Freitag', 'lundi', 'miércoles', 'sábado', 'Вт', 'κυρ', 'Çar', 'tirsdag'])('%s is one', (word) =>
    expect(isWeekday(word)).toBe(true),
  );

  it.each(['', 'F', 'x', 'Jan', 'INFO', 'GET', 'zzz', 'Wednesdayevening'])('%j is none', (word) => expect(isWeekday(word)).toBe(false));
});
