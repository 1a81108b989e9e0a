import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUtf8, truncateUtf8, utf8Length, writeUtf8 } from '../../../engine/message/utf8.ts';
import { anyText } from './arbitraries.ts';

describe('UTF-8', () => {
  it('writes what Node writes, and says how long it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const target = new Uint8Array(text.length * 3);
        const end = writeUtf8(text, target, 0);
        expect(Buffer.from(target.subarray(0, end))).toEqual(Buffer.from(text));
        expect(utf8Length(text)).toBe(end);
      }),
    );
  });

  it('reads any bytes as the Encoding Standard says', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const near = fc.array(fc.constantFrom(0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          near.map((list) => Uint8Array.from(list)),
        ),
        (bytes) => {
          expect(readUtf8(bytes, 0, bytes.length)).toBe(decoder.decode(bytes));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads long texts', () => {
    const text = 'aé€\u{1f600}'.repeat(5000);
    const bytes = Buffer.from(text);
    expect(readUtf8(bytes, 0, bytes.length)).toBe(text);
  });

  it('cuts at the last character that fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        const cut = truncateUtf8(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(utf8Length(cut)).toBeLessThanOrEqual(max);
        const next = String.fromCodePoint(...[...text.slice(cut.length)].slice(0, 1).map((char) => char.codePointAt(0) as number));
        if (next !== '') expect(utf8Length(cut) + utf8Length(next)).toBeGreaterThan(max);
      }),
    );
  });
});
