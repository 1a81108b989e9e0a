import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../engine/otlp/any-value.ts';
import { int64, type AnyValue } from '../../../engine/otlp/types.ts';

describe('the value of a field', () => {
  it.each<[title: string, field: object, value: AnyValue]>([
    ['a text', { valueType: 0, values: ['x'] }, { stringValue: 'x' }],
    ['an integer', { valueType: 2, values: [-1n] }, { intValue: int64(-1n) }],
    ['no value', { valueType: 0, values: [] }, { arrayValue: { values: [] } }],
    ['several values', { valueType: 4, values: [true, false] }, { arrayValue: { values: [{ boolValue: true }, { boolValue: false }] } }],
    [
      'a list of JSON',
      { valueType: 0, representation: 'json', values: ['["a",9007199254740993,1.5,{"k":null},[true],1e3]'] },
      {
        arrayValue: {
          values: [
            ...[{ stringValue: 'a' }, { intValue: int64(9007199254740993n) }, { doubleValue: 1.5 }],
            ...[
              { kvlistValue: { values: [{ key: 'k', value: {} }] } },
              { arrayValue: { values: [{ boolValue: true }] } },
              { doubleValue: 1000 },
            ],
          ],
        },
      },
    ],
    ['an object of JSON', { valueType: 0, representation: 'json', values: ['{"a":1}'] }, { stringValue: '{"a":1}' }],
    ['a list that is none', { valueType: 0, representation: 'json', values: ['[1'] }, { stringValue: '[1' }],
    ['a list of JSON that is a text', { valueType: 0, values: ['[1]'] }, { stringValue: '[1]' }],
  ])('%s', (_title, field, value) => expect(valueOf({ name: 'a', ...field } as Parameters<typeof valueOf>[0])).toEqual(value));
});
