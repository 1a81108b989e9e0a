import { describe, expect, it, vi } from 'vitest';
import { parsePlace, type NoPlace, type Place } from '../../../../engine/api/time/goto.ts';
import { aboutPlace } from '../../../../renderer/src/lib/time/about-place.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const around = {
  total: 1000,
  span: { from: at('2026-11-21T20:00:00'), to: at('2026-11-22T18:00:00') },
  here: at('2026-11-22T10:00:00'),
  // A Friday.
  now: at('2026-11-27T15:30:00'),
  zone: 'utc' as const,
};
const row = (number: number): Place => ({ kind: 'row', row: number });
const time = (text: string): Place => ({ kind: 'time', time: at(text) });

describe('parsePlace', () => {
  it.each<[string, Place]>([
    ['17', row(16)],
    [':17', row(16)],
    ['1,000', row(999)],
    ['0', row(0)],
    ['5000', row(999)],
    ['50%', row(500)],
    ['0 %', row(0)],
    ['100 %', row(999)],
    ['start', row(0)],
    ['End', row(999)],
    ['12:40', time('2026-11-22T12:40:00')],
    [':12:40:05.25', time('2026-11-22T12:40:05.250')],
    ['12:40:05,123456', time('2026-11-22T12:40:05.123')],
    ['21:30', time('2026-11-21T21:30:00')],
    ['19:00', time('2026-11-22T19:00:00')],
    ['2026-11-20 12:40', time('2026-11-20T12:40:00')],
    ['2026-11-20T12:40', time('2026-11-20T12:40:00')],
    ['2026-11-20T12:40:05.5Z', time('2026-11-20T12:40:05.500')],
    ['2026-11-20 12:40:05 +0200', time('2026-11-20T10:40:05')],
    ['2026-11-22', time('2026-11-22T00:00:00')],
    ['11-20 9:05', time('2026-11-20T09:05:00')],
    ['Nov 2 09:05:01', time('2026-11-02T09:05:01')],
    ['2 november 2025', time('2025-11-02T00:00:00')],
    ['today', time('2026-11-27T00:00:00')],
    ['today 12:40', time('2026-11-27T12:40:00')],
    ['12:40 today', time('2026-11-27T12:40:00')],
    ['yesterday at 9:00', time('2026-11-26T09:00:00')],
    ['tomorrow', time('2026-11-28T00:00:00')],
    ['now', time('2026-11-27T15:30:00')],
    // The records end on a Sunday.
    ['monday', time('2026-11-16T00:00:00')],
    ['Sun 20:00', time('2026-11-22T20:00:00')],
    ['last sunday', time('2026-11-15T00:00:00')],
    ['last monday', time('2026-11-16T00:00:00')],
    ['-1h', time('2026-11-22T09:00:00')],
    ['+30m', time('2026-11-22T10:30:00')],
    ['− 1 h 30 min', time('2026-11-22T08:30:00')],
    ['+1.5s', time('2026-11-22T10:00:01.500')],
    ['-2d', time('2026-11-20T10:00:00')],
    ['+1 week', time('2026-11-29T10:00:00')],
    ['2 days ago', time('2026-11-25T15:30:00')],
  ])('%j: %o', (typed, place) => expect(parsePlace(typed, around)).toEqual(place));

  it.each<[string, string]>([
    ['', ''],
    [':', ''],
    ['150%', '150 % is behind the last record, which is 100 %'],
    ['25:00', '25:00 is no time of the day'],
    ['yesterday 9:75', '9:75 is no time of the day'],
    ['2026-13-40', '2026-13-40 is no day of the calendar'],
    ['feb 30', 'feb 30 is no day of the calendar'],
    ['abc', '“abc” is no record number, share, day or time'],
    ['tomorow 9:00', '“tomorow” is no record number, share, day or time'],
    ['+30', '30 of what? Say +30s, +30m, +30h or +30d'],
    ['-5 lines', '“lines” is no unit of time: s, m, h, d or w'],
    ['-', '“-” is no record number, share, day or time'],
    ['+x', '“x” is no span of time, such as 1h30m'],
    ['-99999999999d', '-99999999999d is not within the times that a date can hold'],
  ])('%j is none: %s', (typed, problem) => expect(parsePlace(typed, around)).toEqual<NoPlace>({ kind: 'none', problem }));

  it('counts days back on which the clocks are changed by the clock', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const here = at('2026-10-25T12:00:00');
    expect(parsePlace('-1d', { ...around, here, zone: 'local' })).toEqual(time('2026-10-24T11:00:00'));
    expect(parsePlace('-24h', { ...around, here, zone: 'local' })).toEqual(time('2026-10-24T12:00:00'));
    vi.unstubAllEnvs();
  });

  it('takes a clock to be of the day where someone is, when there is no span', () => {
    expect(parsePlace('23:00', { ...around, span: null })).toEqual(time('2026-11-22T23:00:00'));
  });

  it('takes a clock of the day before by that day, also when the clocks were changed since', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const span = { from: at('2026-10-24T08:00:00'), to: at('2026-10-25T09:00:00') };
    const here = at('2026-10-25T08:00:00');
    // 12:40 of summer time.
    expect(parsePlace('12:40', { ...around, span, here, zone: 'local' })).toEqual(time('2026-10-24T10:40:00'));
    vi.unstubAllEnvs();
  });
});

describe('aboutPlace', () => {
  it.each<[Place, string]>([
    [row(16), 'Record 17 of 1,000'],
    [time('2026-11-22T12:40:00'), '2026-11-22 12:40:00'],
    [time('2026-11-20T00:00:00'), '2026-11-20 00:00:00, before the first record (2026-11-21 20:00:00)'],
    [time('2026-11-27T00:00:00'), '2026-11-27 00:00:00, after the last record (2026-11-22 18:00:00)'],
  ])('%o: %s', (place, text) => expect(aboutPlace(place, around)).toBe(text));
});
