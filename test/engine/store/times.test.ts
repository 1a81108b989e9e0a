import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { milliseconds, millisecondsOf } from '../../../engine/store/times.ts';
import { formatTime } from '../../../engine/api/time/time.ts';

const SECOND = 1_614_949_679_000_000_000n;

/** Whole milliseconds and the rest, from any time that a message can have and that a date can show. */
const times = fc.bigInt({ min: -8_000_000_000_000_000_000n, max: 8_000_000_000_000_000_000n });

describe('milliseconds', () => {
  test('every millisecond of a second is shown as it was written', () => {
    for (let ms = 0; ms < 1000; ms++) {
      const time = milliseconds(SECOND + BigInt(ms) * 1_000_000n);
      expect(formatTime(time, 'utc')).toBe(`2021-03-05 13:07:59.${String(ms).padStart(3, '0')}`);
    }
  });

  test('whole ones are exact, and batches have the same as single times', () => {
    fc.assert(
      fc.property(times, (ns) => {
        const whole = ns - (ns % 1_000_000n);
        expect(milliseconds(whole)).toBe(Number(whole / 1_000_000n));
        expect(millisecondsOf(BigInt64Array.of(whole))[0]).toBe(Number(whole / 1_000_000n));
        expect(millisecondsOf(BigInt64Array.of(ns))[0]).toBeCloseTo(milliseconds(ns), 2);
      }),
    );
  });

  test('before 1970 a fraction is shown with the millisecond that it is in', () => {
    expect(formatTime(milliseconds(-1n), 'utc')).toBe('1969-12-31 23:59:59.999');
    expect(formatTime(milliseconds(-1_000_000n), 'utc')).toBe('1969-12-31 23:59:59.999');
    expect(formatTime(milliseconds(-1_500_000n), 'utc')).toBe('1969-12-31 23:59:59.998');
  });
});
