import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';

function failure(expression: string): MatcherError {
  try {
    compileMatcher(expression);
  } catch (error) {
    if (error instanceof MatcherError) return error;
    throw error;
  }
  throw new Error(`${expression} was accepted`);
}

/** Expression, column, what the message must say. */
const table: readonly [string, number, string][] = [
  ['', 1, 'expected a variable'],
  ['  ', 3, 'found the end'],
  [`Type = 'x'`, 6, 'equality is =='],
  [`Type == 'a' & TRUE`, 13, 'and is &&'],
  [`Type == 'a' | TRUE`, 13, 'or is ||'],
  [`Severity == '6'`, 13, 'Severity is a number'],
  ['Type == 6', 9, 'Type is a text'],
  ['Pid =~ /6/', 5, 'Pid is a number'],
  ['Type == NIL', 9, 'only a field is compared with NIL'],
  ['Fields[a] > NIL', 13, 'NIL is compared with == or !='],
  ['Fields[a] != TRUE', 14, 'TRUE and FALSE are compared with =='],
  ['NIL', 1, "found 'NIL'"],
  ['Fields[]', 8, 'the name of a field'],
  ['Fields', 7, "'['"],
  ['Fields [a] == 1', 7, "'['"],
  ['Fields[a][] == 1', 11, 'the number of the instance'],
  ['Fields[a][0][] == 1', 14, 'the number of the element'],
  ['Fields[a][b] == 1', 11, "found 'b'"],
  ['Fields[a][-1] == 1', 11, 'in digits'],
  ['Fields[a][0][0][0] == 1', 16, 'two indexes at most'],
  ['Fields[a == 1', 14, 'not closed'],
  [`Type == 'x`, 11, 'what opens in column 9 is not closed'],
  ['Type =~ /x', 11, 'the closing /'],
  [`Type =~ 'x'`, 9, 'a regular expression between slashes'],
  ['Type == /x/', 9, 'compared with =~ or !~'],
  ['Type =~ /(/', 9, 'missing closing )'],
  [`(Type == 'x'`, 13, "the '(' in column 1 is not closed"],
  ['Pid == -1', 8, 'a negative number cannot be written'],
  [`type == 'x'`, 1, 'write Type'],
  [`Kind == 'x'`, 1, 'a field is written Fields[Kind]'],
  [`'x' == Type`, 1, 'the variable stands on the left'],
  ['TRUE FALSE', 6, 'expected &&, || or the end'],
  ['TRUE garbage', 6, "found 'garbage'"],
  [`TRUE 'open`, 11, 'the closing quote'],
  ['Pid == 5-3', 8, 'a decimal number'],
  ['Pid == 1e999', 8, 'a double can hold'],
  ['Pid == .', 8, 'a decimal number'],
  ['Pid == 1E5', 9, 'a variable'],
  ['TRUE)', 5, "found ')'"],
  ['Type', 5, 'a comparison'],
  ['TRUE &&', 8, 'found the end'],
  ['Type == TRUE', 9, 'only a field is compared with TRUE'],
  ['Type #', 6, "found '#'"],
  ['Pid == 6 😀', 10, "found '😀'"],
  ['Timestamp == NIL', 14, 'only a field'],
];

describe('errors', () => {
  it.each(table)('%s fails in column %d: %s', (expression, column, text) => {
    const error = failure(expression);
    expect(error.column).toBe(column);
    expect(error.message).toContain(text);
    expect(error.message).toContain(`column ${column}: expected ${error.expected}, found ${error.found}`);
  });

  it('shows the place', () => {
    expect(failure('Severity <= 3 &&\n\tType = "x"').caret()).toBe('\tType = "x"\n\t     ^');
    expect(failure('Type ==').caret()).toBe('Type ==\n       ^');
  });

  it.each([
    String.raw`\1`,
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    String.raw`\y`,
    String.raw`\Z`,
    'a**',
    '[z-a]',
    String.raw`\C`,
    '[[:nope:]]',
    String.raw`\p{Nope}`,
    'a{1001}',
    '(?i',
    String.raw`\Q\E*`,
  ])('refuses the regular expression %s', (source) => {
    expect(failure(`Type =~ /${source}/`).cause).toHaveProperty('name', 'PatternError');
  });

  it('is bounded in depth, length and size', () => {
    expect(failure(`${'('.repeat(100_000)}TRUE`).message).toContain('characters');
    expect(failure(`${'('.repeat(60_000)}TRUE`).message).toContain('nested parentheses');
    expect(compileMatcher(`${'('.repeat(200)}TRUE${')'.repeat(200)}`).source).toHaveLength(404);
    expect(failure(`Type =~ /${'.{1000}'.repeat(1000)}/`).message).toContain('too large');
    expect(failure(`Type =~ /${'('.repeat(20_000)}/`).cause).toHaveProperty('name', 'PatternError');
    expect(compileMatcher(Array(6000).fill('Pid == 1').join('||')).variables.headers).toEqual(['Pid']);
  });

  it('throws nothing but MatcherError, with a column inside of the expression', () => {
    const pieces = fc.constantFrom(
      'Type',
      'Fields[a]',
      'Fields[',
      ']',
      '==',
      '=~',
      '&&',
      '(',
      ')',
      `'x'`,
      '"',
      '/a/',
      '/',
      '\\',
      '[0]',
      '1',
      '-',
      ' ',
      'NIL',
      'TRUE',
    );
    const soup = fc.oneof(
      fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    fc.assert(
      fc.property(soup, (expression) => {
        try {
          compileMatcher(expression);
        } catch (error) {
          expect(error).toBeInstanceOf(MatcherError);
          const { column } = error as MatcherError;
          expect(column).toBeGreaterThan(0);
          expect(column).toBeLessThanOrEqual(expression.length + 1);
        }
      }),
    );
  });
});
