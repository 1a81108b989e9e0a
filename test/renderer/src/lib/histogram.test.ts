import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../../../engine/api/types.ts';
import { barText, brushRange, bucketAt, indexAt, peak, totals } from '../../../../renderer/src/lib/histogram.ts';

describe('histogram', () => {
  const histogram: Histogram = {
    from: 1000,
    to: 1030,
    bucketMs: 10,
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
});
