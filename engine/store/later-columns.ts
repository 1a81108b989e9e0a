import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import type { Segment } from './segment.ts';

/** Columns that records get after they were read, such as the hits of rules. */
export interface LaterColumns {
  /** Those of the records of a segment: the same array as long as they are the same; none: it has none. */
  of(segment: Segment): readonly FieldColumn[];
}

const NONE: readonly FieldColumn[] = [];

/** Puts the later columns of records beside those that were stored. */
export class WholeRecords {
  /** null: records have none. */
  #later: LaterColumns | null = null;
  /** Records with their later columns, by those without. */
  readonly #whole = new WeakMap<MessageBatch, { readonly columns: readonly FieldColumn[]; readonly batch: MessageBatch }>();

  set(later: LaterColumns | null): void {
    this.#later = later;
  }

  of(segment: Segment): readonly FieldColumn[] {
    return this.#later?.of(segment) ?? NONE;
  }

  /** The records of a segment with their later columns: the same object as long as these are the same. */
  whole(segment: Segment, batch: MessageBatch): MessageBatch {
    const columns = this.of(segment);
    if (columns.length === 0) return batch;
    const known = this.#whole.get(batch);
    if (known?.columns === columns) return known.batch;
    const whole = batch.with({ fields: [...batch.fields, ...columns] });
    this.#whole.set(batch, { columns, batch: whole });
    return whole;
  }
}
