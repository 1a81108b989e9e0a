import { describe, expect, it } from 'vitest';
import { Physical } from '../../../engine/parquet/column.ts';
import { footer, type SchemaColumn } from '../../../engine/parquet/footer.ts';
import { ByteReader } from '../../../engine/parquet/read/byte-reader.ts';
import { readStruct, ThriftView } from '../../../engine/parquet/read/thrift-reader.ts';

const text = (name: string) => ({ name, type: Physical.BYTE_ARRAY, meaning: 'text' as const });
const COLUMNS: readonly SchemaColumn[] = [
  { kind: 'required', leaf: { name: 'at', type: Physical.INT64, meaning: 'timestamp' } },
  { kind: 'optional', leaf: text('a') },
  { kind: 'list', leaf: { name: 'l', type: Physical.DOUBLE, meaning: null } },
  { kind: 'map', name: 'm', key: text('key'), value: text('value') },
  { kind: 'required', leaf: { name: 'u', type: Physical.FIXED, meaning: 'uuid' } },
];
const read = (columns: readonly SchemaColumn[]): ThriftView =>
  new ThriftView(readStruct(new ByteReader(footer({ columns, groups: [], metadata: { made: 'here' }, createdBy: 'test' }))));

describe('footer', () => {
  it('has the schema as a flattened tree', () => {
    const elements = read(COLUMNS)
      .structs(2)
      .map((element) => [
        element.text(4),
        element.has(3) ? element.number(3) : null,
        element.has(5) ? element.number(5) : 0,
        element.has(1) ? element.number(1) : null,
      ]);
    expect(elements).toEqual([
      ['schema', null, 5, null],
      ['at', 0, 0, Physical.INT64],
      ['a', 1, 0, Physical.BYTE_ARRAY],
      ['l', 1, 1, null],
      ['list', 2, 1, null],
      ['element', 0, 0, Physical.DOUBLE],
      ['m', 1, 1, null],
      ['key_value', 2, 2, null],
      ['key', 0, 0, Physical.BYTE_ARRAY],
      ['value', 0, 0, Physical.BYTE_ARRAY],
      ['u', 0, 0, Physical.FIXED],
    ]);
  });

  it('says what a leaf means', () => {
    const elements = new Map(
      read(COLUMNS)
        .structs(2)
        .map((element) => [element.text(4), element]),
    );
    expect(elements.get('a')?.number(6)).toBe(0);
    expect(elements.get('at')?.struct(10).struct(8).struct(2).has(3)).toBe(true);
    expect(elements.get('u')?.number(2)).toBe(16);
    expect(elements.get('u')?.struct(10).has(14)).toBe(true);
    expect(elements.get('l')?.number(6)).toBe(3);
    expect(elements.get('m')?.number(6)).toBe(1);
    expect(elements.get('element')?.has(10)).toBe(false);
  });

  it('has an order for each leaf, and what is said about the file', () => {
    const file = read(COLUMNS);
    expect([file.number(1), file.number(3), file.structs(7).length, file.text(6)]).toEqual([1, 0, 6, 'test']);
    expect(file.structs(5).map((pair) => [pair.text(1), pair.text(2)])).toEqual([['made', 'here']]);
  });
});
