import { expect, it } from 'vitest';
import { byMatcher, NO_FILTER, withTerm } from '../../../../../renderer/src/lib/filter/filter.ts';
import { namedFields } from '../../../../../renderer/src/lib/filter/named-fields.ts';

it.each<[expression: string, names: string[]]>([
  ['Fields[status] >= 500 && Fields[request_time] > 1', ['status', 'request_time']],
  ["Hostname == 'web1' || Fields[a b][0][1] == TRUE || Severity <= 3", ['Hostname', 'a b']],
  [`Fields[a] == 'Fields[no]' && Fields[b] == "it's Fields[no]"`, ['a', 'b']],
  [`Fields[a] =~ /it's Fields\\/[no]/ && Fields[b] != NIL`, ['a', 'b']],
  ['Fields[decode_failure] == TRUE', []],
])('%s names %j', (expression, names) => {
  expect(namedFields(withTerm(NO_FILTER, byMatcher('x', expression)))).toEqual(names);
});

it('takes no names from texts, nor from filters that are off', () => {
  const text = { kind: 'text' as const, text: 'Fields[a]', label: '', caseSensitive: false, out: false };
  const filter = withTerm(withTerm(NO_FILTER, text), byMatcher('x', 'Fields[b] == 1'));
  expect(namedFields({ ...filter, stack: filter.stack.map((one) => ({ ...one, enabled: one.kind === 'text' })) })).toEqual([]);
});
