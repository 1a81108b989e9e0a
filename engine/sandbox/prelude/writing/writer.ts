import { clampInt64 } from '../../../message/int64.ts';
import { Origin, type OutField } from '../../contract/protocol.ts';
import { kindOf } from '../arguments.ts';
import { charge } from '../counter.ts';
import { outputLimitError } from '../errors.ts';
import { grown32 } from '../grow.ts';
import { isArray, trunc } from '../intrinsics.ts';
import { int64Of } from '../numbers.ts';
import { addBlock, beginMessage, endMessage, type FieldBlock } from './output.ts';
import { clearPayload, noteOutput } from './payload.ts';
import { slicedText, slicing } from '../reading/read.ts';
import {
  BOOL,
  DOUBLE,
  HOSTNAME,
  INTEGER,
  LOGGER,
  newRowMessage,
  PAYLOAD,
  PID,
  SEVERITY,
  STRING,
  TYPE,
  type RowMessage,
  type RowValue,
} from '../reading/row-message.ts';
import { encodedSize } from '../size.ts';
import { state } from '../state/state.ts';
import { now } from '../table.ts';
import { WriterHeaders } from './writer-headers.ts';
import { newColumn, type ColumnType, type WriterColumn } from './writer-column.ts';

/** Bytes of a message beside its fields, at most. */
const BASE_BYTES = 80;
const COLUMN_BYTES = 24;
/** Steps charged for a column. */
const COLUMN_STEPS = 100;

/** A unit of a text takes this many bytes at most. */
const UNIT_BYTES = 3;

const time = new BigInt64Array(1);
const halves = new Int32Array(time.buffer);

/** Type of the elements of a list, by column type. */
const LIST_KINDS = { [STRING]: 'string', [DOUBLE]: 'number', [INTEGER]: 'bigint', [BOOL]: 'boolean' } as const;

/** Something was written that is neither injected nor discarded. */
let dirty: MessageWriter | null = null;

function setDirty(writer: MessageWriter): void {
  dirty = writer;
}

/** Begins a row: what the last one left unfinished is gone. */
export function dropUnfinished(): void {
  if (dirty !== null) dirty.discard();
}

/** `message_writer` of the scripts' interface. */
export function message_writer(columns: unknown): MessageWriter {
  if (!isArray(columns)) throw new TypeError('message_writer: the columns must be a list');
  const writer = new MessageWriter(columns);
  addBlock(blockOf(writer));
  return writer;
}

/** The side of a writer that scripts do not see. */
let blockOf: (writer: MessageWriter) => FieldBlock;

/** `MessageWriter` of the scripts' interface. */
export class MessageWriter {
  static {
    blockOf = (writer) => ({ take: (injected) => writer.#take(injected), cut: (injected) => writer.#cut(injected) });
  }

  readonly #columns: WriterColumn[] = [];
  #overhead = BASE_BYTES;
  /** Messages since the last result, and the number of each among all messages. */
  #count = 0;
  #numbers = new Uint32Array(64);
  /** Number of code units in the message's texts, and approximate number of bytes of its numbers. */
  #units = 0;
  #numberBytes = 0;
  #timed = false;
  #low = 0;
  #high = 0;
  readonly #headers = new WriterHeaders();

  constructor(columns: readonly unknown[]) {
    for (let i = 0; i < columns.length; i++) this.#add(columns[i], i);
  }

  addColumn(column: unknown, at: unknown = this.#columns.length): void {
    this.#add(column, at);
  }

  #add(column: unknown, at: unknown): void {
    const added = newColumn(column);
    const place = typeof at === 'number' ? trunc(at) : -1;
    if (!(place >= 0 && place <= this.#columns.length)) throw new RangeError('addColumn: there is no such place');
    charge(COLUMN_STEPS);
    for (let i = this.#columns.push(added) - 1; i > place; i--) this.#columns[i] = this.#columns[i - 1] as WriterColumn;
    this.#columns[place] = added;
    this.#overhead += COLUMN_BYTES + 3 * (added.name.length + (added.representation?.length ?? 0));
  }

  #column(caller: string, column: number, type: ColumnType): WriterColumn {
    const target = this.#columns[column];
    if (target === undefined || target.type !== type) throw new RangeError(`${caller}: there is no such column ${column}`);
    if (dirty !== this) this.#begin();
    return target;
  }

  #begin(): void {
    if (state.row < 0) throw new Error('a message writer works only in process_message');
    if (dirty !== null) dirty.discard();
    setDirty(this);
    if (this.#count === this.#numbers.length) this.#numbers = grown32(this.#numbers, this.#count + 1);
  }

  slice(column: number, start: number, end: number): void {
    const target = this.#column('slice', column, STRING);
    const { input } = slicing;
    if (!(start >= 0 && start <= end && end <= slicing.length)) throw new RangeError('slice: outside of the payload');
    this.#units += end - start;
    if (input >= 0) target.slice(this.#count, input, start, end);
    else target.text(this.#count, slicedText(start, end));
  }

  text(column: number, value: string): void {
    const target = this.#column('text', column, STRING);
    if (typeof value !== 'string') throw new TypeError(`text: a string, not ${kindOf(value)}`);
    this.#units += value.length;
    target.text(this.#count, value);
  }

  number(column: number, value: number): void {
    const target = this.#column('number', column, DOUBLE);
    if (typeof value !== 'number') throw new TypeError(`number: a number, not ${kindOf(value)}`);
    target.number(this.#count, value);
  }

  integer(column: number, value: bigint): void {
    const target = this.#column('integer', column, INTEGER);
    if (typeof value !== 'bigint') throw new TypeError(`integer: a BigInt, not ${kindOf(value)}`);
    target.integer(this.#count, value);
  }

  bool(column: number, value: boolean): void {
    const target = this.#column('bool', column, BOOL);
    if (typeof value !== 'boolean') throw new TypeError(`bool: a boolean, not ${kindOf(value)}`);
    target.bool(this.#count, value);
  }

  list(column: number, values: readonly unknown[]): void {
    const type = this.#columns[column]?.type ?? STRING;
    const target = this.#column('list', column, type);
    const wanted = LIST_KINDS[type];
    if (!isArray(values) || values.length === 0) throw new TypeError('list: a list that is not empty');
    const copy: RowValue[] = [];
    for (let i = 0; i < values.length; i++) {
      const value: unknown = values[i];
      if (typeof value !== wanted) throw new TypeError(`list: ${wanted}s only, not ${kindOf(value)}`);
      copy.push(rowValue(value as string | number | bigint | boolean));
      if (type === STRING) this.#units += (value as string).length + 2;
      else this.#numberBytes += 8;
    }
    target.list(this.#count, copy);
  }

  timestamp(ns: number | bigint): void {
    if (dirty !== this) this.#begin();
    if (typeof ns === 'number' && ns >= 0 && ns < 2 ** 63) {
      const whole = trunc(ns);
      this.#high = trunc(whole / 4294967296);
      this.#low = whole - this.#high * 4294967296;
    } else {
      if (typeof ns !== 'number' && typeof ns !== 'bigint') throw new TypeError(`timestamp: nanoseconds, not ${kindOf(ns)}`);
      this.#setTime(typeof ns === 'bigint' ? clampInt64(ns) : int64Of(ns));
    }
    this.#timed = true;
  }

  #setTime(ns: bigint): void {
    time[0] = ns;
    this.#low = halves[0] as number;
    this.#high = halves[1] as number;
  }

  type(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`type: a string, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(TYPE, value);
  }

  payload(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`payload: a string, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(PAYLOAD, value);
  }

  payloadSlice(start: number, end: number): void {
    if (dirty !== this) this.#begin();
    const { input } = slicing;
    if (!(start >= 0 && start <= end && end <= slicing.length)) throw new RangeError('payloadSlice: outside of the payload');
    if (input < 0) this.#headers.set(PAYLOAD, slicedText(start, end));
    else this.#headers.setPayloadPiece(input, start, end);
  }

  logger(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`logger: a string, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(LOGGER, value);
  }

  hostname(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`hostname: a string, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(HOSTNAME, value);
  }

  severity(value: number): void {
    if (typeof value !== 'number') throw new TypeError(`severity: a number, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(SEVERITY, value | 0);
  }

  pid(value: number): void {
    if (typeof value !== 'number') throw new TypeError(`pid: a number, not ${kindOf(value)}`);
    if (dirty !== this) this.#begin();
    this.#headers.set(PID, value | 0);
  }

  inject(): void {
    if (dirty !== this) this.#begin();
    this.#checkSize();
    clearPayload();
    if (!this.#timed) this.#setTime(now());
    const number = beginMessage(this.#low, this.#high);
    this.#numbers[this.#count] = number;
    this.#headers.write(number);
    this.#count++;
    endMessage(Origin.TABLE);
    this.#reset();
  }

  /** A message that is surely small enough is not gone through. */
  #checkSize(): void {
    const limit = state.setup.output;
    const headers = this.#headers.units();
    const rest = this.#overhead + this.#numberBytes;
    const least = this.#units + headers + rest;
    const isLarge = limit > 0 && (this.#units + headers) * UNIT_BYTES + rest >= limit;
    const size = isLarge ? encodedSize(this.#message(), limit) : least;
    const tooLarge = limit > 0 && size >= limit;
    if (size > 4096) charge((tooLarge ? limit : size) >> 6);
    if (tooLarge) throw outputLimitError('inject', limit);
    noteOutput(size);
  }

  /** The message as it would be injected as a table. */
  #message(): RowMessage {
    time[0] = 0n;
    halves[0] = this.#low;
    halves[1] = this.#high;
    const message = newRowMessage(this.#timed ? time[0] : now());
    this.#headers.fill(message);
    for (let i = 0; i < this.#columns.length; i++) {
      const field = (this.#columns[i] as WriterColumn).field(this.#count);
      if (field !== null) message.fields.push(field);
    }
    return message;
  }

  discard(): void {
    for (let i = 0; i < this.#columns.length; i++) (this.#columns[i] as WriterColumn).clear(this.#count, this.#count + 1);
    this.#reset();
  }

  #reset(): void {
    dirty = null;
    this.#units = 0;
    this.#numberBytes = 0;
    this.#timed = false;
    this.#headers.reset();
  }

  #take(injected: number): OutField[] {
    if (dirty === this) this.discard();
    const fields: OutField[] = [];
    for (let i = 0; i < this.#columns.length; i++) {
      const taken = (this.#columns[i] as WriterColumn).take(this.#count, this.#numbers, injected);
      for (let k = 0; k < taken.length; k++) fields.push(taken[k] as OutField);
    }
    this.#count = 0;
    return fields;
  }

  #cut(injected: number): void {
    const count = this.#count;
    while (this.#count > 0 && (this.#numbers[this.#count - 1] as number) >= injected) this.#count--;
    for (let i = 0; i < this.#columns.length; i++) (this.#columns[i] as WriterColumn).clear(this.#count, count + 1);
  }
}

function rowValue(value: string | number | bigint | boolean): RowValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'bigint' ? clampInt64(value) : value;
}
