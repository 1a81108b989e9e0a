import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { compileMatcher } from '../../../../engine/matcher/matcher.ts';
import type { Field } from '../../../../engine/message/types.ts';
import {
  constantTest,
  failing,
  orderTest,
  passing,
  presence,
  wildcardTest,
  type ValueTest,
} from '../../../../engine/api/filter/value-test.ts';

const VARIABLE = 'Fields[a]';
const FIELDS: Readonly<Record<string, Field[]>> = {
  'the text abc': [{ name: 'a', valueType: 0, values: ['abc'] }],
  'the text 404': [{ name: 'a', valueType: 0, values: ['404'] }],
  'the number 404': [{ name: 'a', valueType: 3, values: [404] }],
  'the number 5': [{ name: 'a', valueType: 3, values: [5] }],
  TRUE: [{ name: 'a', valueType: 4, values: [true] }],
  nothing: [],
};

/** The names of the fields that an expression selects. */
function selected(expression: string): string[] {
  const names = Object.keys(FIELDS);
  const batch = batchOf(names.map((name) => ({ uuid: new Uint8Array(16), timestamp: 1n, fields: FIELDS[name] as Field[] })));
  return [...(compileMatcher(expression).select(batch) ?? names.keys())].map((row) => names[row] as string);
}

describe('a test of a value of any type', () => {
  it.each<[string, ValueTest | null, string[]]>([
    ['a text', constantTest(VARIABLE, 'mixed', "'abc'"), ['the text abc']],
    ['a number', constantTest(VARIABLE, 'mixed', '404'), ['the text 404', 'the number 404']],
    ['a boolean', constantTest(VARIABLE, 'mixed', 'TRUE'), ['TRUE']],
    ['an order', orderTest(VARIABLE, '<', '10'), ['the number 5']],
    ['wildcards', wildcardTest(VARIABLE, 'mixed', 'a*'), ['the text abc']],
    ['first digits', wildcardTest(VARIABLE, 'mixed', '4xx'), ['the number 404']],
    ['first digits, also of texts', wildcardTest(VARIABLE, 'mixed', '4*'), ['the text 404', 'the number 404']],
  ])('by %s selects, and its opposite all others', (_what, test, names) => {
    expect(selected(passing([test as ValueTest]))).toEqual(names);
    expect(selected(failing(VARIABLE, 'mixed', [test as ValueTest]))).toEqual(Object.keys(FIELDS).filter((name) => !names.includes(name)));
  });

  it('may be several', () => {
    const tests = [constantTest(VARIABLE, 'mixed', '5'), constantTest(VARIABLE, 'mixed', "'abc'")];
    expect(selected(passing(tests))).toEqual(['the text abc', 'the number 5']);
    expect(selected(failing(VARIABLE, 'mixed', tests))).toEqual(['the text 404', 'the number 404', 'TRUE', 'nothing']);
  });
});

it.each(['5', 'xx', '0xx', 'abc'])('%j has no wildcard', (value) => expect(wildcardTest(VARIABLE, 'mixed', value)).toBeNull());

it('is there, or is not', () => {
  expect(selected(presence(VARIABLE, false))).toEqual(['nothing']);
  expect(selected(presence(VARIABLE, true))).toHaveLength(5);
  expect([presence('Type', true), presence('Type', false)]).toEqual(['TRUE', 'FALSE']);
});
