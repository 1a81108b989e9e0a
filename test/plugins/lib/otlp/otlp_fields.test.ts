import { describe, expect, it } from 'vitest';
import {
  addAttributes,
  addId,
  addInteger,
  addJson,
  addPairs,
  addText,
  addValue,
  addWord,
} from '../../../../plugins/lib/otlp/otlp_fields.ts';
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
    [{ bytesValue: 'AP8=' }, [{ name: 'a', value: Uint8Array.of(0, 255) }]],
    [{ bytesValue: 'no base64!' }, [{ name: 'a', value: 'no base64!', representation: 'base64' }]],
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
    const pairs = [{ key: 'a', value: { intValue: 1 } }, { key: 7, value: { intValue: 1 } }, { key: 'b' }, { value: { intValue: 2 } }];
    expect(added((list) => addPairs(list, 'p.', pairs))).toEqual([
      { name: 'p.a', value: 1n },
      { name: 'p.', value: 2n },
    ]);
  });

  it.each<[part: Parameters<typeof addAttributes>[2], key: string, name: string]>([
    ['record', 'body', 'attributes.body'],
    ['record', 'free', 'free'],
    ['record', 'scope.x', 'attributes.scope.x'],
    ['record', 'resource.y', 'attributes.resource.y'],
    ['record', 'attributes.span_id', 'attributes.attributes.span_id'],
    ['record', 'attributes.free', 'attributes.free'],
    ['record', 'toString', 'toString'],
    ['point', 'value', 'attributes.value'],
    ['span', 'duration', 'attributes.duration'],
    ['resource', 'schema_url', 'resource.attributes.schema_url'],
    ['resource', 'resource.x', 'resource.resource.x'],
    ['scope', 'version', 'scope.attributes.version'],
    ['scope', 'name', 'scope.name'],
  ])('of an attribute of a %s called %s: %s', (part, key, name) => {
    expect(added((list) => addAttributes(list, [{ key, value: { boolValue: true } }], part))).toEqual([{ name, value: true }]);
  });

  it('of a map are told from other parts by their whole names', () => {
    const map = { kvlistValue: { values: [{ key: 'x', value: { intValue: 1 } }] } };
    expect(added((list) => addAttributes(list, [{ key: 'resource', value: map }], 'record'))).toEqual([
      { name: 'attributes.resource.x', value: 1n },
    ]);
  });

  it('of an attribute called body is told from a body that is no text', () => {
    const pairs = [{ key: 'body', value: { intValue: 1 } }];
    expect(added((list) => addAttributes(list, pairs, 'record', true))).toEqual([{ name: 'body', value: 1n }]);
  });

  it('of ids have their length, and more than zeros', () => {
    const ids = ['00FF', '0000', 'ff', 'xyz1', 7, undefined];
    expect(added((list) => ids.forEach((id) => addId(list, 'id', id, 4)))).toEqual([{ name: 'id', value: '00ff' }]);
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

  it('of lists are JSON', () => {
    expect(added((list) => [[{ a: 1n }], []].forEach((value) => addJson(list, 'j', value)))).toEqual([
      { name: 'j', value: '[{"a":1}]', representation: 'json' },
    ]);
  });
});
