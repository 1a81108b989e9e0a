import type { RecordRow } from '../../../engine/api/types.ts';
import { RowFeed, type Fetched } from '../lib/row-feed.ts';
import { ROW_HEIGHT, center, clampTop, isAtEnd, maxTop, reveal, visibleRows, type Extent } from '../lib/virtual.ts';

/** A row of the table, with the names of the columns that its values are of. */
export interface TableRow extends RecordRow {
  readonly columns: readonly string[];
}

/** The rows on the screen: always a whole picture, an older one while a newer one is fetched. */
export interface Shown {
  readonly first: number;
  readonly cut: number;
  readonly rows: readonly TableRow[];
}

interface RowsOptions {
  readonly fetch: (start: number, count: number) => Promise<Fetched<TableRow>>;
  readonly failed: (error: unknown) => void;
  readonly following: boolean;
}

const NOTHING: Shown = { first: 0, cut: 0, rows: [] };

/** The scroll position of the record table, and its visible rows. */
export class Rows {
  total = $state(0);
  top = $state(0);
  height = $state(0);
  following = $state(true);
  shown = $state.raw<Shown>(NOTHING);
  /** Whether the requested rows are not shown yet. */
  pending = $state(false);
  #leftAt = $state(0);
  rowHeight = $state(ROW_HEIGHT);
  readonly extent = $derived<Extent>({ total: this.total, height: this.height, rowHeight: this.rowHeight });
  /** Rows that the engine counts as new. */
  #fresh = $state(0);
  /** Rows that came since someone left the end. */
  readonly waiting = $derived(this.following ? 0 : Math.max(0, this.#fresh - this.#leftAt));
  readonly #feed: RowFeed<TableRow>;
  /** The length by the last event: a late reply may have a smaller one. */
  #told = 0;

  constructor({ fetch, failed, following }: RowsOptions) {
    this.following = following;
    this.#feed = new RowFeed({ fetch, failed, arrived: (total) => this.#place(Math.max(total, this.#told)) });
  }

  get(row: number): TableRow | undefined {
    return this.#feed.get(row);
  }

  setTotal(total: number): void {
    this.#told = total;
    this.#place(total);
  }

  /** So many rows came since the view was opened. */
  setFresh(fresh: number): void {
    this.#fresh = fresh;
    if (this.following) this.#leftAt = fresh;
  }

  resize(height: number): void {
    this.height = height;
    this.#place(this.total);
  }

  /** Rows become higher or lower; the first one that is shown stays. */
  setRowHeight(rowHeight: number): void {
    if (rowHeight === this.rowHeight) return;
    this.top = (this.top / this.rowHeight) * rowHeight;
    this.rowHeight = rowHeight;
    this.#place(this.total);
  }

  /** Moves; at the end the table follows, elsewhere it stays. */
  scrollTo(top: number): void {
    this.top = clampTop(top, this.extent);
    if (maxTop(this.extent) > 0) this.#setFollowing(isAtEnd(this.top, this.extent));
    this.#refresh();
  }

  scrollBy(pixels: number): void {
    this.scrollTo(this.top + pixels);
  }

  /** Scrolls as little as possible until the row is visible. */
  reveal(row: number): void {
    this.scrollTo(reveal(row, this.top, this.extent));
  }

  /** Shows this row: where it is, or else in the middle. */
  show(row: number): void {
    if (this.top <= row * this.rowHeight && (row + 1) * this.rowHeight <= this.top + this.height) this.reveal(row);
    else this.goTo(row);
  }

  /** Stays at this row: in the middle, and not following even if it is the last. */
  goTo(row: number): void {
    this.#setFollowing(false);
    this.top = center(row, this.extent);
    this.#refresh();
  }

  /** Shows the rows from this one on, and follows only where it is among the last ones. */
  startAt(row: number): void {
    this.#setFollowing(false);
    this.scrollTo(row * this.rowHeight);
  }

  follow(on: boolean): void {
    this.#setFollowing(on);
    if (on) this.scrollTo(maxTop(this.extent));
  }

  /** Rows may have changed where they stand. */
  invalidate(): void {
    this.#feed.invalidate();
  }

  /** Another list: what is shown stays until the first rows of the new one are there. */
  reset(): void {
    this.#feed.reset();
    this.#told = 0;
    this.#leftAt = this.#fresh;
    this.pending = true;
  }

  #place(total: number): void {
    this.total = total;
    this.top = this.following ? maxTop(this.extent) : clampTop(this.top, this.extent);
    this.#refresh();
  }

  #setFollowing(on: boolean): void {
    if (this.following && !on) this.#leftAt = this.#fresh;
    this.following = on;
  }

  #refresh(): void {
    if (this.height <= 0) return;
    const { first, end, cut } = visibleRows(this.top, this.extent);
    const rows = this.#feed.want(first, end, this.total);
    this.pending = rows === null;
    if (rows !== null) this.shown = { first, cut, rows };
  }
}

/** The value of a field's column; null when it has none or is not there yet. */
export function columnValue(row: TableRow, name: string): string | null {
  const index = row.columns.indexOf(name);
  return index === -1 ? null : (row.values[index] ?? null);
}
