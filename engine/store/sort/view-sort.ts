import { isLaterField } from '../../api/rule-fields.ts';
import type { RecordStore } from '../record-store.ts';
import type { Segment } from '../segment.ts';
import { streamKey } from '../merged-order.ts';
import { fieldName } from '../values.ts';
import type { ViewEntry } from '../view-entry.ts';
import type { RecordView } from '../view.ts';
import type { PlanOf } from '../record-summaries.ts';
import { SortKeys, type KeyedPart, type SortColumn, type SortResult } from './sort-keys.ts';
import { SortedRows } from './sorted-rows.ts';
import { Sorter } from './sorter.ts';

/** Rows that are sorted here, where a thread would take longer to start. */
const FEW_ROWS = 10_000;
/** Milliseconds of work after which others get their turn. */
const SLICE_MS = 4;

interface ViewSortOptions {
  readonly store: RecordStore;
  readonly view: RecordView;
  readonly column: SortColumn;
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
  readonly planOf: PlanOf;
  /** More rows were looked at, or they are sorted. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Sorts a view by a column once it has all of its rows, and again when its query changes. The sorted rows then stay as they are: those that come
 * are shown after `again`.
 */
export class ViewSort {
  readonly column: SortColumn;
  readonly #options: ViewSortOptions;
  #looked = 0;
  #running = false;
  #closed = false;
  /** The rows that are to be sorted anew are still shown. */
  #wanted = true;

  constructor(options: ViewSortOptions) {
    this.#options = options;
    this.column = options.column;
    this.wake();
  }

  /** Rows that were looked at, of how many; null: they are sorted. */
  get progress(): { readonly looked: number; readonly of: number } | null {
    const { view } = this.#options;
    return view.sorted !== null && !this.#wanted ? null : { looked: this.#looked, of: view.arrivals };
  }

  /** The view has changed. */
  wake(): void {
    const { view } = this.#options;
    if (this.#running || this.#closed || !view.complete || (view.sorted !== null && !this.#wanted)) return;
    this.#running = true;
    void this.#run();
  }

  /** Sorts in what came since. */
  again(): void {
    this.#wanted = true;
    this.wake();
  }

  close(): void {
    this.#closed = true;
    this.#options.view.showSorted(null);
  }

  async #run(): Promise<void> {
    const { view, changed, failed } = this.#options;
    const { generation } = view;
    this.#looked = 0;
    const isCurrent = (): boolean => !this.#closed && view.generation === generation;
    try {
      const result = await this.#sort(
        view.entries.filter(({ count }) => count > 0),
        isCurrent,
      );
      if (result !== null && isCurrent()) {
        this.#wanted = false;
        view.showSorted(new SortedRows(result));
      }
    } catch (error) {
      this.#closed = true;
      failed(error);
    } finally {
      this.#running = false;
    }
    changed();
    this.wake();
  }

  #sort(entries: readonly ViewEntry[], isCurrent: () => boolean): Promise<SortResult | null> {
    const most = entries.reduce((sum, { count }) => sum + count, 0);
    // The thread gets records as they were read.
    return most > FEW_ROWS && !isLaterField(fieldName(this.column.by))
      ? this.#sortInThread(entries, most, isCurrent)
      : this.#sortHere(entries, most, isCurrent);
  }

  async #sortHere(entries: readonly ViewEntry[], most: number, isCurrent: () => boolean): Promise<SortResult | null> {
    const keys = new SortKeys(this.column, most);
    let sliceEnd = performance.now() + SLICE_MS;
    for (const { segment, rows, count } of entries) {
      const stored = await this.#options.store.load(segment);
      if (!isCurrent()) return null;
      keys.add(stored, rows, this.#partsOf(segment));
      this.#looked += count;
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
    return keys.sort();
  }

  async #sortInThread(entries: readonly ViewEntry[], most: number, isCurrent: () => boolean): Promise<SortResult | null> {
    const sorter = new Sorter(this.column, most);
    try {
      for (const { segment, rows, count } of entries) {
        const bytes = await this.#options.store.encoded(segment);
        if (!isCurrent()) return null;
        await sorter.add(bytes, rows, this.#partsOf(segment));
        this.#looked += count;
        this.#options.changed();
      }
      return await sorter.sort();
    } finally {
      await sorter.close();
    }
  }

  #partsOf({ parts }: Segment): KeyedPart[] {
    const { labelOf, planOf } = this.#options;
    return parts.map((part) => ({
      firstRow: part.firstRow,
      stream: streamKey(part),
      label: labelOf(part.source),
      plan: this.column.by === 'summary' ? planOf(part.decoder) : undefined,
    }));
  }
}
