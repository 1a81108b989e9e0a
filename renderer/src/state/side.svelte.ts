import type { AllEvents } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { Fetched } from '../lib/table/row-feed.ts';
import type { Detail } from './detail.svelte.ts';
import type { Scan } from './filter/scan.svelte.ts';
import { Places, type Target } from './places.ts';
import { Rows, type TableRow } from './rows.svelte.ts';
import { Selection } from './selection.svelte.ts';
import { TickMap } from './ticks.svelte.ts';

interface SideOptions {
  readonly client: Client;
  readonly view: () => number | null;
  readonly fetch: (start: number, count: number) => Promise<Fetched<TableRow>>;
  readonly detail: Detail;
  readonly scan: Scan;
  readonly following: boolean;
  /** In front of the ids of its elements. */
  readonly prefix: string;
  /** Whether the inspector shows the record that is looked at here. */
  readonly leads: (side: Side) => boolean;
  readonly failed: (error: unknown) => void;
}

/** A place in the records that the view shows: the rows that are on the screen there, and what is selected of them. */
export class Side {
  readonly prefix: string;
  readonly rows: Rows;
  readonly selection = new Selection();
  readonly ticks: TickMap;
  readonly places: Places;
  /** The record that was chosen here when the inspector left for another place. */
  #kept: Target | null = null;
  readonly #detail: Detail;
  readonly #scan: Scan;
  readonly #leads: SideOptions['leads'];

  constructor({ client, view, fetch, detail, scan, following, prefix, leads, failed }: SideOptions) {
    this.prefix = prefix;
    this.#detail = detail;
    this.#scan = scan;
    this.#leads = leads;
    this.rows = new Rows({ fetch, failed, following });
    this.ticks = new TickMap(client, view);
    const { rows, selection, ticks } = this;
    this.places = new Places({ client, view, fetch, rows, selection, detail, scan, ticks, failed });
  }

  /** The record that someone chose here; the filter may hide it. */
  get chosen(): Target | null {
    return this.#leads(this) ? this.#detail.record : this.#kept;
  }

  /** The inspector is about another place from now on. */
  rest(): void {
    const { cursor } = this.selection;
    this.#kept = (cursor === null ? undefined : this.rows.get(cursor)) ?? this.#detail.record;
  }

  /** The inspector shows the record that was chosen here. */
  wake(): void {
    this.#detail.show(this.#kept?.id ?? null);
  }

  /** Time of the chosen row, or else of the first one on the screen. */
  get time(): number | null {
    const { cursor } = this.selection;
    return (cursor === null ? undefined : this.rows.get(cursor)?.time) ?? this.rows.shown.rows[0]?.time ?? null;
  }

  /** The table has another height: a chosen row that was in sight stays there. */
  resize(height: number): void {
    const { rows } = this;
    const { cursor } = this.selection;
    const { first, rows: drawn } = rows.shown;
    const isSeen = cursor !== null && cursor >= first && cursor < first + drawn.length;
    const isLess = height < rows.height;
    rows.resize(height);
    if (isSeen && isLess && height > 0 && !rows.following) rows.reveal(cursor);
  }

  /** Shows what another place shows. */
  copy({ rows, selection, chosen }: Side): void {
    this.#kept = chosen;
    this.rows.setAtLeast(rows.total);
    const { cursor } = selection;
    if (cursor !== null) this.selection.set(cursor, false);
    if (!rows.following) this.rows.startAt(rows.shown.first);
  }

  /** An event tells of the view. */
  take(change: AllEvents['view.changed'], moved: boolean): void {
    const { rows, selection } = this;
    if (moved) rows.invalidate();
    rows.setFresh(change.fresh);
    if (this.#scan.isCurrent) this.show(change);
    else rows.setTotal(change.total);
    this.ticks.update();
    if ((selection.cursor ?? -1) >= change.total) selection.clear();
  }

  /** Shows the rows that the filter has found so far, where the record is that was looked at. */
  show({ total, nearby }: AllEvents['view.changed']): void {
    const { rows, places } = this;
    const wasNearby = rows.nearby;
    // These are around the record of the other place: here the rows before stay until all are found.
    if (nearby && !wasNearby && !this.#leads(this)) return;
    if (wasNearby && !nearby) return void places.stay(total);
    rows.nearby = nearby;
    rows.setTotal(total);
    if (nearby && rows.held) void places.return('nearby');
    else if (!nearby && this.#scan.settled) void places.return('all');
    else if (rows.held) void places.return('first');
  }

  /** Another filter is on its way. @param comeBack the record to show then; absent: that which is looked at @returns the record around which rows are wanted first, or the end */
  leave(comeBack: Target | undefined): number | 'end' | undefined {
    const { chosen, rows } = this;
    const { following } = rows;
    const first = chosen === null ? rows.shown.rows[0] : undefined;
    const returning = comeBack ?? (following ? null : (chosen ?? first ?? null));
    this.places.comeBackTo(returning, comeBack === undefined && chosen === null);
    this.selection.clear();
    rows.hold();
    return returning?.id ?? (following ? 'end' : undefined);
  }

  /** The other filter is there: its rows are shown when it is known where. */
  begin(): void {
    this.rows.reset();
    this.rows.hold();
  }
}
