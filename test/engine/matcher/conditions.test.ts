import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RELATIONS, type Relation } from '../../../engine/matcher/ast.ts';
import { fieldTest, numberTest, passes, textTest } from '../../../engine/matcher/conditions.ts';
import { compilePattern } from '../../../engine/matcher/regex/pattern.ts';

const COMPARE: Readonly<Record<Relation, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

describe('a condition on a number', () => {
  it('is an interval that holds what the comparison does', () => {
    const value = fc.oneof(
      fc.constantFrom(0, -0, 1, -1, 0.1, Number.MAX_VALUE, Number.MIN_VALUE),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const near = value.chain((v) =>
      fc.tuple(fc.constant(v), fc.oneof(fc.constantFrom(v, v * (1 + Number.EPSILON), v - Number.MIN_VALUE), fc.double())),
    );
    fc.assert(
      fc.property(fc.constantFrom(...RELATIONS), near, (relation, [wanted, given]) => {
        expect(passes(numberTest({ kind: 'number', relation, value: wanted }), given)).toBe(COMPARE[relation](given, wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it('is true of NaN for unequal alone', () => {
    expect(RELATIONS.filter((relation) => passes(numberTest({ kind: 'number', relation, value: 1 }), NaN))).toEqual(['!=']);
  });
});

describe('a condition on a text', () => {
  it('looks at a piece of a text or of bytes alike', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uffee', '\u{1f600}'), maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...RELATIONS), text, text, (relation, value, given) => {
        const test = textTest({ kind: 'text', relation, value });
        const [whole, bytes] = [`a${given}b`, Buffer.from(`a${given}b`)];
        const expected = COMPARE[relation](Buffer.compare(Buffer.from(given), Buffer.from(value)), 0);
        expect(test.text(whole, 1, whole.length - 1)).toBe(expected);
        expect(test.bytes(bytes, 1, bytes.length - 1)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[source: string, negated: boolean, needle: string | null]>([
    ['abc', false, 'abc'],
    ['abc', true, null],
    ['^abc', false, null],
    ['a|b', false, null],
  ])('/%s/ negated %s is looked for as %j', (source, negated, needle) => {
    const test = textTest({ kind: 'pattern', negated, pattern: compilePattern(source) });
    expect(test.needle).toBe(needle);
    expect(test.text('xabcx', 1, 4)).toBe(!negated);
    expect(test.bytes(Buffer.from('xabcx'), 1, 4)).toBe(!negated);
  });
});

describe('fieldTest', () => {
  it('is false of values of other kinds', () => {
    expect(fieldTest({ kind: 'boolean', value: true })).toEqual({ text: null, number: null, boolean: true, key: null });
    expect(fieldTest({ kind: 'number', relation: '>=', value: 1 })).toEqual({
      text: null,
      number: { low: 1, high: Infinity, outside: false },
      boolean: null,
      key: null,
    });
    expect(fieldTest({ kind: 'text', relation: '==', value: 'x' })).toMatchObject({ text: { needle: null }, number: null, boolean: null });
  });
});
