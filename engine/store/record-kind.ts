import type { MessageBatch } from '../message/batch.ts';
import type { TextColumn } from '../message/columns.ts';

/** What the table need not show of records, because all of them have the same, or because other columns repeat it. */
interface RecordKind {
  /** The type of all records; null: they have several. */
  readonly type: string | null;
  /** Whether the messages have texts of their own. */
  readonly texts: boolean;
}

/** Looks at records that come into the store. @param raw the records as they were read; null when the messages are the records */
export function kindOf({ batch, raw }: { readonly batch: MessageBatch; readonly raw: TextColumn | null }): RecordKind {
  return { type: sameText(batch.type, batch.length), texts: raw === null || hasTexts(batch) };
}

/** The text of all rows; null: they differ, or not all have one. */
function sameText(column: TextColumn | null, length: number): string | null {
  if (column === null) return '';
  if (column.constant !== undefined) return column.constant;
  const { text, starts, ends, rows } = column;
  if (rows !== null || starts.length < length) return null;
  const first = text.slice(starts[0], ends[0]);
  for (let row = 1; row < length; row++) {
    const start = starts[row] as number;
    if ((ends[row] as number) - start !== first.length || !text.startsWith(first, start)) return null;
  }
  return first;
}

/** A record that its decoder refused is its own payload; that alone does not count. */
function hasTexts({ payload, fields, length }: MessageBatch): boolean {
  if (payload === null) return false;
  const having = payload.constant === undefined ? (payload.rows?.length ?? length) : length;
  const refused = fields.filter(({ name }) => name === 'decode_failure').reduce((sum, { rows }) => sum + (rows?.length ?? length), 0);
  return having > refused;
}
