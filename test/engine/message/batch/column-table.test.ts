import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnTable, type KeyedColumn } from '../../../../engine/message/batch/column-table.ts';
import { ValueType } from '../../../../engine/message/types.ts';

const table = (): ColumnTable<KeyedColumn> =>
  new ColumnTable((index, name, valueType, representation) => ({ index, name, valueType, representation }));

const field = fc.record({
  name: fc.constantFrom('a', 'b', '1:a', ''),
  valueType: fc.constantFrom(ValueType.STRING, ValueType.INTEGER),
  representation: fc.constantFrom(null, '', 'a', '1:'),
});

describe('ColumnTable', () => {
  it('places fields in the first column of their key behind the one before', () => {
    fc.assert(
      fc.property(fc.array(fc.array(field, { maxLength: 5 }), { maxLength: 6 }), (messages) => {
        const columns = table();
        for (const fields of messages) {
          let previous = -1;
          for (const { name, valueType, representation } of fields) {
            const isOf = (column: KeyedColumn): boolean =>
              column.name === name && column.valueType === valueType && column.representation === representation;
            const expected = columns.columns.findIndex((column, i) => i > previous && isOf(column));
            const count = columns.columns.length;
            const { index } = columns.place(previous, name, valueType, representation);
            expect(index).toBe(expected < 0 ? count : expected);
            expect(columns.columns[index]).toSatisfy(isOf);
            expect(columns.guess(previous)?.index).toBe(index);
            previous = index;
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('guesses nothing before a message', () => {
    const columns = table();
    expect(columns.guess(-1)).toBeNull();
    const { index } = columns.place(-1, 'a', ValueType.STRING, null);
    expect([columns.guess(-1)?.name, columns.guess(index)]).toEqual(['a', null]);
  });
});
