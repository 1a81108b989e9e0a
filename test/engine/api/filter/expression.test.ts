import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueType as Kind, type Message } from '../../../../engine/message/types.ts';
import { compileMatcher } from '../../../../engine/matcher/matcher.ts';
import { allOf, between, exactPattern, fieldVariable, is, quote, type ValueType } from '../../../../engine/api/filter/expression.ts';

function withField(value: string): Message {
  return { uuid: new Uint8Array(16), timestamp: 0n, fields: [{ name: 'a', valueType: Kind.STRING, values: [value] }] };
}

describe('fieldVariable', () => {
  it.each([
    ['status', 0, 0, 'Fields[status]'],
    ['a b', 1, 0, 'Fields[a b][1]'],
    ['tag', 0, 2, 'Fields[tag][0][2]'],
    ['we]ird', 0, 0, null],
    ['', 0, 0, null],
  ])('%s %d %d → %s', (name, instance, element, expected) => expect(fieldVariable(name, instance, element)).toBe(expected));
});

describe('quote', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", '"it\'s"'],
    ['say "x"', '\'say "x"\''],
    [`both ' and "`, `'both \\' and "'`],
    ['back\\slash', "'back\\slash'"],
    ['ends\\', null],
    [`\\' and "`, null],
  ])('%j → %j', (text, expected) => expect(quote(text)).toBe(expected));
});

describe('between', () => {
  it.each([
    [1, 5, false, 'Fields[n] >= 1 && Fields[n] < 5'],
    [0, 1e21, true, 'Fields[n] >= 0 && Fields[n] <= 1000000000000000000000'],
    [2e-7, 0.5, false, 'Fields[n] >= 0.0000002 && Fields[n] < 0.5'],
    [-1, 5, false, null],
    [1, Infinity, false, null],
    [NaN, 5, false, null],
  ])('%d to %d, inclusive: %s → %s', (low, high, inclusive, expected) => expect(between('Fields[n]', low, high, inclusive)).toBe(expected));
});

describe('is', () => {
  it.each<[string, ValueType | 'mixed', string, string | null]>([
    ['Fields[status]', 'number', '404', 'Fields[status] == 404'],
    ['Fields[delta]', 'number', '-3', null],
    ['Fields[x]', 'number', 'Infinity', null],
    ['Fields[tls]', 'bool', 'true', 'Fields[tls] == TRUE'],
    ['Fields[tls]', 'bool', 'yes', null],
    ['Fields[uri]', 'string', '/a', "Fields[uri] == '/a'"],
    ['Type', 'string', 'web', "Type == 'web'"],
    ['Severity', 'number', '3', 'Severity == 3'],
    ['Payload', 'string', 'a\\', 'Payload =~ /^a\\\\$/'],
    ['Fields[id]', 'mixed', '7f3a', "Fields[id] == '7f3a'"],
    ['Fields[id]', 'mixed', '404', "(Fields[id] == '404' || Fields[id] == 404)"],
    ['Fields[id]', 'mixed', '007', "Fields[id] == '007'"],
    ['Fields[id]', 'mixed', '-3', "Fields[id] == '-3'"],
    ['Fields[id]', 'mixed', 'true', "(Fields[id] == 'true' || Fields[id] == TRUE)"],
  ])('%s %s %j', (variable, type, value, only) => expect(is(variable, type, value)).toBe(only));

  it('finds exactly the records with the value, whatever text it is', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('\\', "'", '"', '/', 'a', '\n'), maxLength: 6 }),
    );
    fc.assert(
      fc.property(anyText, anyText, (value, other) => {
        const only = compileMatcher(is('Fields[a]', 'string', value) ?? '');
        expect(only.matches(withField(value))).toBe(true);
        expect(only.matches(withField(other))).toBe(value === other);
      }),
    );
  });

  it('escapes everything that means something in a pattern', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (value) => {
        const source = exactPattern(value).slice(1, -1);
        return new RegExp(source).test(value) && !new RegExp(source).test(`${value}x`);
      }),
    );
  });
});

describe('allOf', () => {
  it.each([
    [[], null],
    [['  '], null],
    [['Type == 1'], 'Type == 1'],
    [['a || b', 'c'], '(a || b) && c'],
    [['', 'a', ' b '], 'a && b'],
  ])('%j → %j', (parts, expected) => expect(allOf(parts)).toBe(expected));
});
