import { describe, expect, it } from 'vitest';
import { EvenRows, WrappedRows, type RowPlace, type Space } from '../../../../../renderer/src/lib/table/row-place.ts';
import { ROW_HEIGHT } from '../../../../../renderer/src/lib/table/virtual.ts';

/** A list of rows of one height in a window for ten of them. */
const space = (total: number, rows = 10): Space => ({
  ...{ total, height: rows * ROW_HEIGHT, average: ROW_HEIGHT },
  ...{ heightOf: () => ROW_HEIGHT, isKnown: () => true },
});

const PLACES: readonly (readonly [name: string, make: () => RowPlace])[] = [
  ['rows of one height', () => new EvenRows()],
  ['rows as high as their text', () => new WrappedRows()],
];

describe.each(PLACES)('%s', (_name, make) => {
  function placed(total = 100): RowPlace {
    const place = make();
    place.update(space(total), false);
    return place;
  }
  const shown = (place: RowPlace, total = 100): number[] =>
    Array.from({ length: total }, (_, row) => row).filter((row) => place.shows(row));
  const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

  it('begins at the beginning', () => {
    const place = placed();
    expect([shown(place), place.top, place.isAtEnd, place.pageRows]).toEqual([range(0, 10), 0, false, 9]);
  });

  it('shows the end, and follows it when told to', () => {
    const place = placed();
    place.toEnd();
    expect([shown(place), place.isAtEnd]).toEqual([range(90, 100), true]);
    place.update(space(120), false);
    expect([shown(place, 120), place.isAtEnd]).toEqual([range(90, 100), false]);
    place.update(space(120), true);
    expect([shown(place, 120), place.isAtEnd]).toEqual([range(110, 120), true]);
  });

  it('reveals a row with as little scrolling as possible', () => {
    const place = placed();
    place.startAt(40);
    place.reveal(45);
    expect(shown(place)).toEqual(range(40, 50));
    place.reveal(52);
    expect(shown(place)).toEqual(range(43, 53));
    place.reveal(41);
    expect(shown(place)).toEqual(range(41, 51));
  });

  it('scrolls by pixels, and not beyond the ends', () => {
    const place = placed();
    place.scrollBy(3 * ROW_HEIGHT);
    expect(shown(place)).toEqual(range(3, 13));
    place.scrollBy(-100 * ROW_HEIGHT);
    expect(shown(place)).toEqual(range(0, 10));
    place.scrollBy(1000 * ROW_HEIGHT);
    expect(shown(place)).toEqual(range(90, 100));
  });

  it('shows a row in the middle', () => {
    const place = placed();
    place.center(50);
    expect(shown(place)).toContain(47);
    expect(shown(place)).toContain(53);
    place.center(0);
    expect(shown(place)[0]).toBe(0);
  });

  it('shows all of a short list', () => {
    const place = placed(3);
    place.scrollTo(500);
    expect([shown(place, 3), place.top, place.isAtEnd]).toEqual([[0, 1, 2], 0, true]);
  });

  it('goes where the scroll bar is', () => {
    const place = placed();
    place.scrollTo(45 * ROW_HEIGHT);
    expect(place.top).toBeCloseTo(45 * ROW_HEIGHT, 0);
    expect(place.extent).toMatchObject({ total: 100, height: 10 * ROW_HEIGHT });
  });
});
