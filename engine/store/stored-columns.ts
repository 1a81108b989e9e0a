import type { MessageBatch } from '../message/batch/batch.ts';
import { ColumnPlan, readHead, type BatchHead, type ReadBytes, type TakeMemory, type WantedColumns } from '../message/batch/wire.ts';
import { WeightedCache } from './cache.ts';
import type { FilePlace } from './segment.ts';
import type { SegmentFile } from './segment-file.ts';

/** Bytes of heads that are kept: those of some thousands of segments. */
const KEPT_HEADS = 4 * 2 ** 20;
/** Share of a segment's bytes from which on all of it is read: then it can be kept for whatever is wanted next. */
const MOST = 0.5;

/** Reads some columns of written segments without the others: of most records, numbers are a small part. */
export class StoredColumns {
  readonly #file: SegmentFile;
  readonly #heads = new WeightedCache<FilePlace, BatchHead>(KEPT_HEADS);

  constructor(file: SegmentFile) {
    this.#file = file;
  }

  /** The columns of a segment, and its timestamps, in memory of the caller. @throws {WireError} */
  async readInto(place: FilePlace, wanted: WantedColumns, memory: TakeMemory): Promise<MessageBatch> {
    const read = this.#readerOf(place);
    return new ColumnPlan(await this.#headOf(place, read), wanted).read(read, memory);
  }

  /** The columns of a segment, and its timestamps; null: they are most of it. @throws {WireError} */
  async read(place: FilePlace, wanted: WantedColumns): Promise<MessageBatch | null> {
    const read = this.#readerOf(place);
    const plan = new ColumnPlan(await this.#headOf(place, read), wanted);
    return plan.size > place.length * MOST ? null : plan.read(read);
  }

  #readerOf(place: FilePlace): ReadBytes {
    return (offset, target) => this.#file.readInto(place, offset, target);
  }

  async #headOf(place: FilePlace, read: ReadBytes): Promise<BatchHead> {
    let head = this.#heads.get(place);
    if (head === undefined) {
      head = await readHead(place.length, read);
      this.#heads.set(place, head, head.words.byteLength + head.names.length);
    }
    return head;
  }
}
