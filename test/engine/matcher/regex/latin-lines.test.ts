import { describe, expect, it } from 'vitest';
import { latinLines, literalRegex } from '../../../../engine/matcher/regex/latin-lines.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import type { Regex } from '../../../../engine/matcher/regex/syntax.ts';

const linesOf = (source: string): string | null => latinLines(parseRegex(source) as Regex);

describe('latinLines', () => {
  it.each([
    ['a text', 'a.b', '(?-u)[a][\\x00-\\x09\\x0b-\\xff][b]'],
    ['what is repeated at an edge, as often as it must be', '[ab]{2,5}c+', '(?-u)(?:[a-b]){2,2}[c]'],
    ['no places between characters', '^\\bab$', '(?-u)[a][b]'],
    ['a choice', 'ab|cd', '(?-u)[a][b]|[c][d]'],
    ['a character that is not in Latin-1', 'a😀', '(?-u)[a][^\\x00-\\xff]'],
    [
      'the line ends in a match, or its first line',
      'ab[^x]+cd',
      '(?-u)[a][b](?:(?:[\\x00-\\x09\\x0b-wy-\\xff]){1,}[c][d]|[\\x00-\\x09\\x0b-wy-\\xff]*$)',
    ],
    ['the characters behind what may be a line end', '\\sab', '(?-u)[a][b]'],
  ])('is for %s', (_, source, expression) => expect(linesOf(source)).toBe(expression));

  it.each(['', '^$', 'a*', '\\n', '\\s', 'a|\\s', '\\b', '(?m)^$', '(a|)\\sb|\\n'])('is none for %o', (source) =>
    expect(linesOf(source)).toBeNull(),
  );

  it('has each character of Latin-1 that has the same lower-case form', () => {
    for (let code = 0; code < 0x100; code++) {
      const char = String.fromCharCode(code);
      if (char === '\n') continue;
      const [, body = ''] = /^\(\?-u\)\[(.*)\]$/.exec(latinLines(literalRegex(char, false)) ?? '') ?? [];
      const found = new RegExp(`^[${body.replace(/ /g, '\\x20')}]$`, 'v').test(char);
      expect(found, `U+${code.toString(16)}`).toBe(true);
    }
  });
});
