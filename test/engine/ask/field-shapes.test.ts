import { expect, it } from 'vitest';
import { fieldShapes, type FieldShape } from '../../../engine/ask/field-shapes.ts';
import { ValueType } from '../../../engine/message/types.ts';
import type { NamedColumn } from '../../../engine/parquet/column-names.ts';

const { STRING, INTEGER, DOUBLE, BOOL, BYTES } = ValueType;

const column = (valueType: ValueType, more: Partial<NamedColumn> = {}): NamedColumn => ({
  column: 'c',
  name: 'f',
  valueType,
  representation: null,
  list: false,
  nth: 0,
  ...more,
});

it.each<[string, NamedColumn[], Partial<FieldShape>]>([
  ['texts', [column(STRING)], { type: 'text', isMixed: false, hasNumbers: false, hasSeveral: false }],
  [
    'addresses of both kinds',
    [column(STRING, { representation: 'ipv4' }), column(STRING, { representation: 'ipv6' })],
    { type: 'text', isMixed: false },
  ],
  ['texts written as numbers', [column(STRING, { numbers: true })], { type: 'text', isMixed: false, hasNumbers: true }],
  ['durations', [column(STRING, { quantity: 'time' })], { type: 'text', isMixed: false, hasNumbers: true, quantity: 'time' }],
  [
    'durations, and sizes in another file',
    [column(STRING, { quantity: 'time' }), column(STRING, { quantity: 'size' })],
    { type: 'text', hasNumbers: false, quantity: null },
  ],
  ['durations, and texts in another file', [column(STRING, { quantity: 'time' }), column(STRING)], { hasNumbers: false, quantity: null }],
  ['texts and numbers', [column(INTEGER), column(STRING)], { type: 'text', isMixed: true, hasNumbers: true }],
  ['truth values and texts', [column(BOOL), column(STRING)], { type: 'text', isMixed: true, hasNumbers: false }],
  ['integers and whole doubles', [column(INTEGER), column(DOUBLE, { whole: true })], { type: 'integer', isMixed: false }],
  ['integers and fractions', [column(INTEGER), column(DOUBLE)], { type: 'double', isMixed: false }],
  ['large integers and fractions', [column(INTEGER, { wide: true }), column(DOUBLE)], { type: 'text', isMixed: true, hasNumbers: true }],
  ['bytes', [column(BYTES)], { type: 'bytes', isMixed: false }],
  [
    'units of one measure',
    [column(DOUBLE, { representation: 'ms' }), column(DOUBLE, { representation: 's' })],
    { type: 'double', unit: 'ms', namesUnits: false },
  ],
  [
    'units of two measures',
    [column(DOUBLE, { representation: 'ms' }), column(DOUBLE, { representation: 'B' })],
    { type: 'text', unit: null, namesUnits: true, hasNumbers: false },
  ],
  ['several values', [column(STRING), column(STRING, { nth: 1 })], { type: 'text', hasSeveral: true }],
])('%s', (_, columns, shape) => {
  const shapes = fieldShapes(columns);
  expect(shapes).toHaveLength(1);
  expect(shapes[0]).toMatchObject({ name: 'f', ...shape });
});

it('fields come in the order of their names in the files, their columns in that of the values', () => {
  const shapes = fieldShapes([
    column(STRING, { name: 'b' }),
    column(STRING, { name: 'a', nth: 1 }),
    column(INTEGER, { name: 'b' }),
    column(STRING, { name: 'a' }),
  ]);
  expect(shapes.map(({ name, keys }) => [name, keys.map(({ valueType, nth }) => [valueType, nth])])).toEqual([
    [
      'b',
      [
        [INTEGER, 0],
        [STRING, 0],
      ],
    ],
    [
      'a',
      [
        [STRING, 0],
        [STRING, 1],
      ],
    ],
  ]);
});
