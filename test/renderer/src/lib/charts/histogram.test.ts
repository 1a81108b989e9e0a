import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../../../../engine/api/types.ts';
import {
  barText,
  brushRange,
  bucketAt,
  crowdOf,
  drawHistogram,
  indexAt,
  isPartial,
  peak,
  totals,
} from '../../../../../renderer/src/lib/charts/histogram.ts';

describe('histogram', () => {
  const histogram: Histogram = {
    from: 1000,
    to: 1030,
    bucketMs: 10,
    covered: { from: 1000, to: 1030 },
    complete: true,
    groups: Array.from({ length: 9 }, (_unused, severity) => ({
      kind: severity === 8 ? 'none' : 'severity',
      name: severity === 8 ? '' : `${severity}`,
    })),
    counts: [[], [], [], [1, 0, 2], [], [], [0, 5, 5], [], [1, 0, 0]].map((counts) => (counts.length === 0 ? [0, 0, 0] : counts)),
  };

  it('sums, finds and brushes bars', () => {
    expect(bucketAt(histogram, 2)).toMatchObject({ from: 1020, to: 1030, total: 7 });
    expect(peak(histogram)).toBe(7);
    expect(barText(bucketAt(histogram, 2), histogram.groups, ({ name }) => name)).toBe('6 5, 3 2');
    expect(totals(histogram)).toEqual([
      { group: { kind: 'severity', name: '3' }, index: 3, count: 3 },
      { group: { kind: 'severity', name: '6' }, index: 6, count: 10 },
      { group: { kind: 'none', name: '' }, index: 8, count: 1 },
    ]);
    expect(brushRange(histogram, 2, 1)).toEqual({ from: 1010, to: 1030 });
    expect([indexAt(histogram, -1), indexAt(histogram, 0.5), indexAt(histogram, 1)]).toEqual([0, 1, 2]);
  });

  const bars = (length: number, full: Record<number, number>): Histogram => ({
    ...histogram,
    groups: [{ kind: 'severity', name: '6' }],
    counts: [Array.from({ length }, (_, index) => full[index] ?? 0)],
  });
  it.each([
    ['a record of last year', bars(100, { 0: 1, 99: 999 }), { first: 99, last: 99, share: 0.999 }],
    ['a record of the future', bars(100, { 40: 500, 42: 480, 99: 20 }), { first: 40, last: 42, share: 0.98 }],
    ['even ones', bars(100, Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, 7]))), null],
    ['two places', bars(100, { 0: 500, 99: 500 }), null],
    ['one place alone', bars(100, { 30: 500, 31: 500 }), { first: 30, last: 31, share: 1 }],
    ['a single bar', bars(1, { 0: 5 }), null],
    ['no records', bars(100, {}), null],
    ['few bars', bars(3, { 0: 1, 2: 99 }), { first: 2, last: 2, share: 0.99 }],
  ])('finds the crowd of %s', (_, of, crowd) => expect(crowdOf(of)).toEqual(crowd));

  describe('with a log that begins or ends within a bar', () => {
    const busy = (counts: number[], covered: Histogram['covered']): Histogram => ({
      ...histogram,
      groups: [{ kind: 'severity', name: '6' }],
      counts: [counts],
      covered,
    });
    /** The bars that are drawn, without the line below them. */
    const draw = (of: Histogram, width: number) => {
      const drawn: { left: number; width: number; alpha: number }[] = [];
      const context = {
        globalAlpha: 1,
        fillStyle: '',
        clearRect: () => undefined,
        fillRect: (left: number, _top: number, wide: number) =>
          wide < width && drawn.push({ left, width: wide, alpha: context.globalAlpha }),
      };
      drawHistogram(context as unknown as CanvasRenderingContext2D, of, width, 50, { fills: ['red'], line: 'grey' });
      return { drawn, context };
    };
    const partial = (of: Histogram): boolean[] => [0, 1, 2].map((index) => isPartial(of, index));

    it('tells the bars of which a part is missing', () => {
      expect(partial(busy([20, 20, 3], { from: 1000, to: 1022 }))).toEqual([false, false, true]);
      expect(partial(busy([2, 20, 20], { from: 1009, to: 1030 }))).toEqual([true, false, false]);
      expect(partial(busy([20, 20, 19], { from: 1000, to: 1029.5 }))).toEqual([false, false, false]);
      // A burst at the end is none that is missed.
      expect(partial(busy([20, 20, 90], { from: 1000, to: 1022 }))).toEqual([false, false, false]);
      // Where a bar has a record or two, the last one says nothing about the end.
      expect(partial(busy([1, 0, 1], { from: 1005, to: 1022 }))).toEqual([false, false, false]);
    });

    it('draws those lighter, and nothing after them', () => {
      const { drawn, context } = draw(busy([20, 20, 3], { from: 1000, to: 1022 }), 30);
      expect(drawn.map(({ left, alpha }) => [left, alpha])).toEqual([
        [0, 1],
        [10, 1],
        [20, 0.4],
      ]);
      expect(context.globalAlpha).toBe(1);
    });

    it.each([
      ['one bar stands in the middle', 1, 200, [[76, 48]]],
      [
        'two bars keep their places',
        2,
        200,
        [
          [26, 48],
          [126, 48],
        ],
      ],
      [
        'narrow bars fill theirs',
        2,
        40,
        [
          [0, 19],
          [20, 19],
        ],
      ],
    ] as const)('draws no bar wider than 48 pixels: %s', (_, bars, width, expected) => {
      const { drawn } = draw(busy(Array<number>(bars).fill(1), { from: 1000, to: 1000 + bars * 10 }), width);
      expect(drawn.map((bar) => [bar.left, bar.width])).toEqual(expected);
    });
  });
});
