import type { RecordRow } from '../../../engine/api/types.ts';
import { RowFeed, type Fetched } from '../lib/table/row-feed.ts';
import { EvenRows, WrappedRows, type RowPlace } from '../lib/table/row-place.ts';
import { maxTop, ROW_HEIGHT, type Extent } from '../lib/table/virtual.ts';
import { RowHeights } from '../lib/table/wrapped.ts';

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

/** Growth, in rows between two answers, from which nobody can read what passes: the end is shown again only when the next event tells of it. */
const MOST_FOLLOWED = 300;

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
  extent = $state.raw<Extent>({ total: 0, height: 0 });
  /** The rows are only those around a place: the last of them is not the end. */
  nearby = $state(false);
  /** Rows of another list are shown only when it is known where. */
  #held = false;
  #leftAt = $state(0);
  /** Rows that the engine counts as new. */
  #fresh = $state(0);
  /** Rows that came since someone left the end. */
  readonly waiting = $derived(this.following ? 0 : Math.max(0, this.#fresh - this.#leftAt));
  readonly #feed: RowFeed<TableRow>;
  /** The length by the last event: a late reply may have a smaller one. */
  #told = 0;
  #place: RowPlace = new EvenRows();
  #wrapped = false;
  readonly #heights = new RowHeights();

  constructor({ fetch, failed, following }: RowsOptions) {
    this.following = following;
    this.#feed = new RowFeed({ fetch, failed, arrived: (total) => this.#arrived(total) });
  }

  get(row: number): TableRow | undefined {
    return this.#feed.get(row);
  }

  /** Rows to go by a page. */
  get pageRows(): number {
    return this.#place.pageRows;
  }

  setTotal(total: number): void {
    this.#told = total;
    if (!this.#held) this.#resize(total);
  }

  /** There are at least so many, whatever was told before. */
  setAtLeast(total: number): void {
    if (total > this.#told) this.setTotal(total);
  }

  /** Number of rows that came since the view was opened. */
  setFresh(fresh: number): void {
    this.#fresh = fresh;
    if (this.following) this.#leftAt = fresh;
  }

  resize(height: number): void {
    this.height = height;
    this.#resize(this.total);
  }

  /** Rows become as high as their texts, or of one height; the first one that is shown stays. */
  setWrapped(on: boolean): void {
    if (on === this.#wrapped) return;
    const { first } = this.#place.visible;
    this.#wrapped = on;
    this.#place = on ? new WrappedRows() : new EvenRows();
    this.#update();
    if (!this.following) this.#place.startAt(first);
    this.#refresh();
  }

  /** Rows that are drawn have these heights, by the numbers of their records. */
  measured(heights: Iterable<readonly [record: number, height: number]>): void {
    let changed = false;
    for (const [record, height] of heights) changed = this.#heights.set(record, height) || changed;
    if (!changed || !this.#wrapped) return;
    this.#update();
    this.#refresh();
  }

  /** Rows will have other heights. */
  forgetHeights(): void {
    this.#heights.clear();
  }

  /** Moves; at the end the table follows, elsewhere it stays. */
  scrollTo(top: number): void {
    this.#ready();
    this.#place.scrollTo(top);
    this.#scrolled();
  }

  scrollBy(pixels: number): void {
    this.#ready();
    this.#place.scrollBy(pixels);
    this.#scrolled();
  }

  /** Scrolls as little as possible until the row is visible. */
  reveal(row: number): void {
    this.#ready();
    this.#place.reveal(row);
    this.#scrolled();
  }

  /** Shows this row: where it is, or else in the middle. */
  show(row: number): void {
    if (this.#place.shows(row)) this.reveal(row);
    else this.goTo(row);
  }

  /** Stays at this row: in the middle, and not following even if it is the last. */
  goTo(row: number): void {
    this.#ready();
    this.#setFollowing(false);
    this.#place.center(row);
    this.#refresh();
  }

  /** Shows the rows from this one on, and follows only where it is among the last ones. */
  startAt(row: number): void {
    this.#ready();
    this.#setFollowing(false);
    this.#place.startAt(row);
    this.#scrolled();
  }

  follow(on: boolean): void {
    this.#setFollowing(on);
    if (!on) return;
    this.#ready();
    this.#place.toEnd();
    this.#scrolled();
  }

  /** Rows may have changed where they stand. */
  invalidate(): void {
    this.#feed.invalidate();
  }

  /** Another list: what is shown stays until the first rows of the new one are there. */
  reset(): void {
    this.#feed.reset();
    this.#told = 0;
    this.#held = false;
    this.nearby = false;
    this.#leftAt = this.#fresh;
    this.pending = true;
  }

  /** Whether another list waits until it is known which of its rows are shown. */
  get held(): boolean {
    return this.#held;
  }

  /** Shows nothing new until `release` or `land`, or until someone goes elsewhere. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#resize(this.#told);
  }

  /** Shows what was held back, from its beginning. */
  begin(): void {
    this.release();
    if (!this.following) this.scrollTo(0);
  }

  /** Shows what was held back with this row in the middle, or as the first one. @param cut pixels of that one that are above the window */
  land(row: number, at: 'middle' | 'top', cut = 0): void {
    this.#setFollowing(false);
    this.#ready();
    if (at === 'middle') this.#place.center(row);
    else {
      this.#place.startAt(row);
      this.#place.scrollBy(cut);
    }
    this.#refresh();
  }

  #ready(): void {
    if (!this.#held) return;
    this.#held = false;
    this.total = this.#told;
    this.#update();
  }

  #scrolled(): void {
    if (maxTop(this.#place.extent) > 0) this.#setFollowing(this.#place.isAtEnd && (this.following || !this.nearby));
    this.#refresh();
  }

  #arrived(total: number): void {
    if (this.#held) return;
    const grown = Math.max(total, this.#told);
    const passing = this.following && this.#told > 0 && grown - this.total > MOST_FOLLOWED;
    this.#resize(passing ? Math.max(this.total, this.#told) : grown);
  }

  #resize(total: number): void {
    this.total = total;
    this.#update();
    this.#refresh();
  }

  #update(): void {
    const heightAt = (row: number): number | null => {
      const record = this.#feed.get(row)?.id;
      return record === undefined ? null : this.#heights.of(record);
    };
    const heightOf = (row: number): number => heightAt(row) ?? ROW_HEIGHT;
    const isKnown = (row: number): boolean => heightAt(row) !== null;
    const { total, height } = this;
    this.#place.update({ total, height, heightOf, isKnown, average: this.#heights.average }, this.following);
  }

  #setFollowing(on: boolean): void {
    if (this.following && !on) this.#leftAt = this.#fresh;
    this.following = on;
  }

  #refresh(): void {
    this.top = this.#place.top;
    this.extent = this.#place.extent;
    if (this.height <= 0) return;
    const { first, end, cut } = this.#place.visible;
    const rows = this.#feed.want(first, end, this.total, !this.following);
    this.pending = rows === null;
    if (rows !== null) this.shown = { first, cut: Math.round(cut), rows };
  }
}

/** The value of a field's column; null when it has none or is not there yet. */
export function columnValue(row: Pick<TableRow, 'columns' | 'values'>, name: string): string | null {
  const index = row.columns.indexOf(name);
  return index === -1 ? null : (row.values[index] ?? null);
}
