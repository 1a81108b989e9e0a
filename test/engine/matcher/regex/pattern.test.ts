import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { Dfa } from '../../../../engine/matcher/regex/dfa.ts';
import { compilePattern } from '../../../../engine/matcher/regex/pattern.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import { trimForSearch } from '../../../../engine/matcher/regex/simplify.ts';
import { workMs } from '../../../growth.ts';

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'ab',
    'K',
    's',
    '.',
    '[ab]',
    '[^a]',
    '[a-cx]',
    '[^\\n]',
    '[]a]',
    '[a-]',
    '[-a]',
    '[a\\]]',
    '[\\d-z]',
    '[[:alpha:]]',
    '[[:^space:]_]',
    '[\\w.]',
  ],
  ...[
    '\\d',
    '\\D',
    '\\s',
    '\\S',
    '\\w',
    '\\W',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\A',
    '\\z',
    '\\n',
    '\\t',
    '\\x41',
    '\\x{1F600}',
    '\\101',
    '\\0',
    '\\.',
    '\\-',
    '\\/',
  ],
  ...[
    '\\Qa.b\\E',
    '\\Q',
    'é',
    '😀',
    '[😀-😂]',
    '[^é]',
    '{',
    '}',
    ']',
    '{,2}',
    '\\pL',
    '\\P{Greek}',
    '\\a',
    '\\v',
    '[\\x00-\\x{10FFFF}]',
    '\\C',
    '\\y',
    '\\1',
    '(',
  ],
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,3}?', '{2,}', '{0}', '{1,0}', '**');
const opening = fc.constantFrom('(', '(?:', '(?P<n>', '(?<m>', '(?i:', '(?s:', '(?m:', '(?im-s:', '(?U:', '(?-i:');
const flags = fc.constantFrom('(?i)', '(?m)', '(?s)', '(?U)', '(?ims)', '(?-i)', '(?i-m)');

const anySource: fc.Arbitrary<string> = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    fc.tuple(tie('source'), tie('source')).map((parts) => parts.join('')),
    fc.tuple(tie('source'), tie('source')).map((parts) => parts.join('|')),
    fc.tuple(opening, tie('source'), quantifier).map(([open, inner, times]) => `${open}${inner})${times}`),
    fc.tuple(flags, tie('source')).map((parts) => parts.join('')),
  ),
})).source;

const anySubject = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'b', 'ab', 'A', 'k', 'S', ' ', '\n', '.', '_', '1'),
    fc.constantFrom('é', 'ſ', '\u212a', '😀', '😁', '\ud83d', '\ude00', '\v', '\0', 'Ω', ']', '-'),
  ),
  maxLength: 12,
});

function reference(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}

describe('regular expressions', () => {
  it('accept and match what RE2 does', () => {
    const engines = new Map<string, number>();
    fc.assert(
      fc.property(anySource, fc.array(anySubject, { minLength: 1, maxLength: 8 }), anySubject, (source, subjects, around) => {
        const expected = reference(source);
        if (expected === null) {
          expect(() => compilePattern(source)).toThrow();
          return;
        }
        const pattern = compilePattern(source);
        const regex = parseRegex(source);
        const automata = regex === null ? [] : [Dfa.of(regex), Dfa.of(trimForSearch(regex))].filter((automaton) => automaton !== null);
        engines.set(pattern.engine, (engines.get(pattern.engine) ?? 0) + 1);
        for (const subject of subjects) {
          // A neighbour in the backing must not matter, unless it makes a pair with half a character at the edge of the value.
          const backing = `${around}|${subject}|${around}`;
          const start = around.length + 1;
          const end = start + subject.length;
          const results = [pattern.test(backing, start, end), ...automata.map((automaton) => automaton.test(backing, start, end, start))];
          expect([subject, ...results]).toEqual([subject, ...results.map(() => expected.test(subject))]);
        }
      }),
      { numRuns: 3000 },
    );
    expect([...engines.keys()].sort()).toEqual(['automaton', 'literal', 'native', 're2js']);
  });

  it('match long texts by the literal that they require', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'id=', '7', ' ', '😀', '\n'), minLength: 24, maxLength: 60 });
    const source = fc.constantFrom('id=\\d+ a', '\\bid=\\d+b', '.id=7+ ', '[^b]{2}id=.*\\n', 'a.*id=.*b', '(?m)^a.*id=7$', '😀+id=');
    fc.assert(
      fc.property(source, texts, (pattern, text) => {
        expect(compilePattern(pattern).test(text, 0, text.length)).toBe(RE2JS.compile(pattern).test(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['', 'literal'],
    ['^', 'literal'],
    ['.*', 'literal'],
    ['^abc$', 'literal'],
    ['.*a\\.b.*', 'literal'],
    ['error|warning', 'native'],
    ['(?i)error', 'native'],
    ['\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}', 'native'],
    ['[a-z]+$', 'native'],
    ['a.*b', 'automaton'],
    ['(a?){30}b{30}c', 'automaton'],
    ['\\p{Greek}', 're2js'],
    ['(?i)é', 're2js'],
  ])('%s runs as %s', (source, engine) => expect(compilePattern(source).engine).toBe(engine));

  it.each([
    '(a+)+$b',
    '^(a+)+$',
    '(a|a)*b',
    '(a|aa)+$x',
    '(.*a){20}x',
    '^(a?){50}a{50}b',
    '(?:a{0,30}){0,30}c',
    '(\\w+\\s?)*!',
    'x*x*x*x*x*y',
    'a*b',
    'a.*a.*a.*a.*b',
    '([a-z]+)*\\d',
    '(?i)(a+)+é',
    '(\\pL+)+!',
    '(a{1,100}b?){1,10}c',
    '(?:.?){900}c',
    '[ab]*a[ab]{14}c',
  ])('%s is linear on hostile text', (source) => {
    const pattern = compilePattern(source);
    const long = 'a'.repeat(65_536);
    const mixed = 'aab a'.repeat(13_000);
    const ms = workMs(() => {
      pattern.test(long, 0, long.length);
      pattern.test(mixed, 0, mixed.length);
      for (const length of [32, 64, 128, 256]) for (let i = 0; i < 300; i++) pattern.test(long, i, i + length);
    });
    // A backtracking engine would take from many seconds to the age of the universe.
    expect(ms).toBeLessThan(4000);
  });
});
