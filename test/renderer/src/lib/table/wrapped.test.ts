import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrappedRows } from '../../../../../renderer/src/lib/table/row-place.ts';
import { ROW_HEIGHT } from '../../../../../renderer/src/lib/table/virtual.ts';
import { anchorAt, layOut, RowHeights, shareOf, wholeRows, type WrappedExtent } from '../../../../../renderer/src/lib/table/wrapped.ts';

/** A list of rows of these heights, of which all are known. */
function extentOf(heights: readonly number[], height: number): WrappedExtent {
  return { total: heights.length, height, heightOf: (row) => heights[row] ?? ROW_HEIGHT };
}

const heightsOf = fc.array(fc.integer({ min: ROW_HEIGHT, max: 900 }), { minLength: 1, maxLength: 60 });
const windows = fc.integer({ min: 1, max: 700 });

describe('rows as high as their text', () => {
  it('fill the window without a gap, wherever the point is', () => {
    const anchors = fc.record({
      row: fc.integer({ min: -5, max: 80 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(heightsOf, windows, anchors, (heights, height, anchor) => {
        const { first, end, cut, bottom } = layOut(anchor, extentOf(heights, height));
        const all = heights.reduce((sum, one) => sum + one, 0);
        const covered = heights.slice(first, end).reduce((sum, one) => sum + one, 0);
        expect(bottom).toBeCloseTo(covered - cut, 6);
        expect(cut).toBeGreaterThanOrEqual(-1e-6);
        expect(bottom).toBeGreaterThanOrEqual(Math.min(height, all) - 1e-6);
        // No row is drawn that cannot be seen.
        expect(cut).toBeLessThanOrEqual(heights[first] as number);
        expect(bottom - (heights[end - 1] as number)).toBeLessThan(Math.max(1e-6, height));
      }),
    );
  });

  it('are all there when they fit', () => {
    expect(layOut({ row: 2, part: 1, y: 500 }, extentOf([24, 60, 24], 500))).toEqual({ first: 0, end: 3, cut: 0, bottom: 108 });
    expect(layOut({ row: 0, part: 0, y: 0 }, extentOf([], 500))).toEqual({ first: 0, end: 0, cut: 0, bottom: 0 });
  });

  it('have a share that goes from 0 to 1 and leads back', () => {
    fc.assert(
      fc.property(heightsOf, windows, fc.double({ min: 0, max: 1, noNaN: true }), (heights, height, share) => {
        const extent = extentOf(heights, height);
        const found = shareOf(layOut(anchorAt(share, extent), extent), extent);
        // Where rows are low at an end of a short list, several shares look the same.
        if (heights.length * ROW_HEIGHT > height) expect(found).toBeCloseTo(share, 6);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('count those that are wholly visible', () => {
    const extent = extentOf([24, 100, 24, 24, 300], 172);
    expect(wholeRows(layOut({ row: 0, part: 0, y: 0 }, extent), extent)).toBe(4);
    expect(wholeRows(layOut({ row: 0, part: 0, y: -1 }, extent), extent)).toBe(3);
  });
});

describe('a place among them', () => {
  /** Rows of which each is known once it was visible, as the window measures what it draws. */
  function listOf(heights: readonly number[], height: number) {
    const known = new Set<number>();
    const place = new WrappedRows();
    const space = {
      total: heights.length,
      height,
      average: ROW_HEIGHT,
      heightOf: (row: number) => (known.has(row) ? (heights[row] as number) : ROW_HEIGHT),
      isKnown: (row: number) => known.has(row),
    };
    const draw = (): void => {
      for (let before = -1; before !== known.size;) {
        before = known.size;
        const { first, end } = place.visible;
        for (let row = first; row < end; row++) known.add(row);
      }
    };
    const topOf = (row: number): number => {
      const { first, cut } = place.visible;
      return heights.slice(first, row).reduce((sum, one) => sum + one, 0) - cut;
    };
    place.update(space, false);
    draw();
    return { place, draw, topOf, space };
  }
  const HEIGHTS = Array.from({ length: 400 }, (_, i) => ROW_HEIGHT + ((i * 37) % 11) * 18);

  it('moves by as many pixels as it is told, also over rows that were never drawn', () => {
    const { place, draw, topOf } = listOf(HEIGHTS, 500);
    place.startAt(200);
    draw();
    for (const pixels of [-7, -120, -333, 90, -499, 41, 400, -2]) {
      const { first } = place.visible;
      const before = topOf(first);
      place.scrollBy(pixels);
      draw();
      const moved = HEIGHTS.slice(Math.min(first, place.visible.first), Math.max(first, place.visible.first)).reduce(
        (sum, one) => sum + one,
        0,
      );
      const now = first < place.visible.first ? -place.visible.cut - moved : -place.visible.cut + moved;
      expect(now).toBe(before - pixels);
    }
  });

  it('reaches both ends, and knows it', () => {
    const { place, draw } = listOf(HEIGHTS, 500);
    place.toEnd();
    draw();
    expect([place.isAtEnd, place.visible.end]).toEqual([true, 400]);
    place.scrollBy(-1);
    draw();
    expect(place.isAtEnd).toBe(true);
    place.scrollBy(-100);
    draw();
    expect(place.isAtEnd).toBe(false);
    for (let i = 0; i < 400; i++) {
      place.scrollBy(-200);
      draw();
    }
    expect(place.visible).toMatchObject({ first: 0, cut: 0 });
    expect(place.top).toBe(0);
  });

  it('reveals a row wholly, moving as little as possible', () => {
    const { place, draw, topOf } = listOf(HEIGHTS, 500);
    for (const row of [300, 301, 299, 0, 399, 10]) {
      place.reveal(row);
      draw();
      expect(place.shows(row)).toBe(true);
      expect(topOf(row)).toBeGreaterThanOrEqual(0);
      expect(topOf(row) + (HEIGHTS[row] as number)).toBeLessThanOrEqual(500);
      const { first, cut } = place.visible;
      place.reveal(row);
      expect(place.visible).toMatchObject({ first, cut });
    }
  });

  it('shows the beginning of a row that is higher than the window', () => {
    const { place, draw, topOf } = listOf([24, 24, 2000, 24, 24], 500);
    place.reveal(2);
    draw();
    place.reveal(2);
    expect(topOf(2)).toBe(0);
  });

  it('goes along the bar in millions of rows', () => {
    const place = new WrappedRows();
    place.update({ total: 5_000_000, height: 600, average: 60, heightOf: () => 60, isKnown: () => true }, false);
    const range = place.extent.total * 60 - 600;
    for (const share of [0, 0.25, 0.5, 0.999, 1]) {
      place.scrollTo(share * range);
      expect(place.top / range).toBeCloseTo(share, 6);
      expect(place.visible.first / 5_000_000).toBeCloseTo(share, 4);
    }
    expect(place.visible.end).toBe(5_000_000);
  });
});

describe('the heights that are known', () => {
  it('are bounded, and have an average', () => {
    const heights = new RowHeights();
    expect(heights.average).toBe(ROW_HEIGHT);
    expect([heights.set(1, 60), heights.set(1, 60), heights.set(2, 24)]).toEqual([true, false, true]);
    expect(heights.average).toBe(42);
    for (let i = 0; i < 50_000; i++) heights.set(i, 30);
    expect(heights.of(0)).toBeNull();
    expect(heights.of(49_999)).toBe(30);
    expect(heights.average).toBeCloseTo(30, 9);
    heights.clear();
    expect([heights.of(49_999), heights.average]).toEqual([null, ROW_HEIGHT]);
  });
});
