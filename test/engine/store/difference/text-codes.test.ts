import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatinText, textValues } from '../../../../engine/message/latin-text.ts';
import { NO_CODE } from '../../../../engine/store/difference/block-counts.ts';
import { TextCodes } from '../../../../engine/store/difference/text-codes.ts';

describe('the numbers of texts', () => {
  it('are the same for the same text, of bytes or of characters, however long it is', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ minLength: 41, maxLength: 90 }),
      fc.constantFrom('é', '\u0000', '日本', 'a'.repeat(70)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const codes = new TextCodes();
        const known = new Map<string, number>();
        for (const one of texts) {
          const code = codes.codeOfText(one, 1000);
          expect(code).toBe(known.get(one) ?? known.size);
          known.set(one, code);
          expect(codes.textOf(code)).toBe(one);
        }
      }),
    );
  });

  it('are those of columns in bytes and in characters', () => {
    const text = 'ab,cd,ab,ef';
    const [starts, ends] = [Uint32Array.of(0, 3, 6, 9), Uint32Array.of(2, 5, 8, 11)];
    for (const backing of [text, new LatinText(Buffer.from(text))]) {
      const codes = new TextCodes();
      const found = new Uint16Array(4);
      expect(codes.fill(textValues(backing, starts, ends), 4, null, found, 2, 1)).toBe(false);
      expect([...found]).toEqual([0, 1, 0, NO_CODE]);
      expect(codes.fill(textValues(backing, starts, ends), 2, Uint32Array.of(0, 0, 2), found, 9, 1)).toBe(true);
      expect([...found.subarray(0, 2)]).toEqual([NO_CODE, 0]);
    }
  });
});
