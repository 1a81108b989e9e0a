import { describe, expect, it } from 'vitest';
import { finished, newHighlighter, rowColor, withFields } from '../../../../../renderer/src/lib/filter/highlighter.ts';

const status = (text: string, part = {}) => newHighlighter([], { kind: 'field', field: 'status', text, ...part });

describe('newHighlighter', () => {
  it('takes the first colour that the others leave', () => {
    const first = newHighlighter([]);
    expect(first.color).toBe(0);
    expect(newHighlighter([first, newHighlighter([], { color: 2 })]).color).toBe(1);
    const all = ([0, 1, 2, 3, 4, 5] as const).map((color) => newHighlighter([], { color }));
    expect(newHighlighter(all).color).toBe(0);
  });
});

describe('finished', () => {
  it('leaves empty rules out and gives each a name', () => {
    const rules = [
      newHighlighter([]),
      newHighlighter([], { kind: 'field', text: 'a' }),
      status('404'),
      newHighlighter([], { text: 'boom', name: ' Mine ' }),
      newHighlighter([], { text: ' ' }),
    ];
    expect(finished(rules).map(({ name }) => name)).toEqual(['status = 404', 'Mine', 'Rule']);
  });
});

describe('withFields', () => {
  it('adds the fields of the rules that are on, each once', () => {
    const rules = [status('1'), status('2'), newHighlighter([], { kind: 'field', field: 'host', text: 'a', enabled: false })];
    expect(withFields(['request', 'status'], rules)).toEqual(['request', 'status']);
    expect(withFields(['request'], rules)).toEqual(['request', 'status']);
  });
});

describe('rowColor', () => {
  const valueOf = (field: string): string | null => (field === 'status' ? 'Ok' : null);

  it.each([
    ['the value', [status('Ok', { color: 3 })], 3],
    ['the value in another case', [status('ok', { color: 3 })], 3],
    ['another case that counts', [status('ok', { caseSensitive: true })], null],
    ['a part of the value', [status('O')], null],
    ['a field that the record lacks', [newHighlighter([], { kind: 'field', field: 'other', text: 'Ok' })], null],
    ['a rule that is off', [status('Ok', { enabled: false })], null],
    ['a rule for texts', [newHighlighter([], { text: 'Ok' })], null],
    ['several rules: the last one', [status('Ok', { color: 1 }), status('Ok', { color: 2 }), status('no', { color: 4 })], 2],
  ])('%s', (_what, rules, color) => expect(rowColor(rules, valueOf)).toBe(color));
});
