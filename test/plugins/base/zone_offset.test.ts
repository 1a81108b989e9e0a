import fc from 'fast-check';
import { expect, it } from 'vitest';
import { zoneOffset } from '../../../plugins/base/zone_offset.ts';

const HOUR = 3600;
const seconds = (date: string): number => Date.parse(date) / 1000;

it.each<[string, string, number]>([
  ['UTC', '2021-07-01T00:00:00Z', 0],
  ['+02:00', '2021-01-01T00:00:00Z', 2 * HOUR],
  ['-0530', '2021-01-01T00:00:00Z', -5.5 * HOUR],
  ['Europe/Berlin', '2021-03-28T00:59:59Z', HOUR],
  ['Europe/Berlin', '2021-03-28T01:00:00Z', 2 * HOUR],
  ['Asia/Kathmandu', '2021-01-01T00:00:00Z', 5.75 * HOUR],
])('the clock of %s at %s', (zone, date, offset) => expect(zoneOffset(zone)(seconds(date))).toBe(offset));

it.each(['', 'Mars/Base', '+2', '+2:00'])('there is no zone %j', (zone) => {
  expect(() => zoneOffset(zone)).toThrow(RangeError);
});

it('is the same whatever was asked for before, also where it changes within a quarter', () => {
  const change = seconds('2020-10-03T16:01:00Z');
  const near = fc.oneof(fc.integer({ min: change - 2000, max: change + 2000 }), fc.integer({ min: -2e9, max: 4e9 }));
  const clock = zoneOffset('Antarctica/Casey');
  fc.assert(
    fc.property(near, (at) => {
      expect(clock(at)).toBe(zoneOffset('Antarctica/Casey')(at));
    }),
  );
  expect(clock(change) - clock(change - 1)).toBe(3 * HOUR);
});
