import { formatUuid } from '../../message/uuid.ts';
import {
  FIRST_FIELD,
  HEADER_NAMES,
  type ColumnPlace,
  type Delivery,
  type FieldInfo,
  type HeaderInfo,
  type ProcessHead,
} from '../protocol.ts';
import { state } from './state.ts';
import { BOOL, BYTES, DOUBLE, INTEGER, STRING } from './row-message.ts';
import { fieldName } from './arguments.ts';

/** What the values of a column are; fields use the numbers of `ValueType`. */
const TEXT_HEADER = 10;
const INT_HEADER = 11;
const TIME = 12;
const UUID = 13;
const headerTypes = [UUID, TIME, TEXT_HEADER, TEXT_HEADER, TEXT_HEADER, TEXT_HEADER, TEXT_HEADER, INT_HEADER, INT_HEADER];

const noWords = new Uint32Array(0);
const noInts = new Int32Array(0);
const noDoubles = new Float64Array(0);
const noBytes = new Uint8Array(0);
const noColumns: InputColumn[] = [];

/** A column of the current batch; without values until its variable is delivered. */
export class InputColumn {
  readonly name: string;
  readonly representation: string | null;
  readonly type: number;
  loaded = false;
  constant: string | number | null = null;
  rows: Uint32Array | null = null;
  offsets: Uint32Array | null = null;
  text = '';
  textNumber = -1;
  starts: Uint32Array = noWords;
  ends: Uint32Array = noWords;
  bytes: Uint8Array = noBytes;
  doubles: Float64Array = noDoubles;
  ints: Int32Array = noInts;
  /** The entry of each row, -1 without one; made for columns that do not have all rows. */
  entries: Int32Array | null = null;

  constructor(name: string, representation: string | null, type: number) {
    this.name = name;
    this.representation = representation;
    this.type = type;
  }

  entry(row: number): number {
    if (this.rows === null) return row;
    return (this.entries ??= entriesOf(this.rows, batch.length))[row] as number;
  }

  /** How many values an entry has. */
  count(entry: number): number {
    return this.offsets === null ? 1 : (this.offsets[entry + 1] as number) - (this.offsets[entry] as number);
  }

  /** A value of an entry as scripts see it, or null. */
  value(entry: number, index: number): string | number | boolean | Uint8Array | null {
    if (index >= this.count(entry)) return null;
    const at = this.offsets === null ? entry : (this.offsets[entry] as number) + index;
    switch (this.type) {
      case STRING:
      case TEXT_HEADER:
        return this.text.slice(this.starts[at], this.ends[at]);
      case BYTES:
        return this.starts[at] === this.ends[at] ? null : copyOf(this.bytes, this.starts[at] as number, this.ends[at] as number);
      case INTEGER:
      case TIME:
        return numberOfWords(this.ints, at);
      case DOUBLE:
        return this.doubles[at] as number;
      case BOOL:
        return this.bytes[at] !== 0;
      case INT_HEADER:
        return this.ints[at] as number;
      default:
        return formatUuid(this.bytes, at * 16);
    }
  }

  /** An int64 value of an entry. */
  big(entry: number, index: number): bigint {
    const at = this.offsets === null ? entry : (this.offsets[entry] as number) + index;
    return (BigInt(this.ints[at * 2 + 1] as number) << 32n) | BigInt((this.ints[at * 2] as number) >>> 0);
  }
}

function entriesOf(rows: Uint32Array, length: number): Int32Array {
  const entries = new Int32Array(length).fill(-1);
  for (let i = 0; i < rows.length; i++) entries[rows[i] as number] = i;
  return entries;
}

export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  for (let i = start; i < end; i++) copy[i - start] = bytes[i] as number;
  return copy;
}

/** An int64 as a double, rounded once. */
function numberOfWords(words: Int32Array, at: number): number {
  return (words[at * 2 + 1] as number) * 4294967296 + ((words[at * 2] as number) >>> 0);
}

interface Batch {
  length: number;
  columns: InputColumn[];
  /** Texts that were delivered, by number. */
  texts: string[];
}

export const batch: Batch = { length: 0, columns: [], texts: [] };

/** How a variable is read; -1: not found out for this batch. */
const UNKNOWN = -1;
const CONSTANT = 0;
const DENSE_DOUBLE = 1;
const DENSE_TEXT = 2;
const DENSE_TIME = 3;
const ANY = 4;

/** A name that a script has read: kept over batches, resolved anew for each. */
class Variable {
  readonly name: string;
  mode = UNKNOWN;
  constant: string | number | null = null;
  column: InputColumn | null = null;
  doubles: Float64Array = noDoubles;
  words: Int32Array = noInts;
  text = '';
  starts: Uint32Array = noWords;
  ends: Uint32Array = noWords;
  /** Columns of this name in the batch. */
  columns: InputColumn[] = noColumns;

  constructor(name: string) {
    this.name = name;
  }

  resolve(): void {
    this.columns = columnsNamed(this.name);
    this.mode = ANY;
    const column = this.columns[0];
    if (column === undefined) {
      this.mode = CONSTANT;
      this.constant = null;
      return;
    }
    load(this.name, this.columns);
    if (this.columns.length > 1) return;
    this.column = column;
    if (column.constant !== null) {
      this.mode = CONSTANT;
      this.constant = column.constant;
    } else if (column.rows === null && column.offsets === null) {
      this.resolveDense(column);
    }
  }

  resolveDense(column: InputColumn): void {
    if (column.type === DOUBLE) {
      this.mode = DENSE_DOUBLE;
      this.doubles = column.doubles;
    } else if (column.type === STRING || column.type === TEXT_HEADER) {
      this.mode = DENSE_TEXT;
      this.text = column.text;
      this.starts = column.starts;
      this.ends = column.ends;
    } else if (column.type === TIME || column.type === INTEGER) {
      this.mode = DENSE_TIME;
      this.words = column.ints;
    }
  }
}

const variables = new Map<string, Variable>();
/** Variables that were read for the first time since the last result. */
let firstUsed: string[] = [];

function columnsNamed(name: string): InputColumn[] {
  const found: InputColumn[] = [];
  const field = fieldName(name);
  for (let i = field === null ? 0 : FIRST_FIELD; i < batch.columns.length; i++) {
    const column = batch.columns[i] as InputColumn;
    if (column.name === (field ?? name)) found.push(column);
    if (field === null && i === FIRST_FIELD - 1) break;
  }
  return found;
}

/** Makes the values of these columns be there. They are asked for together, by the variable's name. */
function load(name: string, columns: readonly InputColumn[]): void {
  for (let i = 0; i < columns.length; i++) {
    if (!(columns[i] as InputColumn).loaded) {
      state.host.fetch(name);
      return;
    }
  }
}

/** A variable as scripts name it; null for names that never have a value. */
function variableOf(name: string): Variable | null {
  let variable = variables.get(name);
  if (variable === undefined) {
    if (fieldName(name) === null && !HEADER_NAMES.includes(name as never)) return null;
    variable = new Variable(name);
    variables.set(name, variable);
    firstUsed.push(name);
  }
  return variable;
}

/** Unset headers: texts read as empty, numbers as null. */
const unsetTexts: readonly string[] = ['Uuid', 'Type', 'Logger', 'Payload', 'EnvVersion', 'Hostname'];

/** The first value of a variable in a row of the batch. */
export function readFirst(name: string, row: number): string | number | boolean | Uint8Array | null {
  const variable = variables.get(name) ?? variableOf(name);
  if (variable === null) return null;
  if (variable.mode === UNKNOWN) variable.resolve();
  switch (variable.mode) {
    case DENSE_DOUBLE:
      return variable.doubles[row] as number;
    case DENSE_TEXT:
      return variable.text.slice(variable.starts[row], variable.ends[row]);
    case DENSE_TIME:
      return numberOfWords(variable.words, row);
    case CONSTANT:
      return variable.constant ?? unset(name);
    default:
      return readAny(variable, row, 0, 0);
  }
}

/** Any value of a variable in a row of the batch. */
export function readIndexed(
  name: string,
  row: number,
  fieldIndex: number,
  arrayIndex: number,
): string | number | boolean | Uint8Array | null {
  const variable = variableOf(name);
  if (variable === null) return null;
  if (variable.mode === UNKNOWN) variable.resolve();
  if (fieldName(name) === null) return readFirst(name, row);
  return readAny(variable, row, fieldIndex, arrayIndex);
}

function readAny(variable: Variable, row: number, fieldIndex: number, arrayIndex: number): string | number | boolean | Uint8Array | null {
  let instance = 0;
  for (let i = 0; i < variable.columns.length; i++) {
    const column = variable.columns[i] as InputColumn;
    const entry = column.entry(row);
    if (entry < 0) continue;
    if (instance++ === fieldIndex) return column.value(entry, arrayIndex);
  }
  return unset(variable.name);
}

function unset(name: string): string | null {
  return unsetTexts.includes(name) ? '' : null;
}

/** All columns of the batch, with their values. */
export function allColumns(): readonly InputColumn[] {
  const { columns } = batch;
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] as InputColumn;
    if (column.loaded || column.constant !== null) continue;
    state.host.fetch('*');
    useAll();
    break;
  }
  return columns;
}

let allUsed = false;

function useAll(): void {
  if (allUsed) return;
  allUsed = true;
  firstUsed.push('*');
}

let payload: Variable | null = null;

/** The column of the payload, for reading by pieces; null when the batch has none. */
export function payloadColumn(): InputColumn | null {
  const variable = (payload ??= variableOf('Payload') as Variable);
  if (variable.mode === UNKNOWN) variable.resolve();
  return variable.column;
}

/** Variables that were read for the first time since the last call of this. */
export function takeUsed(): string[] {
  const used = firstUsed;
  firstUsed = [];
  return used;
}

/** Begins a batch; its delivery must follow. */
export function openBatch(head: ProcessHead): void {
  const columns: InputColumn[] = [];
  for (let i = 0; i < head.headers.length; i++) columns.push(headerColumn(i, head.headers[i] as HeaderInfo));
  for (let i = 0; i < head.fields.length; i++) {
    const { name, representation, type } = head.fields[i] as FieldInfo;
    columns.push(new InputColumn(name, representation, type));
  }
  batch.length = head.length;
  batch.columns = columns;
  batch.texts = [];
  variables.forEach(forget);
}

function forget(variable: Variable): void {
  variable.mode = UNKNOWN;
  variable.constant = null;
  variable.column = null;
  variable.columns = noColumns;
  variable.doubles = noDoubles;
  variable.words = noInts;
  variable.text = '';
  variable.starts = variable.ends = noWords;
}

/** An unset header is a loaded column without entries. */
function headerColumn(index: number, info: HeaderInfo): InputColumn {
  const column = new InputColumn(HEADER_NAMES[index] as string, null, headerTypes[index] as number);
  if (info === null) {
    column.loaded = true;
    column.rows = noWords;
  } else if ('constant' in info) {
    column.loaded = true;
    column.constant = info.constant;
  }
  return column;
}

/** Lets go of the batch, so that nothing of it is held between calls. */
export function closeBatch(): void {
  batch.length = 0;
  batch.columns = [];
  batch.texts = [];
  variables.forEach(forget);
}

/** Puts delivered values into their columns. */
export function acceptDelivery(delivery: Delivery, block: ArrayBuffer, texts: readonly string[]): void {
  for (let i = 0; i < texts.length; i++) batch.texts.push(texts[i] as string);
  for (let i = 0; i < delivery.columns.length; i++) {
    const place = delivery.columns[i] as ColumnPlace;
    fill(batch.columns[place.id] as InputColumn, place, block);
  }
}

function fill(column: InputColumn, place: ColumnPlace, block: ArrayBuffer): void {
  column.loaded = true;
  column.rows = place.rows < 0 ? null : new Uint32Array(block, place.rows, place.entries);
  column.offsets = place.offsets < 0 ? null : new Uint32Array(block, place.offsets, place.entries + 1);
  switch (column.type) {
    case STRING:
    case TEXT_HEADER:
      column.textNumber = place.text;
      column.text = batch.texts[column.textNumber] as string;
      column.starts = new Uint32Array(block, place.values, place.count);
      column.ends = new Uint32Array(block, place.ends, place.count);
      break;
    case BYTES:
      column.bytes = new Uint8Array(block, place.bytes, place.bytesLength);
      column.starts = new Uint32Array(block, place.values, place.count);
      column.ends = new Uint32Array(block, place.ends, place.count);
      break;
    case DOUBLE:
      column.doubles = new Float64Array(block, place.values, place.count);
      break;
    case BOOL:
      column.bytes = new Uint8Array(block, place.values, place.count);
      break;
    case UUID:
      column.bytes = new Uint8Array(block, place.values, place.count * 16);
      break;
    case INT_HEADER:
      column.ints = new Int32Array(block, place.values, place.count);
      break;
    default:
      column.ints = new Int32Array(block, place.values, place.count * 2);
  }
}
