import { headerNamed } from '../../../api/headers.ts';
import { FIRST_FIELD, HEADER_NAMES } from '../../contract/protocol.ts';
import { fieldName } from '../arguments.ts';
import { batch, textNumbered } from '../batch.ts';
import { noDoubles, noInts, noWords, numberOfWords, TEXT_HEADER, TIME, type InputColumn } from './input-column.ts';
import { DOUBLE, INTEGER, STRING } from './row-message.ts';
import { state } from '../state/state.ts';

const noColumns: InputColumn[] = [];

/** Modes in which a variable is read; -1: not resolved for this batch. */
const UNKNOWN = -1;
const CONSTANT = 0;
const DENSE_DOUBLE = 1;
const DENSE_TEXT = 2;
const DENSE_TIME = 3;
const ANY = 4;

/** A variable that a script has read: kept across batches, resolved again for each. */
class Variable {
  readonly name: string;
  readonly isField: boolean;
  mode = UNKNOWN;
  constant: string | number | null = null;
  column: InputColumn | null = null;
  doubles: Float64Array = noDoubles;
  words: Int32Array = noInts;
  textNumber = -1;
  starts: Uint32Array = noWords;
  ends: Uint32Array = noWords;
  /** Columns of this name in the batch. */
  columns: InputColumn[] = noColumns;

  constructor(name: string, isField: boolean) {
    this.name = name;
    this.isField = isField;
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
      this.textNumber = column.textNumber;
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

/** Fetches the values of these columns, together and by the variable's name, unless they are there. */
function load(name: string, columns: readonly InputColumn[]): void {
  for (let i = 0; i < columns.length; i++) {
    if (!(columns[i] as InputColumn).loaded) {
      state.host.fetch(name);
      return;
    }
  }
}

/** The variable of a name; null for names that no message has. */
function variableOf(name: string): Variable | null {
  let variable = variables.get(name);
  if (variable === undefined) {
    const isField = fieldName(name) !== null;
    if (!isField && headerNamed(name) === undefined) return null;
    variable = new Variable(name, isField);
    variables.set(name, variable);
    firstUsed.push(name);
  }
  return variable;
}

/** The first value of a variable in a row of the batch. */
export function readFirst(name: string, row: number): string | number | boolean | Uint8Array | null {
  const variable = variables.get(name) ?? variableOf(name);
  if (variable === null) return null;
  if (variable.mode === UNKNOWN) variable.resolve();
  switch (variable.mode) {
    case DENSE_DOUBLE:
      return variable.doubles[row] as number;
    case DENSE_TEXT:
      return textNumbered(variable.textNumber).slice(variable.starts[row], variable.ends[row]);
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
  if (!variable.isField) return readFirst(name, row);
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

/** All digits of the Timestamp, or of any value of a field with integers; null for all others. */
export function integerAt(name: string, row: number, fieldIndex: number, arrayIndex: number): bigint | null {
  const variable = variableOf(name);
  if (variable === null || !(variable.isField || name === 'Timestamp')) return null;
  if (variable.mode === UNKNOWN) variable.resolve();
  let instance = 0;
  for (let i = 0; i < variable.columns.length; i++) {
    const column = variable.columns[i] as InputColumn;
    const entry = column.entry(row);
    if (entry < 0 || instance++ !== fieldIndex) continue;
    const isInteger = column.type === INTEGER || column.type === TIME;
    return isInteger && arrayIndex < column.count(entry) ? column.big(entry, arrayIndex) : null;
  }
  return null;
}

/** Headers that are texts read as an empty one when they are unset; the others read as null. */
function unset(name: string): string | null {
  const kind = headerNamed(name)?.kind;
  return kind === 'text' || kind === 'uuid' ? '' : null;
}

/** All columns of the batch, with their values. */
export function allColumns(): readonly InputColumn[] {
  const { columns } = batch;
  if (batch.isWhole) return columns;
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] as InputColumn;
    if (column.loaded || column.constant !== null) continue;
    state.host.fetch('*');
    useAll();
    break;
  }
  batch.isWhole = true;
  return columns;
}

let allUsed = false;

function useAll(): void {
  if (allUsed) return;
  allUsed = true;
  firstUsed.push('*');
}

/** The time of a row, to the nanosecond. */
export function timeOfRow(row: number): bigint {
  readFirst('Timestamp', row);
  return (batch.columns[HEADER_NAMES.indexOf('Timestamp')] as InputColumn).big(row, 0);
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

/** Drops the references to the batch at its beginning and end; each variable is resolved again. */
export function forgetVariables(): void {
  variables.forEach(forget);
}

function forget(variable: Variable): void {
  variable.mode = UNKNOWN;
  variable.constant = null;
  variable.column = null;
  variable.columns = noColumns;
  variable.doubles = noDoubles;
  variable.words = noInts;
  variable.textNumber = -1;
  variable.starts = variable.ends = noWords;
}
