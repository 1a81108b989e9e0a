import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  formatTick,
  formatTime,
  formatTimeIn,
  formatTimeNs,
  formatTimeSeconds,
  parseTime,
  sharedDate,
  shortRange,
  ticksBetween,
  timeForm,
} from '../../../../engine/api/time/time.ts';

const AT = Date.UTC(2025, 10, 20, 14, 31, 2, 123);

describe('times of a span', () => {
  const to = (time: number): { from: number; to: number } => ({ from: AT, to: time });

  it.each([
    ['one day', AT + 3_600_000, 'clock', '2025-11-20', '14:31:02.123'],
    ['two days', AT + 86_400_000, 'day', '2025', '11-20 14:31:02.123'],
    ['two days, an hour apart', Date.UTC(2025, 10, 21), 'day', '2025', '11-20 14:31:02.123'],
    ['two years', AT + 90 * 86_400_000, 'full', '', '2025-11-20 14:31:02.123'],
  ])('lack only the part of the date that all of them have: %s', (_what, end, form, shared, text) => {
    expect(timeForm(to(end), 'utc')).toBe(form);
    expect(sharedDate(to(end), 'utc')).toBe(shared);
    expect(formatTimeIn(timeForm(to(end), 'utc'), AT, 'utc')).toBe(text);
  });

  it('have their whole date as long as nothing is known', () => {
    expect(timeForm(null, 'utc')).toBe('full');
    expect(sharedDate(null, 'utc')).toBe('');
    expect(timeForm({ from: 1e300, to: 1e300 }, 'utc')).toBe('full');
    expect(formatTimeIn('clock', 1e300, 'utc')).toBe('');
    expect(formatTimeIn('clock', 1e300, 'utc', false)).toBe('');
  });

  it('have the milliseconds of the log', () => {
    for (const ms of [978, 963, 1, 999, 0]) {
      const time = Date.UTC(2015, 9, 18, 18, 1, 47, ms);
      expect(formatTimeIn('clock', time, 'utc')).toBe(`18:01:47.${String(ms).padStart(3, '0')}`);
    }
  });
});

describe('formatting', () => {
  it('shows UTC to the millisecond, the second and the nanosecond', () => {
    expect(formatTime(AT, 'utc')).toBe('2025-11-20 14:31:02.123');
    expect(formatTimeSeconds(AT, 'utc')).toBe('2025-11-20 14:31:02');
    expect(formatTimeNs(AT, '1763649062123456789', 'utc')).toBe('2025-11-20 14:31:02.123456789 UTC');
  });

  it('keeps the nanoseconds of times before 1970 ascending', () => {
    expect(formatTimeNs(-1, '-999999', 'utc')).toBe('1969-12-31 23:59:59.999000001 UTC');
  });

  it('shows what no date can hold as its number', () => {
    expect(formatTime(1e300, 'utc')).toBe('');
    expect(formatTimeNs(1e300, '9223372036854775807', 'utc')).toBe('9223372036854775807 ns');
  });

  it('names the offset of local times', () => {
    expect(formatTimeNs(AT, '1763649062123456789', 'local')).toMatch(/\.123456789 [+−]\d\d:\d\d$/);
  });

  it.each([
    [3 * 366 * 86_400_000, '2025-11-20'],
    [10 * 86_400_000, '11-20 14:31'],
    [3_600_000, '14:31'],
    [60_000, '14:31:02'],
    [500, '14:31:02.123'],
  ])('labels a tick on an axis of %d ms with %s', (span, label) => expect(formatTick(AT, span, 'utc')).toBe(label));
});

describe('shortRange', () => {
  const at = (text: string): number => Date.parse(`${text}Z`);
  const year = { from: at('2026-11-01T00:00:00'), to: at('2026-11-03T23:59:59') };
  const [start, noon] = [at('2026-11-01T21:30:00'), at('2026-11-02T12:00:00')];
  it.each([
    { from: start, to: noon, records: year, text: '11-01 21:30 – 11-02 12:00' },
    { from: start, to: start + 90_000, records: year, text: '11-01 21:30:00 – 21:31:30' },
    { from: start, to: null, records: year, text: '11-01 21:30 – …' },
    { from: null, to: noon, records: null, text: '… – 2026-11-02 12:00' },
    { from: at('2025-01-01T10:00:00'), to: noon, records: year, text: '2025-01-01 10:00 – 2026-11-02 12:00' },
    { from: start, to: start + 60_000, records: null, text: '2026-11-01 21:30 – 21:31' },
  ])('writes $text', ({ from, to, records, text }) => {
    expect(shortRange(from, to, records, 'utc')).toBe(text);
  });
});

describe('parseTime', () => {
  it.each([
    ['2025-11-20 14:31:02.123', AT],
    ['2025-11-20T14:31:02.123', AT],
    ['2025-11-20 14:31:02.1', AT - 23],
    ['2025-11-20', Date.UTC(2025, 10, 20)],
    ['2025-11-20 14:31', Date.UTC(2025, 10, 20, 14, 31)],
    ['  9:05 ', Date.UTC(2025, 10, 20, 9, 5)],
    ['14:31:02', Date.UTC(2025, 10, 20, 14, 31, 2)],
  ])('reads %j', (text, time) => expect(parseTime(text, 'utc', AT)).toBe(time));

  it.each(['', '   ', 'yesterday', '2025-13-01', '2025-02-30', '25:00', '12:60', '12:00:61', '2025-11-20 14', '14:31:02.1234'])(
    'refuses %j',
    (text) => expect(parseTime(text, 'utc', AT)).toBeNull(),
  );

  it.each(['utc', 'local'] as const)('reads back what is shown (%s)', (zone) => {
    // The hour that a change to winter time repeats has two meanings.
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2100, 0) }), (time) => {
        const back = parseTime(formatTime(time, zone), zone, 0) ?? NaN;
        return back === time || (zone === 'local' && Math.abs(back - time) <= 2 * 3_600_000);
      }),
    );
  });
});

describe('ticksBetween', () => {
  it('stands on round times', () => {
    const ticks = ticksBetween(AT, AT + 3_600_000, 8, 'utc');
    expect(ticks.map((tick) => formatTick(tick, 3_600_000, 'utc'))).toEqual(['14:40', '14:50', '15:00', '15:10', '15:20', '15:30']);
  });

  it.each(['utc', 'local'] as const)('stands on the beginnings of round years where it spans many (%s)', (zone) => {
    const [from, to] = [Date.UTC(2004, 1, 18), Date.UTC(2026, 9, 30)];
    const ticks = ticksBetween(from, to, 6, zone);
    expect(ticks.map((tick) => formatTick(tick, to - from, zone))).toEqual(['2005', '2010', '2015', '2020', '2025']);
  });

  it.each<{ from: string; days: number; most: number; labels: string[] }>([
    { from: '2026-10-23T12:00Z', days: 5, most: 5, labels: ['10-24', '10-25', '10-26', '10-27', '10-28'] },
    { from: '2026-03-27T12:00Z', days: 4, most: 4, labels: ['03-28', '03-29', '03-30', '03-31'] },
    { from: '2026-10-24T17:00Z', days: 1, most: 5, labels: ['10-25', '06:00', '12:00', '18:00'] },
    { from: '2026-03-29T00:30Z', days: 1 / 8, most: 4, labels: ['03:00', '04:00', '05:00'] },
  ])('stands on round local times where clocks are put forward or back: $from', ({ from, days, most, labels }) => {
    const start = Date.parse(from);
    const end = start + days * 86_400_000;
    vi.stubEnv('TZ', 'Europe/Berlin');
    try {
      expect(ticksBetween(start, end, most, 'local').map((tick) => formatTick(tick, end - start, 'local'))).toEqual(labels);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('never gives more than asked for, all inside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 3e11 }),
        fc.integer({ min: 1, max: 30 }),
        (from, span, most) => {
          const ticks = ticksBetween(from, from + span, most, 'utc');
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const tick of ticks) expect(tick >= from && tick <= from + span).toBe(true);
        },
      ),
    );
  });

  it('gives none for an empty range', () => expect(ticksBetween(5, 5, 10, 'utc')).toEqual([]));
});
