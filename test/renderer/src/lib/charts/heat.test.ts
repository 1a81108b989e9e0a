import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeatMap } from '../../../../../engine/api/types.ts';
import { SHADES, shadeOf } from '../../../../../engine/api/shades.ts';
import {
  bucketsOf,
  cellAt,
  countAt,
  drawHeat,
  edgeLabels,
  fullest,
  heatText,
  movedCell,
  numbersFilter,
  rangeOf,
  rangeText,
  shadeColors,
  shadeCounts,
} from '../../../../../renderer/src/lib/charts/heat.ts';

/** Two rows of three minutes. */
const HEAT: HeatMap = {
  from: Date.UTC(2026, 0, 1, 10),
  to: Date.UTC(2026, 0, 1, 10, 3),
  bucketMs: 60_000,
  edges: Float64Array.of(1, 10, 100),
  counts: Float64Array.of(1, 0, 2, 0, 5, 0),
  records: 9,
  missing: 1,
  complete: true,
};
const EMPTY: HeatMap = { ...HEAT, edges: new Float64Array(0), counts: new Float64Array(0), records: 3, missing: 3 };

describe('a heat map', () => {
  it('has cells from the lower left corner to the upper right one', () => {
    expect([cellAt(HEAT, 0, 1), cellAt(HEAT, 0.99, 0), cellAt(HEAT, -1, 0.6)]).toEqual([
      { bucket: 0, row: 0 },
      { bucket: 2, row: 1 },
      { bucket: 0, row: 0 },
    ]);
    expect(movedCell(HEAT, { bucket: 1, row: 0 }, 5, 1)).toEqual({ bucket: 2, row: 1 });
    expect([fullest(HEAT), fullest(EMPTY), bucketsOf(EMPTY)]).toEqual([{ bucket: 1, row: 1 }, null, 0]);
    expect(countAt(HEAT, { bucket: 2, row: 0 })).toBe(2);
  });

  it('tells the time, the numbers and the records of a part, in whatever direction it was marked', () => {
    const part = rangeOf(HEAT, { start: { bucket: 2, row: 1 }, end: { bucket: 1, row: 0 } });
    expect(part).toEqual({ from: HEAT.from + 60_000, to: HEAT.to, low: 1, high: 100, count: 7 });
    expect(rangeText(part, 'ms', 'utc')).toBe('2026-01-01 10:01:00 – 10:03:00, 1 ms – 100 ms: 7 records');
    expect(numbersFilter('took', 'Fields[took]', 'ms', part)).toEqual({
      label: 'took 1 ms – 100 ms',
      expression: 'Fields[took] >= 1 && Fields[took] < 100',
    });
    expect(numbersFilter('n', 'Fields[n]', '', { low: -1, high: 0 })).toBeNull();
  });

  it('is told in words', () => {
    expect(heatText(HEAT, 'ms', 'utc')).toBe(
      '9 records, 1 without the number, numbers from 1 ms to 100 ms. Most in one cell: 5 records with 10 ms – 100 ms at 2026-01-01 10:01:00.',
    );
    expect(heatText(EMPTY, '', 'utc')).toBe('3 records, 3 without the number.');
  });

  it('has as many labels as there is room for, with all digits of their borders', () => {
    expect(edgeLabels(HEAT, 100, 18, 'ms')).toEqual([
      { index: 0, text: '1 ms' },
      { index: 1, text: '10 ms' },
      { index: 2, text: '100 ms' },
    ]);
    expect(edgeLabels(HEAT, 30, 18, '').map(({ index }) => index)).toEqual([0, 2]);
    expect(edgeLabels({ ...HEAT, edges: Float64Array.of(1000, 1005, 1.5e7) }, 100, 18, '').map(({ text }) => text)).toEqual([
      '1,000',
      '1,005',
      '15M',
    ]);
  });

  it('gives each shade the counts from its least one on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (most, some) => {
        const count = Math.min(most, some);
        const counts = shadeCounts(most);
        const shade = shadeOf(count, most);
        expect(count).toBeGreaterThanOrEqual(counts[shade - 1] as number);
        if (shade < SHADES) expect(count).toBeLessThan(Math.max(counts[shade] as number, count + 1));
      }),
    );
    expect([shadeOf(0, 9), shadeOf(1, 9), shadeOf(9, 9), shadeOf(1, 1)]).toEqual([0, 1, SHADES, SHADES]);
    expect(shadeColors({ low: 'rgb(0, 0, 0)', high: 'rgb(60, 120, 255)' }).slice(0, 2)).toEqual(['rgb(0, 0, 0)', 'rgb(10, 20, 43)']);
  });

  it('is drawn cell by cell without gaps', () => {
    const filled: unknown[] = [];
    const context = {
      fillStyle: '',
      clearRect: () => undefined,
      fillRect(...box: number[]) {
        filled.push([this.fillStyle, ...box]);
      },
    };
    drawHeat(context as unknown as CanvasRenderingContext2D, HEAT, 100, 41, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(filled).toEqual([
      ['a', 0, 21, 33, 20],
      ['c', 67, 21, 33, 20],
      ['g', 33, 0, 34, 21],
    ]);
  });
});
