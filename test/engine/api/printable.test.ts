import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLine, printableLines, visibleText } from '../../../engine/api/printable.ts';

describe('text for terminals and logs', () => {
  it.each<{ text: string; line: string; lines: string }>([
    { text: 'plain é 日本 👩‍🚀 C:\\logs', line: 'plain é 日本 👩‍🚀 C:\\logs', lines: 'plain é 日本 👩‍🚀 C:\\logs' },
    { text: '\x1b[2Jx\x07\0', line: '\\u001b[2Jx\\u0007\\u0000', lines: '\\u001b[2Jx\\u0007\\u0000' },
    { text: '\x7f\x80\x9b31m\x9f', line: '\\u007f\\u0080\\u009b31m\\u009f', lines: '\\u007f\\u0080\\u009b31m\\u009f' },
    { text: 'a\tb\r\nc', line: 'a\\tb | c', lines: 'a\tb\\r\nc' },
    { text: 'a\rb\u2028c\u2029d\x85e', line: 'a | b\\u2028c\\u2029d\\u0085e', lines: 'a\\rb\\u2028c\\u2029d\\u0085e' },
    { text: '\u202aa\u202e\u2066b\u2069', line: '\\u202aa\\u202e\\u2066b\\u2069', lines: '\\u202aa\\u202e\\u2066b\\u2069' },
    { text: '\ud800a\udc00 \ud83d\ude00', line: '\\ud800a\\udc00 😀', lines: '\\ud800a\\udc00 😀' },
    { text: 'first\n  second\n', line: 'first | second', lines: 'first\n  second\n' },
  ])('shows $line', ({ text, line, lines }) => {
    expect(printableLine(text)).toBe(line);
    expect(printableLines(text)).toBe(lines);
  });

  it('shows line breaks within a name', () => {
    expect(printable('a\r\n\tb')).toBe('a\\r\\n\\tb');
  });

  it.each<[string, string]>([
    ['a\u200db\u200b \u202e\ufeff', 'a\\u200db\\u200b \\u202e\\ufeff'],
    ['👩‍🚀 می‌خواهم', '👩‍🚀 می‌خواهم'],
    ['a\u034f\u115f\u3164\u206a\uffa0', 'a\\u034f\\u115f\\u3164\\u206a\\uffa0'],
    ['\u{e0041}\x1b\tx\n', '\\u{e0041}\\u001b\tx\n'],
  ])('shows in the window what takes no room: %o', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('leaves the value of JSON as it is, with nothing raw in it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x2100 })), (codes) => {
        const text = String.fromCharCode(...codes);
        const json = printableJson(JSON.stringify({ text }));
        expect(json).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(json)).toEqual({ text });
        expect(printableLines(json)).toBe(json);
      }),
      { numRuns: 30 },
    );
  });
});
