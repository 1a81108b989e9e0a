import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Alphabet, Beside } from '../../../../engine/matcher/regex/alphabet.ts';
import { contains, normalize } from '../../../../engine/matcher/regex/charset.ts';

const code = fc.oneof(fc.nat(0x7f), fc.nat(0x10ffff), fc.constantFrom(10, 255, 256, 0xffff, 0x10000, 0x10ffff));
const set = fc
  .array(fc.tuple(code, code), { maxLength: 3 })
  .map((pairs) => normalize(pairs.flatMap(([a, b]) => [Math.min(a, b), Math.max(a, b)])));

describe('Alphabet', () => {
  it('puts characters into one class that no set tells apart', () => {
    fc.assert(
      fc.property(fc.array(set, { maxLength: 4 }), fc.array(code, { maxLength: 20 }), (sets, codes) => {
        const alphabet = new Alphabet(sets, false);
        for (const each of codes) {
          const kind = alphabet.classOf(each);
          expect(kind).toBeLessThan(alphabet.size);
          expect(sets.map((one, i) => [alphabet.members[i]?.[kind], contains(one, each)])).toEqual(
            sets.map((one) => [contains(one, each) ? 1 : 0, contains(one, each)]),
          );
          if (each < 256) expect(alphabet.latin[each]).toBe(kind);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has one class without sets, and more where neighbours matter', () => {
    expect(new Alphabet([], false).size).toBe(1);
    const asserting = new Alphabet([], true);
    expect(asserting.size).toBe(3);
    expect([10, 0x61, 0x20].map((each) => asserting.beside[asserting.classOf(each)])).toEqual([Beside.NEWLINE, Beside.WORD, Beside.OTHER]);
  });
});
