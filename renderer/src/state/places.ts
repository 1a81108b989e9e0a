import type { AllRequests, TickKind, UnreadRecord } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { NoPlace, Place as TypedPlace } from '../../../engine/api/time/goto.ts';
import type { Place } from '../lib/sources/past-session.ts';
import { placeOf } from '../lib/table/ahead.ts';
import type { Fetched } from '../lib/table/row-feed.ts';
import type { Detail } from './detail.svelte.ts';
import type { Rows, TableRow } from './rows.svelte.ts';
import type { Scan } from './filter/scan.svelte.ts';
import type { Selection } from './selection.svelte.ts';
import type { TickMap } from './ticks.svelte.ts';

/** Rows among which records are looked for that had no numbers yet. */
const MOST_OF_ONE_TIME = 1000;

/** A record to come back to. */
export type Target = Pick<TableRow, 'id' | 'time'>;

interface ComeBack {
  readonly record: Target;
  /** It was the first on the screen; otherwise the cursor was on it. */
  readonly first: boolean;
}

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
  #comeBack: ComeBack | null = null;
  /** Counts the ways back to a record. */
  #landings = 0;
  /** The one that is under way; 0: none. */
  #landing = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Puts the cursor on a row, and its record into the inspector. */
  select(row: number, extend = false): void {
    if (row < 0 || row >= this.#options.rows.total) return;
    this.#moves++;
    this.#options.selection.set(row, extend);
    this.#options.rows.reveal(row);
    // The chosen record stays in sight although records come: the key End follows them again.
    this.#options.rows.follow(false);
    this.#inspect(row);
  }

  /** Puts the cursor on the first or the last row; of rows around a place, also on that of all rows once the filter has gone over all records. */
  selectEnd(end: 'first' | 'last', extend: boolean): void {
    const { rows } = this.#options;
    const select = (): void => {
      this.select(end === 'first' ? 0 : rows.total - 1, extend);
      if (end === 'last') rows.follow(true);
    };
    const { nearby } = rows;
    select();
    if (nearby) void this.whole().then((view) => view !== null && select());
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
    this.#moves++;
    try {
      const found = await this.nearest(kind, row, forward);
      if (found !== null && found.row !== null) this.goToRow(found.row);
      return found === null || found.row !== null;
    } catch (error) {
      this.#options.failed(error);
      return true;
    }
  }

  /** The nearest record of a kind, of all rows: where none of those nearby is one, once the filter has gone over all records. null: someone went elsewhere. */
  async nearest(kind: TickKind, row: number, forward: boolean): Promise<AllRequests['view.nearest']['out'] | null> {
    const { client, rows, view } = this.#options;
    const ask = (at: number): Promise<AllRequests['view.nearest']['out']> =>
      client.request('view.nearest', { view: view() ?? 0, kind, row: at, forward });
    const move = this.#moves;
    const { nearby } = rows;
    const [here, next] = [rows.get(row), rows.get(row + 1)];
    const from = here ?? next;
    const found = await ask(row);
    if (move !== this.#moves) return null;
    if (!nearby || from === undefined || (rows.nearby && found.row !== null && !found.wrapped)) return found;
    const whole = await this.whole();
    if (whole === null) return null;
    const { at } = await this.#find(whole, from);
    return ask(here === undefined ? at - 1 : at);
  }

  /** Goes to the record of a kind that is nearest to a place of the list, from 0 to 1. */
  async goToTick(kind: TickKind, place: number): Promise<void> {
    const move = ++this.#moves;
    try {
      const row = await this.#options.ticks.rowAt(kind, place, this.#options.rows.total);
      if (row !== null && move === this.#moves) this.goToRow(row);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** Goes to a place that someone typed. @param read is called when the filter has gone over all records: a share is one of them all */
  async goToPlace(read: () => TypedPlace | NoPlace): Promise<void> {
    if ((await this.whole()) === null) return;
    const place = read();
    if (place.kind === 'row') this.goToRow(place.row);
    else if (place.kind === 'time') await this.goToTime(place.time);
  }

  /** Shows the records of a time: the first at or after it, in the middle, selected. */
  async goToTime(time: number): Promise<void> {
    const view = await this.whole();
    if (view === null) return;
    const move = this.#moves;
    try {
      const { row } = await this.#options.client.request('view.seek', { view, time });
      if (move !== this.#moves) return;
      const at = Math.min(row, this.#options.rows.total - 1);
      if (at < 0) return;
      this.#options.rows.goTo(at);
      this.#options.selection.set(at, false);
      await this.#selectUnknown(at);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /**
   * Shows records that had no numbers yet where they stand now.
   * @param behind how many there are from the first of them to the end; null: it is not known
   * @returns whether they stand there, or at one other place alone
   */
  async stayOn(records: readonly UnreadRecord[], behind: number | null): Promise<boolean> {
    const [first] = records;
    const view = await this.whole();
    if (view === null || first === undefined) return false;
    const move = this.#moves;
    const { client, fetch, rows } = this.#options;
    const { total } = await fetch(0, 0);
    const counted = behind === null ? -1 : total - behind;
    let row: number | null;
    if (counted >= 0 && placeOf(records, (await fetch(counted, records.length)).rows) !== null) row = counted;
    else {
      const seeked = await client.request('view.seek', { view, time: first.time });
      const place = placeOf(records, (await fetch(seeked.row, MOST_OF_ONE_TIME)).rows);
      row = place === null ? null : seeked.row + place;
    }
    if (row === null || move !== this.#moves) return false;
    // Else the row would be taken for one of the last, where the table follows.
    rows.setAtLeast(total);
    rows.startAt(row);
    return true;
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
    if (!(await this.#options.scan.whole()) || move !== this.#moves) return null;
    // Rows that are held back count: a place is looked for among them.
    if (this.#options.rows.held) this.#options.rows.release();
    return this.#options.view();
  }

  /** Sets the record that is shown again when another filter has found what is around it; null: none. @param first as the first row, without the cursor */
  comeBackTo(record: Target | null, first = false): void {
    // Rows of another list are elsewhere.
    this.#moves++;
    this.#landing = 0;
    this.#comeBack = record === null ? null : { record, first };
  }

  /** Puts the cursor back on its record, or shows the records of its time. @param among the rows that are there */
  async return(among: 'all' | 'nearby' | 'first'): Promise<void> {
    const { rows, selection, failed } = this.#options;
    const back = this.#comeBack;
    const view = this.#options.view();
    const wasHeld = rows.held;
    if (among === 'all') this.#comeBack = null;
    // One that is under way ends by itself; only one among all rows takes the place of another.
    if (this.#landing > 0 && (among !== 'all' || back === null)) return;
    if (back === null || view === null || selection.cursor !== null) return rows.release();
    const moves = this.#moves;
    const landing = ++this.#landings;
    this.#landing = landing;
    try {
      const { row, at, total } = await this.#find(view, back.record);
      // Someone may have gone elsewhere meanwhile.
      if (landing !== this.#landing || selection.cursor !== null || moves !== this.#moves || (wasHeld && !rows.held)) return;
      if (row === null && among === 'first') return rows.begin();
      if (row !== null && !back.first) selection.set(row, false);
      if (row !== null && among === 'first') this.#comeBack = null;
      // More may have been found than was told.
      rows.setAtLeast(total);
      rows.land(at, back.first ? 'top' : 'middle');
    } catch (error) {
      failed(error);
    } finally {
      this.#landed(landing);
    }
  }

  /** Shows the same rows among all of the filter, now that their numbers are known. */
  async stay(total: number): Promise<void> {
    const { rows, selection, detail, failed } = this.#options;
    if (this.#landing > 0 && this.#comeBack !== null) return this.#returnAmong(total);
    const view = this.#options.view();
    const { rows: shown, cut } = rows.shown;
    // The record in the inspector may still be that of an earlier row.
    const chosen = selection.cursor === null ? null : (rows.get(selection.cursor) ?? detail.record);
    // While the rows around the record are still on their way, an older list is shown.
    const [first] = rows.pending && chosen !== null ? [] : shown;
    const landing = ++this.#landings;
    this.#landing = landing;
    this.#comeBack = null;
    selection.clear();
    rows.reset();
    rows.hold();
    rows.setTotal(total);
    try {
      if (view === null) return;
      const [top, cursor] = await Promise.all([
        first === undefined || rows.following ? null : this.#find(view, first),
        chosen === null ? null : this.#find(view, chosen),
      ]);
      if (landing !== this.#landing || !rows.held) return;
      if (selection.cursor === null && cursor !== null && cursor.row !== null) selection.set(cursor.row, false);
      // The page of the record may not have come yet.
      if (top !== null) rows.land(top.at, 'top', cut);
      else if (cursor !== null && !rows.following) rows.land(cursor.at, 'middle');
    } catch (error) {
      failed(error);
    } finally {
      this.#landed(landing);
    }
  }

  /** Goes back to the record among all rows: the way to it among those nearby was still under way. */
  #returnAmong(total: number): Promise<void> {
    const { rows, selection } = this.#options;
    this.#landing = 0;
    selection.clear();
    rows.reset();
    rows.hold();
    rows.setTotal(total);
    return this.return('all');
  }

  /** The way back has ended: what is still held back is shown, unless a later one has begun. */
  #landed(landing: number): void {
    if (landing !== this.#landing) return;
    this.#landing = 0;
    if (this.#options.rows.held) this.#options.rows.release();
  }

  /** The row of a record, where it or else its time is, and the rows that there are then. */
  async #find(view: number, { id, time }: Target): Promise<{ readonly row: number | null; readonly at: number; readonly total: number }> {
    const { client } = this.#options;
    const { row, total } = await client.request('view.locate', { view, id });
    return { row, total, at: row ?? (await client.request('view.seek', { view, time })).row };
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
