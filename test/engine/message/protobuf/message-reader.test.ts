import { describe, expect, it } from 'vitest';
import { readMessage, readWhole, type WireField } from '../../../../engine/message/protobuf/message-reader.ts';
import { ProtoReader } from '../../../../engine/message/protobuf/proto-reader.ts';
import { headerValues, ValueType, type Field } from '../../../../engine/message/types.ts';
import { readUtf8 } from '../../../../engine/message/utf8.ts';

const HEAD = `0a10${'00'.repeat(16)}1005`;
const readerOf = (hex: string): ProtoReader => new ProtoReader(Buffer.from(hex, 'hex'), readUtf8);
const field = (hex: string): Field => {
  const length = (hex.length / 2).toString(16).padStart(2, '0');
  return readWhole(readerOf(`${HEAD}52${length}${hex}`)).fields[0] as Field;
};

describe('readWhole', () => {
  it.each<[hex: string, field: Partial<Field>]>([
    ['0a0161', { name: 'a', valueType: ValueType.STRING, representation: undefined, values: [] }],
    ['0a0161220178220179', { valueType: ValueType.STRING, values: ['x', 'y'] }],
    ['0a01611009220178', { valueType: ValueType.STRING, values: ['x'] }],
    ['0a016110022201783005', { valueType: ValueType.INTEGER, values: [5n] }],
    ['0a0161100232020506', { valueType: ValueType.INTEGER, values: [5n, 6n] }],
    ['0a016110023005320106', { valueType: ValueType.INTEGER, values: [5n, 6n] }],
    ['0a0161100339000000000000f03f', { valueType: ValueType.DOUBLE, values: [1] }],
    ['0a0161100442020100', { valueType: ValueType.BOOL, values: [true, false] }],
    ['0a016110012a0107', { valueType: ValueType.BYTES, values: [Uint8Array.of(7)] }],
    ['0a01611a02 6d73'.replace(' ', ''), { representation: 'ms' }],
    ['0a01610a0162', { name: 'b' }],
  ])('%s', (hex, expected) => expect(field(hex)).toMatchObject(expected));

  it('takes the last of a header, and passes over what it does not know', () => {
    const message = readWhole(readerOf(`${HEAD}280328041a01617801a2060163`));
    expect([message.severity, message.type]).toEqual([4, 'a']);
  });

  it.each<[hex: string, error: string]>([
    ['', 'no uuid (tag 1)'],
    ['1005', 'no uuid (tag 1)'],
    [`0a10${'00'.repeat(16)}`, 'no timestamp (tag 2)'],
    [`0a0f${'00'.repeat(15)}1005`, 'uuid'],
    [`${HEAD}5200`, 'name'],
    [`${HEAD}5205`, 'truncated length'],
  ])('%s is none', (hex, error) => expect(() => readWhole(readerOf(hex))).toThrow(error));
});

describe('readMessage', () => {
  it('gives fields one after the other, as they were on the wire', () => {
    const fields: WireField[] = [];
    const message = readMessage(readerOf(`${HEAD}52060a016122017852050a01621004`), 'skip', (wire) => fields.push({ ...wire }));
    expect(message).toMatchObject({ timestamp: 5n, values: headerValues({}) });
    expect(fields.map(({ name, valueType, strings, bools }) => [name, valueType, strings, bools])).toEqual([
      ['a', undefined, ['x'], null],
      ['b', ValueType.BOOL, null, null],
    ]);
  });

  it.each([`${HEAD}7801`, `${HEAD}1a0161`.replace('1a0161', '1805'), `${HEAD}52057801 0a0161`.replace(' ', '')])(
    'refuses %s when unknown fields are not to be there',
    (hex) => {
      expect(() => readMessage(readerOf(hex), 'refuse', () => undefined)).toThrow();
      expect(() => readMessage(readerOf(hex), 'skip', () => undefined)).not.toThrow();
    },
  );
});
