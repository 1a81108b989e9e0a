import type { TickKind } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { Place as TypedPlace } from '../lib/goto.ts';
import type { Place } from '../lib/past-session.ts';
import type { Fetched } from '../lib/row-feed.ts';
import type { Detail } from './detail.svelte.ts';
import type { Rows, TableRow } from './rows.svelte.ts';
import type { Scan } from './scan.svelte.ts';
import type { Selection } from './selection.svelte.ts';
import type { TickMap } from './ticks.svelte.ts';

/** A record to come back to. */
export type Target = Pick<TableRow, 'id' | 'time'>;

interface PlacesOptions {
  readonly client: Client;
  readonly view: () => number | null;
  readonly fetch: (start: number, count: number) => Promise<Fetched<TableRow>>;
  readonly rows: Rows;
  readonly selection: Selection;
  readonly detail: Detail;
  readonly scan: Scan;
  readonly ticks: TickMap;
  readonly failed: (error: unknown) => void;
}

/** The ways to rows of a view: by their number, their time, their kind or their record. The latest wish counts. */
export class Places {
  readonly #options: PlacesOptions;
  /** Counts the places that someone went to: one that has to wait gives way to a later one. */
  #moves = 0;
  #comeBack: Target | null = null;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Puts the cursor on a row, and its record into the inspector. */
  select(row: number, extend = false): void {
    if (row < 0 || row >= this.#options.rows.total) return;
    this.#moves++;
    this.#options.selection.set(row, extend);
    this.#options.rows.reveal(row);
    this.#inspect(row);
  }

  /** The same for a row that may be far away: then it is shown in the middle. */
  goToRow(row: number): void {
    if (row < 0 || row >= this.#options.rows.total) return;
    this.#moves++;
    this.#options.selection.set(row, false);
    this.#options.rows.show(row);
    this.#inspect(row);
  }

  /** Goes to the next record of a kind, or to the one before. @returns whether there is one */
  async step(kind: TickKind, forward: boolean): Promise<boolean> {
    const view = this.#options.view();
    if (view === null) return false;
    const { first } = this.#options.rows.shown;
    const row = this.#options.selection.cursor ?? (forward ? first - 1 : first);
    try {
      const found = await this.#options.client.request('view.nearest', { view, kind, row, forward });
      if (found.row !== null) this.goToRow(found.row);
      return found.row !== null;
    } catch (error) {
      this.#options.failed(error);
      return true;
    }
  }

  /** Goes to the record of a kind that is nearest to a place of the list, from 0 to 1. */
  async goToTick(kind: TickKind, place: number): Promise<void> {
    try {
      const row = await this.#options.ticks.rowAt(kind, place, this.#options.rows.total);
      if (row !== null) this.goToRow(row);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** Goes to a place that someone typed. @param read is called when the filter has gone over all records: a share is one of them all */
  async goToPlace(read: () => TypedPlace | null): Promise<void> {
    if ((await this.whole()) === null) return;
    const place = read();
    if (place?.kind === 'row') this.goToRow(place.row);
    else if (place?.kind === 'time') await this.goToTime(place.time);
  }

  /** Shows the records of a time: the first at or after it, in the middle, selected. */
  async goToTime(time: number): Promise<void> {
    const view = await this.whole();
    if (view === null) return;
    try {
      const { row } = await this.#options.client.request('view.seek', { view, time });
      const at = Math.min(row, this.#options.rows.total - 1);
      if (at < 0) return;
      this.#options.rows.goTo(at);
      this.#options.selection.set(at, false);
      await this.#selectUnknown(at);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** Shows the rows from a place on: the row, if it has that time, or else the first one of that time. */
  async returnTo({ row, time }: Place): Promise<void> {
    const view = this.#options.view();
    if (view === null) return;
    try {
      const [there] = (await this.#options.fetch(row, 1)).rows;
      const first = there?.time === time ? row : (await this.#options.client.request('view.seek', { view, time })).row;
      this.#options.rows.startAt(first);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** The view as soon as its filter has gone over all records, for whoever goes to a place then; null: there is none, or someone went elsewhere meanwhile. */
  async whole(): Promise<number | null> {
    const move = ++this.#moves;
    this.#comeBack = null;
    return (await this.#options.scan.whole()) && move === this.#moves ? this.#options.view() : null;
  }

  /** Sets the record to which the cursor returns when another filter has gone over everything; null: none. */
  comeBackTo(record: Target | null): void {
    this.#comeBack = record;
  }

  /** Puts the cursor back on its record, or shows the records of its time. */
  async return(): Promise<void> {
    const target = this.#comeBack;
    const view = this.#options.view();
    this.#comeBack = null;
    if (target === null || view === null || this.#options.selection.cursor !== null) return;
    const moves = this.#moves;
    try {
      const { row } = await this.#options.client.request('view.locate', { view, id: target.id });
      const at = row ?? (await this.#options.client.request('view.seek', { view, time: target.time })).row;
      // Someone may have gone elsewhere meanwhile.
      if (this.#options.selection.cursor !== null || moves !== this.#moves) return;
      if (row !== null) this.#options.selection.set(row, false);
      this.#options.rows.goTo(at);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  #inspect(row: number): void {
    const known = this.#options.rows.get(row);
    if (known !== undefined) this.#options.detail.show(known.id);
    else void this.#selectUnknown(row);
  }

  async #selectUnknown(row: number): Promise<void> {
    try {
      const [found] = (await this.#options.fetch(row, 1)).rows;
      if (found !== undefined && this.#options.selection.cursor === row) this.#options.detail.show(found.id);
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
