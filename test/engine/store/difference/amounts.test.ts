import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Amounts, decimalPattern } from '../../../../engine/store/difference/amounts.ts';

const read = (amounts: Amounts, text: string): number => amounts.read(Buffer.from(`..${text}..`, 'latin1'), 2, 2 + text.length);

describe('numbers in texts', () => {
  it.each([
    ['12', 12, ''],
    ['-3.5', -3.5, ''],
    ['1,204', 1204, ''],
    ['12ms', 12, 'ms'],
    ['0.25s', 0.25, 's'],
    ['0', 0, ''],
    ['12,34', NaN, null],
    ['007', NaN, null],
    ['10.0.0.7', NaN, null],
    ['2026-11-18', NaN, null],
    ['7f3a9c21', NaN, null],
    ['ms', NaN, null],
  ])('reads %j as %d of the unit %j', (text, number, unit) => {
    const amounts = new Amounts();
    expect(read(amounts, text)).toBe(number);
    expect(amounts.unit).toBe(unit);
  });

  it('converts those of other units to the first one, and leaves out what it cannot', () => {
    const amounts = new Amounts();
    expect(['950ms', '1.2s', '30us', '4kB', '7', '20ms'].map((text) => read(amounts, text))).toEqual([950, 1200, 0.03, NaN, NaN, 20]);
    expect(amounts).toMatchObject({ unit: 'ms', isUniform: false });
  });

  it('are found by an expression from an edge on, and by another one below it', () => {
    const edge = fc.oneof(
      fc.integer({ min: 1, max: 2 ** 40 }),
      fc.tuple(fc.integer({ min: -6, max: 3 }), fc.nat(7)).map(([power, step]) => 2 ** power * (1 + step / 8)),
    );
    const text = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 41 }).map(String),
      fc.nat(200).map(String),
      fc.tuple(fc.nat(20), fc.stringMatching(/^\d{1,4}$/)).map(([whole, fraction]) => `${whole}.${fraction}`),
    );
    fc.assert(
      fc.property(edge, text, (bound, number) => {
        const [from, below] = [false, true].map((isBelow) => new RegExp(`^${decimalPattern(bound, isBelow)}$`).test(number));
        expect({ from, below }).toEqual({ from: Number(number) >= bound, below: Number(number) < bound });
      }),
      { numRuns: 400 },
    );
  });
});
