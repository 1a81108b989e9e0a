import { compileMatcher } from '../matcher/index.ts';
import type { MessageBatch } from '../message/batch.ts';
import { takeRows } from '../message/gather.ts';
import { recordsOf, type RecordStore } from '../store/index.ts';

/** Records that a decoder refused are stored, but filters never see them. */
const DECODED = compileMatcher('Fields[decode_failure] == NIL');

/** Gives a filter that comes late the records of its source that are in the store, in their order. */
export class Refill {
  readonly #store: RecordStore;
  readonly #source: number;
  readonly #take: (batch: MessageBatch) => Promise<void>;
  /** Number of the record to go on with. */
  #next = 0;
  #fed = 0;

  constructor(store: RecordStore, source: number, take: (batch: MessageBatch) => Promise<void>) {
    this.#store = store;
    this.#source = source;
    this.#take = take;
  }

  /** Records that were given. */
  get fed(): number {
    return this.#fed;
  }

  /** Goes on until so many were given in all, or `wanted` is false. */
  async upTo(count: number, wanted: () => boolean): Promise<void> {
    if (this.#fed >= count) return;
    for await (const { batch, ids } of recordsOf(this.#store, this.#source, this.#next)) {
      const decoded = DECODED.select(batch) ?? allRows(batch.length);
      const rows = decoded.subarray(0, count - this.#fed);
      if (rows.length > 0) await this.#take(rows.length === batch.length ? batch : takeRows(batch, rows));
      this.#fed += rows.length;
      const last = rows.length < decoded.length ? (rows.at(-1) ?? -1) : ids.length - 1;
      if (last >= 0) this.#next = (ids[last] as number) + 1;
      if (this.#fed >= count || !wanted()) return;
    }
  }
}

const allRows = (length: number): Uint32Array => Uint32Array.from({ length }, (_, row) => row);
