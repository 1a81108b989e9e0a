import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankNumbers, rankPairs, TextKeys } from '../../../../engine/store/sort/text-keys.ts';

describe('TextKeys', () => {
  it('ranks texts as their bytes compare', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '€', '😀', 'x'.repeat(7)), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        const keys = new TextKeys();
        const codes = texts.map((one) => keys.codeOf(one));
        const { ranks, count } = keys.ranks();
        const sorted = [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(codes.map((code) => ranks[code])).toEqual(texts.map((one) => sorted.indexOf(one)));
        expect(count).toBe(sorted.length);
      }),
    );
  });

  it('compares no more than the beginning of long texts', () => {
    const keys = new TextKeys();
    const codes = ['x'.repeat(256), `${'x'.repeat(256)}a`, 'y'].map((text) => keys.codeOf(text));
    const { ranks, count } = keys.ranks();
    expect([codes.map((code) => ranks[code]), count]).toEqual([[0, 0, 1], 2]);
  });

  it.each<[string[], number[] | null]>([
    [
      ['7', '-1.5', '10'],
      [7, -1.5, 10],
    ],
    [['7', '7a'], null],
    [['7', ''], null],
    [['1e5'], null],
    // A double would not hold it.
    [['1234567890123456'], null],
  ])('%j are the numbers %j', (texts, numbers) => {
    const keys = new TextKeys();
    for (const text of texts) keys.codeOf(text);
    expect(keys.numbers === null ? null : [...keys.numbers]).toEqual(numbers);
  });
});

describe('ranks of numbers', () => {
  it('leave out what is none, and are alike for equals', () => {
    const { ranks, count } = rankNumbers(Float64Array.of(5, NaN, -1, 5, Infinity));
    expect([[...ranks], count]).toEqual([[1, NaN, 0, 1, 2], 3]);
  });

  it('of pairs go by the first, then by the other', () => {
    const { ranks } = rankPairs(Float64Array.of(2, 1, 1, NaN), Float64Array.of(0, 9, 3, 1));
    expect([...ranks]).toEqual([2, 1, 0, NaN]);
  });
});
