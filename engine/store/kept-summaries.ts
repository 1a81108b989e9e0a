import { isLaterField } from '../api/rule-fields.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { RecordStore } from './record-store.ts';
import { SegmentScan } from './segment-scan.ts';
import type { Segment } from './segment.ts';
import { slotLength } from './summary.ts';
import { fieldName } from './values.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';
import { columnsOf } from './wanted.ts';

/** Milliseconds of making summaries for one answer, so that a click has one within 100; the next one goes on. */
const BUDGET_MS = 60;

/** The time until which summaries are made for an answer that is begun now. */
export const answerTime = (): number => performance.now() + BUDGET_MS;

/** Buckets of time: their beginning, length in milliseconds and number. */
export interface Buckets {
  readonly from: number;
  readonly bucketMs: number;
  readonly buckets: number;
}

/** A summary of the records of an entry by slots of time. */
export interface SlotSummary {
  readonly slotMs: number;
  readonly firstSlot: number;
}

/** A summary with the question that it was made for. */
interface Kept<T, By> {
  readonly by: By;
  readonly summary: T;
  /** The later columns of its segment, where the variable is one of them; null: it is not. */
  readonly later: unknown;
}

/** Makes the summary of an entry by a variable, in slots of this length, of which `firstSlot` is the first. */
type Summarise<T extends SlotSummary, By> = (stored: MessageBatch, entry: ViewEntry, by: By, slots: SlotSummary) => T;

/**
 * Summaries of the entries of views by a variable. They are kept, so the first answers over many records are not complete, and the later ones are quick: with
 * an entry that shows some rows of its segment, or else with the segment, in whatever view. One is kept of each: another variable is another picture.
 */
export class KeptSummaries<T extends SlotSummary, By = string> {
  readonly #summarise: Summarise<T, By>;
  readonly #variableOf: (by: By) => string;
  readonly #serves: (kept: Kept<T, By>, wanted: By) => boolean;
  readonly #known = new WeakMap<ViewEntry | Segment, Kept<T, By>>();

  /**
   * @param variableOf the variable by which it is summarised
   * @param serves whether a summary that is kept answers what is wanted
   */
  constructor(
    summarise: Summarise<T, By>,
    variableOf: (by: By) => string,
    serves = ({ by }: Kept<T, By>, wanted: By): boolean => by === wanted,
  ) {
    this.#summarise = summarise;
    this.#variableOf = variableOf;
    this.#serves = serves;
  }

  /**
   * Visits the summaries of the entries of a view within a time.
   * @param deadline until when summaries are made
   * @returns whether these were all
   */
  async visit(
    store: RecordStore,
    view: RecordView,
    by: By,
    time: Buckets,
    take: (summary: T) => void,
    deadline = answerTime(),
  ): Promise<boolean> {
    const { from, bucketMs, buckets } = time;
    const wanted = columnsOf([this.#variableOf(by)]);
    const isIn = ({ count, segment }: ViewEntry): boolean =>
      count > 0 && segment.minTime < from + buckets * bucketMs && segment.maxTime >= from;
    const entries = view.entries.filter(isIn);
    const scan = new SegmentScan(store, wanted);
    let complete = true;
    for (const [i, entry] of entries.entries()) {
      const next = entries[i + 1];
      const isNextKept = next !== undefined && this.known(next)?.later === this.#laterOf(store, next, by);
      const load = (): Promise<MessageBatch> => scan.read(entry.segment, isNextKept ? undefined : next?.segment);
      const summary = await this.#summaryOf(store, entry, by, bucketMs, performance.now() < deadline ? load : null);
      if (summary === null) complete = false;
      else take(summary);
    }
    return complete;
  }

  /** The part of an entry that is kept, whether it answers the next question or not. */
  known(entry: ViewEntry): Kept<T, By> | undefined {
    return this.#known.get(keyOf(entry));
  }

  /** Makes the summary of an entry and keeps it. */
  make(store: RecordStore, entry: ViewEntry, stored: MessageBatch, by: By, bucketMs: number): T {
    const summary = this.#summarise(stored, entry, by, slotsOf(entry, bucketMs));
    this.#known.set(keyOf(entry), { by, summary, later: this.#laterOf(store, entry, by) });
    return summary;
  }

  #laterOf(store: RecordStore, { segment }: ViewEntry, by: By): unknown {
    return isLaterField(fieldName(this.#variableOf(by))) ? store.laterOf(segment) : null;
  }

  /** The summary of an entry: kept from before, or made now if there is time left; null: neither. */
  async #summaryOf(
    store: RecordStore,
    entry: ViewEntry,
    by: By,
    bucketMs: number,
    load: (() => Promise<MessageBatch>) | null,
  ): Promise<T | null> {
    const kept = this.known(entry);
    const isNow = kept?.later === this.#laterOf(store, entry, by);
    const found = kept !== undefined && isNow && this.#serves(kept, by) ? kept.summary : null;
    if (found !== null && (bucketMs % found.slotMs === 0 || load === null)) return found;
    if (load === null) return null;
    const summary = this.make(store, entry, await load(), by, bucketMs);
    await new Promise((resolve) => setImmediate(resolve));
    return summary;
  }
}

const keyOf = (entry: ViewEntry): ViewEntry | Segment => (entry.rows === null ? entry.segment : entry);

/** Slots of the usual length of an entry, unless that does not go into a bucket. */
function slotsOf({ segment: { minTime, maxTime } }: ViewEntry, bucketMs: number): SlotSummary {
  const usual = slotLength(maxTime - minTime);
  const slotMs = bucketMs % usual === 0 ? usual : Math.min(usual, bucketMs);
  return { slotMs, firstSlot: Math.floor(minTime / slotMs) };
}

/** The bucket of a slot; below 0 or beyond the last: none. */
export function bucketOf({ firstSlot, slotMs }: SlotSummary, slot: number, { from, bucketMs }: Buckets): number {
  return Math.floor(((firstSlot + slot) * slotMs - from) / bucketMs);
}
