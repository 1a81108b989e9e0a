import { TEXTS, type IntHeader, type TextHeader } from '../../api/headers.ts';
import { BackingGroups, joinBytes, joinTexts, type Pieces } from './backing.ts';
import { MessageBatch } from './batch.ts';
import { ColumnTable, type KeyedColumn } from './column-table.ts';
import { headerColumns, type ByteValues, type FieldColumn, type IntColumn, type TextColumn, type TextValues } from './columns.ts';
import { ValueType } from '../types.ts';

/** A column, and the row at which its batch begins in the joined one. */
interface Part<C> {
  readonly column: C;
  readonly base: number;
  readonly length: number;
}

type TextPart = Part<TextColumn>;
type FieldPart = Part<FieldColumn>;

/**
 * Joins batches, in order. A backing text or array that several columns of a batch share is copied once, and only
 * its used parts when these are few.
 */
export function concatBatches(batches: readonly MessageBatch[]): MessageBatch {
  const list = batches.filter((batch) => batch.length > 0);
  if (list.length === 1) return list[0] as MessageBatch;
  const bases: number[] = [];
  let length = 0;
  for (const batch of list) {
    bases.push(length);
    length += batch.length;
  }
  const texts = new BackingGroups<string>(joinTexts);
  const bytes = new BackingGroups<Uint8Array>(joinBytes);
  const headers = new Map(TEXTS.map(({ member }) => [member, textHeader(list, bases, length, member, texts)]));
  const fields = placeFields(list, bases).map((column) => fieldColumn(column, length, texts, bytes));
  texts.settle();
  bytes.settle();
  return new MessageBatch({
    length,
    timestamps: joinTyped(
      list.map((batch) => batch.timestamps),
      BigInt64Array,
    ),
    uuids: () => joinUuids(list, bases, length),
    ...headerColumns(
      (name) => headers.get(name)?.() ?? null,
      (name) => intHeader(list, bases, length, name),
    ),
    fields: fields.map((finish) => finish()),
  });
}

function textHeader(
  list: readonly MessageBatch[],
  bases: readonly number[],
  length: number,
  name: TextHeader,
  texts: BackingGroups<string>,
): () => TextColumn | null {
  const parts = partsOf(list, bases, (batch) => batch[name]);
  const constant = constantOf(parts, list.length);
  if (constant !== undefined) return () => ({ constant });
  if (parts.length === 0) return () => null;
  const number = texts.announce(parts.map(textPieces));
  const rows = joinRows(parts.map(rowsOfPart), length);
  return () => {
    const { backing, starts, ends } = texts.settled(number);
    return { rows, text: backing, starts, ends };
  };
}

function textPieces({ column, length }: TextPart): Pieces<string> {
  if (column.constant === undefined) return { backing: column.text, starts: column.starts, ends: column.ends };
  return { backing: column.constant, starts: new Uint32Array(length), ends: new Uint32Array(length).fill(column.constant.length) };
}

function intHeader(list: readonly MessageBatch[], bases: readonly number[], length: number, name: IntHeader): IntColumn | null {
  const parts = partsOf(list, bases, (batch) => batch[name]);
  const constant = constantOf(parts, list.length);
  if (constant !== undefined) return { constant };
  if (parts.length === 0) return null;
  const lists = parts.map(({ column, length }) =>
    column.constant === undefined ? column.values : new Int32Array(length).fill(column.constant),
  );
  return { rows: joinRows(parts.map(rowsOfPart), length), values: joinTyped(lists, Int32Array) };
}

function partsOf<C>(list: readonly MessageBatch[], bases: readonly number[], columnOf: (batch: MessageBatch) => C | null): Part<C>[] {
  const parts: Part<C>[] = [];
  for (const [i, batch] of list.entries()) {
    const column = columnOf(batch);
    if (column !== null) parts.push({ column, base: bases[i] as number, length: batch.length });
  }
  return parts;
}

/** The value that all batches have in all rows, if there is one. */
function constantOf<T>(parts: readonly Part<{ readonly constant?: T }>[], batches: number): T | undefined {
  const first = parts[0]?.column.constant;
  if (first === undefined || parts.length < batches) return undefined;
  return parts.every(({ column }) => column.constant === first) ? first : undefined;
}

class PlacedColumn implements KeyedColumn {
  readonly index: number;
  readonly name: string;
  readonly valueType: ValueType;
  readonly representation: string | null;
  readonly parts: FieldPart[] = [];

  constructor(index: number, name: string, valueType: ValueType, representation: string | null) {
    this.index = index;
    this.name = name;
    this.valueType = valueType;
    this.representation = representation;
  }
}

/** Finds a column for every column of every batch, so that the columns of each batch stay in their order. */
function placeFields(list: readonly MessageBatch[], bases: readonly number[]): readonly PlacedColumn[] {
  const table = new ColumnTable((index, name, valueType, representation) => new PlacedColumn(index, name, valueType, representation));
  for (const [i, batch] of list.entries()) {
    let previous = -1;
    for (const column of batch.fields) {
      const placed = table.place(previous, column.name, column.valueType, column.representation);
      placed.parts.push({ column, base: bases[i] as number, length: batch.length });
      previous = placed.index;
    }
  }
  return table.columns;
}

function fieldColumn(
  placed: PlacedColumn,
  length: number,
  texts: BackingGroups<string>,
  bytes: BackingGroups<Uint8Array>,
): () => FieldColumn {
  const { name, representation, parts } = placed;
  const base = { name, representation, rows: joinRows(parts.map(rowsOfPart), length), offsets: joinOffsets(parts) };
  switch (placed.valueType) {
    case ValueType.STRING: {
      const number = texts.announce(valuesOf<TextValues>(parts).map(({ text, starts, ends }) => ({ backing: text, starts, ends })));
      return () => {
        const { backing, starts, ends } = texts.settled(number);
        return { ...base, valueType: ValueType.STRING, values: { text: backing, starts, ends } };
      };
    }
    case ValueType.BYTES: {
      const number = bytes.announce(
        valuesOf<ByteValues>(parts).map((values) => ({ backing: values.bytes, starts: values.starts, ends: values.ends })),
      );
      return () => {
        const { backing, starts, ends } = bytes.settled(number);
        return { ...base, valueType: ValueType.BYTES, values: { bytes: backing, starts, ends } };
      };
    }
    case ValueType.INTEGER: {
      const values = joinTyped(valuesOf<BigInt64Array>(parts), BigInt64Array);
      return () => ({ ...base, valueType: ValueType.INTEGER, values });
    }
    case ValueType.DOUBLE: {
      const values = joinTyped(valuesOf<Float64Array>(parts), Float64Array);
      return () => ({ ...base, valueType: ValueType.DOUBLE, values });
    }
    case ValueType.BOOL: {
      const values = joinTyped(valuesOf<Uint8Array>(parts), Uint8Array);
      return () => ({ ...base, valueType: ValueType.BOOL, values });
    }
  }
}

/** The values of parts whose columns all store a V. */
function valuesOf<V extends FieldColumn['values']>(parts: readonly FieldPart[]): V[] {
  return parts.map(({ column }) => column.values as V);
}

type Rows = Uint32Array | null;

function rowsOfPart({ column, base, length }: Part<TextColumn | IntColumn | FieldColumn>): Part<Rows> {
  return { column: 'rows' in column ? column.rows : null, base, length };
}

/** null when every row of the joined batch has an entry. */
function joinRows(parts: readonly Part<Rows>[], batchLength: number): Rows {
  const count = parts.reduce((sum, { column, length }) => sum + (column === null ? length : column.length), 0);
  if (count === batchLength) return null;
  const rows = new Uint32Array(count);
  let at = 0;
  for (const { column, base, length } of parts) {
    const entries = column === null ? length : column.length;
    for (let entry = 0; entry < entries; entry++) rows[at++] = base + (column === null ? entry : (column[entry] as number));
  }
  return rows;
}

function joinOffsets(parts: readonly FieldPart[]): Uint32Array | null {
  if (parts.every(({ column }) => column.offsets === null)) return null;
  const entries = parts.map(({ column, length }) => column.rows?.length ?? length);
  const offsets = new Uint32Array(entries.reduce((sum, count) => sum + count, 1));
  let at = 0;
  for (const [i, { column }] of parts.entries()) {
    const base = offsets[at] as number;
    for (let entry = 1; entry <= (entries[i] as number); entry++) {
      offsets[++at] = base + (column.offsets === null ? entry : (column.offsets[entry] as number));
    }
  }
  return offsets;
}

type Typed = Int32Array | BigInt64Array | Float64Array | Uint8Array;

function joinTyped<A extends Typed>(lists: readonly A[], constructor: new (length: number) => A): A {
  if (lists.length === 1) return lists[0] as A;
  const joined = new constructor(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    (joined as { set(list: A, at: number): void }).set(list, at);
    at += list.length;
  }
  return joined;
}

function joinUuids(list: readonly MessageBatch[], bases: readonly number[], length: number): Uint8Array {
  const uuids = new Uint8Array(length * 16);
  for (const [i, batch] of list.entries()) uuids.set(batch.uuids, (bases[i] as number) * 16);
  return uuids;
}
