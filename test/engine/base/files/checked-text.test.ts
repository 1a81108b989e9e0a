import { describe, expect, it } from 'vitest';
import { checkedText, wholeText } from '../../../../engine/base/files/checked-text.ts';

const TEXTS = ['', 'a', 'abcd', 'const é = 1;\n', 'x'.repeat(16_383), 'xyz\n'.repeat(40_000)];

describe('a checked text', () => {
  it.each(TEXTS)('is read as it was (%#)', (text) => {
    expect(wholeText(checkedText(text))).toBe(text);
  });

  it.each(TEXTS)('is refused when bytes at its end are missing or too many (%#)', (text) => {
    const bytes = checkedText(text);
    for (const size of [0, 1, bytes.length >> 1, bytes.length - 1]) expect(wholeText(bytes.subarray(0, size))).toBe(null);
    expect(wholeText(Buffer.concat([bytes, Buffer.from('\n')]))).toBe(null);
  });

  it.each(TEXTS.slice(3))('is refused when a block is another one, wherever it is (%#)', (text) => {
    const bytes = checkedText(text);
    for (let at = 0; at < bytes.length; at += 512)
      expect(wholeText(Buffer.from(bytes).fill(0, at, Math.min(at + 512, bytes.length)))).toBe(null);
  });

  it('is refused when any byte of a small one is another one', () => {
    const bytes = checkedText('const é = 1;\n');
    for (const at of bytes.keys()) expect(wholeText(Buffer.from(bytes).fill(7, at, at + 1))).toBe(null);
  });

  it('is one that a script can end with', () => {
    expect(checkedText('1').toString()).toMatch(/^1\n\/\/# [0-9a-f]{8}$/);
  });
});
