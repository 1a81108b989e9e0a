import type { MessageBatch } from '../message/batch/batch.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import { Serial } from '../base/time/serial.ts';
import type { RecordStore } from './record-store.ts';
import { SegmentScan } from './segment-scan.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

/** Takes the rows of a segment one by one. */
type VisitRow = (row: number) => void;

/** Walks once over the records that a view shows when the walk begins, a piece at a time, and lets others have their turn in between. */
export class ViewWalk {
  /** Number of the records. */
  readonly total: number;
  readonly #scan: SegmentScan;
  readonly #entries: readonly ViewEntry[];
  readonly #stride: number;
  readonly #turns = new Serial();
  #visited = 0;
  #entry = 0;
  #row = 0;
  /** The records of the entry that is being visited. */
  #stored: MessageBatch | null = null;

  /**
   * @param stride number of rows after which others get their turn
   * @param wanted the columns that are looked at; null: all
   */
  constructor(store: RecordStore, view: RecordView, stride: number, wanted: WantedColumns | null) {
    this.#scan = new SegmentScan(store, wanted);
    this.#stride = stride;
    this.#entries = view.entries.filter(({ count }) => count > 0);
    this.total = this.#entries.reduce((sum, { count }) => sum + count, 0);
  }

  /** Number of the records that were visited. */
  get visited(): number {
    return this.#visited;
  }

  get complete(): boolean {
    return this.#entry >= this.#entries.length;
  }

  /** Goes on for about so many milliseconds. @param enter called for each segment, and again for one in which the last piece has ended */
  advance(budgetMs: number, enter: (stored: MessageBatch) => VisitRow): Promise<void> {
    return this.#turns.run(() => this.#walk(performance.now() + budgetMs, enter));
  }

  async #walk(deadline: number, enter: (stored: MessageBatch) => VisitRow): Promise<void> {
    while (!this.complete && performance.now() < deadline) {
      const entry = this.#entries[this.#entry] as ViewEntry;
      this.#stored ??= await this.#scan.read(entry.segment, this.#entries[this.#entry + 1]?.segment);
      const visit = enter(this.#stored);
      while (this.#row < entry.count && performance.now() < deadline) {
        const end = Math.min(entry.count, this.#row + this.#stride);
        for (let i = this.#row; i < end; i++) visit(entry.rows === null ? i : (entry.rows[i] as number));
        this.#visited += end - this.#row;
        this.#row = end;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (this.#row < entry.count) return;
      this.#entry++;
      this.#row = 0;
      this.#stored = null;
    }
  }
}
