import { describe, expect, it } from 'vitest';
import {
  estimatorData,
  estimatorOf,
  injectSketch,
  parseSketch,
  parseSketchLayout,
  percentsOf,
  quantileData,
  quantilesOf,
  REGISTERS,
  weightKey,
  weightOf,
} from '../../../../plugins/lib/graphs/sketch_text.ts';
import { HyperLogLog } from '../../../../plugins/modules/hyperloglog.ts';
import { QuantileSketch } from '../../../../plugins/modules/quantile_sketch.ts';
import { surround } from '../../support/script_globals.ts';

const UNIQUE = { sketch: 'unique', rows: 2, column: 'Users' } as const;

describe('injectSketch', () => {
  it('writes a header and rows that are read back', () => {
    const outputs = surround();
    const rows = [
      { seconds: 60, data: ['a', 1] },
      { seconds: 120, data: null },
    ];
    expect(injectSketch('Users', UNIQUE, rows)).toBe(2);
    expect(outputs).toEqual([['sketch', 'Users', `${JSON.stringify(UNIQUE)}\n60\t["a",1]\n120\tnull\n`]]);
    const sketch = parseSketch(String(outputs[0]?.[2]));
    expect(sketch).toEqual({ header: JSON.stringify(UNIQUE), rows });
    expect(parseSketchLayout(sketch?.header ?? '')).toEqual(UNIQUE);
  });

  it('spreads many rows over three outputs, and leaves out those that fit into none', () => {
    const outputs = surround();
    const rows = Array.from({ length: 10 }, (_, seconds) => ({ seconds, data: 'x'.repeat(seconds === 2 ? 70_000 : 25_000) }));
    expect(injectSketch('t', UNIQUE, rows)).toBe(7);
    expect(outputs.map(([, , text]) => parseSketch(String(text))?.rows.map(({ seconds }) => seconds))).toEqual([
      [0, 1],
      [3, 4],
      [5, 6],
    ]);
  });
});

describe('parseSketch', () => {
  it.each(['', '{}', '{}\n', '{}\nx\n', '{}\n1\t2', '{}\n-1\t2\n', '{}\n9223372036\t2\n', '{}\n1\t2\n\n'])('%j is none', (text) =>
    expect(parseSketch(text)).toBeNull(),
  );
});

describe('parseSketchLayout', () => {
  const quantiles = { sketch: 'quantiles', rows: 2, seconds_per_row: 60, percentiles: '50 99', unit: 'ms' };
  const frequent = { sketch: 'frequent', variable: 'Payload', capacity: 1, min_weight: 0, reset_days: 0 };

  it.each([UNIQUE, quantiles, frequent])('%j', (layout) => expect(parseSketchLayout(JSON.stringify(layout))).toEqual(layout));

  it.each<unknown>([
    null,
    7,
    {},
    { ...UNIQUE, rows: 1 },
    { ...UNIQUE, column: 1 },
    { ...quantiles, percentiles: '50 101' },
    { ...quantiles, percentiles: 'x' },
    { ...quantiles, seconds_per_row: 0 },
    { ...frequent, capacity: 0.5 },
    { ...frequent, sketch: 'other' },
    { ...UNIQUE, column: 'x'.repeat(4000) },
  ])('%j is none', (layout) => expect(parseSketchLayout(JSON.stringify(layout))).toBeNull());

  it('is none of a text that is no JSON', () => expect(parseSketchLayout('{')).toBeNull());
});

describe('data of rows', () => {
  it('has estimators with runs of empty registers as their length', () => {
    const estimator = new HyperLogLog();
    for (let i = 0; i < 100; i++) estimator.add(`user ${i}`);
    const data = estimatorData(estimator);
    expect(data.length).toBeLessThan(REGISTERS / 8);
    expect(estimatorOf(data)?.toSaved()).toBe(estimator.toSaved());
    expect(estimatorOf(estimatorData(new HyperLogLog()))?.count()).toBe(0);
  });

  it.each([7, '', '(16383)', '(16385)', `(16383)${'!'}`, '(99999)'])('%j is no estimator', (data) => expect(estimatorOf(data)).toBeNull());

  it('has quantile sketches', () => {
    const sketch = new QuantileSketch();
    for (let i = -200; i < 400; i++) sketch.add(i);
    const read = quantilesOf(JSON.parse(JSON.stringify(quantileData(sketch))));
    expect(read?.count).toBe(600);
    expect(read?.percentile(50)).toBe(sketch.percentile(50));
  });

  it.each<unknown>([
    null,
    {},
    { exact: [1], positive: [], negative: [], zeros: 0, minimum: 1 },
    { exact: ['x'], positive: [], negative: [], zeros: 0, minimum: 1, maximum: 1 },
    { exact: null, positive: [[1]], negative: [], zeros: 0, minimum: 1, maximum: 1 },
    { exact: null, positive: [], negative: [[1, -1]], zeros: 0, minimum: 1, maximum: 1 },
    { exact: null, positive: [], negative: [], zeros: 0.5, minimum: 1, maximum: 1 },
  ])('%j is no quantile sketch', (data) => expect(quantilesOf(data)).toBeNull());

  it('has values with their weights', () => {
    expect([weightOf(['a', 2]), weightOf(['a', -1]), weightOf(['a']), weightOf([1, 2]), weightOf('a')]).toEqual([
      ['a', 2],
      null,
      null,
      null,
      null,
    ]);
    expect([weightKey('7'), weightKey(7), weightKey(true)]).toEqual(['"7', '#7', '"true']);
    expect(percentsOf('50 99.9')).toEqual([50, 99.9]);
  });
});
