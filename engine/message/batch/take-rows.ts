import { COLUMN_ORDER } from '../../api/headers.ts';
import { firstIndex } from '../binary-search.ts';
import { backingOf, textHeader, textValues } from '../latin-text.ts';
import { MessageBatch } from './batch.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn } from './columns.ts';
import { RowIndex } from './row-index.ts';
import { ValueType } from '../types.ts';

/** Selected entries of a column, in order: those that `entries` lists, or [from, to) when it is null. */
interface Selection {
  readonly rows: Uint32Array | null;
  readonly entries: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

interface Sparse {
  readonly rows: Uint32Array | null;
}

/** Selects the entries of a column that belong to the chosen rows. Called once for each column, in the order in which they were announced. */
type Selector = (column: Sparse) => Selection;

/**
 * The batch of these rows, in this order; a row may come several times. Texts and bytes are shared with `batch`, and a run of
 * neighbouring rows shares the columns as well. A row that the batch does not have is a RangeError.
 */
export function takeRows(batch: MessageBatch, rows: Uint32Array): MessageBatch {
  const order = orderOf(rows);
  for (const row of order === 'any' ? rows : rows.subarray(-1)) {
    if (row >= batch.length) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
  }
  if (order === 'run' && rows.length === batch.length) return batch;
  if (rows.length === 0) return new MessageBatch({ length: 0, timestamps: new BigInt64Array(0) });
  const select = selectorOf(batch, rows, order);
  const first = rows[0] as number;
  const length = rows.length;
  // The caller may change its list before the uuids are first asked for.
  const kept = order === 'run' ? rows : rows.slice();
  return new MessageBatch({
    length,
    timestamps: order === 'run' ? batch.timestamps.subarray(first, first + length) : pickWords(batch.timestamps, rows, BigInt64Array),
    uuids: () => (order === 'run' ? batch.uuids.subarray(first * 16, (first + length) * 16) : pickUuids(batch.uuids, kept)),
    isIdentified: batch.isIdentified,
    ...headerColumns(
      (name) => takeText(batch[name], select),
      (name) => takeInts(batch[name], select),
    ),
    fields: batch.fields.map((column) => takeField(column, select)).filter((column) => column !== null),
  });
}

/** `run`: each row is the one after the one before it. */
function orderOf(rows: Uint32Array): 'run' | 'ascending' | 'any' {
  const length = rows.length;
  if (length === 0) return 'run';
  for (let i = 1; i < length; i++) if ((rows[i] as number) <= (rows[i - 1] as number)) return 'any';
  return (rows[length - 1] as number) - (rows[0] as number) === length - 1 ? 'run' : 'ascending';
}

function selectorOf(batch: MessageBatch, rows: Uint32Array, order: 'run' | 'ascending' | 'any'): Selector {
  if (order === 'run') return (column) => selectRun(column, rows[0] as number, rows.length);
  const all: Selection = { rows: null, entries: rows, from: 0, to: rows.length };
  const sparse = order === 'any' ? selectAny(batch, rows) : selectAscending(batch.length, rows);
  return (column) => (column.rows === null ? all : sparse(column));
}

function selectRun(column: Sparse, first: number, length: number): Selection {
  if (column.rows === null) return { rows: null, entries: null, from: first, to: first + length };
  const old = column.rows;
  const from = firstIndex(old.length, (i) => (old[i] as number) >= first);
  const to = firstIndex(old.length, (i) => (old[i] as number) >= first + length);
  const rows = to - from === length ? null : old.slice(from, to);
  if (rows !== null) for (let i = 0; i < rows.length; i++) rows[i]! -= first;
  return { rows, entries: null, from, to };
}

function selectAscending(batchLength: number, rows: Uint32Array): Selector {
  let newRow: Int32Array | null = null;
  return (column) => {
    const old = column.rows as Uint32Array;
    newRow ??= inverseOf(batchLength, rows);
    const kept = new Uint32Array(Math.min(old.length, rows.length));
    const entries = new Uint32Array(kept.length);
    let count = 0;
    for (let entry = 0; entry < old.length; entry++) {
      const row = newRow[old[entry] as number] as number;
      if (row < 0) continue;
      kept[count] = row;
      entries[count++] = entry;
    }
    return { rows: count === rows.length ? null : kept.subarray(0, count), entries: entries.subarray(0, count), from: 0, to: count };
  };
}

function inverseOf(batchLength: number, rows: Uint32Array): Int32Array {
  const inverse = new Int32Array(batchLength).fill(-1);
  for (let i = 0; i < rows.length; i++) inverse[rows[i] as number] = i;
  return inverse;
}

/** Goes through the chosen rows once for all columns, so that the time is linear in their values. */
function selectAny(batch: MessageBatch, rows: Uint32Array): Selector {
  const columns = sparseColumns(batch);
  const numbers = new Map(columns.map((column, number) => [column, number]));
  const picked = columns.map(() => ({ rows: [] as number[], entries: [] as number[] }));
  const index = new RowIndex(columns, batch.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    for (let at = index.start(row); at < index.end(row); at++) {
      const list = picked[index.columnAt(at)] as { rows: number[]; entries: number[] };
      list.rows.push(i);
      list.entries.push(index.entryAt(at));
    }
  }
  return (column) => {
    const list = picked[numbers.get(column) as number] as { rows: number[]; entries: number[] };
    const full = list.rows.length === rows.length;
    return { rows: full ? null : new Uint32Array(list.rows), entries: new Uint32Array(list.entries), from: 0, to: list.rows.length };
  };
}

function sparseColumns(batch: MessageBatch): Sparse[] {
  const headers = COLUMN_ORDER.map(({ member }) => batch[member]);
  const columns: Sparse[] = headers.filter((column) => column !== null).filter((column) => column.constant === undefined);
  return [...columns, ...batch.fields].filter((column) => column.rows !== null);
}

function takeText(column: TextColumn | null, select: Selector): TextColumn | null {
  if (column === null || column.constant !== undefined) return column;
  const selection = select(column);
  if (selection.from === selection.to) return null;
  return textHeader(selection.rows, backingOf(column), pick32(column.starts, selection), pick32(column.ends, selection));
}

function takeInts(column: IntColumn | null, select: Selector): IntColumn | null {
  if (column === null || column.constant !== undefined) return column;
  const selection = select(column);
  if (selection.from === selection.to) return null;
  if (selection.entries === null) return { rows: selection.rows, values: column.values.subarray(selection.from, selection.to) };
  const values = new Int32Array(selection.to);
  for (let i = 0; i < values.length; i++) values[i] = column.values[selection.entries[i] as number] as number;
  return { rows: selection.rows, values };
}

function takeField(column: FieldColumn, select: Selector): FieldColumn | null {
  const selection = select(column);
  if (selection.from === selection.to) return null;
  const { offsets, values } = column.offsets === null ? { offsets: null, values: selection } : selectValues(column.offsets, selection);
  const base = { name: column.name, representation: column.representation, rows: selection.rows, offsets };
  switch (column.valueType) {
    case ValueType.STRING: {
      const { starts, ends } = column.values;
      const taken = textValues(backingOf(column.values), pick32(starts, values), pick32(ends, values));
      return { ...base, valueType: ValueType.STRING, values: taken };
    }
    case ValueType.BYTES: {
      const { bytes, starts, ends } = column.values;
      return { ...base, valueType: ValueType.BYTES, values: { bytes, starts: pick32(starts, values), ends: pick32(ends, values) } };
    }
    case ValueType.INTEGER:
      return { ...base, valueType: ValueType.INTEGER, values: pick64(column.values, values, BigInt64Array) };
    case ValueType.DOUBLE:
      return { ...base, valueType: ValueType.DOUBLE, values: pick64(column.values, values, Float64Array) };
    case ValueType.BOOL:
      return { ...base, valueType: ValueType.BOOL, values: pickBytes(column.values, values) };
  }
}

type ValueSelection = Pick<Selection, 'entries' | 'from' | 'to'>;

/** The values of the selected entries, and their new offsets (null when each entry has one value). */
function selectValues(old: Uint32Array, selection: Selection): { offsets: Uint32Array | null; values: ValueSelection } {
  const { entries, from, to } = selection;
  const offsets = new Uint32Array(to - from + 1);
  let single = true;
  for (let i = 0; i < to - from; i++) {
    const entry = entries === null ? from + i : (entries[i] as number);
    const count = (old[entry + 1] as number) - (old[entry] as number);
    if (count !== 1) single = false;
    offsets[i + 1] = (offsets[i] as number) + count;
  }
  const kept = single ? null : offsets;
  if (entries === null) return { offsets: kept, values: { entries: null, from: old[from] as number, to: old[to] as number } };
  const places = new Uint32Array(offsets[to - from] as number);
  for (let i = 0; i < to; i++) {
    let at = offsets[i] as number;
    const entry = entries[i] as number;
    for (let value = old[entry] as number; value < (old[entry + 1] as number); value++) places[at++] = value;
  }
  return { offsets: kept, values: { entries: places, from: 0, to: places.length } };
}

function pick32(source: Uint32Array, { entries, from, to }: ValueSelection): Uint32Array {
  if (entries === null) return source.subarray(from, to);
  const picked = new Uint32Array(to);
  for (let i = 0; i < to; i++) picked[i] = source[entries[i] as number] as number;
  return picked;
}

function pickBytes(source: Uint8Array, { entries, from, to }: ValueSelection): Uint8Array {
  if (entries === null) return source.subarray(from, to);
  const picked = new Uint8Array(to);
  for (let i = 0; i < to; i++) picked[i] = source[entries[i] as number] as number;
  return picked;
}

type Array64 = BigInt64Array | Float64Array;
type Array64Constructor<A extends Array64> = new (buffer: ArrayBuffer, byteOffset: number, length: number) => A;

function pick64<A extends Array64>(source: A, { entries, from, to }: ValueSelection, constructor: Array64Constructor<A>): A {
  return entries === null ? (source.subarray(from, to) as A) : pickWords(source, entries, constructor);
}

/** Copies elements as 32-bit words: no BigInt is made on the way, and no bit of a NaN is lost. */
function pickWords<A extends Array64>(source: A, entries: Uint32Array, constructor: Array64Constructor<A>): A {
  const from = new Int32Array(source.buffer, source.byteOffset, source.length * 2);
  const to = new Int32Array(entries.length * 2);
  for (let i = 0; i < entries.length; i++) {
    const at = (entries[i] as number) * 2;
    to[i * 2] = from[at] as number;
    to[i * 2 + 1] = from[at + 1] as number;
  }
  return new constructor(to.buffer, 0, entries.length);
}

function pickUuids(uuids: Uint8Array, rows: Uint32Array): Uint8Array {
  const picked = new Uint8Array(rows.length * 16);
  for (let i = 0; i < rows.length; i++) {
    const at = (rows[i] as number) * 16;
    for (let k = 0; k < 16; k++) picked[i * 16 + k] = uuids[at + k] as number;
  }
  return picked;
}
