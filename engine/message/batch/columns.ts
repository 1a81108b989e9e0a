import type { LatinText } from '../latin-text.ts';
import { INTS, TEXTS, type IntHeader, type TextHeader } from '../../api/headers.ts';

/**
 * The columns that a `MessageBatch` is made of. A column holds one entry for each row that has it; `rows` names these
 * rows in ascending order and is null when every row has an entry (entry i belongs to row i). Text values are pieces
 * [start, end) of one backing string, counted in UTF-16 code units, so that a value cut from raw input is never copied.
 */

/** Entries whose row numbers are given by `rows`; null means that entry i belongs to row i. */
interface Sparse {
  readonly rows: Uint32Array | null;
}

/** Text values: value i is `text.slice(starts[i], ends[i])`. */
export interface TextValues {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The same text where its code units lie in memory: then `text` is made when it is asked for, and a copy of this object has it made. */
  readonly latin?: LatinText;
}

/** Byte values: value i is `bytes.subarray(starts[i], ends[i])`. */
export interface ByteValues {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A header such as Type or Payload: the same text in every row, or one text for each row that has it. */
export type TextColumn = { readonly constant: string } | (TextValues & Sparse & { readonly constant?: undefined });

/** A header with integers: the same number in every row, or one for each row that has it. */
export type IntColumn = { readonly constant: number } | (Sparse & { readonly values: Int32Array; readonly constant?: undefined });

interface FieldColumnBase extends Sparse {
  readonly name: string;
  /** null: absent, which is not the same as empty. */
  readonly representation: string | null;
  /**
   * Entry i holds the values [offsets[i], offsets[i + 1]); length is the number of entries + 1. null: exactly one value
   * an entry, so value i belongs to entry i.
   */
  readonly offsets: Uint32Array | null;
}

export type FieldColumn = FieldColumnBase &
  (
    | { readonly valueType: 0; readonly values: TextValues }
    | { readonly valueType: 1; readonly values: ByteValues }
    | { readonly valueType: 2; readonly values: BigInt64Array }
    | { readonly valueType: 3; readonly values: Float64Array }
    | { readonly valueType: 4; readonly values: Uint8Array }
  );

/** The column beside the decoded ones that holds each stored record as it was read; no script can make a field of this name. */
export const RAW_FIELD = '\u0000raw';

/** The columns of headers by their names in `MessageBatch`. */
export type HeaderColumns = { readonly [H in TextHeader]: TextColumn | null } & { readonly [H in IntHeader]: IntColumn | null };

/** The columns that these functions give for each header; the index is that among the headers of its kind. */
export function headerColumns(
  text: (header: TextHeader, index: number) => TextColumn | null,
  int: (header: IntHeader, index: number) => IntColumn | null,
): HeaderColumns {
  const texts = TEXTS.map(({ member }, i) => [member, text(member, i)]);
  return Object.fromEntries([...texts, ...INTS.map(({ member }, i) => [member, int(member, i)])]) as HeaderColumns;
}

/** The number of values that a column of any kind stores. */
export function entryCount(column: { rows: Uint32Array | null }, batchLength: number): number {
  return column.rows === null ? batchLength : column.rows.length;
}

/**
 * The entry of `row` in a column, or -1 when the row has none. Entries of one column are ascending, so this is a binary
 * search, with a loop of its own because it is called for single values by the million; code that walks all rows should walk `rows` instead.
 */
export function entryOf(rows: Uint32Array | null, row: number): number {
  if (rows === null) return row;
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = rows[middle] as number;
    if (value === row) return middle;
    if (value < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
