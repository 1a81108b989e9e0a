import { truncateUtf8 } from '../utf8.ts';
import type { MessageBatch } from './batch.ts';
import type { FieldColumn } from './columns.ts';
import { concatBatches } from './concat.ts';
import { mergeRows } from './merge.ts';
import { takeRows } from './take-rows.ts';
import { ValueType } from '../types.ts';

export { concatBatches, mergeRows, takeRows };

/** The same messages with one more field behind the others. */
export function withField(batch: MessageBatch, column: FieldColumn): MessageBatch {
  return batch.with({ fields: [...batch.fields, column] });
}

/** Longest reason that a failed message carries, in bytes of UTF-8. */
const MAX_REASON_BYTES = 500;

/**
 * Marks the messages of these rows as undecodable: adds the fields `decode_failure` (true) and `decode_error` (the row's reason, cut
 * to 500 bytes) behind their own. `reasons[i]` belongs to `rows[i]`.
 */
export function asFailed(batch: MessageBatch, rows: Uint32Array, reasons: readonly string[]): MessageBatch {
  if (reasons.length !== rows.length) throw new RangeError(`${reasons.length} reasons for ${rows.length} rows`);
  const failed = takeRows(batch, rows);
  if (failed.length === 0) return failed;
  const base = { representation: '', rows: null, offsets: null };
  const cut = reasons.map((reason) => truncateUtf8(reason, MAX_REASON_BYTES));
  const starts = new Uint32Array(cut.length);
  const ends = new Uint32Array(cut.length);
  let at = 0;
  for (const [i, reason] of cut.entries()) {
    starts[i] = at;
    ends[i] = at += reason.length;
  }
  const flag: FieldColumn = { ...base, name: 'decode_failure', valueType: ValueType.BOOL, values: new Uint8Array(cut.length).fill(1) };
  const error: FieldColumn = { ...base, name: 'decode_error', valueType: ValueType.STRING, values: { text: cut.join(''), starts, ends } };
  return withField(withField(failed, flag), error);
}
