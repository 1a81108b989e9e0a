import type { FileHandle } from 'node:fs/promises';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { Years, type WrittenOrder } from '../years.ts';
import type { Tail } from './tail.ts';

/** The contents of a file when it was first read. */
interface Backlog {
  readonly generation: number;
  /** Position of its end. */
  readonly end: number;
  /** null: nothing is to be told about it, or no more. */
  order: WrittenOrder | null;
}

/** Times at which the records of files were written: before the file was changed last, or as the order of their dates has it. */
export class WrittenTimes {
  readonly #backlogs = new WeakMap<Tail, Backlog>();

  /** Notes the contents of a file that is read for the first time. */
  async look(tail: Tail, handle: FileHandle): Promise<void> {
    const { generation, size, modifiedNs: writtenNs } = tail;
    if (this.#backlogs.get(tail)?.generation === generation) return;
    const years = tail.isCompressed ? null : await Years.of(handle, { from: tail.mark.position, size, writtenNs });
    this.#backlogs.set(tail, { generation, end: size, order: years?.begin() ?? null });
  }

  /** See `InputBatch.writtenNs`; of records in front of the tail's mark. */
  of(tail: Tail, records: MessageBatch): bigint | BigInt64Array {
    const backlog = this.#backlogs.get(tail);
    if (backlog === undefined || backlog.order === null || backlog.generation !== tail.generation) return tail.modifiedNs;
    const times = backlog.order.times(records);
    // Records behind its end were written just now.
    if (tail.mark.position >= backlog.end) backlog.order = null;
    return times;
  }
}
