import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalTime, exactBigInt, nanoseconds, nanosIn, unitsIn } from '../../../plugins/base/instant.ts';

const NANOS = fc.nat(999_999_999);

it('a time is exact, as a number or a BigInt', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), NANOS, (seconds, nanos) => {
      const exact = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
      expect(exactBigInt(seconds, nanos)).toBe(exact);
      expect(BigInt(nanoseconds({ seconds, nanos }))).toBe(exact);
      expect(unitsIn(exact, 1_000_000_000)).toBe(seconds);
    }),
  );
});

it.each([
  ['', 0],
  ['25', 250_000_000],
  ['123456789', 123_456_789],
  ['1234567899', 123_456_789],
])('the digits %j are %i nanoseconds', (digits, nanos) => expect(nanosIn(`.${digits}!`, 1, 1 + digits.length)).toBe(nanos));

describe('units', () => {
  it.each([
    [-1n, 1000, -1],
    [-1000n, 1000, -1],
    [1999, 1000, 1],
    [-1, 1000, -1],
  ])('%s has %i nanoseconds %i times', (ns, unit, units) => expect(unitsIn(ns, unit)).toBe(units));

  it('are those that were meant, though a double is rounded down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }), (ms) => {
        expect(unitsIn(ms * 1e6, 1e6)).toBe(ms);
      }),
    );
  });
});

it.each<[string, number | bigint | null]>([
  ['0', 0],
  ['-1.5', -1_500_000_000n],
  ['1614949679.250000001', 1_614_949_679_250_000_001n],
  ['1.', null],
  ['+1', null],
  ['1e3', null],
  ['', null],
])('%j seconds', (text, time) => expect(decimalTime(text)).toBe(time));
