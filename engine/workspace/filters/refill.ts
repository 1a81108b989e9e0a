import { messageOf } from '../../base/errors.ts';
import { compileMatcher } from '../../matcher/matcher.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { selectionFor } from '../../pipeline/selection.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { recordsOf } from '../../store/source-records.ts';
import type { SourcePipeline } from './source-pipeline.ts';
import type { RunningFilter } from './running-filter.ts';

/** Records that a decoder refused are stored, but filters never see them. */
const DECODED = compileMatcher('Fields[decode_failure] == NIL');

/** Stored records that may be left when the flow is held for the rest of them. */
const REST = 20_000;

/**
 * Gives a filter what is stored of its source, then its place in the flow; all but the last records while everything else goes on. One that is not
 * wanted any more reads no further, and keeps its `progress`. Never rejects.
 */
export async function refillFilter(store: RecordStore, filter: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
  try {
    await refillOrThrow(store, filter, sourcePipeline);
  } catch (error) {
    const reason = `its records could not be read back: ${messageOf(error)}`;
    filter.end({ code: 'filter.refill', reason, said: reason });
  }
  if (!filter.dropped) filter.progress = null;
}

async function refillOrThrow(store: RecordStore, filter: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
  const { router } = sourcePipeline.pipeline;
  const refill = new Refill(store, filter.source.id, (batch) => {
    filter.progress = sourcePipeline.routed === 0 ? 1 : refill.fed / sourcePipeline.routed;
    const selection = selectionFor(filter.runner, { batch, loop: 0, signer: '', injected: false });
    return selection === null ? Promise.resolve() : filter.runner.submit(selection);
  });
  const wanted = (): boolean => !filter.dropped && !sourcePipeline.closed && filter.ended === null;
  filter.progress = 0;
  while (wanted() && sourcePipeline.routed - refill.fed > REST) {
    const before = refill.fed;
    await refill.upTo(sourcePipeline.routed, wanted);
    if (refill.fed === before) break;
  }
  if (!wanted()) return;
  await router.exclusive(async () => {
    await refill.upTo(sourcePipeline.routed, wanted);
    if (wanted()) router.addFilter(filter.runner);
  });
  void filter.runner.idle();
}

/** Gives a filter that comes late the records of its source that are in the store, in their order. */
class Refill {
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
