import { describe, expect, it } from 'vitest';
import { LogZone } from '../../../../plugins/base/time/log_zone.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';

const MARCH = Date.UTC(2021, 2, 5, 13, 7, 59) / 1000;
const JULY = Date.UTC(2021, 6, 5, 13, 7, 59) / 1000;
const hours = (number: number): number => number * 3600;

describe('the zone behind a time', () => {
  const zone = new LogZone(new WallClock('UTC'));

  it.each<[text: string, length: number, ahead: number]>([
    ['Z', 1, 0],
    ['z rest', 1, 0],
    ['+01:00', 6, hours(1)],
    ['+0100', 5, hours(1)],
    [' +0100 x', 6, hours(1)],
    ['-1130', 5, -hours(11.5)],
    ['+01', 3, hours(1)],
    ['+060', 4, hours(1)],
    ['-300', 4, -hours(5)],
    ['+0100 (CET)', 11, hours(1)],
    ['+0100 (Tee)', 5, hours(1)],
    ['+01:00[Europe/Berlin]', 21, hours(1)],
    [' CET', 4, hours(1)],
    ['[CET]', 5, hours(1)],
    ['(+01:00)', 8, hours(1)],
    ['(-3)', 4, -hours(3)],
    ['UTC+2', 5, hours(2)],
    ['UTC+15', 3, 0],
    [' GMT-05:30', 10, -hours(5.5)],
    [' GMT+0100 (Mitteleuropäische Normalzeit)', 40, hours(1)],
    [' Asia/Kolkata x', 13, hours(5.5)],
    [' America/Argentina/Buenos_Aires', 31, -hours(3)],
  ])('%j', (text, length, ahead) => {
    expect(zone.read(text, 0, text.length)).toBe(length);
    expect(zone.ahead(MARCH)).toBe(ahead);
  });

  it.each(['', ' ', 'x', ' INFO', '+1', ' +01 x', '+01001', '+2500', 'Zx', ' Europe/Nowhere', '(CET', ' [x]', '+0100_'])(
    '%j is none',
    (text) => expect(zone.read(text, 0, text.length)).toBe(-1),
  );

  it('ends with the line', () => expect(zone.read('+01 x', 0, 3)).toBe(3));

  it('has the hour of the summer', () => {
    zone.read(' Europe/Berlin', 0, 14);
    expect([zone.ahead(MARCH), zone.ahead(JULY)]).toEqual([hours(1), hours(2)]);
  });
});

describe('the zone around a time', () => {
  const zone = new LogZone(new WallClock('+03:00'));

  it.each<[before: string, behind: string, length: number, ahead: number]>([
    ['', '', 0, hours(3)],
    ['', 'Z', 1, 0],
    ['UTC ', '', 0, 0],
    ['[CET] ', '', 0, hours(1)],
    ['(UTC+02:00) ', '', 0, hours(2)],
    ['x CET: ', '', 0, hours(1)],
    ['CET ', ' +0000', 6, 0],
    ['INFO ', '', 0, hours(3)],
    ['xUTC ', '', 0, hours(3)],
    ['UTC  ', '', 0, hours(3)],
  ])('%j 13:07:59 %j', (before, behind, length, ahead) => {
    const text = `${before}13:07:59${behind}`;
    const to = before.length + 8;
    expect(zone.readAround(text, before.length, to, text.length)).toBe(to + length);
    expect(zone.ahead(MARCH)).toBe(ahead);
  });

  it('forgets the zone of the time before', () => {
    zone.readAround('13:07:59Z', 0, 8, 9);
    zone.readAround('13:07:59', 0, 8, 8);
    expect(zone.ahead(MARCH)).toBe(hours(3));
  });
});
