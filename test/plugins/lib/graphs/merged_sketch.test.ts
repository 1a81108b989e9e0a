import { describe, expect, it } from 'vitest';
import { cellsOf, emptySketch, injectMerged, mergeRows, type MergedSketch } from '../../../../plugins/lib/graphs/merged_sketch.ts';
import { estimatorData, quantileData, type FrequentLayout, type SketchLayout } from '../../../../plugins/lib/graphs/sketch_text.ts';
import { HyperLogLog } from '../../../../plugins/modules/hyperloglog.ts';
import { QuantileSketch } from '../../../../plugins/modules/quantile_sketch.ts';
import { surround } from '../../support/script_globals.ts';

const DAY = 86_400;
const unique: SketchLayout = { sketch: 'unique', rows: 3, column: 'Users' };
const quantiles: SketchLayout = { sketch: 'quantiles', rows: 3, seconds_per_row: 60, percentiles: '50 99', unit: 'ms' };
const frequent: FrequentLayout = { sketch: 'frequent', variable: 'Payload', capacity: 10, min_weight: 1, reset_days: 2 };

function outputOf(merged: MergedSketch): string {
  const outputs = surround();
  injectMerged('T', merged);
  return String(outputs[0]?.at(-1));
}

const users = (...names: string[]): string => {
  const estimator = new HyperLogLog();
  for (const name of names) estimator.add(name);
  return estimatorData(estimator);
};
const times = (...values: number[]): unknown => {
  const sketch = new QuantileSketch();
  for (const value of values) sketch.add(value);
  return quantileData(sketch);
};

describe('mergeRows', () => {
  it('counts the same users of two hosts once', () => {
    const merged = emptySketch('', unique);
    expect(mergeRows(merged, [{ seconds: DAY, data: users('a', 'b') }])).toBe(true);
    expect(
      mergeRows(merged, [
        { seconds: DAY, data: users('b', 'c') },
        { seconds: 2 * DAY, data: users('d') },
      ]),
    ).toBe(true);
    expect(merged.graph?.get(DAY * 1e9, 1)).toBe(3);
    expect(merged.graph?.get(2 * DAY * 1e9, 1)).toBe(1);
  });

  it('keeps the newest seven days open', () => {
    const merged = emptySketch('', { ...unique, rows: 30 });
    for (let day = 1; day <= 8; day++) mergeRows(merged, [{ seconds: day * DAY, data: users('a') }]);
    expect([...merged.estimators.keys()]).toEqual([2, 3, 4, 5, 6, 7, 8]);
    mergeRows(merged, [{ seconds: DAY, data: users('b', 'c') }]);
    expect(merged.graph?.get(DAY * 1e9, 1)).toBe(1);
  });

  it('has percentiles and the count of each row', () => {
    const merged = emptySketch('', quantiles);
    mergeRows(merged, [{ seconds: 60, data: times(1, 2) }]);
    mergeRows(merged, [{ seconds: 60, data: times(3) }]);
    expect([1, 2, 3].map((column) => merged.graph?.get(60e9, column))).toEqual([2, 2, 3]);
  });

  it('adds up weights, and starts anew after some days', () => {
    const merged = emptySketch('', frequent);
    const row = (day: number, value: string, weight: number) => ({ seconds: day * DAY, data: [value, weight] });
    mergeRows(merged, [row(10, '"a', 1), row(10, '"b', 1), row(10, '"a', 2)]);
    expect(outputOf(merged)).toBe('Payload\tWeight\na\t3\n');
    mergeRows(merged, [row(11, '"b', 5)]);
    mergeRows(merged, [row(9, '"c', 9)]);
    expect(outputOf(merged)).toBe('Payload\tWeight\nb\t6\na\t3\n');
    mergeRows(merged, [row(12, '"c', 2)]);
    expect(outputOf(merged)).toBe('Payload\tWeight\nc\t2\n');
  });

  it('merges nothing when one row is of another layout', () => {
    const merged = emptySketch('', unique);
    expect(
      mergeRows(merged, [
        { seconds: DAY, data: users('a') },
        { seconds: DAY, data: 'x' },
      ]),
    ).toBe(false);
    expect(merged.estimators.size).toBe(0);
    expect(mergeRows(emptySketch('', frequent), [{ seconds: DAY, data: 7 }])).toBe(false);
    expect(mergeRows(emptySketch('', quantiles), [{ seconds: 60, data: null }])).toBe(false);
  });
});

describe('a sketch', () => {
  it('takes cells by its layout', () => {
    expect(cellsOf(unique)).toBe(100 + 3 + 7 * 2048);
    expect(cellsOf(quantiles)).toBe(100 + 3 * 3 + 30 * 1000);
    expect(cellsOf(frequent)).toBe(100 + 10 * 20);
  });

  it('goes out as a graph', () => {
    const merged = emptySketch('', quantiles);
    mergeRows(merged, [{ seconds: 120, data: times(5) }]);
    expect(outputOf(merged).split('\n').slice(1)).toEqual(['nan\tnan\tnan', 'nan\tnan\tnan', '5\t5\t1', '']);
  });
});
