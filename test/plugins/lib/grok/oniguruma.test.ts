import { describe, expect, test } from 'vitest';
import { translate } from '../../../../plugins/lib/grok/oniguruma.ts';

const ruby = (pattern: string, text: string): string | null => translate(pattern, { lines: true }).expression.exec(text)?.[0] ?? null;
const pcre = (pattern: string, text: string): string | null => translate(pattern, { lines: false }).expression.exec(text)?.[0] ?? null;

describe('Ruby', () => {
  test.each([
    ['(?>a+)b', 'aab', 'aab'],
    ['xa?*b', 'xaab', 'xaab'],
    ['x(?:ab){2}?*c', 'xababc', 'xababc'],
    ['[[:alpha:]]+', '1größe', 'größe'],
    ['[[:upper:]][[:lower:]]+', 'über Åland', 'Åland'],
    ['[^[:alnum:]]+', 'жz٣, x', ', '],
    ['[[:punct:]]+', 'a«$»b', '«$»'],
    ['[[:digit:]]+', 'x٣4', '٣4'],
    ['[[:graph:]]+', '\u00a0日本😀 x', '日本😀'],
    ['[[:space:]]x', 'a\u00a0x', '\u00a0x'],
    ['\\p{Greek}+', 'aλόγος', 'λόγος'],
    ['\\w+', 'é1', '1'],
    ['(?>a+)ab', 'aaab', null],
    ['a++ab', 'aaab', null],
    ['a++b', 'aaab', 'aaab'],
    ['(?:ab)*+abc', 'ababc', null],
    ['[ab]?+a', 'a', null],
    ['(?i)abc', 'xABc', 'ABc'],
    ['a(?i)b', 'AB', null],
    ['a(?i)b', 'aB', 'aB'],
    ['(?i:a)b', 'Ab', 'Ab'],
    ['(?i:a)b', 'AB', null],
    ['(?i)a(?-i)b', 'Ab', 'Ab'],
    ['(?i)[a-c]+', 'AbCd', 'AbC'],
    ['(?i)[^a]', 'Ab', 'b'],
    ['(?mi-x:A.b)', 'a\nB', 'a\nB'],
    ['a.b', 'a\nb', null],
    ['(?m)a.b', 'a\nb', 'a\nb'],
    ['(?m:.)', '\n', '\n'],
    ['^b$', 'a\nb\nc', 'b'],
    ['\\Ab', 'a\nb', null],
    ['\\Aa', 'a\nb', 'a'],
    ['a\\z', 'a\n', null],
    ['a\\Z', 'a\n', 'a'],
    ['\\h+', 'xyz0aFg', '0aF'],
    ['\\H', '0g', 'g'],
    ['[[:alpha:]]+', '12ab3', 'ab'],
    ['[[:alnum:]_-]+', '!a_-1', 'a_-1'],
    ['[^[:space:]]+', ' ab c', 'ab'],
    ['[a[bc]d]+', 'xabcd', 'abcd'],
    ['[]a]+', 'x]a', ']a'],
    ['[^]]+', ']ab', 'ab'],
    ['[\\]\\-\\\\]+', 'a]-\\', ']-\\'],
    ['\\p{Alpha}+', '1ab', 'ab'],
    ['\\P{Digit}', '1a', 'a'],
    ['a{,2}b', 'aab', 'aab'],
    ['a{b', 'a{b', 'a{b'],
    ['{x}', '{x}', '{x}'],
    ['(?#comment)a', 'a', 'a'],
    ['(?x) a b # c\n c', 'abc', 'abc'],
    ['\\R', '\r\n', '\r\n'],
    ['\\x{41}\\x42\\u0043', 'ABC', 'ABC'],
    ["(?'q'a)\\k<q>", 'aa', 'aa'],
    ['(?<q>a)(b)\\k<q>+', 'abaa', 'abaa'],
    ['(?<=a)b(?!c)', 'abd', 'b'],
    ['\\/\\"\\-\\:', '/"-:', '/"-:'],
    ['a|b|', 'c', ''],
  ])('%s on %j', (pattern, text, expected) => {
    expect(ruby(pattern, text)).toBe(expected);
  });

  test.each([
    ['(a)\\1', 'a reference to a group by its number'],
    ['\\k<a>', 'a reference to the group a, which is not in front of it'],
    ['\\g<a>', '\\g has no counterpart'],
    ['[a&&b]', 'an intersection of classes'],
    ['[a[^b]]', 'a negated class inside of another one'],
    ['(?(1)a|b)', 'groups of the form'],
    ['(?~a)', 'groups of the form'],
    ['[[:nothing:]]', 'the class [:nothing:] has no counterpart'],
    ['[[:constructor:]]', 'the class [:constructor:] has no counterpart'],
    ['\\p{constructor}', 'the property constructor has no counterpart'],
    ['\\p{Klingon}', 'the property Klingon has no counterpart'],
    ['a{2}+', 'repeats a repetition'],
    ['(a', 'a group that does not end'],
    ['a)', 'a parenthesis that closes no group'],
    ['[a', 'a class that does not end'],
    ['a\\', 'a backslash at the end'],
  ])('refuses %s', (pattern, reason) => {
    expect(() => translate(pattern, { lines: true })).toThrow(reason);
  });

  test('names by the numbers of groups', () => {
    expect(translate('(a)(?<x>b(?<y>c))(?>(?<z>d)|e)', { lines: true }).names).toEqual([undefined, 'x', 'y', undefined, 'z']);
  });

  test('what is relaxed matches all that is exact', () => {
    const { expression, names } = translate('(?<x>(?>a|ab)c(?!d))(?=e)f++', { lines: true, relaxed: true });
    expect(expression.source).toBe('((?:a|ab)c(?:))(?:)f+');
    expect(names).toEqual([undefined, 'x']);
  });
});

describe('PCRE', () => {
  test.each([
    ['^b', 'a\nb', null],
    ['(?m)^b', 'a\nb', 'b'],
    ['(?m)a$', 'a\nb', 'a'],
    ['a$', 'a\nb', null],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['\\h', 'a\tb', '\t'],
    ['\\Aa\\z', 'a', 'a'],
    ['\\Qa.b\\E+', 'xa.bb', 'a.bb'],
    ['(?P<x>a)(?i)B', 'ab', 'ab'],
    ['a{2}+b', 'aab', 'aab'],
    ['[\\h]+', ' \t', ' \t'],
    ['\\N+', 'ab\nc', 'ab'],
  ])('%s on %j', (pattern, text, expected) => {
    expect(pcre(pattern, text)).toBe(expected);
  });
});
