/**
 * The geometry of a list that shows a few of very many rows. Positions are pixels in a list that is drawn nowhere as a whole: Chromium
 * caps an element at 33,554,428 px (1.4 million rows), a double counts pixels exactly far beyond a hundred million rows.
 */

export const ROW_HEIGHT = 24;
const SHORTEST_THUMB = 28;

export interface Extent {
  /** Rows of the list. */
  readonly total: number;
  /** Pixels that are visible. */
  readonly height: number;
  /** Pixels of a row; absent: ROW_HEIGHT. */
  readonly rowHeight?: number;
}

/** Pixels of a row. */
export function rowHeightOf({ rowHeight }: Extent): number {
  return rowHeight ?? ROW_HEIGHT;
}

export interface VisibleRows {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Pixels by which the first row begins above the edge: 0 to the height of a row, exclusive. */
  readonly cut: number;
}

export interface Thumb {
  readonly start: number;
  readonly size: number;
}

/** The highest position: the last row is whole at the lower end, and the first one at the upper edge. */
export function maxTop(extent: Extent): number {
  return Math.max(0, extent.total * rowHeightOf(extent) - wholeHeight(extent));
}

/** Pixels of the rows that are wholly visible at once. */
function wholeHeight(extent: Extent): number {
  const row = rowHeightOf(extent);
  return extent.height < row ? extent.height : Math.floor(extent.height / row) * row;
}

/** The nearest position that exists. */
export function clampTop(top: number, extent: Extent): number {
  return Math.min(Math.max(0, top), maxTop(extent));
}

/** Whether the last row is visible; with half a row of slack, so that rounding does not end the follow mode. */
export function isAtEnd(top: number, extent: Extent): boolean {
  return top >= maxTop(extent) - rowHeightOf(extent) / 2;
}

/** The rows that are at least partly visible. */
export function visibleRows(top: number, extent: Extent): VisibleRows {
  const row = rowHeightOf(extent);
  const at = Math.floor(clampTop(top, extent));
  const first = Math.floor(at / row);
  const end = Math.min(extent.total, Math.ceil((at + extent.height) / row));
  return { first, end: Math.max(first, end), cut: at - first * row };
}

/** Whole rows that fit: the step of Page Up and Page Down. */
export function pageRows(extent: Extent): number {
  return Math.max(1, Math.floor(extent.height / rowHeightOf(extent)) - 1);
}

/** The position nearest to `top` at which the row is wholly visible. */
export function reveal(row: number, top: number, extent: Extent): number {
  const start = row * rowHeightOf(extent);
  const end = start + rowHeightOf(extent);
  if (start < top) return clampTop(start, extent);
  if (end > top + extent.height) return clampTop(end - wholeHeight(extent), extent);
  return clampTop(top, extent);
}

/** The position at which the row stands in the middle. */
export function center(row: number, extent: Extent): number {
  return clampTop(row * rowHeightOf(extent) - (extent.height - rowHeightOf(extent)) / 2, extent);
}

/** The scroll bar's thumb on a track; null when everything is visible. */
export function thumbOf(top: number, extent: Extent, track: number): Thumb | null {
  const range = maxTop(extent);
  if (range === 0 || track <= 0) return null;
  const size = Math.min(track, Math.max(SHORTEST_THUMB, (track * extent.height) / (extent.total * rowHeightOf(extent))));
  return { start: ((track - size) * clampTop(top, extent)) / range, size };
}

/** The position that puts the thumb's upper edge there. */
export function topOfThumb(start: number, extent: Extent, track: number): number {
  const thumb = thumbOf(0, extent, track);
  if (thumb === null || track <= thumb.size) return 0;
  return clampTop((start / (track - thumb.size)) * maxTop(extent), extent);
}
