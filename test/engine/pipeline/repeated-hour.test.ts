import { describe, expect, it } from 'vitest';
import { RepeatedHour } from '../../../engine/pipeline/repeated-hour.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

const NS = 1_000_000_000n;

/** The times in UTC of texts that a clock shows, in batches as the bars have them. */
function settled(zone: string, shown: string): string {
  const hour = RepeatedHour.of(zone);
  const clock = new WallClock(zone);
  const batches = shown
    .split(' | ')
    .map((batch) => BigInt64Array.from(batch.split(' '), (text) => clock.toUtc(BigInt(Date.parse(`${text}Z`) / 1000) * NS)));
  return batches
    .flatMap((times) => [...(hour?.settled(times) ?? times)])
    .map((time) => new Date(Number(time / 1_000_000n)).toISOString().slice(11, 19))
    .join(' ');
}

describe('an hour that comes twice', () => {
  it.each([
    [
      'Berlin',
      'Europe/Berlin',
      '2024-10-27T02:59:58 2024-10-27T02:00:01 2024-10-27T02:59:59 2024-10-27T03:00:00',
      '00:59:58 01:00:01 01:59:59 02:00:00',
    ],
    ['Los Angeles', 'America/Los_Angeles', '2024-11-03T01:59:59 2024-11-03T01:00:01 2024-11-03T02:00:00', '08:59:59 09:00:01 10:00:00'],
    ['Sydney', 'Australia/Sydney', '2024-04-07T02:59:59 2024-04-07T02:00:01 2024-04-07T03:00:00', '15:59:59 16:00:01 17:00:00'],
    ['half an hour, Lord Howe', 'Australia/Lord_Howe', '2024-04-07T01:59:59 2024-04-07T01:30:01', '14:59:59 15:00:01'],
    [
      'the earlier hour without a jump',
      'Europe/Berlin',
      '2024-10-27T02:10:00 2024-10-27T02:50:00 2024-10-27T03:10:00',
      '00:10:00 00:50:00 02:10:00',
    ],
    [
      'records a little out of order',
      'Europe/Berlin',
      '2024-10-27T02:10:00 2024-10-27T02:09:58 2024-10-27T02:10:01',
      '00:10:00 00:09:58 00:10:01',
    ],
    ['a record that is late behind the hour', 'Europe/Berlin', '2024-10-27T03:00:00 2024-10-27T02:59:59', '02:00:00 01:59:59'],
    ['several batches', 'Europe/Berlin', '2024-10-27T02:40:00 | 2024-10-27T02:10:00 | 2024-10-27T02:41:00', '00:40:00 01:10:00 01:41:00'],
    [
      'the next file from its beginning',
      'Europe/Berlin',
      '2024-10-27T04:00:00 2024-10-27T01:00:00 2024-10-27T02:30:00',
      '03:00:00 23:00:00 00:30:00',
    ],
    ['another day', 'Europe/Berlin', '2024-10-26T02:59:59 2024-10-26T02:00:01', '00:59:59 00:00:01'],
    [
      'an hour that there is not: forward',
      'Europe/Berlin',
      '2024-03-31T01:59:59 2024-03-31T02:30:00 2024-03-31T03:30:00',
      '00:59:59 01:30:00 01:30:00',
    ],
    ['an hour that there is not in New York', 'America/New_York', '2024-03-10T02:30:00', '07:30:00'],
  ])('%s', (_, zone, shown, utc) => {
    expect(settled(zone, shown)).toBe(utc);
  });

  it('leaves times that have zones of their own', () => {
    const hour = RepeatedHour.of('Europe/Berlin');
    const times = BigInt64Array.from({ length: 240 }, (_, minute) => BigInt(Date.parse('2024-10-26T23:00:00Z') / 1000 + minute * 60) * NS);
    expect(hour?.settled(times)).toBe(times);
  });

  it.each(['UTC', '+02:00', 'Mars/Olympus', undefined])('has nothing to tell in %s', (zone) => {
    expect(RepeatedHour.of(zone)).toBeNull();
  });

  it.each([
    ['Europe/Berlin', '2024-10-26T23:59:59Z', false],
    ['Europe/Berlin', '2024-10-27T00:00:00Z', true],
    ['Europe/Berlin', '2024-10-27T01:59:59Z', true],
    ['Europe/Berlin', '2024-10-27T02:00:00Z', false],
    // It begins on the day before, by UTC.
    ['Pacific/Auckland', '2024-04-06T13:30:00Z', true],
    ['Atlantic/Azores', '2024-10-27T00:30:00Z', true],
  ])('tells which times a clock shows twice: %s, %s', (zone, time, isTwice) => {
    expect(RepeatedHour.of(zone)?.isTwice(BigInt(Date.parse(time)) * 1_000_000n)).toBe(isTwice);
  });
});
