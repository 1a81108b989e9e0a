import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ROW_HEIGHT,
  center,
  clampTop,
  isAtEnd,
  maxTop,
  pageRows,
  reveal,
  thumbOf,
  topOfThumb,
  visibleRows,
} from '../../../../../renderer/src/lib/table/virtual.ts';

const extents = fc.record({ total: fc.integer({ min: 0, max: 200_000_000 }), height: fc.integer({ min: 1, max: 3000 }) });

describe('the rows in sight', () => {
  it.each([
    [0, { total: 10, height: 48 }, { first: 0, end: 2, cut: 0 }],
    [12, { total: 10, height: 48 }, { first: 0, end: 3, cut: 12 }],
    [192, { total: 10, height: 48 }, { first: 8, end: 10, cut: 0 }],
    [9999, { total: 10, height: 48 }, { first: 8, end: 10, cut: 0 }],
    [0, { total: 0, height: 480 }, { first: 0, end: 0, cut: 0 }],
    [0, { total: 3, height: 480 }, { first: 0, end: 3, cut: 0 }],
    [2_399_999_520, { total: 100_000_000, height: 480 }, { first: 99_999_980, end: 100_000_000, cut: 0 }],
  ])('at %d of %o', (top, extent, expected) => expect(visibleRows(top, extent)).toEqual(expected));

  it('are whole from the first on at the end', () => {
    const extent = { total: 1000, height: 250 };
    expect(visibleRows(maxTop(extent), extent)).toEqual({ first: 990, end: 1000, cut: 0 });
    expect(reveal(999, 0, extent)).toBe(maxTop(extent));
  });

  it('fill the height but for less than a row at the end, and never lie outside', () => {
    fc.assert(
      fc.property(extents, fc.double({ min: -1000, max: 6e9, noNaN: true }), (extent, top) => {
        const { first, end, cut } = visibleRows(top, extent);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(extent.total);
        expect(cut).toBeGreaterThanOrEqual(0);
        expect(cut).toBeLessThan(ROW_HEIGHT);
        const covered = (end - first) * ROW_HEIGHT - cut;
        const filled = Math.min(extent.height, extent.total * ROW_HEIGHT);
        expect(covered).toBeGreaterThan(end === extent.total ? filled - ROW_HEIGHT : filled - 1);
      }),
    );
  });
});

describe('the scroll bar', () => {
  it('is not there when everything is in sight', () => expect(thumbOf(0, { total: 10, height: 240 }, 200)).toBeNull());

  it('reaches both ends of its track with a hundred million rows', () => {
    const extent = { total: 100_000_000, height: 700 };
    expect(thumbOf(0, extent, 700)?.start).toBe(0);
    const { start, size } = thumbOf(maxTop(extent), extent, 700) ?? { start: 0, size: 0 };
    expect(start + size).toBeCloseTo(700);
    expect(size).toBeGreaterThanOrEqual(20);
  });

  it('goes where it is dragged', () => {
    fc.assert(
      fc.property(extents, fc.double({ min: 0, max: 1, noNaN: true }), (extent, part) => {
        const top = part * maxTop(extent);
        const thumb = thumbOf(top, extent, 600);
        if (thumb === null || thumb.size >= 600) return;
        expect(Math.abs(topOfThumb(thumb.start, extent, 600) - top)).toBeLessThanOrEqual(1e-6 * maxTop(extent) + 1e-6);
      }),
    );
  });
});

describe('moving', () => {
  const extent = { total: 1000, height: 240 };

  it.each([
    ['a row above', 5, 480, 120],
    ['a row below', 40, 0, 41 * ROW_HEIGHT - 240],
    ['a row in sight', 22, 480, 480],
    ['the last row', 999, 0, 1000 * ROW_HEIGHT - 240],
  ])('reveals %s', (_what, row, top, expected) => expect(reveal(row, top, extent)).toBe(expected));

  it('puts a row into the middle, at the ends as near as possible', () => {
    expect(center(500, extent)).toBe(500 * ROW_HEIGHT - 108);
    expect(center(0, extent)).toBe(0);
    expect(center(999, extent)).toBe(maxTop(extent));
  });

  it('knows the end', () => {
    expect(isAtEnd(maxTop(extent), extent)).toBe(true);
    expect(isAtEnd(maxTop(extent) - ROW_HEIGHT, extent)).toBe(false);
    const high = { ...extent, rowHeight: 60 };
    expect(maxTop(high)).toBe(1000 * 60 - extent.height);
    expect(visibleRows(610, high)).toEqual({ first: 10, end: Math.ceil((610 + extent.height) / 60), cut: 10 });
    expect(clampTop(-5, extent)).toBe(0);
    expect(pageRows(extent)).toBe(9);
    expect(pageRows({ total: 5, height: 10 })).toBe(1);
  });
});
