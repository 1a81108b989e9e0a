import type { MessageBatch } from '../message/batch/batch.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import type { RecordStore } from './record-store.ts';
import type { Segment } from './segment.ts';

/** Memory is taken in multiples of this, so that it serves segments of about one size. */
const STEP_BYTES = 64 * 1024;

/**
 * Reads the segments of a walk into two pieces of memory by turns, however many there are: memory that is taken anew for each of them has V8 look for garbage many
 * times a second. A batch may be used until the next one is asked for.
 */
export class SegmentScan {
  readonly #store: RecordStore;
  readonly #wanted: WantedColumns | null;
  readonly #memory: [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>] = [Buffer.alloc(0), Buffer.alloc(0)];
  #turn: 0 | 1 = 0;
  /** The segment that is read before it is asked for. */
  #ahead: { readonly segment: Segment; readonly batch: Promise<MessageBatch> } | null = null;

  /** @param wanted the columns that are looked at; null: all */
  constructor(store: RecordStore, wanted: WantedColumns | null) {
    this.#store = store;
    this.#wanted = wanted;
  }

  /**
   * The wanted columns of a segment, and its timestamps; all of them where they are in memory.
   * @param next the segment that is wanted next: it is read while this one is worked on
   */
  async read(segment: Segment, next?: Segment): Promise<MessageBatch> {
    const ahead = this.#ahead;
    this.#ahead = null;
    // A failure is reported to the caller that asks for that segment; until its end the memory is in use.
    if (ahead !== null && ahead.segment !== segment) await ahead.batch.catch(() => undefined);
    const batch = await (ahead?.segment === segment ? ahead.batch : this.#load(segment));
    if (next !== undefined && this.#store.peek(next) === undefined) {
      this.#ahead = { segment: next, batch: this.#load(next) };
      this.#ahead.batch.catch(() => undefined);
    }
    // Now, as a segment that was read ahead may have got them since.
    return this.#store.whole(segment, batch);
  }

  #load(segment: Segment): Promise<MessageBatch> {
    return this.#store.readInto(segment, this.#wanted, (size) => this.#take(size));
  }

  /** The memory of the batch before the last one, or more. Filling it with zeros first would cost as much as a copy. */
  #take(size: number): Buffer<ArrayBuffer> {
    const turn = (this.#turn = this.#turn === 0 ? 1 : 0);
    if (this.#memory[turn].length < size) this.#memory[turn] = Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES);
    return this.#memory[turn].subarray(0, size);
  }
}
