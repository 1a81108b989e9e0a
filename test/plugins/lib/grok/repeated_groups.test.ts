import { expect, test } from 'vitest';
import { translate } from '../../../../plugins/lib/grok/oniguruma.ts';
import { RepeatedGroups } from '../../../../plugins/lib/grok/repeated_groups.ts';

/** The named groups of a match, as Ruby has them. */
function groups(pattern: string, text: string): Record<string, string | undefined> {
  const { expression, names, places, repetitions } = translate(pattern, { lines: true });
  const found = expression.exec(text);
  if (found === null) throw new Error('no match');
  new RepeatedGroups(expression, places, repetitions).complete(text, found);
  return Object.fromEntries(names.flatMap((name, i) => (name === undefined ? [] : [[name, found[i]]])));
}

test.each<[string, string, Record<string, string | undefined>]>([
  ['^(?:(?<a>x)|(?<b>y))*$', 'xyy', { a: 'x', b: 'y' }],
  ['^(?:(?<a>x)|y)*$', 'yy', { a: undefined }],
  ['^(?:(?<a>\\d)|(?<b>[a-z])){2,3}$', '1a2', { a: '2', b: 'a' }],
  ['^(?:(?:(?<a>a)|(?<b>b))+(?:,|$))*$', 'ab,b,c'.slice(0, 5), { a: 'a', b: 'b' }],
  ['^-?(?:(?<=-)(?<a>a)|(?<b>b))+$', '-ab', { a: 'a', b: 'b' }],
  ['(?>(?:(?<a>a)|b)*)c', 'zabc', { a: 'a' }],
  ['^(?<q>["\'])(?:(?<a>a)|b)*\\k<q>$', '"ab"', { q: '"', a: 'a' }],
])('%s on %j', (pattern, text, expected) => expect(groups(pattern, text)).toEqual(expected));

test('very long repetitions are left as they are', () => {
  const text = `a${'b'.repeat(10_000)}`;
  expect(groups('^(?:(?<a>a)|b)*$', text)).toEqual({ a: 'a' });
  expect(groups('^(?:(?<a>a)|b)*$', `${'b'.repeat(10_000)}ab`)).toEqual({ a: undefined });
});
