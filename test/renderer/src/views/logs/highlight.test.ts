import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlighter } from '../../../../../renderer/src/views/logs/highlight.ts';
import { compileLinear } from '../../../../../renderer/src/views/logs/linear-regex.ts';

describe('highlighter', () => {
  const hits = (text: string, search: { text: string; regex?: boolean; caseSensitive?: boolean }): string[] =>
    highlighter(
      { regex: false, caseSensitive: false, ...search },
      compileLinear,
    )(text)
      .filter(({ hit }) => hit)
      .map((segment) => segment.text);

  it.each([
    ['GET /a GET', { text: 'get' }, ['GET', 'GET']],
    ['GET /a', { text: 'get', caseSensitive: true }, []],
    ['a1b22', { text: '\\d+', regex: true }, ['1', '22']],
    ['Abc', { text: 'B', regex: true }, ['b']],
    ['abc', { text: '(', regex: true }, []],
    ['abc', { text: 'x*', regex: true }, []],
    ['abc', { text: '' }, []],
    ['İx', { text: 'x' }, []],
  ])('%s by %o', (text, search, expected) => expect(hits(text, search)).toEqual(expected));

  it('loses no character, whatever is searched', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 4 }), fc.boolean(), (text, wanted, regex) => {
        const segments = highlighter({ text: wanted, regex, caseSensitive: false }, compileLinear)(text);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
      }),
    );
  });

  it('is not slow on a pattern made to be slow', () => {
    const segments = highlighter({ text: '(a+)+$', regex: true, caseSensitive: true }, compileLinear);
    expect(segments(`${'a'.repeat(600)}b`)).toHaveLength(1);
  });
});
