import { describe, expect, it } from 'vitest';
import { markedLines, pagesOf, visible } from '../../../electron/main/shown-text.ts';

describe('text in dialogs', () => {
  it.each([
    ['journalctl -f | grep "ä"', 'journalctl -f | grep "ä"'],
    ['a\u001b[2Jb\u0007', String.raw`a\u{1b}[2Jb\u{7}`],
    ['a\r\tb\u0085\u009b', String.raw`a\u{d}\u{9}b\u{85}\u{9b}`],
    ['ls \u202Egnp.exe\u2066\u200B\u00AD\uFEFF', String.raw`ls \u{202e}gnp.exe\u{2066}\u{200b}\u{ad}\u{feff}`],
    ['a\u2028b\u00A0c\u3000\u3164', String.raw`a\u{2028}b\u{a0}c\u{3000}\u{3164}`],
    ['e\u0301\u{E0041}\uD800', String.raw`e\u{301}\u{e0041}\u{d800}`],
    ['one\ntwo', 'one\ntwo'],
  ])('shows what could hide: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['a long line', `true ${' '.repeat(9000)}; rm -rf ~`],
    ['many lines', `true\n${'\n'.repeat(400)}rm -rf ~`],
    ['wide characters', '💥'.repeat(3000)],
  ])('shows the whole of %s, in pages that fit', (_what, text) => {
    const pages = pagesOf(markedLines(text));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      const lines = page.split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
      for (const line of lines) expect([...line].length).toBeLessThanOrEqual(62);
      expect(lines.every((line) => line.startsWith('│ '))).toBe(true);
    }
    expect(`\n${pages.join('\n')}`.replaceAll('\n│ ', '')).toBe(text.replaceAll('\n', ''));
  });

  it('shows nothing as one empty page', () => {
    expect(pagesOf(markedLines(''))).toEqual(['│ ']);
  });
});
