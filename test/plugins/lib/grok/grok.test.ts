import { describe, expect, test } from 'vitest';
import { captured, definitions, GrokPatterns, type CaptureType } from '../../../../plugins/lib/grok/grok.ts';

describe('every pattern', () => {
  test.each([false, true])('compiles, ecs %s', (ecs) => {
    const patterns = new GrokPatterns([], ecs);
    expect(patterns.names.length).toBeGreaterThan(180);
    for (const name of patterns.names) expect(() => patterns.compile(`%{${name}}`), name).not.toThrow();
  });
});

test('definitions are names and expressions', () => {
  expect([...definitions('# comment\n\nA x y \r\n  B-1\t%{A}', 'A z')]).toEqual([
    ['A', 'z'],
    ['B-1', '%{A}'],
  ]);
  expect(() => definitions('A')).toThrow('no name and expression: A');
});

describe('a compiled pattern', () => {
  test('names its captures by their groups', () => {
    const { captures } = new GrokPatterns([], false).compile('%{INT:a:int} (x) (?<b>y)%{IP:[source][ip]} %{WORD}');
    expect(captures.filter((capture) => capture !== undefined)).toEqual([
      { name: 'a', type: 'integer' },
      { name: 'b', type: null },
      { name: 'source.ip', type: null },
    ]);
  });

  test.each([
    [false, 'old', null],
    [true, 'new.name', 'integer'],
  ])('has the one or the other of two names: ecs %s', (ecs, name, type) => {
    const { captures } = new GrokPatterns(['P %{INT:old|[new][name]:int}'], ecs).compile('%{P}');
    expect(captures.find((capture) => capture !== undefined)).toEqual({ name, type });
  });

  test('matches long records as short ones', () => {
    const grok = new GrokPatterns([], false).compile('%{IPV6:ip}$');
    const long = 'x '.repeat(500);
    expect([grok.match('2001:db8::7')?.[0], grok.match(`${long}2001:db8::7`)?.[0], grok.match(long)]).toEqual([
      '2001:db8::7',
      '2001:db8::7',
      null,
    ]);
  });
});

test.each<[text: string, type: CaptureType | null, value: unknown]>([
  ['5', null, '5'],
  ['5', 'string', '5'],
  ['1.9', 'integer', 1],
  ['-1.9', 'integer', -1],
  ['9007199254740993', 'integer', 9_007_199_254_740_993n],
  ['1.5', 'number', 1.5],
  ['x', 'number', 'x'],
  [' ', 'number', ' '],
  ['1e999', 'number', '1e999'],
  ['TRUE', 'bool', true],
  ['False', 'bool', false],
  ['yes', 'bool', 'yes'],
])('%s as %s', (text, type, value) => {
  expect(captured(text, type)).toEqual(value);
});
