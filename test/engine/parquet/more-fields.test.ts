import { expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../engine/message/batch/columns.ts';
import { ValueType, type Field } from '../../../engine/message/types.ts';
import { keyText, type ColumnKey } from '../../../engine/parquet/column-names.ts';
import { MoreFields, type MoreEntry } from '../../../engine/parquet/more-fields.ts';
import { TextBytes } from '../../../engine/parquet/text-bytes.ts';
import type { BlobStore } from '../../../engine/parquet/values.ts';

const key = (name: string, valueType: ValueType = ValueType.STRING): ColumnKey => ({
  name,
  valueType,
  representation: null,
  list: false,
  nth: 0,
});

function entry(row: number, field: Field): MoreEntry {
  const [column] = batchOf([{ uuid: new Uint8Array(16), timestamp: 0n, fields: [field] }]).fields;
  return { key: key(field.name, field.valueType), column: column as FieldColumn, entry: 0, row };
}

function texts(store: BlobStore, count: number): string[] {
  const { plain, ids, after, distinct } = store.finish();
  const all: string[] = [];
  for (let at = 0; all.length < (ids === null ? count : distinct);) {
    const to = after(at, 1);
    all.push(plain.toString('utf8', at + 4, to));
    at = to;
  }
  return ids === null ? all : Array.from(ids, (id) => all[id] as string);
}

it('keeps fields as texts, by the names that their columns would have', () => {
  const fields: [row: number, field: Field][] = [
    [0, { name: 'a', valueType: ValueType.STRING, values: ['x'] }],
    [0, { name: 'd', valueType: ValueType.DOUBLE, values: [-0] }],
    [2, { name: 'a', valueType: ValueType.STRING, values: ['y\ud800'] }],
    [2, { name: 'i', valueType: ValueType.INTEGER, values: [2n ** 60n] }],
    [2, { name: 'y', valueType: ValueType.BYTES, values: [Uint8Array.of(255)] }],
    [3, { name: 't', valueType: ValueType.BOOL, values: [true, false] }],
    [3, { name: 'none', valueType: ValueType.BOOL, values: [] }],
  ];
  const more = new MoreFields(new TextBytes());
  more.add(fields.map(([row, field]) => entry(row, field)));
  expect(texts(more.values, 7)).toEqual(['x', '-0', 'y\ufffd', '1152921504606846976', '/w==', '["true","false"]', '[]']);
  expect(more.keys.map(({ name }) => name)).toEqual(['a', 'd', 'i', 'y', 't', 'none']);
  const named = [{ ...key('a'), column: 'a_text' }];
  expect(texts(more.names(named), 7)).toEqual([
    'a_text',
    keyText(key('d', ValueType.DOUBLE)),
    'a_text',
    keyText(key('i', ValueType.INTEGER)),
    keyText(key('y', ValueType.BYTES)),
    keyText(key('t', ValueType.BOOL)),
    keyText(key('none', ValueType.BOOL)),
  ]);
  expect([more.levels.values, more.levels.rows]).toEqual([7, 4]);
});
