import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeOfDay } from '../../../../plugins/base/time/time_of_day.ts';

type Way = 'read' | 'readCompact' | 'readUnpadded';

/** The second of the day, its nanoseconds, and what is left; null: it is no time. */
function read(text: string, way: Way = 'read'): [seconds: number, fraction: number, rest: string] | null {
  const time = new TimeOfDay();
  const to = time[way](`9${text}`, 1, text.length + 1);
  return to < 0 ? null : [time.seconds, time.fraction, text.slice(to - 1)];
}

const AT = (13 * 60 + 7) * 60 + 59;

describe('a time of the day', () => {
  it.each<[string, number, number, string]>([
    ['13:07:59', AT, 0, ''],
    ['13:07:59.250 x', AT, 250_000_000, ' x'],
    ['13:07:59,250', AT, 250_000_000, ''],
    ['13:07:59:250', AT, 250_000_000, ''],
    ['13:07:59:25', AT, 0, ':25'],
    ['13.07.59,1', AT, 100_000_000, ''],
    ['13-07-59', AT, 0, ''],
    ['1:07:59 PM', AT, 0, ''],
    ['1:07 p.m. x', AT - 59, 0, ' x'],
    ['12:07 AM', 7 * 60, 0, ''],
    ['13:07', AT - 59, 0, ''],
    ['23:59:60', 86_400, 0, ''],
  ])('%j', (text, seconds, fraction, rest) => expect(read(text)).toEqual([seconds, fraction, rest]));

  it.each(['', '13', '24:00:00', '13:60', '13:07:61', '13.07', '1-07-59', '13-07-59-1', '13:07:590', 'x'])('%j is none', (text) => {
    expect(read(text)).toBeNull();
  });
});

it.each<[Way, string, ReturnType<typeof read>]>([
  ['readCompact', '130759', [AT, 0, '']],
  ['readCompact', '130759250', [AT, 250_000_000, '']],
  ['readCompact', '130759.25 x', [AT, 250_000_000, ' x']],
  ['readCompact', '1307', null],
  ['readCompact', '250759', null],
  ['readUnpadded', '13:7:59:5', [AT, 5_000_000, '']],
  ['readUnpadded', '0:1:9:5|', [69, 5_000_000, '|']],
  ['readUnpadded', '0:1:9', null],
])('%s of %j', (way, text, expected) => expect(read(text, way)).toEqual(expected));

it('is read back from each form', () => {
  fc.assert(
    fc.property(fc.nat(86_399), fc.nat(999_999_999), (seconds, nanos) => {
      const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
      const digits = String(nanos).padStart(9, '0');
      for (const mark of [':', '.', '-']) expect(read(`${parts.join(mark)}.${digits}`)).toEqual([seconds, nanos, '']);
      expect(read(`${parts.join('')}.${digits}`, 'readCompact')).toEqual([seconds, nanos, '']);
    }),
  );
});
