import { describe, expect, it } from 'vitest';
import { addAttributes, addInteger, addJson, addPairs, addText, addValue, addWord } from '../../../../plugins/lib/otlp/otlp_fields.ts';
import type { LogField } from '../../../../plugins/modules/table_writer.ts';

function added(add: (fields: LogField[]) => unknown): LogField[] {
  const fields: LogField[] = [];
  add(fields);
  return fields;
}

describe('addValue', () => {
  it.each<[value: Parameters<typeof addValue>[2], fields: LogField[]]>([
    [{ stringValue: 'x' }, [{ name: 'a', value: 'x' }]],
    [{ intValue: '7' }, [{ name: 'a', value: 7n }]],
    [{ bytesValue: 'AA==' }, [{ name: 'a', value: 'AA==', representation: 'base64' }]],
    [{ arrayValue: { values: [{ stringValue: 'x' }, { stringValue: 'y' }] } }, [{ name: 'a', value: ['x', 'y'] }]],
    [{ arrayValue: { values: [{ stringValue: 'x' }, { boolValue: true }] } }, [{ name: 'a', value: '["x",true]', representation: 'json' }]],
    [{ arrayValue: { values: [{ kvlistValue: {} }] } }, [{ name: 'a', value: '[{}]', representation: 'json' }]],
    [{ arrayValue: {} }, []],
    [{}, []],
    [
      {
        kvlistValue: {
          values: [
            { key: 'b', value: { doubleValue: 1.5 } },
            { key: 'c', value: { kvlistValue: { values: [{ key: 'd', value: { stringValue: 'x' } }] } } },
          ],
        },
      },
      [
        { name: 'a.b', value: 1.5 },
        { name: 'a.c.d', value: 'x' },
      ],
    ],
  ])('%j', (value, fields) => expect(added((list) => addValue(list, 'a', value))).toEqual(fields));

  it('keeps maps at a great depth as JSON', () => {
    let value: Parameters<typeof addValue>[2] = { stringValue: 'x' };
    for (let i = 0; i < 22; i++) value = { kvlistValue: { values: [{ key: 'k', value }] } };
    const [field] = added((list) => addValue(list, 'a', value));
    expect(field).toEqual({ name: `a${'.k'.repeat(20)}`, value: '{"k":{"k":"x"}}', representation: 'json' });
  });
});

describe('fields of members', () => {
  it('of pairs have a prefix', () => {
    const pairs = [{ key: 'a', value: { intValue: 1 } }, { key: 7, value: { intValue: 1 } }, { key: 'b' }];
    expect(added((list) => addPairs(list, 'p.', pairs))).toEqual([{ name: 'p.a', value: 1n }]);
  });

  it('of attributes are told from other parts', () => {
    const attributes = ['body', 'free', 'scope.x', 'resource.y'].map((key) => ({ key, value: { boolValue: true } }));
    expect(added((list) => addAttributes(list, { attributes }, new Set(['body']))).map(({ name }) => name)).toEqual([
      'attributes.body',
      'free',
      'attributes.scope.x',
      'attributes.resource.y',
    ]);
  });

  it('of texts and integers are left out without a value', () => {
    expect(added((list) => ['a', '', 1, undefined].forEach((value) => addText(list, 'one', value)))).toEqual([{ name: 'one', value: 'a' }]);
    const integers = added((list) => ['7', 0, '0', 1.5, undefined].forEach((value) => addInteger(list, 'n', value)));
    expect(integers).toEqual([{ name: 'n', value: 7n }]);
  });

  it.each<[value: string | number | undefined, word: string]>([
    [1, 'ok'],
    [2, 'error'],
    [0, ''],
    [9, ''],
    ['CODE_OK', 'ok'],
    ['CODE_', ''],
    ['OK', ''],
    [undefined, ''],
  ])('of an enumeration: %j', (value, word) => {
    const fields: LogField[] = [];
    expect(addWord(fields, 'code', value, ['', 'ok', 'error'], 'CODE_')).toBe(word);
    expect(fields).toEqual(word === '' ? [] : [{ name: 'code', value: word }]);
  });

  it('of objects are JSON', () => {
    const json = added((list) => [{ a: 1n }, [1], {}, [], null, 'x', undefined].forEach((value) => addJson(list, 'j', value)));
    expect(json).toEqual([
      { name: 'j', value: '{"a":1}', representation: 'json' },
      { name: 'j', value: '[1]', representation: 'json' },
    ]);
  });
});
