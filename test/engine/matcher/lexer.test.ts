import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { tokenize } from '../../../engine/matcher/lexer.ts';

describe('tokenize', () => {
  it.each<[string, object[]]>([
    ['', []],
    [' \t\r\n', []],
    ['Type', [{ kind: 'textVariable', name: 'Type', start: 0, end: 4 }]],
    ['Severity', [{ kind: 'numberVariable', name: 'Severity', start: 0, end: 8 }]],
    ['NIL', [{ kind: 'keyword', word: 'NIL', start: 0, end: 3 }]],
    ['Fields[a b][2][3]', [{ kind: 'field', field: { name: 'a b', instance: 2, element: 3 }, start: 0, end: 17 }]],
    ['.5e-3', [{ kind: 'number', value: 0.0005, start: 0, end: 5 }]],
    [String.raw`'it\'s'`, [{ kind: 'text', value: "it's", start: 0, end: 7 }]],
    // Only the quote is escaped.
    [String.raw`"a\n"`, [{ kind: 'text', value: String.raw`a\n`, start: 0, end: 5 }]],
    [String.raw`/a\/\d/`, [{ kind: 'pattern', source: String.raw`a/\d`, start: 0, end: 7 }]],
    ['!~', [{ kind: 'match', negated: true, start: 0, end: 2 }]],
    [
      '(>=)',
      [
        { kind: '(', start: 0, end: 1 },
        { kind: 'relation', relation: '>=', start: 1, end: 3 },
        { kind: ')', start: 3, end: 4 },
      ],
    ],
  ])('cuts %j', (expression, tokens) => {
    expect(tokenize(expression)).toEqual([...tokens, { kind: 'end', start: expression.length, end: expression.length }]);
  });

  it.each<[string, number, string]>([
    ['type', 1, 'write Type'],
    ['status', 1, 'a field is written Fields[status]'],
    ["Type == 'a", 11, 'what opens in column 9 is not closed'],
    ['Fields[a', 9, "the '[' in column 7 is not closed"],
    ['Fields[a][0][0][0]', 16, 'two indexes at most'],
    ['Fields[a][x]', 11, ''],
    ['1.2.3', 1, ''],
    ['1e999', 1, ''],
    ['Type = 1', 6, 'equality is =='],
    ['Pid > -1', 7, 'a negative number cannot be written'],
    ['😀', 1, ''],
  ])('refuses %j in column %i', (expression, column, hint) => {
    const told = (): unknown => tokenize(expression);
    expect(told).toThrow(MatcherError);
    expect(told).toThrow(expect.objectContaining({ column }));
    expect(told).toThrow(expect.objectContaining({ hint: hint === '' ? null : expect.stringContaining(hint) }));
  });

  it('cuts any text into tokens in their order, or says where it is none', () => {
    const piece = fc.constantFrom('Type', ' ', '==', "'", '/', '\\', '(', '&&', '1', '.', 'Fields[', ']', 'e', '-', '😀');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        try {
          let at = 0;
          for (const { start, end } of tokenize(text)) {
            expect(text.slice(at, start).trim()).toBe('');
            at = end;
          }
          expect(at).toBe(text.length);
        } catch (error) {
          if (!(error instanceof MatcherError)) throw error;
          expect(error.column).toBeLessThanOrEqual(text.length + 1);
        }
      }),
    );
  });
});
