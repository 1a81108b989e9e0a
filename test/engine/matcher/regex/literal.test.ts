import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  literalForm,
  requiredInLatin,
  requiredLiteral,
  type LiteralForm,
  type RequiredLiteral,
} from '../../../../engine/matcher/regex/literal.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import { compilePattern } from '../../../../engine/matcher/regex/pattern.ts';
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

describe('requiredInLatin', () => {
  it.each<[source: string, text: string | null]>([
    ['static/[45]4', 'static/'],
    ['(?i)Task \\d+', 'task '],
    ['[sS][kK]ip', 'skip'],
    ['É[éÉ]x', 'ééx'],
    ['[ab]c|de', null],
    ['日本ab', 'ab'],
    ['a[b-c]d', null],
  ])('%s', (source, text) => expect(requiredInLatin(regexOf(source))).toBe(text));

  it('is in every text of Latin-1 that matches, in some case', () => {
    const text = fc.string({ unit: fc.constantFrom('k', 'K', 's', 'x', 'É', 'é', '-'), maxLength: 8 });
    const source = fc
      .array(fc.constantFrom('k', 'K', '[kK]', 's', '[sx]', 'É', 'é', '.', 'x*', '-'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, fc.boolean(), text, (parts, anyCase, value) => {
        const pattern = compilePattern((anyCase ? '(?i)' : '') + parts);
        if (pattern.test(value, 0, value.length)) expect(value.toLowerCase()).toContain(pattern.required ?? '');
      }),
      { numRuns: 2000 },
    );
  });
});
