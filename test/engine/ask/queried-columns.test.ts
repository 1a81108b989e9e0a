import { expect, it } from 'vitest';
import { queriedColumns } from '../../../engine/ask/queried-columns.ts';
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
const [TEXT, INTEGER, DOUBLE] = [0, 2, 3] as const;
const told = (columns: readonly NamedColumn[]): unknown =>
  queriedColumns(columns).map(({ name, key, parts }) => [name, key.valueType, parts.map(({ valueType }) => valueType)]);

it('names columns by type, whichever came first', () => {
  expect(told([column('status', TEXT), column('status', INTEGER), column('path', TEXT)])).toEqual([
    ['status_text', TEXT, [TEXT]],
    ['status', INTEGER, [INTEGER]],
    ['path', TEXT, [TEXT]],
  ]);
});

it('makes one column of integers and whole doubles', () => {
  expect(told([column('id', DOUBLE, { whole: true }), column('id', INTEGER)])).toEqual([['id', INTEGER, [INTEGER, DOUBLE]]]);
});

it('makes one column of integers and other doubles, with the exact integers beside it', () => {
  expect(told([column('took', INTEGER), column('took', DOUBLE), column('took', TEXT)])).toEqual([
    ['took_int', INTEGER, [INTEGER]],
    ['took', DOUBLE, [DOUBLE, INTEGER]],
    ['took_text', TEXT, [TEXT]],
  ]);
});

it('keeps lists, units and further fields of one name apart', () => {
  const ms = { representation: 'ms' };
  expect(
    told([
      column('n', INTEGER, { list: true }),
      column('n', DOUBLE, { list: true }),
      column('t', INTEGER, ms),
      column('t', DOUBLE),
      column('u', DOUBLE, { nth: 1 }),
      column('u', INTEGER),
    ]),
  ).toEqual([
    ['n_list', INTEGER, [INTEGER]],
    ['n_list_double', DOUBLE, [DOUBLE]],
    ['t', INTEGER, [INTEGER]],
    ['t_double', DOUBLE, [DOUBLE]],
    ['u_double', DOUBLE, [DOUBLE]],
    ['u', INTEGER, [INTEGER]],
  ]);
});
