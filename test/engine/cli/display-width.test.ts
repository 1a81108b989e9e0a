import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutTo, displayWidth, fillOf } from '../../../engine/cli/display-width.ts';

it.each([
  ['', 0],
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['日本語', 6],
  ['ｱﾊﾟｰﾄ', 5],
  ['ＡＢ', 4],
  ['한글', 4],
  ['\u1112\u1161\u11ab', 2],
  ['中a文', 5],
  ['😀', 2],
  ['→ ß ∑', 5],
  ['\u200b', 0],
  ['a\u00adb', 3],
  ['«…»', 3],
  ['𠀀', 2],
  ['「」、。', 8],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

it('cuts texts to columns, and never within a character', () => {
  expect([cutTo('abcdef', 6), cutTo('abcdef', 4), cutTo('日本語', 5), cutTo('日本語', 4), cutTo('x日', 2)]).toEqual([
    'abcdef',
    'abc…',
    '日本…',
    '日…',
    'x…',
  ]);
  const text = fc.string({ unit: fc.constantFrom('a', '日', '😀', '\u0301', ' ', '…') });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (whole, columns) => {
      const cut = cutTo(whole, columns);
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
      expect(whole.startsWith(cut.replace(/…$/, '')) && cut.isWellFormed()).toBe(true);
      expect(displayWidth(cut + fillOf(cut, columns))).toBe(columns);
    }),
  );
});
