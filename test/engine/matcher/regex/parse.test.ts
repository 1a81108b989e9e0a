import { describe, expect, it } from 'vitest';
import { ANY, DIGIT, negate, NOT_NEWLINE, WORD, type CharSet } from '../../../../engine/matcher/regex/charset.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import type { Assertion, Regex } from '../../../../engine/matcher/regex/syntax.ts';

const set = (...ranges: CharSet): Regex => ({ kind: 'set', set: ranges });
const char = (text: string): Regex => set(text.codePointAt(0) as number, text.codePointAt(0) as number);
const sequence = (...parts: Regex[]): Regex => ({ kind: 'sequence', parts });
const choice = (...parts: Regex[]): Regex => ({ kind: 'choice', parts });
const repeat = (part: Regex, min: number, max: number): Regex => ({ kind: 'repeat', part, min, max });
const assertion = (name: Assertion): Regex => ({ kind: 'assertion', assertion: name });
const EMPTY: Regex = { kind: 'empty' };

describe('parseRegex', () => {
  it.each<[source: string, regex: Regex]>([
    ['', EMPTY],
    ['a', char('a')],
    ['😀', char('😀')],
    ['ab', sequence(char('a'), char('b'))],
    ['a|b|', choice(char('a'), char('b'), EMPTY)],
    ['(a)(?:b)(?P<n>c)(?<m>d)', sequence(char('a'), char('b'), char('c'), char('d'))],
    ['a*', repeat(char('a'), 0, -1)],
    ['a+?', repeat(char('a'), 1, -1)],
    ['a??', repeat(char('a'), 0, 1)],
    ['a{2}', repeat(char('a'), 2, 2)],
    ['a{2,}b', sequence(repeat(char('a'), 2, -1), char('b'))],
    ['a{2,3}', repeat(char('a'), 2, 3)],
    ['a{1}', char('a')],
    ['a{0}', EMPTY],
    ['a{,3}', sequence(...[...'a{,3}'].map(char))],
    ['(ab)*', repeat(sequence(char('a'), char('b')), 0, -1)],
    ['.', { kind: 'set', set: NOT_NEWLINE }],
    ['(?s).', { kind: 'set', set: ANY }],
    ['^$', sequence(assertion('textStart'), assertion('textEnd'))],
    ['(?m)^$', sequence(assertion('lineStart'), assertion('lineEnd'))],
    ['(?m:^)^', sequence(assertion('lineStart'), assertion('textStart'))],
    ['\\A\\z\\b\\B', sequence(assertion('textStart'), assertion('textEnd'), assertion('word'), assertion('notWord'))],
    ['\\d\\W', sequence({ kind: 'set', set: DIGIT }, { kind: 'set', set: negate(WORD) })],
    ['\\n\\x41\\x{1F600}\\101\\.', sequence(char('\n'), char('A'), char('😀'), char('A'), char('.'))],
    ['[a-c]', set(0x61, 0x63)],
    ['[]a-]', set(0x2d, 0x2d, 0x5d, 0x5d, 0x61, 0x61)],
    ['[^a]', set(0, 0x60, 0x62, 0x10ffff)],
    ['[[:digit:]x]', set(0x30, 0x39, 0x78, 0x78)],
    ['[\\d\\-]', set(0x2d, 0x2d, 0x30, 0x39)],
    ['(?i)b', set(0x42, 0x42, 0x62, 0x62)],
    ['(?i)k', set(0x4b, 0x4b, 0x6b, 0x6b, 0x212a, 0x212a)],
    ['(?i:a)(?-i)a', sequence(set(0x41, 0x41, 0x61, 0x61), char('a'))],
    ['\\Qa.b\\E*', sequence(char('a'), char('.'), repeat(char('b'), 0, -1))],
    ['\\Qa', char('a')],
  ])('%s', (source, regex) => expect(parseRegex(source)).toEqual(regex));

  it.each([
    '(',
    'a)',
    '[a',
    '*',
    'a**',
    'a{1001}',
    'a{3,2}',
    '\\pL',
    '(?i)é',
    '\\',
    '\\8',
    '\\x{110000}',
    '[b-a]',
    '[[:no:]]',
    '(?<a',
    `${'('.repeat(300)}${')'.repeat(300)}`,
  ])('%s is left to the fallback', (source) => expect(parseRegex(source)).toBeNull());
});
