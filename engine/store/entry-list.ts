import { firstIndex } from '../message/binary-search.ts';
import { BlockKeys } from './block-keys.ts';
import { blocksByStream, MergedOrder, streamKey } from './merged-order.ts';
import type { RecordStore } from './record-store.ts';
import { ArrivalOrder, type RowOrder } from './row-order.ts';
import { partOf } from './segment.ts';
import { millisecondsOf } from './times.ts';
import { TIMES } from './wanted.ts';
import { rowAt, type ViewEntry, type ViewRow } from './view-entry.ts';

/** The rows of several segments, which stand in order of arrival: as one list, in that order, or by time when they come from several streams. */
export class EntryList {
  readonly #store: RecordStore;
  readonly #entries: ViewEntry[] = [];
  /** ends[i]: rows of the entries up to and with i. */
  readonly #ends: number[] = [];
  /** The order by time, while several streams are shown; null: order of arrival; undefined: to be found out. */
  #order: MergedOrder | null | undefined = undefined;
  /** The only stream that is shown, while the order is null; null: none is. */
  #stream: string | null = null;
  readonly #keys: BlockKeys;
  /** The order of arrival of the first entries. */
  #arrival: ArrivalOrder | null = null;

  constructor(store: RecordStore) {
    this.#store = store;
    this.#keys = new BlockKeys(store);
  }

  get entries(): readonly ViewEntry[] {
    return this.#entries;
  }

  get total(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** The order of the rows as they are now. */
  get order(): RowOrder {
    const { merged } = this;
    if (merged !== null) return merged;
    if (this.#arrival?.runs[0].length !== this.#entries.length) this.#arrival = new ArrivalOrder(this.#entries, this.#arrival);
    return this.#arrival;
  }

  /** The order by time; null: they are in order of arrival. */
  get merged(): MergedOrder | null {
    if (this.#order === undefined) {
      const streams = blocksByStream(this.#entries);
      this.#order = streams.length > 1 ? new MergedOrder(this.#store, streams, this.#keys) : null;
      const first = streams[0]?.[0];
      this.#stream = first === undefined ? null : streamKey(partOf(first.entry.segment, rowAt(first.entry, first.from)));
    }
    return this.#order;
  }

  push(entry: ViewEntry): void {
    if (this.#order !== null || !this.#isOfTheStream(entry)) this.#order = undefined;
    this.#ends.push(this.total + entry.count);
    this.#entries.push(entry);
  }

  /** Whether an entry shows nothing of another stream than the only one. */
  #isOfTheStream({ count, segment }: ViewEntry): boolean {
    return count === 0 || segment.parts.every((part) => part.removed || streamKey(part) === this.#stream);
  }

  truncate(length: number): void {
    this.#order = undefined;
    this.#arrival = null;
    if (length === 0) this.#keys.forget();
    this.#entries.length = length;
    this.#ends.length = length;
  }

  /** The rows [start, start + count) as far as there are so many. */
  async page(start: number, count: number): Promise<ViewRow[]> {
    const order = this.merged;
    if (order !== null) return order.page(start, Math.min(count, this.total - start));
    const wanted = this.#locate(start, count);
    const page: ViewRow[] = [];
    for (const { entry, from, to } of wanted) {
      const stored = await this.#store.load(entry.segment);
      for (let i = from; i < to; i++) page.push({ segment: entry.segment, row: rowAt(entry, i), stored });
    }
    return page;
  }

  /** Number of the first row at or after a time (milliseconds); the total when there is none. */
  async seek(time: number): Promise<number> {
    const order = this.merged;
    if (order !== null) return order.rank(time);
    const entries = [...this.#entries];
    let base = 0;
    for (const entry of entries) {
      if (entry.segment.maxTime >= time && entry.count > 0) {
        const times = millisecondsOf((await this.#store.columns(entry.segment, TIMES)).timestamps);
        for (let i = 0; i < entry.count; i++) if ((times[rowAt(entry, i)] as number) >= time) return base + i;
      }
      base += entry.count;
    }
    return base;
  }

  /** Number of a record in order of arrival; null: it is not there. */
  arrivalOf({ segment, row }: Omit<ViewRow, 'stored'>): number | null {
    const index = firstIndex(this.#entries.length, (i) => (this.#entries[i] as ViewEntry).segment.firstId > segment.firstId) - 1;
    const entry = this.#entries[index];
    if (entry?.segment !== segment) return null;
    const at = entry.rows === null ? row : entry.rows.indexOf(row);
    return at < 0 || at >= entry.count ? null : (this.#ends[index] as number) - entry.count + at;
  }

  /** Number of the row that shows a record; null: none does. */
  async locate(place: Omit<ViewRow, 'stored'>): Promise<number | null> {
    const arrival = this.arrivalOf(place);
    const order = this.merged;
    return arrival === null || order === null ? arrival : order.locate(place.segment, place.row);
  }

  /** The record that is this number in order of arrival. */
  placeOf(arrival: number): Omit<ViewRow, 'stored'> {
    const index = firstIndex(this.#ends.length, (i) => (this.#ends[i] as number) > arrival);
    const entry = this.#entries[index] as ViewEntry;
    return { segment: entry.segment, row: rowAt(entry, arrival - ((this.#ends[index] as number) - entry.count)) };
  }

  #locate(start: number, count: number): { entry: ViewEntry; from: number; to: number }[] {
    const found: { entry: ViewEntry; from: number; to: number }[] = [];
    const end = Math.min(start + count, this.total);
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
