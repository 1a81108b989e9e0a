import { describe, expect, it } from 'vitest';
import { Attributes, countPart, originHead, textPart } from '../../../engine/otlp/origin.ts';
import { int64, type KeyValue } from '../../../engine/otlp/types.ts';
import { ValueType } from '../../../engine/message/types.ts';

const text = (key: string, stringValue: string): KeyValue => ({ key, value: { stringValue } });
const int = (key: string, value: bigint): KeyValue => ({ key, value: { intValue: int64(value) } });

describe('originHead', () => {
  it('has headers and fields of the resource and the scope', () => {
    const { hostname, pid, logger, fields } = originHead({
      resource: { attributes: [text('host.name', 'box1'), int('process.pid', 7n), text('os', 'linux')], droppedAttributesCount: 2 },
      resourceSchemaUrl: 'http://r/',
      scope: { name: 'shop', version: '1', attributes: [int('a', 5n)], droppedAttributesCount: 0 },
      scopeSchemaUrl: '',
    });
    expect([hostname, pid, logger]).toEqual(['box1', 7, 'shop']);
    expect(fields.map(({ name, values }) => [name, values[0]])).toEqual([
      ['scope.version', '1'],
      ['scope.a', 5n],
      ['resource.os', 'linux'],
      ['resource.dropped_attributes_count', 2n],
      ['resource.schema_url', 'http://r/'],
    ]);
  });

  it('of nothing is empty', () => {
    const head = originHead({ resource: {}, resourceSchemaUrl: '', scope: {}, scopeSchemaUrl: '' });
    expect(head).toEqual({ hostname: undefined, pid: undefined, logger: undefined, fields: [] });
  });
});

describe('Attributes', () => {
  it('gives each header once, when it fits', () => {
    const attributes = new Attributes([text('a', 'x'), int('n', 2n ** 31n), int('m', -1n), text('t', 'y')]);
    expect(attributes.takeText('a', (value) => value === 'z')).toBeNull();
    expect(attributes.takeText('a')).toBe('x');
    expect(attributes.takeText('a')).toBeNull();
    expect([attributes.takeText('n'), attributes.takeInt32('n'), attributes.takeInt32('m'), attributes.takeInt32('t')]).toEqual([
      null,
      null,
      -1,
      null,
    ]);
    expect(attributes.fields('record', false).map(({ name }) => name)).toEqual(['n', 't']);
  });

  it('may be none', () => expect(new Attributes(undefined).fields('scope', false)).toEqual([]));
});

it('parts that are not set have no field', () => {
  expect([
    textPart('scope', 'a', ''),
    textPart('scope', 'a', undefined),
    countPart('scope', 'a', 0),
    countPart('scope', 'a', undefined),
  ]).toEqual([[], [], [], []]);
  expect(countPart('resource', 'a', 3, 'B')).toEqual([
    { name: 'resource.a', valueType: ValueType.INTEGER, representation: 'B', values: [3n] },
  ]);
});
