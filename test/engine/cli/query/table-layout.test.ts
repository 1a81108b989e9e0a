import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fittingWidths, type MeasuredColumn } from '../../../../engine/cli/query/table-layout.ts';

const text = (width: number): MeasuredColumn => ({ width, isWhole: false });
const number = (width: number): MeasuredColumn => ({ width, isWhole: true });
const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));

it('leaves columns as they are where they fit, and where no width is given', () => {
  expect(fittingWidths([text(20), number(5)], 27)).toEqual([20, 5]);
  expect(fittingWidths([text(200), number(5)], null)).toEqual([200, 5]);
});

it('cuts the widest texts first, and numbers never', () => {
  expect(fittingWidths([text(60), number(8), text(20), text(100)], 100)).toEqual([33, 8, 20, 33]);
  expect(fittingWidths([number(30), text(40)], 50)).toEqual([30, 18]);
});

it('leaves out the last columns where texts would be cut to almost nothing', () => {
  expect(fittingWidths([text(60), text(60), text(60), number(5)], 40)).toEqual([12, 12, 12]);
  expect(fittingWidths([text(60), number(39), text(60)], 40)).toEqual([40]);
  expect(fittingWidths([number(30), text(5)], 20)).toEqual([30]);
});

it('is never wider than it may be, if the first column is not', () => {
  const column = fc.record({ width: fc.integer({ min: 1, max: 120 }), isWhole: fc.boolean() });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 30 }), fc.integer({ min: 20, max: 300 }), (columns, available) => {
      const widths = fittingWidths(columns, available);
      const [first] = columns as [MeasuredColumn];
      if (!first.isWhole || first.width <= available) expect(total(widths)).toBeLessThanOrEqual(available);
      widths.forEach((width, i) => {
        const column = columns[i] as MeasuredColumn;
        expect(column.isWhole ? width === column.width : width <= column.width && width >= Math.min(12, column.width)).toBe(true);
      });
    }),
  );
});
