import { OPTIONAL_HEADERS } from '../../api/headers.ts';
import { headerReaders, MessageBatch } from './batch.ts';
import { ColumnTable } from './column-table.ts';
import { entryOf, type FieldColumn, type HeaderColumns } from './columns.ts';
import { RowIndex } from './row-index.ts';
import { FieldSink, IntHeaderSink, TextHeaderSink } from './sinks.ts';
import { headerValues, ValueType, type Field, type Message } from '../types.ts';

/** Above this many field columns, rows are looked up by an index instead of by a search in each column. */
const MANY_COLUMNS = 32;

/**
 * Collects messages, one after the other, and makes a batch of them. Time and memory are linear in the values that were added,
 * also when every message has other fields. Numbers outside of int32 or int64 wrap around, as in the columns.
 */
export class BatchBuilder {
  #length = 0;
  #weight = 0;
  #timestamps = new BigInt64Array(64);
  #uuids = new Uint8Array(64 * 16);
  #headers = newHeaders();
  #table = newTable();
  /** The batch that rows were taken from last, its headers and its index, which it has if it has many columns. */
  #source: MessageBatch | null = null;
  #sourceHeaders: ReturnType<typeof headerReaders> = [];
  #sourceIndex: RowIndex | null = null;

  /** Messages added since the last `build`. */
  get length(): number {
    return this.#length;
  }

  /** Approximate bytes of the texts and byte values added since the last `build`; grows as long as messages are added. */
  get weight(): number {
    return this.#weight;
  }

  /** Adds a message. A uuid that is not 16 bytes long is a RangeError, and nothing is added then. */
  append(message: Message): void {
    if (message.uuid.length !== 16) throw new RangeError(`a uuid of ${message.uuid.length} bytes`);
    const row = this.#startRow(message.timestamp, message.uuid, 0);
    const values = headerValues(message);
    for (let i = 0; i < values.length; i++) this.#addHeader(i, row, values[i]);
    let previous = -1;
    for (const field of message.fields) previous = this.#addField(previous, row, field);
  }

  /** Adds row `row` of a batch: the same as `append(batch.message(row))`, without making that message. */
  appendRow(batch: MessageBatch, row: number): void {
    if (!(row >= 0 && row < batch.length)) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
    if (this.#source !== batch) this.#begin(batch);
    const at = this.#startRow(batch.timestamps[row] as bigint, batch.uuids, row * 16);
    for (let i = 0; i < OPTIONAL_HEADERS.length; i++) this.#addHeader(i, at, this.#sourceHeaders[i]?.(row));
    let previous = -1;
    const index = this.#sourceIndex;
    if (index === null) {
      for (const column of batch.fields) {
        const entry = entryOf(column.rows, row);
        if (entry >= 0) previous = this.#copyEntry(previous, at, column, entry);
      }
      return;
    }
    for (let i = index.start(row); i < index.end(row); i++) {
      previous = this.#copyEntry(previous, at, batch.fields[index.columnAt(i)] as FieldColumn, index.entryAt(i));
    }
  }

  /** The messages added since the last `build` as a batch; the builder is empty then. */
  build(): MessageBatch {
    const length = this.#length;
    const headers = OPTIONAL_HEADERS.map(({ member }, i) => [member, this.#headers[i]?.finish(length)]);
    const batch = new MessageBatch({
      length,
      timestamps: this.#timestamps.slice(0, length),
      uuids: this.#uuids.slice(0, length * 16),
      ...(Object.fromEntries(headers) as HeaderColumns),
      fields: this.#table.columns.map((column) => column.finish(length)),
    });
    this.#length = 0;
    this.#weight = 0;
    this.#headers = newHeaders();
    this.#table = newTable();
    this.#source = null;
    this.#sourceHeaders = [];
    this.#sourceIndex = null;
    return batch;
  }

  #startRow(timestamp: bigint, uuids: Uint8Array, from: number): number {
    const row = this.#length++;
    if (row === this.#timestamps.length) this.#grow();
    this.#timestamps[row] = timestamp;
    const at = row * 16;
    for (let i = 0; i < 16; i++) this.#uuids[at + i] = uuids[from + i] as number;
    return row;
  }

  #grow(): void {
    const timestamps = new BigInt64Array(this.#timestamps.length * 2);
    timestamps.set(this.#timestamps);
    this.#timestamps = timestamps;
    const uuids = new Uint8Array(this.#uuids.length * 2);
    uuids.set(this.#uuids);
    this.#uuids = uuids;
  }

  #addHeader(place: number, row: number, value: string | number | undefined): void {
    const sink = this.#headers[place];
    if (typeof value === 'string') {
      this.#weight += value.length;
      (sink as TextHeaderSink).add(row, value);
    } else if (value !== undefined) (sink as IntHeaderSink).add(row, value);
  }

  #addField(previous: number, row: number, field: Field): number {
    const column = this.#table.place(previous, field.name, field.valueType, field.representation ?? null);
    switch (field.valueType) {
      case ValueType.STRING:
        for (const value of field.values) this.#addString(column, value);
        break;
      case ValueType.BYTES:
        for (const value of field.values) this.#addBytes(column, value);
        break;
      case ValueType.INTEGER:
        for (const value of field.values) column.integers.push(value);
        break;
      case ValueType.DOUBLE:
        for (const value of field.values) column.numbers.push(value);
        break;
      case ValueType.BOOL:
        for (const value of field.values) column.numbers.push(value ? 1 : 0);
        break;
    }
    return this.#closeField(column, row);
  }

  #copyEntry(previous: number, row: number, source: FieldColumn, entry: number): number {
    const column = this.#table.place(previous, source.name, source.valueType, source.representation);
    const from = source.offsets === null ? entry : (source.offsets[entry] as number);
    const to = source.offsets === null ? entry + 1 : (source.offsets[entry + 1] as number);
    switch (source.valueType) {
      case ValueType.STRING: {
        const { text, starts, ends } = source.values;
        for (let i = from; i < to; i++) this.#addString(column, text.slice(starts[i], ends[i]));
        break;
      }
      case ValueType.BYTES: {
        const { bytes, starts, ends } = source.values;
        for (let i = from; i < to; i++) this.#addBytes(column, bytes.subarray(starts[i], ends[i]));
        break;
      }
      case ValueType.INTEGER:
        for (let i = from; i < to; i++) column.integers.push(source.values[i] as bigint);
        break;
      case ValueType.DOUBLE:
      case ValueType.BOOL:
        for (let i = from; i < to; i++) column.numbers.push(source.values[i] as number);
        break;
    }
    return this.#closeField(column, row);
  }

  #addString(column: FieldSink, value: string): void {
    this.#weight += value.length;
    column.text.add(value);
  }

  #addBytes(column: FieldSink, value: Uint8Array): void {
    this.#weight += value.length;
    column.bytes.add(value);
  }

  #closeField(column: FieldSink, row: number): number {
    column.close(row);
    return column.index;
  }

  #begin(batch: MessageBatch): void {
    this.#source = batch;
    this.#sourceHeaders = headerReaders(batch);
    this.#sourceIndex = batch.fields.length <= MANY_COLUMNS ? null : new RowIndex(batch.fields, batch.length);
  }
}

function newTable(): ColumnTable<FieldSink> {
  return new ColumnTable((index, name, valueType, representation) => new FieldSink(index, name, valueType, representation));
}

const newHeaders = () => OPTIONAL_HEADERS.map(({ kind }) => (kind === 'text' ? new TextHeaderSink() : new IntHeaderSink()));

/** The batch of these messages, in order. */
export function batchOf(messages: Iterable<Message>): MessageBatch {
  const builder = new BatchBuilder();
  for (const message of messages) builder.append(message);
  return builder.build();
}
