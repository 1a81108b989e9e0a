import { COLUMN_ORDER, OPTIONAL_HEADERS } from '../../../api/headers.ts';
import { ColumnTable } from '../../../message/batch/column-table.ts';
import type { ValueType } from '../../../message/types.ts';
import { Origin, type OutField, type ResultHead } from '../../contract/protocol.ts';
import { announce } from '../block.ts';
import { charge } from '../counter.ts';
import { cutReason } from '../errors.ts';
import { grown32, grown8, grownInt32 } from '../grow.ts';
import { OutFieldColumn, OutInt, OutText } from './out-columns.ts';
import type { RowField, RowMessage } from '../reading/row-message.ts';
import { state } from '../state/state.ts';

/** Columns of a writer, in the order of their fields; they stand behind those of injected tables. */
export interface FieldBlock {
  take(injected: number): OutField[];
  /** Forgets the messages from number `injected` on. */
  cut(injected: number): void;
}

/** Output of a call so far. */
class Output {
  /** Messages with columns. */
  injected = 0;
  /** Source messages that pass as they are. */
  passed = 0;
  /** Rows from which the messages come, by message, injected or passed. */
  origins = new Uint32Array(64);
  kinds = new Uint8Array(64);
  /** By injected message, as two halves. */
  timestamps = new Int32Array(128);
  uuidRows = new Uint32Array(16);
  uuids = new Uint8Array(256);
  uuidCount = 0;
  /** In the order of the values of messages. */
  readonly headers: readonly (OutText | OutInt)[] = OPTIONAL_HEADERS.map(({ kind }) => (kind === 'text' ? new OutText() : new OutInt()));
  table: ColumnTable<OutFieldColumn> = newTable();
  failures: [number, string][] = [];
  /** The kind that all messages have; -1: mixed; -2: no messages yet. */
  uniform = -2;
}

/** Steps charged for each new column, which a script pays for every message when all its messages have different fields. */
const COLUMN_STEPS = 100;

function newTable(): ColumnTable<OutFieldColumn> {
  return new ColumnTable<OutFieldColumn>((index, name, valueType, representation) => {
    charge(COLUMN_STEPS);
    return new OutFieldColumn(index, name, valueType, representation);
  });
}

export const output = new Output();

const blocks: FieldBlock[] = [];

export function addBlock(block: FieldBlock): void {
  blocks.push(block);
}

function addEntry(kind: number): void {
  const at = output.injected + output.passed;
  if (at === output.origins.length) {
    output.origins = grown32(output.origins, at + 1);
    output.kinds = grown8(output.kinds, at + 1);
  }
  output.origins[at] = state.row;
  output.kinds[at] = kind;
  if (output.uniform === -2) output.uniform = kind;
  else if (output.uniform !== kind) output.uniform = -1;
}

/** The message of the current row goes on as it is. */
export function addPassed(): void {
  addEntry(Origin.PASSED);
  output.passed++;
}

/** Begins a message with a time, given as the two halves of an int64, and returns its number. `endMessage` must follow. */
export function beginMessage(low: number, high: number): number {
  const row = output.injected;
  if (row * 2 >= output.timestamps.length) output.timestamps = grownInt32(output.timestamps, row * 2 + 2);
  output.timestamps[row * 2] = low;
  output.timestamps[row * 2 + 1] = high;
  return row;
}

export function endMessage(kind: number): void {
  addEntry(kind);
  output.injected++;
}

const time = new BigInt64Array(1);
const timeHalves = new Int32Array(time.buffer);

/** Adds a message that is complete. */
export function addMessage(message: RowMessage, kind: number): void {
  time[0] = message.timestamp;
  const row = beginMessage(timeHalves[0] as number, timeHalves[1] as number);
  if (message.uuid !== null) addUuid(row, message.uuid);
  for (let i = 0; i < message.headers.length; i++) setHeader(i, row, message.headers[i]);
  let previous = -1;
  for (let i = 0; i < message.fields.length; i++) {
    const field = message.fields[i] as RowField;
    const column = output.table.place(previous, field.name, field.type as ValueType, field.representation);
    column.add(row, field.values);
    previous = column.index;
  }
  endMessage(kind);
}

/** Writes the value of the header at a place; undefined: it is unset. */
export function setHeader(place: number, row: number, value: string | number | undefined): void {
  if (value === undefined) return;
  const column = output.headers[place];
  if (typeof value === 'string') (column as OutText).set(row, value);
  else (column as OutInt).set(row, value);
}

function addUuid(row: number, uuid: Uint8Array): void {
  const at = output.uuidCount;
  if (at === output.uuidRows.length) {
    output.uuidRows = grown32(output.uuidRows, at + 1);
    output.uuids = grown8(output.uuids, (at + 1) * 16);
  }
  output.uuidRows[at] = row;
  output.uuids.set(uuid, at * 16);
  output.uuidCount = at + 1;
}

export function addFailure(reason: string): void {
  output.failures.push([state.row, cutReason(reason)]);
}

/** Takes back what was injected since these counts: the record failed. */
export function rollBack(injected: number, passed: number): void {
  output.injected = injected;
  output.passed = passed;
  while (output.uuidCount > 0 && (output.uuidRows[output.uuidCount - 1] as number) >= injected) output.uuidCount--;
  for (let i = 0; i < output.headers.length; i++) output.headers[i]?.cut(injected);
  for (let i = 0; i < output.table.columns.length; i++) output.table.columns[i]?.cut(injected);
  for (let i = 0; i < blocks.length; i++) blocks[i]?.cut(injected);
}

/** A column table is made anew when most of its columns are of messages long gone. */
const STALE_COLUMNS = 64;
/** Columns of a result that take about a third of the memory that a script has by default. */
const MOST_COLUMNS = 4096;

/** Whether the messages so far have so many columns that the result is to be taken before others add theirs. */
export const isWide = (): boolean => output.table.columns.length >= MOST_COLUMNS;

/** Describes what was collected and empties the collection; the block must be taken next. `rows` is the length of the batch. */
export function takeOutput(rows: number, used: readonly string[]): ResultHead {
  const { injected, passed, uniform, failures } = output;
  const entries = injected + passed;
  const identity = entries === rows && isIdentity(output.origins, entries);
  const fields = takeFields(injected);
  const head: ResultHead = {
    globals: 0,
    used,
    injected,
    passed,
    origins: identity ? -1 : announce(output.origins, entries),
    kinds: uniform === -1 ? announce(output.kinds, entries) : -1,
    origin: uniform === -1 ? 0 : uniform,
    timestamps: announce(output.timestamps, injected * 2),
    uuids: takeUuids(),
    headers: takeHeaders(injected),
    fields,
    failures,
    encoded: null,
    status: null,
    ended: state.ended === null ? null : { ...state.ended, row: state.endedRow },
  };
  output.injected = output.passed = 0;
  output.uniform = -2;
  output.failures = [];
  return head;
}

function isIdentity(origins: Uint32Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (origins[i] !== i) return false;
  return true;
}

function takeUuids(): ResultHead['uuids'] {
  const count = output.uuidCount;
  output.uuidCount = 0;
  return count === 0 ? null : { count, rows: announce(output.uuidRows, count), bytes: announce(output.uuids, count * 16) };
}

/** Places of the headers in the order of their columns. */
const PLACES = COLUMN_ORDER.map((header) => OPTIONAL_HEADERS.indexOf(header));

function takeHeaders(injected: number): ResultHead['headers'] {
  const taken: ResultHead['headers'][number][] = [];
  for (let i = 0; i < PLACES.length; i++) taken.push((output.headers[PLACES[i] as number] as OutText | OutInt).take(injected));
  return taken;
}

function takeFields(injected: number): OutField[] {
  const fields: OutField[] = [];
  const { columns } = output.table;
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] as OutFieldColumn;
    if (column.entries > 0) fields.push(column.take(injected));
  }
  if (isWide() || (columns.length > STALE_COLUMNS && fields.length < columns.length / 2)) output.table = newTable();
  for (let i = 0; i < blocks.length; i++) {
    const taken = (blocks[i] as FieldBlock).take(injected);
    for (let k = 0; k < taken.length; k++) fields.push(taken[k] as OutField);
  }
  return fields;
}
