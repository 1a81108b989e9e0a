import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime, milliseconds } from '../../../plugins/modules/time.ts';

const anyTime = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2200-01-01') });

describe('milliseconds', () => {
  it('are those that were meant, of doubles and of BigInts', () => {
    fc.assert(
      fc.property(anyTime, (ms) => {
        expect(milliseconds(ms * 1e6)).toBe(ms);
        expect(milliseconds(BigInt(ms) * 1_000_000n)).toBe(ms);
        expect(milliseconds(BigInt(ms) * 1_000_000n + 999_999n)).toBe(ms);
      }),
    );
  });

  it.each([undefined, null, NaN, '1'])('are not of %j', (value) => {
    expect(() => milliseconds(value as never)).toThrow("bad argument #1 to 'milliseconds' (time in nanoseconds expected");
  });
});

describe('isoTime', () => {
  it.each<[number | bigint, string]>([
    [0, '1970-01-01T00:00:00.000Z'],
    [1614949679123e6, '2021-03-05T13:07:59.123Z'],
    [1614949679123_999_999n, '2021-03-05T13:07:59.123Z'],
    [-1n, '1969-12-31T23:59:59.999Z'],
    [2n ** 63n - 1n, '2262-04-11T23:47:16.854Z'],
    [1e300, '+275760-09-13T00:00:00.000Z'],
  ])('of %s', (ns, text) => expect(isoTime(ns)).toBe(text));

  it('is that of Date for every millisecond', () => {
    fc.assert(fc.property(anyTime, (ms) => void expect(isoTime(ms * 1e6)).toBe(new Date(ms).toISOString())));
  });
});
