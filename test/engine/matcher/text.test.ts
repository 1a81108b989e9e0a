import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RELATIONS } from '../../../engine/matcher/ast.ts';
import { compareUtf8, decodeBytes, formatUuid, satisfies } from '../../../engine/matcher/text.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'), maxLength: 5 });

describe('texts', () => {
  it('are in the order of their bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const order = compareUtf8(`x${a}y`, 1, a.length + 1, b);
        expect(Math.sign(order)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [-1, ['!=', '<', '<=']],
    [0, ['==', '>=', '<=']],
    [1, ['!=', '>', '>=']],
  ])('the order %i satisfies %j', (order, relations) => {
    expect(RELATIONS.filter((relation) => satisfies(relation, order))).toEqual(relations);
  });
});

describe('bytes', () => {
  it('that are UTF-8 are their text', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decodeBytes(Buffer.from(value))).toBe(value);
      }),
    );
  });

  it.each<[bytes: number[], text: string]>([
    [[], ''],
    [[0xff], '\ufffd'],
    [[0x61, 0xc3, 0x62], 'a\ufffdb'],
    [[0xc3, 0xa4, 0xe2, 0x82], 'ä\ufffd\ufffd'],
    [[0xf0, 0x9f, 0x98, 0x80, 0x80], '😀\ufffd'],
    [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    [[0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ])('%j', (bytes, value) => expect(decodeBytes(Uint8Array.from(bytes))).toBe(value));
});

it('a UUID is in lower case, with dashes', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, i) => 250 - i);
  expect(formatUuid(bytes, 2)).toBe('f8f7f6f5-f4f3-f2f1-f0ef-eeedecebeae9');
});
