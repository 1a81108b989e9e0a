import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as charset from '../../../../engine/matcher/regex/charset.ts';

const { ANY, contains, foldCase, MAX_CODE_POINT, negate, normalize, onlyMember, POSIX } = charset;
const RANGES = fc
  .array(fc.tuple(fc.nat(300), fc.nat(40)), { maxLength: 8 })
  .map((ranges) => ranges.flatMap(([low, length]) => [low, low + length]));

describe('a set of code points', () => {
  it('has what its ranges have, in order and apart', () => {
    fc.assert(
      fc.property(RANGES, (ranges) => {
        const set = normalize(ranges);
        for (let i = 1; i < set.length; i++)
          expect((set[i] as number) - (set[i - 1] as number)).toBeGreaterThanOrEqual(i % 2 === 0 ? 2 : 0);
        for (let code = 0; code < 350; code++) {
          const isIn = ranges.some((low, i) => i % 2 === 0 && code >= low && code <= (ranges[i + 1] as number));
          expect(contains(set, code)).toBe(isIn);
          expect(contains(negate(set), code)).toBe(!isIn);
        }
        expect(negate(negate(set))).toEqual(set);
      }),
    );
  });

  it('may be all, or none', () => {
    expect([negate(ANY), negate([])]).toEqual([[], ANY]);
    expect(contains(ANY, MAX_CODE_POINT)).toBe(true);
  });

  it.each([
    [[97, 97], 97],
    [[97, 98], -1],
    [[97, 97, 99, 99], -1],
    [[], -1],
  ])('%j has the only member %i', (set, member) => expect(onlyMember(set)).toBe(member));
});

describe('without regard to case', () => {
  it.each([
    ['a', 'Aa'],
    ['K', 'Kk\u212a'],
    ['s', 'Ss\u017f'],
    ['7', '7'],
  ])('%s is %s', (letter, all) => {
    const code = letter.charCodeAt(0);
    expect(foldCase([code, code])).toEqual(normalize([...all].flatMap((one) => [one.charCodeAt(0), one.charCodeAt(0)])));
  });

  it('letters outside of ASCII are not known', () => expect([foldCase([0xe9, 0xe9]), foldCase([])]).toEqual([null, []]));

  it('a set is what V8 takes, too', () => {
    for (const [name, set] of Object.entries(POSIX)) {
      const folded = foldCase(set);
      const ranges = set.map((code, i) => `${i % 2 === 0 ? '' : '-'}\\u{${code.toString(16)}}`).join('');
      const pattern = new RegExp(`^[${ranges}]$`, 'iu');
      for (let code = 0; code < 0x180; code++) {
        expect([name, code, contains(folded ?? [], code)]).toEqual([name, code, pattern.test(String.fromCodePoint(code))]);
      }
    }
  });
});
