import { describe, expect, it } from 'vitest';
import { literalForm, requiredLiteral, type LiteralForm, type RequiredLiteral } from '../../../../engine/matcher/regex/literal.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import type { Regex } from '../../../../engine/matcher/regex/syntax.ts';

const regexOf = (source: string): Regex => parseRegex(source) as Regex;

describe('literalForm', () => {
  it.each<[source: string, form: LiteralForm | null]>([
    ['', { kind: 'always', text: '' }],
    ['abc', { kind: 'contains', text: 'abc' }],
    ['^a\\.b', { kind: 'startsWith', text: 'a.b' }],
    ['a$', { kind: 'endsWith', text: 'a' }],
    ['^$', { kind: 'equals', text: '' }],
    ['^😀$', { kind: 'equals', text: '😀' }],
    ['[a]b', { kind: 'contains', text: 'ab' }],
    ['[ab]c', null],
    ['a|b', null],
    ['a*', null],
    ['(?m)^a', null],
    ['\\x{d800}', null],
  ])('%s', (source, form) => expect(literalForm(regexOf(source))).toEqual(form));
});

describe('requiredLiteral', () => {
  it.each<[source: string, literal: RequiredLiteral | null]>([
    ['id=\\d+ a', { text: 'id=', before: 0 }],
    ['.id=x', { text: 'id=x', before: 2 }],
    ['[ab]{3}xy', { text: 'xy', before: 3 }],
    ['.*xyz', { text: 'xyz', before: Infinity }],
    ['(?:a|bb)xyz.abcd', { text: 'abcd', before: 7 }],
    ['a\\bb', { text: 'ab', before: 0 }],
    ['a.b', null],
    ['ab|cd', null],
    ['', null],
  ])('%s', (source, literal) => expect(requiredLiteral(regexOf(source))).toEqual(literal));
});
