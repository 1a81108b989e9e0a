import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalIn, fractionIn, integerIn } from '../../../plugins/base/scan.ts';

describe('numbers', () => {
  test('are those of the language', () => {
    const digits = fc.stringMatching(/^\d{1,20}$/);
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        expect(integerIn(`x${a}y`, 1, a.length + 1)).toBe(Number(a));
        expect(decimalIn(`1${a}.${b}2`, 1, a.length + b.length + 2)).toBe(Number(`${a}.${b}`));
        expect(fractionIn(`${a}9`, 0, a.length)).toBe(Number(`0.${a}`));
      }),
    );
  });
});
