import { describe, expect, it } from 'vitest';
import { ClockWriter, UNIVERSAL, zoneNamed } from '../../../../engine/cli/view/clock.ts';

const NS = 1_000_000n;
const at = (iso: string): bigint => BigInt(Date.parse(iso)) * NS;

describe('times of view', () => {
  it('have milliseconds from the first one that has a fraction on', () => {
    const clock = new ClockWriter(UNIVERSAL);
    clock.expect(BigInt64Array.of(at('2021-03-05T13:07:59Z')));
    expect([clock.write(at('2021-03-05T13:07:59Z')), clock.width]).toEqual(['2021-03-05 13:07:59', 19]);
    clock.expect(BigInt64Array.of(at('2021-03-05T13:07:59.250Z')));
    expect([clock.write(at('2021-03-05T13:08:00Z')), clock.width]).toEqual(['2021-03-05 13:08:00.000', 23]);
    expect(clock.write(at('1969-12-31T23:59:59.750Z') - 1n)).toBe('1969-12-31 23:59:59.749');
  });

  it.each([
    ['Europe/Berlin', '2021-03-28T00:59:59Z', '2021-03-28 01:59:59'],
    ['Europe/Berlin', '2021-03-28T01:00:00Z', '2021-03-28 03:00:00'],
    ['America/St_Johns', '2021-03-05T00:00:00Z', '2021-03-04 20:30:00'],
    ['utc', '2021-03-05T00:00:00Z', '2021-03-05 00:00:00'],
  ])('are those of the clocks of %s', (zone, time, written) => {
    expect(new ClockWriter(zoneNamed(zone)).write(at(time))).toBe(written);
  });

  it('need a zone that there is', () => {
    expect(() => zoneNamed('Mars/Olympus')).toThrow("--tz must be a time zone such as UTC or Europe/Berlin, not 'Mars/Olympus'");
  });
});
