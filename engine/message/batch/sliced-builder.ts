import { MessageBatch } from './batch.ts';
import { ColumnTable } from './column-table.ts';
import type { LatinText } from '../latin-text.ts';
import { BEHIND, NumberHeader, SlicedColumn, SlicedHeader, type Backing } from './sliced-columns.ts';
import { ValueType, type Field, type Message } from '../types.ts';

const FIRST_ROWS = 512;
/** Columns that a builder keeps from one batch to the next. */
const MOST_KEPT = 256;

/**
 * Collects messages whose texts are pieces of one text, such as a chunk of a file: a reader adds them by their places there, without making strings or
 * objects. Texts that are not in it as they are, such as escaped ones, are kept behind it. A row that a reader cannot complete is undone.
 */
export class SlicedBuilder {
  readonly type = new SlicedHeader();
  readonly logger = new SlicedHeader();
  readonly severity = new NumberHeader();
  readonly payload = new SlicedHeader();
  readonly envVersion = new SlicedHeader();
  readonly pid = new NumberHeader();
  readonly hostname = new SlicedHeader();
  readonly #headers = [this.type, this.logger, this.severity, this.payload, this.envVersion, this.pid, this.hostname];
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
    for (const header of this.#headers) header.undo(row);
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
    this.#addText(this.type, row, message.type);
    this.#addText(this.logger, row, message.logger);
    this.#addText(this.payload, row, message.payload);
    this.#addText(this.envVersion, row, message.envVersion);
    this.#addText(this.hostname, row, message.hostname);
    if (message.severity !== undefined) this.severity.add(row, message.severity);
    if (message.pid !== undefined) this.pid.add(row, message.pid);
    let previous = -1;
    for (const field of message.fields) previous = this.#addField(previous, row, field);
  }

  /**
   * The messages added since the last call; the builder is empty then.
   * @param text the one that values are pieces of
   * @param from the place that its first unit had when values were added
   */
  build(text: string | LatinText, from = 0): MessageBatch {
    const length = this.#length;
    const backing = this.#backing(text, from);
    const { columns } = this.#table;
    const batch = new MessageBatch({
      length,
      timestamps: this.#timestamps.slice(0, length),
      uuids: this.#uuids.slice(0, length * 16),
      type: this.type.finish(length, backing),
      logger: this.logger.finish(length, backing),
      payload: this.payload.finish(length, backing),
      envVersion: this.envVersion.finish(length, backing),
      hostname: this.hostname.finish(length, backing),
      severity: this.severity.finish(length),
      pid: this.pid.finish(length),
      fields: columns.filter(({ entries }) => entries > 0).map((column) => column.finish(length, backing)),
    });
    // Streams repeat the same columns; others begin anew.
    if (columns.length > MOST_KEPT || columns.some(({ entries }) => entries === 0)) this.#table = newTable();
    for (const sink of [...this.#headers, ...this.#table.columns]) sink.clear();
    this.#length = 0;
    this.#behind = [];
    this.#behindLength = 0;
    return batch;
  }

  #backing(given: string | LatinText, from: number): Backing {
    if (this.#behindLength === 0) return { text: given, from, behind: 0 };
    const text = typeof given === 'string' ? given : given.text;
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

  #addText(header: SlicedHeader, row: number, value: string | undefined): void {
    if (value === undefined) return;
    const start = this.keep(value);
    header.add(row, start, start + value.length);
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
