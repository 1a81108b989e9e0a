import type { MessageBatch } from '../message/batch/batch.ts';
import type { RecordQuery } from '../api/types.ts';
import type { ViewFacts } from '../api/view-types.ts';
import { EntryList } from './entry-list.ts';
import { Facts } from './facts.ts';
import { streamKey } from './merged-order.ts';
import { lookAround, type Near, type Nearby } from './nearby.ts';
import type { RowOrder } from './row-order.ts';
import type { RecordStore, StoreListener } from './record-store.ts';
import { rowsAt } from './sort/sorted-page.ts';
import type { SortedRows } from './sort/sorted-rows.ts';
import { ScoutedFilter } from './search/scouted-filter.ts';
import type { Segment } from './segment.ts';
import { entryOf, type ViewEntry, type ViewRow } from './view-entry.ts';

/** Milliseconds of scanning after which others get their turn. */
const SLICE_MS = 4;

/**
 * The records that a query selects: in order of arrival, or by time when they come from several streams. The store's segments are looked at in slices, so a view over many
 * records fills up while it is used; records that arrive later are added at once.
 */
export class RecordView implements StoreListener {
  readonly #store: RecordStore;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #unsubscribe: () => void;
  #filter: ScoutedFilter;
  /** Sources whose records it may show; null: all. */
  #sources: ReadonlySet<number> | null;
  #asksLookups: boolean;
  /** The entries of the segments that were looked at: a prefix of the store's segments. */
  readonly #list: EntryList;
  /** Rows that are shown until the filter has come to them; null: none. */
  #nearby: Nearby | null = null;
  #scanned = 0;
  /** Properties of the entries up to now; null: to be found out anew. */
  #facts: Facts | null = null;
  /** The time of the entries up to now; null: to be found out anew. */
  #span: { from: number; to: number } | null = null;
  /** Counts the queries and resets, so that a scan that waited knows that it is out of date. */
  #generation = 0;
  #scanning = false;
  #revision = 0;
  #fresh = 0;
  /** The latest time of the rows, and the streams that they are of. */
  #latest = -Infinity;
  readonly #streams = new Set<string>();
  #sorted: SortedRows | null = null;
  /** Called for each entry that is made while all of its records are in memory; null: nobody asks for that. */
  visit: ((entry: ViewEntry, stored: MessageBatch) => void) | null = null;

  /**
   * @param changed is called when rows were added or the scan went on
   * @param failed is called when records could not be read
   * @throws {EngineError} when the query cannot be compiled
   */
  constructor(store: RecordStore, query: RecordQuery, changed: () => void, failed: (error: unknown) => void) {
    this.#store = store;
    this.#list = new EntryList(store);
    this.#changed = changed;
    this.#failed = failed;
    this.#filter = ScoutedFilter.of(store, query);
    this.#sources = sourcesOf(query);
    this.#asksLookups = asksLookups(query);
    this.#unsubscribe = store.subscribe(this);
    this.#scan();
  }

  /** Rows that are shown. */
  get total(): number {
    return this.#sorted?.total ?? this.#shown.total;
  }

  /** Rows found so far: while they are sorted, those that came later as well. */
  get arrivals(): number {
    return this.#list.total;
  }

  /** Whether the rows that are shown are only those around a place, whose numbers among all are not known yet. */
  get isNearby(): boolean {
    return this.#nearby !== null;
  }

  /** The rows by a column; null: in the order of arrival or time. */
  get sorted(): SortedRows | null {
    return this.#sorted;
  }

  /** Rises when the view begins anew. */
  get generation(): number {
    return this.#generation;
  }

  /** Records looked at so far. */
  get scanned(): number {
    return this.#scanned;
  }

  /** Rises when rows may stand elsewhere than before; while it stays, rows are only added at the end. */
  get revision(): number {
    return this.#revision;
  }

  /** Rows that came since the view was opened, as opposed to those that were found or read: it only rises. */
  get fresh(): number {
    return this.#fresh;
  }

  get facts(): ViewFacts {
    if (this.#facts === null) {
      this.#facts = new Facts();
      for (const entry of [...this.entries, ...(this.#nearby?.list.entries ?? [])]) this.#facts.include(entry);
    }
    return this.#facts.facts;
  }

  get complete(): boolean {
    return this.entries.length === this.#store.segments.length;
  }

  get entries(): readonly ViewEntry[] {
    return this.#list.entries;
  }

  /** The time of the records of its sources that were looked at, whether it shows them or not; the end is exclusive, in milliseconds. null: there are none. */
  get span(): { readonly from: number; readonly to: number } | null {
    if (this.#span === null) {
      this.#span = { from: Infinity, to: -Infinity };
      for (const entry of this.#list.entries) this.#widen(this.#span, entry);
    }
    const { from, to } = this.#span;
    return from < to ? { from, to } : null;
  }

  #widen(span: { from: number; to: number }, { segment }: ViewEntry): void {
    for (const part of segment.parts) {
      if (part.removed || this.#sources?.has(part.source) === false) continue;
      span.from = Math.min(span.from, part.minTime);
      span.to = Math.max(span.to, Math.floor(part.maxTime) + 1);
    }
  }

  /** The order of the rows as they are now. */
  get order(): RowOrder {
    return this.#shown.order;
  }

  /**
   * @param near where rows are wanted first; null: at the beginning
   * @throws {EngineError} when the query cannot be compiled; the view then stays as it was
   */
  setQuery(query: RecordQuery, near: Near | null = null): void {
    const filter = ScoutedFilter.of(this.#store, query);
    this.#filter.close();
    this.#filter = filter;
    this.#sources = sourcesOf(query);
    this.#asksLookups = asksLookups(query);
    this.#begin(near);
  }

  /** Stays as it is, whatever comes: its rows can still be read. */
  freeze(): void {
    this.#generation++;
    this.#filter.close();
    this.#unsubscribe();
  }

  close(): void {
    this.freeze();
  }

  /** The rows [start, start + count) as far as they are known. */
  async page(start: number, count: number): Promise<ViewRow[]> {
    const sorted = this.#sorted;
    if (sorted === null) return this.#shown.page(start, count);
    const length = Math.max(0, Math.min(count, sorted.total - start));
    return rowsAt(
      this.#store,
      Array.from({ length }, (_unused, i) => this.#list.placeOf(sorted.arrivalOf(start + i))),
    );
  }

  /** Number of the first row at or after a time (milliseconds); the total when there is none. While they are sorted: of the first record at or after it. */
  async seek(time: number): Promise<number> {
    if (this.#sorted === null || this.arrivals === 0) return this.#shown.seek(time);
    const [found] = await this.#list.page(Math.min(await this.#list.seek(time), this.arrivals - 1), 1);
    return (found === undefined ? null : await this.locate(found.segment.firstId + found.row)) ?? this.total;
  }

  /** Shows the rows in another order; null: in their own. */
  showSorted(rows: SortedRows | null): void {
    if (this.#sorted === rows) return;
    this.#sorted = rows;
    this.#revision++;
    this.#changed();
  }

  /** Number of the row that shows a record; null: none does. */
  async locate(id: number): Promise<number | null> {
    const place = this.#store.find(id);
    if (place === undefined) return null;
    if (this.#sorted === null) return this.#shown.locate(place);
    const arrival = this.#list.arrivalOf(place);
    return arrival === null ? null : this.#sorted.rowOf(arrival);
  }

  appended(index: number, fresh: boolean): void {
    if (this.entries.length !== index || this.#scanning) {
      this.#scan();
      return;
    }
    const segment = this.#store.segments[index] as Segment;
    const entry = this.#evaluate(segment, this.#store.peek(segment));
    if (entry === undefined) {
      this.#scan();
      return;
    }
    this.#push(entry);
    if (fresh) this.#fresh += entry.count;
    this.#changed();
  }

  merged(first: number, count: number): void {
    const merged = this.#store.segments[first] as Segment;
    if (this.entries.length <= first) return;
    const entry = this.entries.length >= first + count ? this.#evaluate(merged, this.#store.peek(merged)) : undefined;
    const after = entry === undefined ? [] : this.entries.slice(first + count);
    this.#truncate(first);
    if (entry !== undefined) for (const next of [entry, ...after]) this.#push(next);
    if (!this.complete) this.#scan();
  }

  /** Lookups have other answers: what is selected by them is selected anew. */
  lookupsRead(): void {
    if (this.#asksLookups) this.reset();
  }

  altered(index: number): void {
    if (!this.#filter.byLater || this.entries.length <= index) return;
    this.#generation++;
    this.#scanning = false;
    this.#nearby = null;
    this.#sorted = null;
    this.#revision++;
    this.#latest = -Infinity;
    this.#streams.clear();
    this.#truncate(index);
    for (const entry of this.entries) this.#noteOrder(entry);
    this.#scan();
  }

  reset(): void {
    this.#filter = this.#filter.again();
    this.#begin(null);
  }

  #begin(near: Near | null): void {
    this.#generation++;
    this.#revision++;
    this.#latest = -Infinity;
    this.#streams.clear();
    this.#nearby = null;
    this.#sorted = null;
    this.#truncate(0);
    this.#scanning = near !== null;
    if (near !== null) return void this.#lookAround(near);
    this.#changed();
    this.#scan();
  }

  /** Looks for the first rows around a place; nothing is told before they are there. */
  async #lookAround(near: Near): Promise<void> {
    const generation = this.#generation;
    const isWanted = (): boolean => generation === this.#generation;
    try {
      const nearby = await lookAround({ store: this.#store, filter: this.#filter, near, isWanted });
      if (isWanted()) this.#showNearby(nearby);
    } catch (error) {
      if (isWanted()) this.#failed(error);
    }
    if (!isWanted()) return;
    this.#scanning = false;
    this.#changed();
    this.#scan();
  }

  /** The rows that are shown. */
  get #shown(): EntryList {
    return this.#nearby?.list ?? this.#list;
  }

  #showNearby(nearby: Nearby | null): void {
    this.#nearby = nearby;
    this.#facts = null;
  }

  /** Shows all rows, now that the numbers of those around the place are known. */
  #leaveNearby(): void {
    this.#nearby = null;
    this.#revision++;
  }

  /** Looks at the segments that were not looked at yet, in slices. */
  #scan(): void {
    if (this.#scanning) return;
    this.#scanning = true;
    const generation = this.#generation;
    void this.#scanAll(generation);
  }

  async #scanAll(generation: number): Promise<void> {
    let failed = false;
    try {
      await this.#scanSlices(generation);
    } catch (error) {
      failed = true;
      if (generation === this.#generation) this.#failed(error);
    }
    if (generation !== this.#generation) return;
    this.#scanning = false;
    this.#filter.rest();
    if (this.#nearby !== null) this.#leaveNearby();
    this.#changed();
    // A segment may have come between the last look and the end of the scan.
    if (!failed && !this.complete) this.#scan();
  }

  async #scanSlices(generation: number): Promise<void> {
    let started = performance.now();
    while (generation === this.#generation) {
      const segment = this.#store.segments[this.entries.length];
      if (segment === undefined) break;
      const entry = this.#evaluate(segment, this.#store.peek(segment)) ?? (await this.#loaded(segment));
      // While it was loaded, the segments may have been merged or the query changed.
      if (generation !== this.#generation) return;
      if (entry !== undefined && this.#store.segments[this.entries.length] === segment) this.#push(entry);
      if (performance.now() - started < SLICE_MS) continue;
      this.#changed();
      await new Promise((resolve) => setImmediate(resolve));
      started = performance.now();
    }
  }

  /** Loads a segment and finds its records that are shown. undefined: it need not be loaded any more, or the filter has changed meanwhile. */
  async #loaded(segment: Segment): Promise<ViewEntry | undefined> {
    const filter = this.#filter;
    const stored = await filter.load(segment, this.#store.segments[this.entries.length + 1]);
    if (stored === null || filter !== this.#filter) return undefined;
    const entry = this.#evaluate(segment, stored);
    filter.note(entry !== undefined && entry.count > 0);
    return entry;
  }

  #evaluate(segment: Segment, stored: MessageBatch | undefined): ViewEntry | undefined {
    const known = this.#filter.known(segment);
    const rows = known === undefined && stored !== undefined ? this.#filter.select(segment, stored) : known;
    if (rows === undefined || (rows !== null && rows.length > 0 && stored === undefined)) return undefined;
    const entry = entryOf(segment, rows, stored);
    if (stored !== undefined && entry.count > 0 && this.#store.peek(segment) === stored) this.visit?.(entry, stored);
    return entry;
  }

  #push(entry: ViewEntry): void {
    this.#noteOrder(entry);
    this.#list.push(entry);
    this.#scanned += entry.segment.alive;
    this.#facts?.include(entry);
    if (this.#span !== null) this.#widen(this.#span, entry);
    if (this.#nearby !== null && (this.complete || entry.segment.firstId >= (this.#nearby.last?.firstId ?? Infinity))) this.#leaveNearby();
  }

  /** Notes whether the order has changed: rows of several streams are in order of time, so new rows may come before those that are there. */
  #noteOrder({ segment, count }: ViewEntry): void {
    if (count === 0) return;
    const before = this.#streams.size;
    for (const part of segment.parts) if (!part.removed) this.#streams.add(streamKey(part));
    if (this.#nearby === null && this.#streams.size > 1 && (before !== this.#streams.size || segment.minTime <= this.#latest))
      this.#revision++;
    this.#latest = Math.max(this.#latest, segment.maxTime);
  }

  #truncate(length: number): void {
    this.#facts = null;
    this.#span = null;
    for (const { segment } of this.entries.slice(length)) this.#scanned -= segment.alive;
    this.#list.truncate(length);
    if (length === 0) this.#scanned = 0;
  }
}

/** Whether a query may ask lookups, by what its expressions have in them. */
const asksLookups = ({ matcher = '', filters = [] }: RecordQuery): boolean =>
  [matcher, ...filters.map((filter) => filter.matcher ?? '')].some((expression) => expression.includes('@'));

const sourcesOf = ({ sources }: RecordQuery): ReadonlySet<number> | null => (sources === undefined ? null : new Set(sources));
