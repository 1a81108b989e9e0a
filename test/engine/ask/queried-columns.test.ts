import { expect, it } from 'vitest';
import { queriedColumns, typeOf } from '../../../engine/ask/queried-columns.ts';
import type { NamedColumn } from '../../../engine/parquet/column-names.ts';
import type { ValueType } from '../../../engine/message/types.ts';

const column = (name: string, valueType: ValueType, more: Partial<NamedColumn> = {}): NamedColumn => ({
  name,
  valueType,
  representation: null,
  list: false,
  nth: 0,
  column: name,
  ...more,
});
const [TEXT, BYTES, INTEGER, DOUBLE, BOOL] = [0, 1, 2, 3, 4] as const;
const told = (...columns: NamedColumn[]): string[] => queriedColumns(columns).map((one) => `${one.name} ${typeOf(one)}`);

it('has one column of the type of its values', () => {
  expect(told(column('t', TEXT), column('y', BYTES), column('i', INTEGER), column('d', DOUBLE), column('b', BOOL))).toEqual([
    't VARCHAR',
    'y BLOB',
    'i BIGINT',
    'd DOUBLE',
    'b BOOLEAN',
  ]);
});

it('has texts where values are of several kinds, and the numbers beside them', () => {
  expect(told(column('status', TEXT), column('status', INTEGER), column('path', TEXT))).toEqual([
    'status VARCHAR',
    'status_number DOUBLE',
    'path VARCHAR',
  ]);
  expect(told(column('ok', BOOL), column('ok', TEXT))).toEqual(['ok VARCHAR']);
});

it('has the numbers beside texts that are all written as numbers', () => {
  expect(told(column('version', TEXT, { numbers: true }))).toEqual(['version VARCHAR', 'version_number DOUBLE']);
  expect(told(column('version', TEXT, { numbers: true }), column('version', TEXT))).toEqual(['version VARCHAR']);
});

it('has integers and doubles in a type that holds them', () => {
  expect(told(column('id', DOUBLE, { whole: true }), column('id', INTEGER, { wide: true }))).toEqual(['id BIGINT']);
  expect(told(column('took', DOUBLE), column('took', INTEGER))).toEqual(['took DOUBLE']);
  expect(told(column('n', DOUBLE), column('n', INTEGER, { wide: true }))).toEqual(['n VARCHAR', 'n_number DOUBLE']);
});

it('takes what is no unit for none', () => {
  const hosts = ['ipv4', 'ipv6', 'hostname', 'unix'].map((representation) => column('client', TEXT, { representation }));
  expect(told(...hosts)).toEqual(['client VARCHAR']);
  expect(told(column('n', DOUBLE, { representation: 'count' }), column('n', DOUBLE))).toEqual(['n DOUBLE']);
});

it('converts units, or names them', () => {
  const took = (representation: string): NamedColumn => column('took', DOUBLE, { representation });
  expect(queriedColumns([took('ms'), took('s')]).map(({ name, field }) => [name, field.type, field.unit])).toEqual([
    ['took', 'double', 'ms'],
  ]);
  expect(told(took('ms'), took('B'))).toEqual(['took VARCHAR']);
});

it('has all values where a message has several', () => {
  expect(told(column('n', INTEGER, { list: true }), column('n', DOUBLE), column('u', TEXT), column('u', TEXT, { nth: 1 }))).toEqual([
    'n DOUBLE',
    'n_list DOUBLE[]',
    'u VARCHAR',
    'u_list VARCHAR[]',
  ]);
});

it('names what is added after the fields', () => {
  expect(told(column('a', TEXT), column('a', DOUBLE), column('a_number', TEXT), column('A', BOOL), column('pid', TEXT))).toEqual([
    'a VARCHAR',
    'a_number_2 DOUBLE',
    'a_number VARCHAR',
    'A_2 BOOLEAN',
    'pid_2 VARCHAR',
  ]);
});
