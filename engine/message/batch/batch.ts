import { INTS, OPTIONAL_HEADERS, TEXTS, type OptionalHeader } from '../../api/headers.ts';
import {
  entryOf,
  type ByteValues,
  type FieldColumn,
  type HeaderColumns,
  type IntColumn,
  type TextColumn,
  type TextValues,
} from './columns.ts';
import { pieceOf } from '../latin-text.ts';
import { randomUuids } from '../random-uuid.ts';
import { messageOf, ValueType, type Field, type HeaderValues, type Message } from '../types.ts';

/** The columns of a new batch. Columns that are null are unset in every row. */
export interface BatchParts extends Partial<HeaderColumns> {
  readonly length: number;
  readonly timestamps: BigInt64Array;
  /** 16 bytes a row, or a function that makes them on first use; null: random ones are made on first use. */
  readonly uuids?: Uint8Array | (() => Uint8Array) | null;
  /** See `MessageBatch.isIdentified`. */
  readonly isIdentified?: boolean;
  readonly fields?: readonly FieldColumn[];
}

/** The columns of headers, which a batch takes over from its parts. */
const HeaderHolder = class {
  constructor(parts: Partial<HeaderColumns>) {
    const columns = this as { -readonly [H in keyof HeaderColumns]?: HeaderColumns[H] };
    for (const { member } of TEXTS) columns[member] = parts[member] ?? null;
    for (const { member } of INTS) columns[member] = parts[member] ?? null;
  }
} as new (parts: Partial<HeaderColumns>) => HeaderColumns;

/**
 * Some thousands of messages as columns. The fields of a row are the field columns that have an entry for it, in
 * ascending order of the columns: a batch whose messages order the same fields differently just has more columns, so order and
 * repeated names are exact without any table beside the columns. Immutable.
 */
export class MessageBatch extends HeaderHolder {
  readonly length: number;
  readonly timestamps: BigInt64Array;
  /** The messages get the same uuids if they are ever read again: so do those that a decoder makes of them. */
  readonly isIdentified: boolean;
  readonly fields: readonly FieldColumn[];
  #uuids: Uint8Array | (() => Uint8Array) | null;

  constructor(parts: BatchParts) {
    super(parts);
    this.length = parts.length;
    this.timestamps = parts.timestamps;
    this.#uuids = parts.uuids ?? null;
    this.isIdentified = parts.isIdentified ?? false;
    this.fields = parts.fields ?? [];
  }

  /** 16 bytes a row. Random version 4 (RFC 9562, section 5.4) unless the batch was made with its own. */
  get uuids(): Uint8Array {
    if (this.#uuids instanceof Uint8Array) return this.#uuids;
    return (this.#uuids = this.#uuids === null ? randomUuids(this.length) : this.#uuids());
  }

  /** The uuids if they were given or asked for already; null otherwise. */
  get knownUuids(): Uint8Array | null {
    return this.#uuids instanceof Uint8Array ? this.#uuids : null;
  }

  /** The same messages with some columns replaced; the others are shared, not copied. */
  with(changes: Partial<Omit<BatchParts, 'length'>>): MessageBatch {
    const uuids = this.#uuids instanceof Uint8Array ? this.#uuids : () => this.uuids;
    return new MessageBatch({ ...(this as BatchParts), uuids, ...changes });
  }

  /** Row `row` as a plain message. For display and single messages; too slow for many. */
  message(row: number): Message {
    if (!(row >= 0 && row < this.length)) throw new RangeError(`row ${row} of a batch of ${this.length}`);
    const fields: Field[] = [];
    for (const column of this.fields) {
      const field = fieldAt(column, row);
      if (field) fields.push(field);
    }
    return messageWith(this, row, fields);
  }
}

type HeaderReader = (row: number) => string | number | undefined;

/** Readers of all headers, in the order of their table. */
export const headerReaders = (batch: MessageBatch): readonly HeaderReader[] =>
  OPTIONAL_HEADERS.map((header) => headerReader(batch, header));

/** Reads a header, row after row; undefined where it is unset. */
export function headerReader(batch: MessageBatch, { kind, member }: OptionalHeader): HeaderReader {
  if (kind === 'text') {
    const column = batch[member];
    return (row) => textAt(column, row);
  }
  const column = batch[member];
  return (row) => intAt(column, row);
}

/** Row `row` as a plain message that has these fields. */
export function messageWith(batch: MessageBatch, row: number, fields: readonly Field[], headers = headerReaders(batch)): Message {
  const uuid = batch.uuids.slice(row * 16, row * 16 + 16);
  const values: HeaderValues = [];
  for (const read of headers) values.push(read(row));
  return messageOf(uuid, batch.timestamps[row] as bigint, values, fields);
}

/** The text of a header column in a row; undefined when unset there. */
export function textAt(column: TextColumn | null, row: number): string | undefined {
  if (column === null) return undefined;
  if (column.constant !== undefined) return column.constant;
  const entry = entryOf(column.rows, row);
  return entry < 0 ? undefined : pieceOf(column, entry);
}

/** The number of a header column in a row; undefined when unset there. */
export function intAt(column: IntColumn | null, row: number): number | undefined {
  if (column === null) return undefined;
  if (column.constant !== undefined) return column.constant;
  const entry = entryOf(column.rows, row);
  return entry < 0 ? undefined : column.values[entry];
}

/** The field that a column holds for a row, or undefined. */
export function fieldAt(column: FieldColumn, row: number): Field | undefined {
  const entry = entryOf(column.rows, row);
  return entry < 0 ? undefined : fieldEntry(column, entry);
}

/** Entry `entry` of a column as a field. */
export function fieldEntry(column: FieldColumn, entry: number): Field {
  const from = column.offsets === null ? entry : (column.offsets[entry] as number);
  const to = column.offsets === null ? entry + 1 : (column.offsets[entry + 1] as number);
  const { name } = column;
  const representation = column.representation ?? undefined;
  switch (column.valueType) {
    case ValueType.STRING:
      return { name, valueType: ValueType.STRING, representation, values: texts(column.values, from, to) };
    case ValueType.BYTES:
      return { name, valueType: ValueType.BYTES, representation, values: byteArrays(column.values, from, to) };
    case ValueType.INTEGER:
      return { name, valueType: ValueType.INTEGER, representation, values: listOf(column.values, from, to) };
    case ValueType.DOUBLE:
      return { name, valueType: ValueType.DOUBLE, representation, values: listOf(column.values, from, to) };
    case ValueType.BOOL:
      return { name, valueType: ValueType.BOOL, representation, values: bools(column.values, from, to) };
  }
}

function texts(values: TextValues, from: number, to: number): string[] {
  const list: string[] = [];
  for (let i = from; i < to; i++) list.push(pieceOf(values, i));
  return list;
}

function byteArrays({ bytes, starts, ends }: ByteValues, from: number, to: number): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let i = from; i < to; i++) list.push(bytes.slice(starts[i], ends[i]));
  return list;
}

function listOf<V>(values: ArrayLike<V>, from: number, to: number): V[] {
  const list: V[] = [];
  for (let i = from; i < to; i++) list.push(values[i] as V);
  return list;
}

function bools(values: Uint8Array, from: number, to: number): boolean[] {
  const list: boolean[] = [];
  for (let i = from; i < to; i++) list.push(values[i] !== 0);
  return list;
}
