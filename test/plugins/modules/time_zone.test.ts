import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

const ns = (date: string): number => Date.parse(date) * 1e6;

describe('a clock on the wall', () => {
  test.each([
    ['UTC', '2021-03-05T13:07:59Z', '2021-03-05T13:07:59Z'],
    ['+02:00', '2021-03-05T13:07:59Z', '2021-03-05T11:07:59Z'],
    ['-0530', '2021-03-05T13:07:59Z', '2021-03-05T18:37:59Z'],
    ['America/Los_Angeles', '2021-03-05T13:07:59Z', '2021-03-05T21:07:59Z'],
    ['America/Los_Angeles', '2021-07-05T13:07:59Z', '2021-07-05T20:07:59Z'],
    ['Europe/Berlin', '2024-02-29T00:30:00Z', '2024-02-28T23:30:00Z'],
    ['Asia/Kathmandu', '2021-01-01T00:00:00Z', '2020-12-31T18:15:00Z'],
    ['Australia/Lord_Howe', '2021-01-15T12:00:00Z', '2021-01-15T01:00:00Z'],
    ['Europe/Berlin', '0099-12-31T12:00:00Z', '0099-12-31T11:06:32Z'],
    ['Europe/Berlin', '0001-01-01T12:00:00Z', '0001-01-01T11:06:32Z'],
    ['Europe/Berlin', '-000004-01-01T12:00:00Z', '-000004-01-01T11:06:32Z'],
    // The last moment before, and the first after, the hour that Berlin leaves out.
    ['Europe/Berlin', '2021-03-28T01:59:59Z', '2021-03-28T00:59:59Z'],
    ['Europe/Berlin', '2021-03-28T03:00:00Z', '2021-03-28T01:00:00Z'],
    // Before and after the hour that it shows twice.
    ['Europe/Berlin', '2021-10-31T01:59:59Z', '2021-10-30T23:59:59Z'],
    ['Europe/Berlin', '2021-10-31T03:00:00Z', '2021-10-31T02:00:00Z'],
  ])('in %s that shows %s is read as %s', (zone, shown, expected) => {
    expect(new WallClock(zone).toUtc(ns(shown))).toBe(ns(expected));
  });

  test.each([
    ['left out', '2021-03-28T02:30:00Z', ['2021-03-28T00:30:00Z', '2021-03-28T01:30:00Z']],
    ['shown twice', '2021-10-31T02:30:00Z', ['2021-10-31T00:30:00Z', '2021-10-31T01:30:00Z']],
  ])('reads an hour that is %s with one of the offsets around it', (_title, shown, either) => {
    expect(either.map(ns)).toContain(new WallClock('Europe/Berlin').toUtc(ns(shown)));
  });

  test('reads what it shows, but for the hour that is shown twice', () => {
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    const zones = fc.constantFrom('UTC', '+05:45', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'America/St_Johns');
    fc.assert(
      fc.property(zones, seconds, (zone, at) => {
        const clock = new WallClock(zone);
        const apart = Math.abs(clock.toUtc(clock.fromUtc(at * 1e9)) - at * 1e9);
        expect([0, 3600e9]).toContain(apart);
      }),
    );
  });

  test.each(['UTC', '+02:00', 'Europe/Berlin'])('on the clock of %s, what is no time is an error that says so', (zone) => {
    const clock = new WallClock(zone);
    expect(() => clock.ahead(NaN)).toThrow("bad argument #1 to 'ahead' (time in seconds expected, not NaN)");
    expect(() => clock.toUtc(1e25)).toThrow("bad argument #1 to 'toUtc' (time in nanoseconds expected, not 1e+25)");
    expect(() => clock.fromUtc(-(10n ** 22n))).toThrow(
      "bad argument #1 to 'fromUtc' (time in nanoseconds expected, not -10000000000000000000000n)",
    );
    expect(() => clock.toUtc('0' as never)).toThrow(`bad argument #1 to 'toUtc' (time in nanoseconds expected, not "0")`);
    expect(clock.fromUtc(clock.toUtc(8.6e21))).toBe(8.6e21);
  });
});
