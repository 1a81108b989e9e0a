import fc from 'fast-check';
import { expect, it } from 'vitest';
import { structuredDataEnd, structuredParameters } from '../../../../plugins/lib/syslog/structured_data.ts';

it.each<[string, number, [string, string][]]>([
  [
    '[a x="1" y="2"][b]',
    18,
    [
      ['a.x', '1'],
      ['a.y', '2'],
      ['b', ''],
    ],
  ],
  [String.raw`[a x="\"\\\]\n"]`, 16, [['a.x', String.raw`"\]\n`]]],
  // Against the rule, as some write it.
  [
    '[a x= 1 y=b]',
    12,
    [
      ['a.x', '1'],
      ['a.y', 'b'],
    ],
  ],
  ['[a x="]"] words', 9, [['a.x', ']']]],
  ['[a] [b]', 3, [['a', '']]],
])('%s', (data, end, parameters) => {
  expect(structuredDataEnd(data, 0, data.length)).toBe(end);
  expect(structuredParameters(data.slice(0, end))).toEqual(parameters);
});

it.each(['', '-', 'a', '[', '[]', '[ a]', '[a x]', '[a x=]', '[a x="1]', '[a x="1"', '[a"]'])('%j is none', (data) => {
  expect(structuredDataEnd(data, 0, data.length)).toBe(-1);
});

it('reads back what was written, and nothing behind its end', () => {
  const name = fc.stringMatching(/^[a-z@0-9]{1,5}$/);
  const value = fc.string({ unit: fc.constantFrom('a', '"', '\\', ']', '[', ' ', '='), maxLength: 6 });
  fc.assert(
    fc.property(name, fc.array(fc.tuple(name, value), { maxLength: 4 }), fc.string({ maxLength: 5 }), (id, parameters, rest) => {
      const escaped = parameters.map(([key, text]) => ` ${key}="${text.replace(/["\\\]]/g, String.raw`\$&`)}"`);
      const data = `[${id}${escaped.join('')}]`;
      expect(structuredDataEnd(`x${data} ${rest}`, 1, 1 + data.length)).toBe(1 + data.length);
      expect(structuredParameters(data)).toEqual(
        parameters.length === 0 ? [[id, '']] : parameters.map(([key, text]) => [`${id}.${key}`, text]),
      );
    }),
  );
});
