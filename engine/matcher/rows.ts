/** Rows of a batch, ascending; null: all of them. */
export type Rows = Uint32Array | null;

export const NO_ROWS = new Uint32Array(0);

/**
 * The entries that a test has to look at: `count` entries of a column. Entry i of the list is entry `entries[i]` of the column and belongs to row
 * `rows[i]`; where an array is null, i itself is meant.
 */
export interface Candidates {
  readonly count: number;
  readonly rows: Rows;
  readonly entries: Uint32Array | null;
}

/** Row or entry i of a list that may be null. */
export function at(list: Uint32Array | null, i: number): number {
  return list === null ? i : (list[i] as number);
}

let scratch = new Uint32Array(4096);

/** Room for `count` rows, shared by all tests: it is overwritten by the next one, so pass it to `take` at once. */
export function room(count: number): Uint32Array {
  if (scratch.length < count) scratch = new Uint32Array(count * 2);
  return scratch;
}

/** The first `hits` rows of the shared room as a result; the candidates' own rows when all of them hit. */
export function take(candidates: Candidates, hits: number): Rows {
  if (hits === candidates.count) return candidates.rows;
  return hits === 0 ? NO_ROWS : scratch.slice(0, hits);
}

/** The entries of a column with the given rows (null: one entry a row) that lie in `from`. `length` is the batch's. */
export function candidates(columnRows: Rows, from: Rows, length: number): Candidates {
  if (columnRows === null) return { count: from === null ? length : from.length, rows: from, entries: from };
  if (from === null) return { count: columnRows.length, rows: columnRows, entries: null };
  const rows = new Uint32Array(Math.min(columnRows.length, from.length));
  const entries = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0, j = 0; i < columnRows.length && j < from.length;) {
    const row = columnRows[i] as number;
    const wanted = from[j] as number;
    if (row === wanted) {
      rows[count] = row;
      entries[count++] = i;
    }
    if (row <= wanted) i++;
    if (row >= wanted) j++;
  }
  return { count, rows: rows.subarray(0, count), entries: entries.subarray(0, count) };
}

/** `from` without `without`, which is part of it. */
export function minus(from: Rows, without: Rows, length: number): Rows {
  if (without === null) return NO_ROWS;
  if (without.length === 0) return from;
  const count = (from === null ? length : from.length) - without.length;
  if (count === 0) return NO_ROWS;
  const rows = new Uint32Array(count);
  const total = from === null ? length : from.length;
  for (let i = 0, j = 0, out = 0; i < total && out < count; i++) {
    const row = from === null ? i : (from[i] as number);
    if (row === without[j]) j++;
    else rows[out++] = row;
  }
  return rows;
}

/** Whether `rows` are all of `from`, of which they are part. */
export function isAll(rows: Rows, from: Rows, length: number): boolean {
  return rows === null || rows.length === (from === null ? length : from.length);
}

/** Joins two ascending lists without common rows. */
export function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const rows = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0, out = 0; out < rows.length; out++) {
    rows[out] = j >= b.length || (i < a.length && (a[i] as number) < (b[j] as number)) ? (a[i++] as number) : (b[j++] as number);
  }
  return rows;
}
