import type { IntHeader, TextHeader } from '../../api/headers.ts';
import { BackingJoiner, joinTexts, type Pieces } from './backing.ts';
import { MessageBatch } from './batch.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn } from './columns.ts';
import { concatBatches } from './concat.ts';
import { takeRows } from './take-rows.ts';

/** A batch and the places of its rows: row i becomes row `order[i]` of the merged batch. */
export interface MergePart {
  readonly batch: MessageBatch;
  readonly order: Uint32Array;
}

/**
 * Interleaves the rows of several batches. The orders of all parts together must name every row of the result exactly once;
 * anything else is a RangeError. Parts that keep their order and have no fields in common share their fields' values with the result.
 */
export function mergeRows(parts: readonly MergePart[]): MessageBatch {
  const length = parts.reduce((sum, { batch }) => sum + batch.length, 0);
  const sources = sourcesOf(parts, length);
  const filled = parts.filter(({ batch }) => batch.length > 0);
  if (filled.every(({ order }) => ascends(order)) && !haveFieldsInCommon(filled)) return spread(filled, length);
  return takeRows(concatBatches(parts.map(({ batch }) => batch)), sources);
}

/** For each row of the result, its index among the rows of all parts, one behind the other. */
function sourcesOf(parts: readonly MergePart[], length: number): Uint32Array {
  const sources = new Uint32Array(length);
  const taken = new Uint8Array(length);
  let source = 0;
  for (const { batch, order } of parts) {
    if (order.length !== batch.length) throw new RangeError(`an order of ${order.length} rows for a batch of ${batch.length}`);
    for (let i = 0; i < order.length; i++) {
      const place = order[i] as number;
      if (place >= length || taken[place] !== 0) throw new RangeError(`row ${place} is given twice or is above ${length - 1}`);
      taken[place] = 1;
      sources[place] = source++;
    }
  }
  return sources;
}

function ascends(order: Uint32Array): boolean {
  for (let i = 1; i < order.length; i++) if ((order[i] as number) < (order[i - 1] as number)) return false;
  return true;
}

function haveFieldsInCommon(parts: readonly MergePart[]): boolean {
  const names = new Set<string>();
  return parts.some(({ batch }) => {
    const own = new Set(batch.fields.map(({ name }) => name));
    const common = [...own].some((name) => names.has(name));
    for (const name of own) names.add(name);
    return common;
  });
}

/** Keeps the columns as they are, with new row numbers. */
function spread(parts: readonly MergePart[], length: number): MessageBatch {
  if (parts.length === 1) return (parts[0] as MergePart).batch;
  return new MessageBatch({
    length,
    timestamps: spreadTimes(parts, length),
    uuids: () => spreadUuids(parts, length),
    ...headerColumns(
      (name) => spreadTexts(parts, name, length),
      (name) => spreadInts(parts, name, length),
    ),
    fields: parts.flatMap(({ batch, order }) =>
      batch.fields.map((column): FieldColumn => ({ ...column, rows: rowsOf(column.rows, order) })),
    ),
  });
}

function rowsOf(rows: Uint32Array | null, order: Uint32Array): Uint32Array {
  if (rows === null) return order;
  const moved = new Uint32Array(rows.length);
  for (let i = 0; i < moved.length; i++) moved[i] = order[rows[i] as number] as number;
  return moved;
}

function spreadTimes(parts: readonly MergePart[], length: number): BigInt64Array {
  const words = new Int32Array(length * 2);
  for (const { batch, order } of parts) {
    const { buffer, byteOffset } = batch.timestamps;
    const own = new Int32Array(buffer, byteOffset, order.length * 2);
    for (let i = 0; i < order.length; i++) {
      const to = (order[i] as number) * 2;
      words[to] = own[i * 2] as number;
      words[to + 1] = own[i * 2 + 1] as number;
    }
  }
  return new BigInt64Array(words.buffer);
}

function spreadUuids(parts: readonly MergePart[], length: number): Uint8Array {
  const uuids = new Uint8Array(length * 16);
  for (const { batch, order } of parts) {
    const own = batch.uuids;
    for (let i = 0; i < order.length; i++) {
      const to = (order[i] as number) * 16;
      for (let k = 0; k < 16; k++) uuids[to + k] = own[i * 16 + k] as number;
    }
  }
  return uuids;
}

/** Entries of one part: their rows in the result, and their values. */
interface Spread<V> {
  readonly rows: Uint32Array;
  readonly values: V;
}

/** The value that all rows have, when it is a constant of all parts. */
function commonConstant<T>(columns: readonly ({ readonly constant?: T } | null)[]): T | undefined {
  const first = columns[0]?.constant;
  return first !== undefined && columns.every((column) => column?.constant === first) ? first : undefined;
}

function spreadTexts(parts: readonly MergePart[], name: TextHeader, length: number): TextColumn | null {
  const constant = commonConstant(parts.map(({ batch }) => batch[name]));
  if (constant !== undefined) return { constant };
  const lists: Spread<Pieces<string>>[] = [];
  for (const { batch, order } of parts) {
    const column = batch[name];
    if (column === null) continue;
    const rows = column.constant === undefined ? rowsOf(column.rows, order) : order;
    lists.push({ rows, values: piecesOf(column, rows.length) });
  }
  const [first] = lists;
  if (first === undefined) return null;
  if (lists.length === 1) return textColumn(first.rows, first.values);
  const { backing, placed } = sharedBacking(lists.map(({ values }) => values));
  const order = inOrder(lists, length);
  const starts = order.gather(placed.map((pieces) => pieces.starts));
  return textColumn(order.rows, { backing, starts, ends: order.gather(placed.map((pieces) => pieces.ends)) });
}

function textColumn(rows: Uint32Array | null, { backing, starts, ends }: Pieces<string>): TextColumn {
  return { rows, text: backing, starts, ends };
}

function piecesOf(column: TextColumn, length: number): Pieces<string> {
  if (column.constant === undefined) return { backing: column.text, starts: column.starts, ends: column.ends };
  return { backing: column.constant, starts: new Uint32Array(length), ends: new Uint32Array(length).fill(column.constant.length) };
}

/** Brings all pieces into one text; copies nothing when they are in one already. */
function sharedBacking(lists: readonly Pieces<string>[]): { readonly backing: string; readonly placed: readonly Pieces<string>[] } {
  const first = (lists[0] as Pieces<string>).backing;
  if (lists.every(({ backing }) => backing === first)) return { backing: first, placed: lists };
  const joiner = new BackingJoiner<string>(joinTexts);
  for (const pieces of lists) joiner.note(pieces);
  const placed = lists.map((pieces) => {
    const starts = new Uint32Array(pieces.starts.length);
    const ends = new Uint32Array(starts.length);
    joiner.place(pieces, starts, ends, 0);
    return { backing: '', starts, ends };
  });
  return { backing: joiner.finish(), placed };
}

function spreadInts(parts: readonly MergePart[], name: IntHeader, length: number): IntColumn | null {
  const constant = commonConstant(parts.map(({ batch }) => batch[name]));
  if (constant !== undefined) return { constant };
  const lists: Spread<Int32Array>[] = [];
  for (const { batch, order } of parts) {
    const column = batch[name];
    if (column === null) continue;
    const rows = column.constant === undefined ? rowsOf(column.rows, order) : order;
    lists.push({ rows, values: column.constant === undefined ? column.values : new Int32Array(rows.length).fill(column.constant) });
  }
  if (lists.length === 0) return null;
  const order = inOrder(lists, length);
  const values = order.gather(lists.map((list) => new Uint32Array(list.values.buffer, list.values.byteOffset, list.values.length)));
  return { rows: order.rows, values: new Int32Array(values.buffer) };
}

/** Brings entries of several lists into the order of their rows. */
function inOrder(
  lists: readonly { readonly rows: Uint32Array }[],
  length: number,
): { readonly rows: Uint32Array | null; gather(values: readonly Uint32Array[]): Uint32Array } {
  const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const places = count === length ? null : placesOf(lists, length);
  return {
    rows: places === null ? null : places.rows,
    gather(values) {
      const gathered = new Uint32Array(count);
      for (const [i, { rows }] of lists.entries()) {
        const own = values[i] as Uint32Array;
        for (let entry = 0; entry < rows.length; entry++) {
          const row = rows[entry] as number;
          gathered[places === null ? row : (places.of[row] as number)] = own[entry] as number;
        }
      }
      return gathered;
    },
  };
}

/** The rows that any of the lists has, and the place of each among them. */
function placesOf(
  lists: readonly { readonly rows: Uint32Array }[],
  length: number,
): { readonly rows: Uint32Array; readonly of: Uint32Array } {
  const of = new Uint32Array(length);
  for (const { rows } of lists) for (let i = 0; i < rows.length; i++) of[rows[i] as number] = 1;
  const rows: number[] = [];
  for (let row = 0; row < length; row++) {
    if (of[row] === 0) continue;
    of[row] = rows.length;
    rows.push(row);
  }
  return { rows: Uint32Array.from(rows), of };
}
