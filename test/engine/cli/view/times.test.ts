import { expect, it } from 'vitest';
import { UNIVERSAL, zoneNamed } from '../../../../engine/cli/view/clock.ts';
import { timeOf, withDashesJoined } from '../../../../engine/cli/view/times.ts';

const NOW = Date.parse('2026-11-20T10:30:00Z');

it.each<[text: string, zone: string, time: string]>([
  ['12:40', 'UTC', '2026-11-20T12:40:00.000Z'],
  ['12:40', 'Europe/Berlin', '2026-11-20T11:40:00.000Z'],
  ['yesterday 9:00', 'America/New_York', '2026-11-19T14:00:00.000Z'],
  ['-1h', 'Europe/Berlin', '2026-11-20T09:30:00.000Z'],
  ['1h30m', 'Europe/Berlin', '2026-11-20T09:00:00.000Z'],
  ['3 days', 'UTC', '2026-11-17T10:30:00.000Z'],
  ['2 days ago', 'UTC', '2026-11-18T10:30:00.000Z'],
  ['monday', 'UTC', '2026-11-16T00:00:00.000Z'],
  ['11-02', 'UTC', '2026-11-02T00:00:00.000Z'],
  ['2026-07-01 12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  ['2026-07-01T12:00:00+05:30', 'Europe/Berlin', '2026-07-01T06:30:00.000Z'],
  ['2026-07-01 12:00Z', 'Europe/Berlin', '2026-07-01T12:00:00.000Z'],
  ['now', 'Asia/Kolkata', '2026-11-20T10:30:00.000Z'],
])('%s in %s is %s', (text, zone, time) => {
  expect(new Date(Number(timeOf('--since', text, zoneNamed(zone), NOW) / 1_000_000n)).toISOString()).toBe(time);
});

it('says what is no time', () => {
  expect(() => timeOf('--since', '-5', UNIVERSAL, NOW)).toThrow('--since: 5 of what? Say -5s');
});

it.each<[args: string[], joined: string[]]>([
  [
    ['--since', '-1h', 'a.log'],
    ['--since=-1h', 'a.log'],
  ],
  [
    ['--until', '-2 days', '--since', '12:40'],
    ['--until=-2 days', '--since', '12:40'],
  ],
  [
    ['--since', '--until', '-1h'],
    ['--since', '--until=-1h'],
  ],
  [
    ['-w', '-status:200', '--where', '-"a b"', '-w', '-n', '1'],
    ['--where=-status:200', '--where=-"a b"', '-w', '-n', '1'],
  ],
  [
    ['--', '--since', '-1h'],
    ['--', '--since', '-1h'],
  ],
])('takes %j for %j', (args, joined) => {
  expect(withDashesJoined(args)).toEqual(joined);
});
