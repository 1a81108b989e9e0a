import { center, clampTop, isAtEnd, maxTop, pageRows, reveal, ROW_HEIGHT, visibleRows, type Extent, type VisibleRows } from './virtual.ts';
import { anchorAt, anchorOf, endAnchor, layOut, revealed, shareOf, showsEnd, START, wholeRows, type WrappedExtent } from './wrapped.ts';

/** Size of a list and height of its rows. */
export interface Space extends WrappedExtent {
  /** Whether a row was drawn, so that its height is known. */
  readonly isKnown: (row: number) => boolean;
  /** Pixels of those that were drawn, on average. */
  readonly average: number;
}

/** Position of the user in a long list. */
export interface RowPlace {
  /** The list has changed, or its window. @param follows shows the end */
  update(space: Space, follows: boolean): void;
  readonly visible: VisibleRows;
  /** Size of the list and of its window, for the scroll bar. */
  readonly extent: Extent;
  readonly top: number;
  /** Whether the last row is visible. */
  readonly isAtEnd: boolean;
  /** Whether all of the row is visible, or what fits of it. */
  shows(row: number): boolean;
  /** Rows to go by a page. */
  readonly pageRows: number;
  scrollTo(top: number): void;
  scrollBy(pixels: number): void;
  /** Scrolls as little as possible until the row is visible. */
  reveal(row: number): void;
  /** Shows the row in the middle. */
  center(row: number): void;
  /** Shows the rows from this one on. */
  startAt(row: number): void;
  toEnd(): void;
}

/** Rows of one height: the place is a number of pixels. */
export class EvenRows implements RowPlace {
  extent: Extent = { total: 0, height: 0 };
  top = 0;

  update({ total, height }: Space, follows: boolean): void {
    this.extent = { total, height };
    this.top = follows ? maxTop(this.extent) : clampTop(this.top, this.extent);
  }

  get visible(): VisibleRows {
    return visibleRows(this.top, this.extent);
  }

  get isAtEnd(): boolean {
    return isAtEnd(this.top, this.extent);
  }

  get pageRows(): number {
    return pageRows(this.extent);
  }

  shows(row: number): boolean {
    return this.top <= row * ROW_HEIGHT && (row + 1) * ROW_HEIGHT <= this.top + this.extent.height;
  }

  scrollTo(top: number): void {
    this.top = clampTop(top, this.extent);
  }

  scrollBy(pixels: number): void {
    this.scrollTo(this.top + pixels);
  }

  reveal(row: number): void {
    this.top = reveal(row, this.top, this.extent);
  }

  center(row: number): void {
    this.top = center(row, this.extent);
  }

  startAt(row: number): void {
    this.scrollTo(row * ROW_HEIGHT);
  }

  toEnd(): void {
    this.top = maxTop(this.extent);
  }
}

/** Rows as high as their text: the place is a point of a row. */
export class WrappedRows implements RowPlace {
  #space: Space = { total: 0, height: 0, average: ROW_HEIGHT, heightOf: () => ROW_HEIGHT, isKnown: () => false };
  #anchor = START;

  update(space: Space, follows: boolean): void {
    this.#space = space;
    if (follows) this.toEnd();
  }

  get visible(): VisibleRows {
    return layOut(this.#anchor, this.#space);
  }

  get extent(): Extent {
    const { total, height, average } = this.#space;
    return { total, height, rowHeight: average };
  }

  get top(): number {
    return shareOf(layOut(this.#anchor, this.#space), this.#space) * maxTop(this.extent);
  }

  get isAtEnd(): boolean {
    return showsEnd(layOut(this.#anchor, this.#space), this.#space);
  }

  get pageRows(): number {
    return Math.max(1, wholeRows(layOut(this.#anchor, this.#space), this.#space) - 1);
  }

  shows(row: number): boolean {
    return revealed(row, layOut(this.#anchor, this.#space), this.#space) === null;
  }

  scrollTo(top: number): void {
    const range = maxTop(this.extent);
    this.#anchor = range === 0 ? START : anchorAt(top / range, this.#space);
  }

  scrollBy(pixels: number): void {
    const { row, part, y } = anchorOf(layOut(this.#anchor, this.#space), this.#space, this.#space.isKnown);
    this.#anchor = { row, part, y: y - pixels };
  }

  reveal(row: number): void {
    this.#anchor = revealed(row, layOut(this.#anchor, this.#space), this.#space) ?? this.#anchor;
  }

  center(row: number): void {
    this.#anchor = { row, part: 0.5, y: this.#space.height / 2 };
  }

  startAt(row: number): void {
    this.#anchor = { row, part: 0, y: 0 };
  }

  toEnd(): void {
    this.#anchor = endAnchor(this.#space);
  }
}
