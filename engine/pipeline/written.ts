import type { InputBatch } from '../inputs/types.ts';
import type { MessageBatch } from '../message/batch.ts';

/**
 * Records as a decoder gets them: their Timestamp is the time of their file when that is long ago, so that dates without a year are those of the year
 * in which the file, or the record, was written.
 */
export function recordsAsWritten({ batch, writtenNs }: InputBatch): MessageBatch {
  if (writtenNs instanceof BigInt64Array) return batch.with({ timestamps: writtenNs });
  const [now] = batch.timestamps;
  if (writtenNs === undefined || now === undefined || writtenNs >= now) return batch;
  return batch.with({ timestamps: new BigInt64Array(batch.length).fill(writtenNs) });
}
