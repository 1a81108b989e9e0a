import { firstIndex } from '../message/binary-search.ts';
import type { MessageBatch } from '../message/batch.ts';
import { blocksByStream, MergedOrder, streamKey } from './merged-order.ts';
import { Facts } from './facts.ts';
import { NO_ROWS, type Rows } from './query.ts';
import type { RecordQuery } from '../api/types.ts';
import { ArrivalOrder, type RowOrder } from './row-order.ts';
import type { ViewFacts } from '../api/view-types.ts';
import type { RecordStore, StoreListener } from './record-store.ts';
import { rowsAt } from './sort/sorted-page.ts';
import type { SortedRows } from './sort/sorted-rows.ts';
import { alarmsOf, NO_ALARMS, type Alarms } from './alarms.ts';
import { ScoutedFilter } from './scouted-filter.ts';
import type { Segment } from './segment.ts';
import { EMPTY_SUMMARY, summarise, type TimeSummary } from './summary.ts';
import { millisecondsOf } from './times.ts';

/** The rows of one segment that a view shows. */
export interface ViewEntry {
  readonly segment: Segment;
  readonly rows: Rows;
  readonly count: number;
  readonly summary: TimeSummary;
  readonly alarms: Alarms;
}

/** A record that a view shows, with the records of its segment. */
export interface ViewRow {
  readonly segment: Segment;
  readonly row: number;
  readonly stored: MessageBatch;
}

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
  /** One for each segment that was looked at: a prefix of the store's segments. */
  #entries: ViewEntry[] = [];
  /** ends[i]: rows of the entries up to and with i. */
  #ends: number[] = [];
  #scanned = 0;
  /** Properties of the entries up to now; null: to be found out anew. */
  #facts: Facts | null = null;
  /** Counts the queries and resets, so that a scan that waited knows that it is out of date. */
  #generation = 0;
  #scanning = false;
  #revision = 0;
  #fresh = 0;
  /** The latest time of the rows, and the streams that they are of. */
  #latest = -Infinity;
  readonly #streams = new Set<string>();
  /** The order by time, while several streams are shown; null: order of arrival; undefined: to be found out. */
  #order: MergedOrder | null | undefined = undefined;
  #arrival: ArrivalOrder | null = null;
  #sorted: SortedRows | null = null;
  /** Called for each entry that is made while its records are in memory; null: nobody asks for that. */
  visit: ((entry: ViewEntry, stored: MessageBatch) => void) | null = null;

  /**
   * @param changed is called when rows were added or the scan went on
   * @param failed is called when records could not be read
   * @throws {EngineError} when the query cannot be compiled
   */
  constructor(store: RecordStore, query: RecordQuery, changed: () => void, failed: (error: unknown) => void) {
    this.#store = store;
    this.#changed = changed;
    this.#failed = failed;
    this.#filter = ScoutedFilter.of(store, query);
    this.#unsubscribe = store.subscribe(this);
    this.#scan();
  }

  /** Rows that are shown. */
  get total(): number {
    return this.#sorted?.total ?? this.arrivals;
  }

  /** Rows found so far: while they are sorted, those that came later as well. */
  get arrivals(): number {
    return this.#ends.at(-1) ?? 0;
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
      for (const entry of this.#entries) this.#facts.include(entry);
    }
    return this.#facts.facts;
  }

  get complete(): boolean {
    return this.#entries.length === this.#store.segments.length;
  }

  get entries(): readonly ViewEntry[] {
    return this.#entries;
  }

  /** The order of the rows as they are now. */
  get order(): RowOrder {
    return this.#merged() ?? (this.#arrival ??= new ArrivalOrder(this.#entries));
  }

  /** @throws {EngineError} when the query cannot be compiled; the view then stays as it was */
  setQuery(query: RecordQuery): void {
    const filter = ScoutedFilter.of(this.#store, query);
    this.#filter.close();
    this.#filter = filter;
    this.reset();
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
    if (sorted === null) return this.#page(start, count);
    const length = Math.max(0, Math.min(count, sorted.total - start));
    return rowsAt(
      this.#store,
      Array.from({ length }, (_unused, i) => this.#placeOf(sorted.arrivalOf(start + i))),
    );
  }

  /** Number of the first row at or after a time (milliseconds); the total when there is none. While they are sorted: of the first record at or after it. */
  async seek(time: number): Promise<number> {
    const row = await this.#seek(time);
    if (this.#sorted === null || this.arrivals === 0) return row;
    const [found] = await this.#page(Math.min(row, this.arrivals - 1), 1);
    return (found === undefined ? null : await this.locate(found.segment.firstId + found.row)) ?? this.total;
  }

  /** Shows the rows in another order; null: in their own. */
  showSorted(rows: SortedRows | null): void {
    if (this.#sorted === rows) return;
    this.#sorted = rows;
    this.#revision++;
    this.#changed();
  }

  async #page(start: number, count: number): Promise<ViewRow[]> {
    const order = this.#merged();
    if (order !== null) return order.page(start, Math.min(count, this.arrivals - start));
    const wanted = this.#locate(start, count);
    const page: ViewRow[] = [];
    for (const { entry, from, to } of wanted) {
      const stored = await this.#store.load(entry.segment);
      for (let i = from; i < to; i++) page.push({ segment: entry.segment, row: rowAt(entry, i), stored });
    }
    return page;
  }

  async #seek(time: number): Promise<number> {
    const order = this.#merged();
    if (order !== null) return order.rank(time);
    const entries = [...this.#entries];
    let base = 0;
    for (const entry of entries) {
      if (entry.segment.maxTime >= time && entry.count > 0) {
        const times = millisecondsOf((await this.#store.load(entry.segment)).timestamps);
        for (let i = 0; i < entry.count; i++) if ((times[rowAt(entry, i)] as number) >= time) return base + i;
      }
      base += entry.count;
    }
    return base;
  }

  /** Number of the row that shows a record; null: none does. */
  async locate(id: number): Promise<number | null> {
    const index = firstIndex(this.#entries.length, (i) => (this.#entries[i] as ViewEntry).segment.firstId > id) - 1;
    const entry = this.#entries[index];
    const place = this.#store.find(id);
    if (entry === undefined || place === undefined || place.segment !== entry.segment) return null;
    const at = entry.rows === null ? place.row : entry.rows.indexOf(place.row);
    if (at < 0 || at >= entry.count) return null;
    const arrival = (this.#ends[index] as number) - entry.count + at;
    if (this.#sorted !== null) return this.#sorted.rowOf(arrival);
    const order = this.#merged();
    if (order === null) return arrival;
    return order.locate(entry.segment, place.row);
  }

  appended(index: number, fresh: boolean): void {
    if (this.#entries.length !== index || this.#scanning) {
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
    if (this.#entries.length <= first) return;
    const entry = this.#entries.length >= first + count ? this.#evaluate(merged, this.#store.peek(merged)) : undefined;
    const after = entry === undefined ? [] : this.#entries.slice(first + count);
    this.#truncate(first);
    if (entry !== undefined) for (const next of [entry, ...after]) this.#push(next);
    if (!this.complete) this.#scan();
  }

  reset(): void {
    this.#generation++;
    this.#revision++;
    this.#filter = this.#filter.again();
    this.#latest = -Infinity;
    this.#streams.clear();
    this.#scanning = false;
    this.#sorted = null;
    this.#truncate(0);
    this.#changed();
    this.#scan();
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
    this.#changed();
    // A segment may have come between the last look and the end of the scan.
    if (!failed && !this.complete) this.#scan();
  }

  async #scanSlices(generation: number): Promise<void> {
    let started = performance.now();
    while (generation === this.#generation) {
      const segment = this.#store.segments[this.#entries.length];
      if (segment === undefined) break;
      const entry = this.#evaluate(segment, this.#store.peek(segment)) ?? (await this.#loaded(segment));
      // While it was loaded, the segments may have been merged or the query changed.
      if (generation !== this.#generation) return;
      if (entry !== undefined && this.#store.segments[this.#entries.length] === segment) this.#push(entry);
      if (performance.now() - started < SLICE_MS) continue;
      this.#changed();
      await new Promise((resolve) => setImmediate(resolve));
      started = performance.now();
    }
  }

  /** Loads a segment and finds its records that are shown. undefined: it need not be loaded any more, or the filter has changed meanwhile. */
  async #loaded(segment: Segment): Promise<ViewEntry | undefined> {
    const filter = this.#filter;
    const stored = await filter.load(segment, this.#store.segments[this.#entries.length + 1]);
    if (stored === null || filter !== this.#filter) return undefined;
    const entry = this.#evaluate(segment, stored);
    filter.note(entry !== undefined && entry.count > 0);
    return entry;
  }

  #evaluate(segment: Segment, stored: MessageBatch | undefined): ViewEntry | undefined {
    const known = this.#filter.known(segment);
    const rows = known === undefined && stored !== undefined ? this.#filter.select(segment, stored) : known;
    if (rows === undefined) return undefined;
    const count = rows === null ? segment.length : rows.length;
    if (count === 0) return { segment, rows: NO_ROWS, count, summary: EMPTY_SUMMARY, alarms: NO_ALARMS };
    if (rows !== null && stored === undefined) return undefined;
    const entry = { segment, rows, count, ...this.#about(segment, rows, stored) };
    if (stored !== undefined) this.visit?.(entry, stored);
    return entry;
  }

  #about(segment: Segment, rows: Rows, stored: MessageBatch | undefined): Pick<ViewEntry, 'summary' | 'alarms'> {
    if (rows === null || stored === undefined) return { summary: segment.summary, alarms: segment.alarms };
    return { summary: summarise(millisecondsOf(stored.timestamps), stored.severity, rows), alarms: alarmsOf(stored, rows) };
  }

  #merged(): MergedOrder | null {
    if (this.#order === undefined) {
      const streams = blocksByStream(this.#entries);
      this.#order = streams.length > 1 ? new MergedOrder(this.#store, streams) : null;
    }
    return this.#order;
  }

  #push(entry: ViewEntry): void {
    this.#order = undefined;
    this.#arrival = null;
    this.#noteOrder(entry);
    this.#entries.push(entry);
    this.#ends.push(this.arrivals + entry.count);
    this.#scanned += entry.segment.alive;
    this.#facts?.include(entry);
  }

  /** Notes whether the order has changed: rows of several streams are in order of time, so new rows may come before those that are there. */
  #noteOrder({ segment, count }: ViewEntry): void {
    if (count === 0) return;
    const before = this.#streams.size;
    for (const part of segment.parts) if (!part.removed) this.#streams.add(streamKey(part));
    if (this.#streams.size > 1 && (before !== this.#streams.size || segment.minTime <= this.#latest)) this.#revision++;
    this.#latest = Math.max(this.#latest, segment.maxTime);
  }

  #truncate(length: number): void {
    this.#order = undefined;
    this.#arrival = null;
    this.#facts = null;
    for (const { segment } of this.#entries.slice(length)) this.#scanned -= segment.alive;
    this.#entries.length = length;
    this.#ends.length = length;
    if (length === 0) this.#scanned = 0;
  }

  /** The record that is this number in order of arrival. */
  #placeOf(arrival: number): Omit<ViewRow, 'stored'> {
    const index = firstIndex(this.#ends.length, (i) => (this.#ends[i] as number) > arrival);
    const entry = this.#entries[index] as ViewEntry;
    return { segment: entry.segment, row: rowAt(entry, arrival - ((this.#ends[index] as number) - entry.count)) };
  }

  #locate(start: number, count: number): { entry: ViewEntry; from: number; to: number }[] {
    const found: { entry: ViewEntry; from: number; to: number }[] = [];
    const end = Math.min(start + count, this.arrivals);
    let at = firstIndex(this.#ends.length, (i) => (this.#ends[i] as number) > start);
    let position = start;
    while (position < end) {
      const entry = this.#entries[at] as ViewEntry;
      const base = (this.#ends[at] as number) - entry.count;
      const to = Math.min(end - base, entry.count);
      if (to > position - base) found.push({ entry, from: position - base, to });
      position = base + to;
      at++;
    }
    return found;
  }
}

const rowAt = (entry: ViewEntry, i: number): number => (entry.rows === null ? i : (entry.rows[i] as number));
