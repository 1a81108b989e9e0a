import type { RecordQuery } from '../../api/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { compileQuery, NO_ROWS, type Rows, type SegmentFilter } from '../query.ts';
import type { RecordStore } from '../record-store.ts';
import type { Segment } from '../segment.ts';
import { SegmentScan } from '../segment-scan.ts';
import { SegmentScout } from './segment-scout.ts';

/** The query of a view, for one walk over the segments of the store. */
export class ScoutedFilter {
  readonly #store: RecordStore;
  readonly #filter: SegmentFilter;
  readonly #scout: SegmentScout;
  #scan: SegmentScan;

  /** @throws {EngineError} when the query cannot be compiled */
  static of(store: RecordStore, query: RecordQuery): ScoutedFilter {
    return new ScoutedFilter(store, compileQuery(query));
  }

  private constructor(store: RecordStore, filter: SegmentFilter) {
    this.#store = store;
    this.#filter = filter;
    this.#scout = new SegmentScout(store, filter.latin);
    this.#scan = this.#newScan();
  }

  /** The same query for another walk; this one ends. */
  again(): ScoutedFilter {
    this.close();
    return new ScoutedFilter(this.#store, this.#filter);
  }

  /** Whether it selects by fields that records get after they were read. */
  get byLater(): boolean {
    return this.#filter.byLater;
  }

  /** The selected rows of a segment, as far as known without its records; undefined: the records are needed. */
  known(segment: Segment): Rows | undefined {
    const known = this.#filter.known(segment);
    return known === undefined && this.#scout.rulesOut(segment) ? NO_ROWS : known;
  }

  select(segment: Segment, stored: MessageBatch): Rows {
    return this.#filter.select(segment, stored);
  }

  /**
   * The needed parts of the records of a segment that is not in memory, when they are needed, to be used until the next ones are asked for; null: more is known of it now.
   * @param next the segment that is wanted next
   */
  async load(segment: Segment, next: Segment | undefined): Promise<MessageBatch | null> {
    const settled = this.#scout.settled(segment);
    if (settled !== null) return settled.then(() => null);
    const isNeeded = next !== undefined && this.known(next) === undefined && this.#scout.settled(next) === null;
    return this.#scan.read(segment, isNeeded ? next : undefined);
  }

  /** The needed parts of the records of a segment, for as long as they are wanted. */
  columns(segment: Segment): Promise<MessageBatch> {
    return this.#store.columns(segment, this.#filter.columns);
  }

  /** Gives back the memory that segments were read into: nothing more is wanted for now. */
  rest(): void {
    this.#scan = this.#newScan();
  }

  /** Notes whether something was found in a segment that was loaded. */
  note(found: boolean): void {
    this.#scout.note(found);
  }

  close(): void {
    this.#scout.close();
  }

  #newScan(): SegmentScan {
    return new SegmentScan(this.#store, this.#filter.columns);
  }
}
