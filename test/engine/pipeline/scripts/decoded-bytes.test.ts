import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBytes } from '../../../../engine/pipeline/scripts/decoded-bytes.ts';

/** Bytes of which many begin, go on with or break a character. */
const bytes = fc.array(
  fc.oneof(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xa0, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff), fc.nat(255)),
);
const texts = fc.string({ unit: 'binary' }).map((text) => Buffer.from(text));

test('the end of a text leads back to its bytes, whatever they are', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        bytes.map((list) => Buffer.from(list)),
        texts,
      ),
      fc.nat(),
      (given, seed) => {
        const { text, bytesOf } = decodeBytes(given);
        expect(text).toBe(given.toString('utf8'));
        const units = text.length === 0 ? 0 : seed % (text.length + 1);
        const end = given.subarray(given.length - bytesOf(units)).toString('utf8');
        const wanted = text.slice(text.length - units);
        const isHalf = /^[\udc00-\udfff]/.test(wanted) && /[\ud800-\udbff]$/.test(text.slice(0, text.length - units));
        expect(end).toBe(isHalf ? text.slice(text.length - units - 1) : wanted);
      },
    ),
    { numRuns: 2000 },
  );
});

test('all of it and nothing of it', () => {
  for (const given of [Buffer.from('aé😀'), Buffer.from([0xff, 0x41, 0xf0, 0x90, 0x41])]) {
    const { text, bytesOf } = decodeBytes(given);
    expect([bytesOf(0), bytesOf(text.length)]).toEqual([0, given.length]);
  }
});
