import { OPTIONAL_HEADERS, type IntRow, type TextRow } from '../../api/headers.ts';
import { MessageBatch } from './batch.ts';
import { ColumnTable } from './column-table.ts';
import type { HeaderColumns } from './columns.ts';
import { madeText, type Text } from '../latin-text.ts';
import { BEHIND, NumberHeader, SlicedColumn, SlicedHeader, type Backing } from './sliced-columns.ts';
import { headerValues, ValueType, type Field, type Message } from '../types.ts';

/** A header in the making. */
export type HeaderStore =
  | { readonly kind: 'text'; readonly header: TextRow; readonly store: SlicedHeader }
  | { readonly kind: 'int'; readonly header: IntRow; readonly store: NumberHeader };

const FIRST_ROWS = 512;
/** Columns that a builder keeps from one batch to the next. */
const MOST_KEPT = 256;

/**
 * Collects messages whose texts are pieces of one text, such as a chunk of a file: a reader adds them by their places there, without making strings or
 * objects. Texts that are not in it as they are, such as escaped ones, are kept behind it. A row that a reader cannot complete is undone.
 */
export class SlicedBuilder {
  /** In ascending order of the tags. */
  readonly headers: readonly HeaderStore[] = OPTIONAL_HEADERS.map((header) =>
    header.kind === 'text' ? { kind: 'text', header, store: new SlicedHeader() } : { kind: 'int', header, store: new NumberHeader() },
  );
  #table = newTable();
  #length = 0;
  #timestamps = new BigInt64Array(FIRST_ROWS);
  #timeHalves = new Uint32Array(this.#timestamps.buffer);
  #uuids = new Uint8Array(FIRST_ROWS * 16);
  /** The columns of the row that is being added. */
  readonly #touched: SlicedColumn[] = [];
  #behind: string[] = [];
  #behindLength = 0;

  get length(): number {
    return this.#length;
  }

  /** 16 bytes a row; those of the last row are to be written after `begin`. */
  get uuids(): Uint8Array {
    return this.#uuids;
  }

  /** Begins a row, whose timestamp has these halves, and returns its number. */
  begin(low: number, high: number): number {
    if (this.#length === this.#timestamps.length) this.#grow();
    const row = this.#length++;
    this.#timeHalves[2 * row] = low;
    this.#timeHalves[2 * row + 1] = high;
    this.#touched.length = 0;
    return row;
  }

  /** The column that came behind the one of this index last time (-1: that came first), to which values may be added; null: none did. */
  guess(previous: number): SlicedColumn | null {
    return this.#table.guess(previous);
  }

  /** Says that values are about to be added to a column. */
  touch(column: SlicedColumn): void {
    this.#touched.push(column);
  }

  /** Takes away the row that was begun last, with all that was added to it. */
  undo(): void {
    const row = --this.#length;
    for (const { store } of this.headers) store.undo(row);
    for (const column of this.#touched) column.undo(row);
  }

  /** Keeps a text behind the one that values are pieces of, and returns the place where it begins. */
  keep(text: string): number {
    const start = BEHIND + this.#behindLength;
    this.#behind.push(text);
    this.#behindLength += text.length;
    return start;
  }

  /** Adds a message. */
  append(message: Message): void {
    const low = Number(BigInt.asUintN(32, message.timestamp));
    const row = this.begin(low, Number(BigInt.asIntN(32, message.timestamp >> 32n)));
    this.#uuids.set(message.uuid, row * 16);
    const values = headerValues(message);
    for (let i = 0; i < values.length; i++) this.#addHeader(this.headers[i] as HeaderStore, row, values[i]);
    let previous = -1;
    for (const field of message.fields) previous = this.#addField(previous, row, field);
  }

  /**
   * The messages added since the last call; the builder is empty then.
   * @param text the one that values are pieces of
   * @param from the place that its first unit had when values were added
   */
  build(text: Text, from = 0): MessageBatch {
    const length = this.#length;
    const backing = this.#backing(text, from);
    const { columns } = this.#table;
    const batch = new MessageBatch({
      length,
      timestamps: this.#timestamps.slice(0, length),
      uuids: this.#uuids.slice(0, length * 16),
      ...(Object.fromEntries(this.headers.map((each) => [each.header.member, finished(each, length, backing)])) as HeaderColumns),
      fields: columns.filter(({ entries }) => entries > 0).map((column) => column.finish(length, backing)),
    });
    // Streams repeat the same columns; others begin anew.
    if (columns.length > MOST_KEPT || columns.some(({ entries }) => entries === 0)) this.#table = newTable();
    for (const { store } of this.headers) store.clear();
    for (const column of this.#table.columns) column.clear();
    this.#length = 0;
    this.#behind = [];
    this.#behindLength = 0;
    return batch;
  }

  #backing(given: Text, from: number): Backing {
    if (this.#behindLength === 0) return { text: given, from, behind: 0 };
    const text = madeText(given);
    return { text: text + this.#behind.join(''), from, behind: text.length };
  }

  #grow(): void {
    const timestamps = new BigInt64Array(this.#timestamps.length * 2);
    timestamps.set(this.#timestamps);
    this.#timestamps = timestamps;
    this.#timeHalves = new Uint32Array(timestamps.buffer);
    const uuids = new Uint8Array(this.#uuids.length * 2);
    uuids.set(this.#uuids);
    this.#uuids = uuids;
  }

  #addHeader({ store }: HeaderStore, row: number, value: string | number | undefined): void {
    if (value === undefined) return;
    if (typeof value === 'number') return (store as NumberHeader).add(row, value);
    const start = this.keep(value);
    (store as SlicedHeader).add(row, start, start + value.length);
  }

  #addField(previous: number, row: number, field: Field): number {
    const column = this.#table.place(previous, field.name, field.valueType, field.representation ?? null);
    switch (field.valueType) {
      case ValueType.STRING:
        for (const value of field.values) {
          const start = this.keep(value);
          column.addPiece(start, start + value.length);
        }
        break;
      case ValueType.BYTES:
        for (const value of field.values) column.bytes.add(value);
        break;
      case ValueType.INTEGER:
        for (const value of field.values) column.integers.push(Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn));
        break;
      case ValueType.DOUBLE:
        for (const value of field.values) column.numbers.push(value);
        break;
      case ValueType.BOOL:
        for (const value of field.values) column.numbers.push(value ? 1 : 0);
        break;
    }
    column.close(row);
    return column.index;
  }
}

function newTable(): ColumnTable<SlicedColumn> {
  return new ColumnTable((index, name, valueType, representation) => new SlicedColumn(index, name, valueType, representation));
}

const finished = (each: HeaderStore, length: number, backing: Backing) =>
  each.kind === 'text' ? each.store.finish(length, backing) : each.store.finish(length);
