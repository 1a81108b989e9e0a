import type { InputBatch } from '../inputs/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';

/**
 * Prepares records for a decoder: their Timestamp becomes the time when the file, or the record, was written, if that is in the past, so that
 * dates without a year get the year of that time.
 */
export function recordsAsWritten({ batch, writtenNs }: InputBatch): MessageBatch {
  if (writtenNs instanceof BigInt64Array) return batch.with({ timestamps: writtenNs });
  const [now] = batch.timestamps;
  if (writtenNs === undefined || now === undefined || writtenNs >= now) return batch;
  return batch.with({ timestamps: new BigInt64Array(batch.length).fill(writtenNs) });
}
