import { expect, test } from 'vitest';
import { NameCache } from '../../../../plugins/lib/name_cache.ts';
import { numberedPattern } from '../../../../plugins/base/numbered_pattern.ts';

test.each<[pattern: RegExp, text: string]>([
  [/^(?<a>\d+) (?<b>\w*)$/, '12 x'],
  [/(?<a>x)?(y)(?<b>z)/, 'yz'],
  [/\((?<a>[(?<b>)]+)\)/, '(<b>)'],
  [/[\](](?<a>.)(?:(?<b>.))(?=(?<c>.))(?<!(?<d>q).)/, ']123'],
  [/(?<=(?<a>k))(?!n)(?<b>.)/i, 'KX'],
  [/\\(?<a>.)\(\?<no>(?<b>.)/, '\\x(?<no>y'],
])('%s without names has the same groups', (pattern, text) => {
  const { expression, names } = numberedPattern(pattern);
  expect(expression.flags).toBe(pattern.flags);
  const found = expression.exec(text);
  const groups = names.flatMap((name, i) => (name === undefined ? [] : [[name, found?.[i]] as const]));
  expect(Object.fromEntries(groups)).toEqual({ ...pattern.exec(text)?.groups });
  expect(found?.slice(1)).toEqual(pattern.exec(text)?.slice(1));
});

test('names in records are those that stand there, whatever stood there before', () => {
  const cache = new NameCache();
  const read = (record: string): string[] => {
    cache.begin();
    return Array.from(record.matchAll(/\S+/g), ({ index, 0: name }) => cache.next(record, index, index + name.length));
  };
  const long = Array.from({ length: 100 }, (_, i) => `name${i}`).join(' ');
  for (const record of ['a b __proto__', 'a bb __proto_', '0 b', '', long, `${long} x`, 'constructor 1 2']) {
    expect(read(record)).toEqual(record.split(' ').filter((name) => name !== ''));
  }
});
