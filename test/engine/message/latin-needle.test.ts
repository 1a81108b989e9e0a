import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../engine/api/words.ts';
import { LatinNeedle } from '../../../engine/message/latin-needle.ts';

/** Few letters, so that texts hold needles and parts of them often; some in both cases, some whose other case is not in Latin-1. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'É', 'é', 'ß', 'ÿ', 'µ', '4', '\n'), maxLength: 14 });

describe('a needle in bytes', () => {
  it('is found where the text has it, in every case or as it is', () => {
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (before, needle, hay, caseSensitive) => {
        const bytes = Buffer.from(before + hay + needle, 'latin1');
        const [start, end] = [before.length, before.length + hay.length];
        const [wanted, given] = caseSensitive ? [needle, hay] : [foldCase(needle), foldCase(hay)];
        expect(LatinNeedle.of(wanted, caseSensitive)?.isIn(bytes, start, end)).toBe(given.includes(wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it('is none with a character that no such text has', () => {
    expect(['日', 'aΣ', '\u0100'].map((needle) => LatinNeedle.of(needle, false))).toEqual([null, null, null]);
  });
});
