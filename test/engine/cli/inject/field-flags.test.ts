import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../engine/cli/command.ts';
import { fieldOf, type FieldFlag } from '../../../../engine/cli/inject/field-flags.ts';
import type { Field } from '../../../../engine/message/types.ts';

const fieldsOf = (...flags: [FieldFlag['kind'], string][]): Field[] =>
  flags.reduce<Field[]>((fields, [kind, value]) => fieldOf(fields, { kind, value }), []);

describe('a flag', () => {
  it.each<[FieldFlag['kind'], string, object]>([
    ['field', 'a=b=c', { name: 'a', valueType: 0, values: ['b=c'] }],
    ['field', 'a=', { name: 'a', valueType: 0, values: [''] }],
    ['field', 'a:ipv4=1.2.3.4', { name: 'a', representation: 'ipv4', valueType: 0, values: ['1.2.3.4'] }],
    ['field', String.raw`a\:b\=c=x`, { name: 'a:b=c', valueType: 0, values: ['x'] }],
    ['field-int', 'n=-9223372036854775808', { name: 'n', valueType: 2, values: [-(1n << 63n)] }],
    ['field-double', 'd:ms=-inf', { name: 'd', representation: 'ms', valueType: 3, values: [-Infinity] }],
    ['field-double', 'd=nan', { name: 'd', valueType: 3, values: [NaN] }],
    ['field-bool', 'b=false', { name: 'b', valueType: 4, values: [false] }],
    ['field-bytes', 'b=AP8', { name: 'b', valueType: 1, values: [Uint8Array.of(0, 255)] }],
  ])('--%s %s', (kind, value, field) => expect(fieldsOf([kind, value])).toEqual([field]));

  it.each<[FieldFlag['kind'], string, string]>([
    ['field', 'a', 'takes NAME=VALUE'],
    ['field', '=a', 'takes NAME=VALUE'],
    ['field-int', 'n=9223372036854775808', 'is not a whole number of 64 bits'],
    ['field-double', 'd=', 'is not a number'],
    ['field-double', 'd=1e999', 'is not a number'],
    ['field-bool', 'b=yes', 'is not true or false'],
    ['field-bytes', 'b=A', 'is not bytes in base64'],
    ['field', 'a[]=b', 'there is no field a yet'],
  ])('--%s %s is refused', (kind, value, reason) => {
    const told = (): unknown => fieldsOf([kind, value]);
    expect(told).toThrow(UsageError);
    expect(told).toThrow(reason);
  });
});

describe('a further value', () => {
  it('is added to the last field of the name', () => {
    expect(fieldsOf(['field', 'a=1'], ['field-int', 'a:B=2'], ['field', 'c=x'], ['field-int', 'a[]=3'])).toEqual([
      { name: 'a', valueType: 0, values: ['1'] },
      { name: 'a', valueType: 2, representation: 'B', values: [2n, 3n] },
      { name: 'c', valueType: 0, values: ['x'] },
    ]);
  });

  it('is of the same type, and has no representation of its own', () => {
    expect(() => fieldsOf(['field', 'a=1'], ['field-int', 'a[]=2'])).toThrow('has values of another type');
    expect(() => fieldsOf(['field', 'a=1'], ['field', 'a[]:B=2'])).toThrow('the representation is given with the first value');
  });
});
