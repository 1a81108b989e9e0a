import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEWEST_LINES, HEAD_LENGTH, Head, LONGEST_HEAD, sampleOf, withoutColours } from '../../../../engine/detect/forms/head.ts';

describe('the beginning of a source', () => {
  it.each([
    ['a\r\nb\r\n', 'a\nb\n', ['a', 'b']],
    ['\ufeffa\n\n  \nb', 'a\n\n  \nb', ['a', 'b']],
    ['', '', []],
  ])('%j', (source, text, lines) => {
    const head = new Head(source);
    expect([head.text, head.lines]).toEqual([text, lines]);
  });

  it('ends with a whole line', () => {
    const line = `${'x'.repeat(999)}\n`;
    expect(new Head(line.repeat(100)).text).toBe(line.repeat(Math.floor(HEAD_LENGTH / 1000)));
  });

  it('has the first lines also when they are long, up to a length', () => {
    const line = `${'x'.repeat(HEAD_LENGTH)}\n`;
    expect(new Head(line.repeat(FEWEST_LINES + 2)).lines).toHaveLength(FEWEST_LINES);
    expect(new Head('x'.repeat(LONGEST_HEAD + 5)).text).toHaveLength(LONGEST_HEAD);
  });

  it('shows lines without colours, and those that are not indented', () => {
    const head = new Head('\u001b[1;31ma\u001b[0m\n  b\n\tc\n');
    expect(head.plainLines).toEqual(['a', '  b', '\tc']);
    expect(head.outerLines).toEqual(['a']);
    expect(new Head(' a\n b\n').outerLines).toEqual([' a', ' b']);
  });

  it.each([
    ['banner\n10:00:00 a\n  at x\n10:00:01 b\n', '10:00:00 a\n10:00:01 b\n', 2 / 3],
    ['hello\n{"a":1}\n', '{"a":1}\n', 1 / 2],
    ['x\n1614949679 y\n', '1614949679 y\n', 1 / 2],
  ])('has a core: %j', (source, text, share) => {
    expect(new Head(source).core?.head.text).toBe(text);
    expect(new Head(source).core?.share).toBe(share);
  });

  it.each(['10:00:00 a\n', 'a\nb\n', `${'x\n'.repeat(5)}10:00:00 a\n`, ''])('has none: %j', (source) => {
    expect(new Head(source).core).toBeNull();
  });

  it('computes once what many ask for', () => {
    const head = new Head('a');
    let calls = 0;
    const make = (): number => ++calls;
    expect([head.once('key', make), head.once('key', make), head.once('other', make)]).toEqual([1, 1, 2]);
  });

  it('cuts records from the lines that begin them', () => {
    const begins = (line: string): boolean => line.startsWith('>');
    expect(new Head('>a\n b\n>c\n').recordsFrom(begins, () => false)).toEqual(['>a\n b', '>c\n']);
    expect(new Head('#\n>a\n').recordsFrom(begins, (line) => line === '#')).toEqual(['>a\n']);
    expect(new Head('x\n>a\n').recordsFrom(begins, (line) => line === '#')).toEqual(['x', '>a\n']);
    expect(new Head('x\n').recordsFrom(begins, () => false)).toEqual([]);
  });
});

describe('a sample', () => {
  it('is all of few lines, and otherwise a hundred of them in order with the first fifty', () => {
    fc.assert(
      fc.property(fc.nat(2000), (length) => {
        const lines = Array.from({ length }, (_, i) => String(i));
        const sample = sampleOf(lines).map(Number);
        expect(sample).toHaveLength(Math.min(length, 100));
        expect(sample.slice(0, 50)).toEqual(lines.slice(0, 50).map(Number));
        expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b));
      }),
    );
  });
});

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[m\u001b[1;38;5;9mx', 'x'],
  ['[31m', '[31m'],
  ['\u001b[2K', '\u001b[2K'],
])('colours are taken out: %j', (text, plain) => expect(withoutColours(text)).toBe(plain));
