import { describe, expect, it, vi } from 'vitest';
import { parsePlace, type Place } from '../../../../renderer/src/lib/goto.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const around = {
  total: 1000,
  span: { from: at('2026-11-21T20:00:00'), to: at('2026-11-22T18:00:00') },
  here: at('2026-11-22T10:00:00'),
  zone: 'utc' as const,
};
const row = (number: number): Place => ({ kind: 'row', row: number });
const time = (text: string): Place => ({ kind: 'time', time: at(text) });

describe('parsePlace', () => {
  it.each<[string, Place | null]>([
    ['17', row(16)],
    [':17', row(16)],
    ['1,000', row(999)],
    ['0', row(0)],
    ['5000', row(999)],
    ['50%', row(500)],
    ['0 %', row(0)],
    ['100 %', row(999)],
    ['101%', null],
    ['12:40', time('2026-11-22T12:40:00')],
    [':12:40:05.25', time('2026-11-22T12:40:05.250')],
    ['21:30', time('2026-11-21T21:30:00')],
    ['19:00', time('2026-11-22T19:00:00')],
    ['2026-11-20 12:40', time('2026-11-20T12:40:00')],
    ['2026-11-22', time('2026-11-22T00:00:00')],
    ['25:00', null],
    ['', null],
    ['abc', null],
  ])('%j: %o', (typed, place) => expect(parsePlace(typed, around)).toEqual(place));

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
