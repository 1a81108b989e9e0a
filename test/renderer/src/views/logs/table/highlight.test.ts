import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finderOf, painter, type Layer, type Search, type Segment } from '../../../../../../renderer/src/views/logs/table/highlight.ts';
import { compileLinear } from '../../../../../../renderer/src/views/logs/table/linear-regex.ts';

const paint = (search: Search, text: string): readonly Segment[] => {
  const find = finderOf(search, compileLinear);
  return painter(find === null ? [] : [{ find, look: 'hit' }])(text);
};

describe('painter', () => {
  const hits = (text: string, search: Partial<Search>): string[] =>
    paint({ text: '', regex: false, caseSensitive: false, ...search }, text)
      .filter(({ look }) => look !== null)
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
    ['cat concat cat_ Cat', { text: 'CAT', word: true }, ['cat', 'Cat']],
    ['a1 b1 1', { text: '[ab]?1|1', regex: true, word: true }, ['a1', 'b1', '1']],
    ['x (a', { text: '(a', word: true }, ['(a']],
    ['über xüber Über', { text: 'über', regex: true, word: true }, ['über', 'Über']],
    ['café caf', { text: 'caf', regex: true, word: true }, ['caf']],
    ['a x(a b', { text: '\\(a', regex: true, word: true }, ['(a']],
    ['b b b,b', { text: '(b)', regex: true, word: true }, ['b', 'b', 'b', 'b']],
    ['ΟΔΟΣ ΟΔΟΣΑ σ', { text: 'οδοσ' }, ['ΟΔΟΣ', 'ΟΔΟΣ']],
  ])('%s by %o', (text, search, expected) => expect(hits(text, search)).toEqual(expected));

  it('loses no character, whatever is searched', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 4 }), fc.boolean(), (text, wanted, regex) => {
        const segments = paint({ text: wanted, regex, caseSensitive: false }, text);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
      }),
    );
  });

  it('is not slow on a pattern made to be slow', () => {
    const search = { text: '(a+)+$', regex: true, caseSensitive: true };
    expect(paint(search, `${'a'.repeat(600)}b`)).toHaveLength(1);
  });

  it('shows the hits of the last layer where several overlap', () => {
    const layer = (text: string, look: string): Layer[] => {
      const find = finderOf({ text, regex: false, caseSensitive: false }, null);
      return find === null ? [] : [{ find, look }];
    };
    expect(painter([...layer('abcd', 'one'), ...layer('bc', 'two')])('xabcd')).toEqual([
      { text: 'x', look: null },
      { text: 'a', look: 'one' },
      { text: 'bc', look: 'two' },
      { text: 'd', look: 'one' },
    ]);
  });
});
