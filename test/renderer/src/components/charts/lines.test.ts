import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Graph } from '../../../../../engine/api/types.ts';
import { drawLines, extentsOf, stretches } from '../../../../../renderer/src/components/charts/lines.ts';

const graph = (columns: Record<string, number[]>, part: Partial<Graph> = {}): Graph => ({
  key: 'k',
  source: 1,
  plugin: 'p',
  title: 't',
  time: 0,
  rowMs: 10,
  annotations: [],
  ...part,
  columns: Object.entries(columns).map(([name, values]) => ({ name, unit: 'ms', aggregation: 'none', values: Float64Array.from(values) })),
});

describe('lines', () => {
  it('have gaps where there is no value, and points elsewhere', () => {
    const values = [1, 2, NaN, 5, NaN, 7, 8];
    const found = stretches(
      { first: 0, end: 7 },
      (row) => row * 10,
      (row) => values[row] as number,
    );
    expect(found).toEqual([
      [0, 1, 10, 2],
      [30, 5],
      [50, 7, 60, 8],
    ]);
  });

  it('of many rows have few points, among which are the lowest and the highest of each pixel', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -50, max: 50 }) }, fc.constant(NaN)), { maxLength: 400 }),
        fc.integer({ min: 1, max: 60 }),
        (values, width) => {
          const xOf = (row: number): number => (row * width) / values.length;
          const found = stretches({ first: 0, end: values.length }, xOf, (row) => values[row] as number);
          const drawn = found.flatMap((stretch) =>
            stretch.filter((_number, i) => i % 2 === 0).map((x, i) => ({ x: Math.floor(x), y: stretch[i * 2 + 1] as number })),
          );
          const gaps = values.filter(Number.isNaN).length;
          expect(drawn.length).toBeLessThanOrEqual(4 * (width + gaps + 1));
          const range = (of: readonly number[]): [number, number] => [Math.min(...of), Math.max(...of)];
          for (let pixel = 0; pixel < width; pixel++) {
            const here = values.filter((value, row) => !Number.isNaN(value) && Math.floor(xOf(row)) === pixel);
            expect(range(drawn.filter(({ x }) => x === pixel).map(({ y }) => y))).toEqual(range(here));
          }
        },
      ),
    );
  });

  it('have the axis of what is shown, with zero', () => {
    const one = graph({ a: [5, 9, 100], b: [-3, NaN, 1] });
    const within = { from: 0, to: 10 };
    expect([...extentsOf(one, within, new Set())]).toEqual([['ms', [-3, 9]]]);
    expect([...extentsOf(one, within, new Set(['b']))]).toEqual([['ms', [0, 9]]]);
    expect([...extentsOf(one, within, new Set(['a', 'b']))]).toEqual([]);
  });

  it('are drawn with a band between percentiles, dots for lone values, and areas down to zero', () => {
    const done: string[] = [];
    const note = (name: string) => (): void => void done.push(name);
    const [fill, stroke, arc] = [note('fill'), note('stroke'), note('arc')];
    const rest = Object.fromEntries(['save', 'beginPath', 'rect', 'clip', 'moveTo', 'lineTo', 'restore'].map((name) => [name, note(name)]));
    const context = { ...rest, fill, stroke, arc } as unknown as CanvasRenderingContext2D;
    const place = { left: 0, right: 100, top: 0, bottom: 100, xOf: (time: number) => time, yOf: () => (value: number) => 100 - value };
    const draw = (of: Graph, kind: string, hidden: readonly string[] = []): Record<string, number> => {
      done.length = 0;
      drawLines(
        context,
        { graph: of, kind, range: { from: 0, to: 50 }, hidden: new Set(hidden), colors: [], soft: (color) => color },
        place,
      );
      return Object.fromEntries(['fill', 'stroke', 'arc'].map((name) => [name, done.filter((one) => one === name).length]));
    };
    const percentiles = graph({ p50: [1, 1, NaN, 1, 2], p95: [2, 2, NaN, 3, 3], p99: [4, 4, NaN, 4, 4] });
    expect(draw(percentiles, 'line')).toEqual({ fill: 2, stroke: 3, arc: 0 });
    expect(draw(percentiles, 'line', ['p50'])).toEqual({ fill: 0, stroke: 3, arc: 0 });
    expect(draw(graph({ a: [1, NaN, 2, 3] }), 'line')).toEqual({ fill: 1, stroke: 1, arc: 1 });
    expect(draw(graph({ a: [1, 1, NaN, 2, 3] }), 'area')).toEqual({ fill: 2, stroke: 1, arc: 0 });
  });
});
