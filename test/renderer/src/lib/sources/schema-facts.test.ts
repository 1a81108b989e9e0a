import { describe, expect, it } from 'vitest';
import { fieldsOf, valueTypeOf, variablesOf } from '../../../../../renderer/src/lib/sources/schema-facts.ts';
import { field, SCHEMA } from '../schema-fixture.ts';

describe('facts of the schema', () => {
  it('takes the commonest of the fields of one name', () => expect(fieldsOf(SCHEMA).get('status')?.type).toBe('number'));

  it.each([
    ['number', '7', 'number'],
    ['bool', 'true', 'bool'],
    ['string', '7', 'string'],
    ['mismatch', '7', 'number'],
    ['mismatch', 'seven', 'string'],
  ] as const)('a value of a %s field, %s, is a %s', (type, value, expected) => {
    expect(valueTypeOf(field('x', type, 1), value)).toBe(expected);
  });

  it('offers fields with constants that an expression can say', () => {
    const variables = variablesOf(SCHEMA);
    expect(variables.find(({ name }) => name === 'Fields[status]')?.constants).toEqual(['200']);
    expect(variables.find(({ name }) => name === 'Fields[tls]')?.constants).toEqual(['TRUE', 'FALSE']);
    expect(variables.find(({ name }) => name === 'Type')?.constants).toEqual(["'web'", "''"]);
  });
});
