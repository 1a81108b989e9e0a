import type { SearchProgress, TextQuery } from '../../api/types.ts';
import type { CellList } from '../cells.ts';
import { compileSearch } from './compile-search.ts';
import { TextFinder } from './finders.ts';
import { countBefore, nearestRow, type NearestRow } from '../nearest.ts';
import type { Rows } from '../query.ts';
import type { RecordStore } from '../record-store.ts';
import { RAW_TEXT } from '../segment.ts';
import { SegmentScan } from '../segment-scan.ts';
import { SegmentScout } from './segment-scout.ts';
import type { ViewEntry } from '../view-entry.ts';
import type { RecordView } from '../view.ts';

/** Milliseconds of scanning after which others get their turn. */
const SLICE_MS = 4;

/**
 * Finds a text in the rows of a view, which stay as they are. The rows are looked at in slices, those behind the place where someone
 * is first; hits near that place are there long before all are counted.
 */
export class ViewSearch {
  readonly #store: RecordStore;
  readonly #view: RecordView;
  readonly #scout: SegmentScout;
  readonly #finder: TextFinder;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  /** Index of the entry that is looked at next. */
  #at = 0;
  #scanning = false;
  #closed = false;

  /**
   * @param near the row where someone is
   * @param changed is called when more rows were looked at
   * @throws {EngineError} `query.regex`
   */
  constructor(store: RecordStore, view: RecordView, query: TextQuery, near: number, changed: () => void, failed: (error: unknown) => void) {
    const search = compileSearch(query);
    if (search === null) throw new RangeError('nothing is searched');
    this.#store = store;
    this.#view = view;
    this.#scout = new SegmentScout(store, search.latin);
    this.#finder = new TextFinder(search, this.#scout);
    this.#changed = changed;
    this.#failed = failed;
    void this.#begin(near);
  }

  get progress(): SearchProgress {
    let hits = 0;
    let scanned = 0;
    for (const entry of this.#view.entries) {
      const found = this.#finder.known(entry);
      if (found === undefined) continue;
      hits += found === null ? entry.count : found.length;
      scanned += entry.count;
    }
    const { arrivals: total, complete } = this.#view;
    return { hits, scanned, total, complete: complete && scanned === total };
  }

  /** The cells of an entry that hold hits, as far as they are known. */
  cells(entry: ViewEntry): CellList {
    return this.#finder.cells(entry);
  }

  /** The rows of an entry with hits, as far as they are known. */
  rows(entry: ViewEntry): Rows | undefined {
    return this.#finder.known(entry);
  }

  /** The nearest row with a hit; looks at what lies between. */
  nearest(row: number, forward: boolean): Promise<NearestRow | null> {
    return nearestRow(this.#store, this.#view, this.#finder, row, forward);
  }

  /** Rows with a hit before a row, as far as they are known. */
  before(row: number): Promise<number> {
    return countBefore(this.#view, (entry) => this.#finder.known(entry), row);
  }

  /** Goes on: the view has other rows or more. */
  wake(): void {
    if (!this.#scanning && !this.#closed) void this.#scan();
  }

  close(): void {
    this.#closed = true;
    this.#finder.close();
  }

  /** Scans from the row on where someone is. */
  async #begin(near: number): Promise<void> {
    const { order } = this.#view;
    const [place] = await order.placesAt(near);
    const entry = place === undefined ? undefined : order.runs[0]?.[place.block]?.entry;
    this.#at = entry === undefined ? 0 : Math.max(0, this.#view.entries.indexOf(entry));
    this.wake();
  }

  async #scan(): Promise<void> {
    this.#scanning = true;
    const scan = new SegmentScan(this.#store, RAW_TEXT);
    try {
      let sliceEnd = performance.now() + SLICE_MS;
      for (let entry = this.#next(); entry !== null; entry = this.#next()) {
        await this.#look(entry, scan);
        if (performance.now() < sliceEnd) continue;
        this.#changed();
        await new Promise((resolve) => setImmediate(resolve));
        sliceEnd = performance.now() + SLICE_MS;
      }
    } catch (error) {
      if (!this.#closed) this.#failed(error);
    } finally {
      this.#scanning = false;
    }
    if (!this.#closed) this.#changed();
  }

  async #look(entry: ViewEntry, scan: SegmentScan): Promise<void> {
    const stored = this.#store.peek(entry.segment);
    if (stored !== undefined) return void this.#finder.find(entry, stored);
    const settled = this.#finder.settled(entry);
    if (settled !== null) return settled;
    const next = this.#view.entries[this.#at + 1];
    const isNeeded = next !== undefined && this.#finder.known(next) === undefined && this.#finder.settled(next) === null;
    const rows = this.#finder.find(entry, await scan.read(entry.segment, isNeeded ? next.segment : undefined));
    this.#scout.note(rows === null || rows.length > 0);
  }

  /** An entry that was not looked at, the next one in a round over all. */
  #next(): ViewEntry | null {
    if (this.#closed) return null;
    const { entries } = this.#view;
    for (let tried = 0; tried < entries.length; tried++) {
      if (this.#at >= entries.length) this.#at = 0;
      const entry = entries[this.#at] as ViewEntry;
      if (this.#finder.known(entry) === undefined) return entry;
      this.#at++;
    }
    return null;
  }
}
