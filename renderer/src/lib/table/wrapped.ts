import { ROW_HEIGHT } from './virtual.ts';

/**
 * The geometry of a list whose rows are as high as their text, which is known of those alone that were drawn. Where someone is, is a point of a row that
 * stands at a height of the window; rows around it are laid from there, so that nothing moves when heights above it become known. Pure.
 */

/** A point of a row, and where it stands. */
export interface Anchor {
  readonly row: number;
  /** Part of the row's height above the point, 0 to 1. */
  readonly part: number;
  /** Pixels below the upper edge. */
  readonly y: number;
}

export interface WrappedExtent {
  /** Rows of the list. */
  readonly total: number;
  /** Pixels that are visible. */
  readonly height: number;
  /** Pixels of a row; of one that was not drawn yet the least. */
  readonly heightOf: (row: number) => number;
}

/** The rows that are at least partly visible. */
export interface Layout {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Pixels by which the first row begins above the edge. */
  readonly cut: number;
  /** Pixels from the upper edge to the end of the last one. */
  readonly bottom: number;
}

export const START: Anchor = { row: 0, part: 0, y: 0 };
const EMPTY: Layout = { first: 0, end: 0, cut: 0, bottom: 0 };

/** The anchor at which the last row ends at the lower edge. */
export const endAnchor = ({ total, height }: WrappedExtent): Anchor => ({ row: Math.max(0, total - 1), part: 1, y: height });

/** Lays the rows around a point, without a gap at the beginning or the end of the list. */
export function layOut(anchor: Anchor, extent: WrappedExtent): Layout {
  const { total, height, heightOf } = extent;
  if (total === 0 || height <= 0) return EMPTY;
  let first = Math.min(Math.max(0, anchor.row), total - 1);
  let top = anchor.y - anchor.part * heightOf(first);
  let end = first;
  let bottom = top;
  const up = (): void => {
    while (top > 0 && first > 0) top -= heightOf(--first);
  };
  const down = (): void => {
    while (bottom < height && end < total) bottom += heightOf(end++);
  };
  const shift = (pixels: number): void => {
    top += pixels;
    bottom += pixels;
  };
  down();
  if (bottom < height) shift(height - bottom);
  up();
  if (top > 0) shift(-top);
  down();
  while (first < end - 1 && top + heightOf(first) <= 0) top += heightOf(first++);
  while (end > first + 1 && bottom - heightOf(end - 1) >= height) bottom -= heightOf(--end);
  return { first, end, cut: 0 - top, bottom };
}

/** Whether the end of the list is visible, give or take a pixel. */
export const showsEnd = ({ end, bottom }: Layout, { total, height }: WrappedExtent): boolean => end === total && bottom <= height + 1;

/** The same layout, held by another row: the first one whose height is known, so that what is visible stays when others are measured. */
export function anchorOf({ first, end, cut }: Layout, { heightOf }: WrappedExtent, isKnown: (row: number) => boolean): Anchor {
  let y = -cut;
  for (let row = first; row < end; row++) {
    if (isKnown(row)) return { row, part: 0, y };
    y += heightOf(row);
  }
  return { row: first, part: 0, y: -cut };
}

/** The anchor nearest to where someone is at which a row is wholly visible, or begins at the edge if it is higher than the window. */
export function revealed(row: number, layout: Layout, extent: WrappedExtent): Anchor | null {
  const { first, end, cut } = layout;
  if (row < first) return { row, part: 0, y: 0 };
  if (row >= end) return { row, part: 1, y: extent.height };
  let top = -cut;
  for (let at = first; at < row; at++) top += extent.heightOf(at);
  const size = extent.heightOf(row);
  if (top < 0 || size > extent.height) return top <= 0 && top + size >= extent.height ? null : { row, part: 0, y: 0 };
  return top + size > extent.height ? { row, part: 1, y: extent.height } : null;
}

/** Rows that are wholly visible. */
export function wholeRows({ first, end, cut }: Layout, { height, heightOf }: WrappedExtent): number {
  let [top, whole] = [-cut, 0];
  for (let row = first; row < end; row++) {
    const bottom = top + heightOf(row);
    if (top >= 0 && bottom <= height) whole++;
    top = bottom;
  }
  return whole;
}

/**
 * Position of the user, 0 to 1. It is that of a point that goes from the upper edge, at the beginning of the list, to the lower one, at its end: so it
 * needs no heights but those of the visible rows.
 */
export function shareOf({ first, end, cut, bottom }: Layout, extent: WrappedExtent): number {
  const { total, height, heightOf } = extent;
  if (total === 0 || (first === 0 && cut <= 0)) return 0;
  if (end === total && bottom <= height) return 1;
  const above = (share: number): boolean => {
    // Whether that share of the rows is above that share of the window.
    const row = Math.min(total - 1, Math.floor(share * total));
    if (row < first) return true;
    if (row >= end) return false;
    let top = -cut;
    for (let at = first; at < row; at++) top += heightOf(at);
    return top + (share * total - row) * heightOf(row) < share * height;
  };
  let [low, high] = [first / total, Math.min(1, end / total)];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (above(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The anchor at a share of the list. */
export function anchorAt(share: number, extent: WrappedExtent): Anchor {
  const { total, height } = extent;
  if (share >= 1) return endAnchor(extent);
  const at = Math.max(0, share) * total;
  const row = Math.min(total - 1, Math.floor(at));
  return { row: Math.max(0, row), part: at - row, y: share * height };
}

/** The heights of rows that were drawn, by the numbers of their records. */
export class RowHeights {
  readonly #heights = new Map<number, number>();
  #sum = 0;

  /** null: it was not drawn. */
  of(record: number): number | null {
    return this.#heights.get(record) ?? null;
  }

  /** @returns whether that was not known */
  set(record: number, height: number): boolean {
    const known = this.#heights.get(record);
    if (known === height) return false;
    this.#heights.delete(record);
    this.#heights.set(record, height);
    this.#sum += height - (known ?? 0);
    if (this.#heights.size > MOST_KNOWN) this.#dropOldest();
    return true;
  }

  get average(): number {
    return this.#heights.size === 0 ? ROW_HEIGHT : this.#sum / this.#heights.size;
  }

  clear(): void {
    this.#heights.clear();
    this.#sum = 0;
  }

  #dropOldest(): void {
    for (const [record, height] of this.#heights) {
      if (this.#heights.size <= MOST_KNOWN / 2) return;
      this.#heights.delete(record);
      this.#sum -= height;
    }
  }
}

const MOST_KNOWN = 20_000;
