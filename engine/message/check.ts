import type { MessageBatch } from './batch/batch.ts';
import { INTS, TEXTS } from '../api/headers.ts';
import type { FieldColumn, IntColumn, TextColumn } from './batch/columns.ts';
import { backingOf } from './latin-text.ts';
import { ValueType } from './types.ts';

/** Bytes that are no batch, or a batch whose columns contradict each other. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/**
 * Checks everything that code relies on when it reads a batch: lengths, rows, offsets, pieces of texts, bools. Throws a WireError that
 * names the column. Takes about a nanosecond a value.
 */
export function checkBatch(batch: MessageBatch): void {
  const { length } = batch;
  must(batch.timestamps.length === length, 'timestamps', 'has another length than the batch');
  const uuids = batch.knownUuids;
  must(uuids === null || uuids.length === length * 16, 'uuids', 'has another length than the batch');
  for (const { member } of TEXTS) checkText(batch[member], length, member);
  for (const { member } of INTS) checkInts(batch[member], length, member);
  for (const [i, column] of batch.fields.entries()) checkField(column, length, i);
}

function checkText(column: TextColumn | null, length: number, name: string): void {
  if (column === null || column.constant !== undefined) return;
  checkRows(column.rows, length, name);
  must(column.starts.length === (column.rows?.length ?? length), name, 'has another number of values than of entries');
  checkPieces(column.starts, column.ends, backingOf(column).length, name);
}

function checkInts(column: IntColumn | null, length: number, name: string): void {
  if (column === null || column.constant !== undefined) return;
  checkRows(column.rows, length, name);
  must(column.values.length === (column.rows?.length ?? length), name, 'has another number of values than of entries');
}

function checkField(column: FieldColumn, length: number, index: number): void {
  const name = `field column ${index}`;
  checkRows(column.rows, length, name);
  const entries = column.rows?.length ?? length;
  must(entries > 0 || length === 0, name, 'has no entry');
  const count = checkValues(column, name);
  if (column.offsets === null) must(count === entries, name, 'has another number of values than of entries');
  else checkOffsets(column.offsets, entries, count, name);
}

/** Returns the number of values of the column. */
function checkValues(column: FieldColumn, name: string): number {
  switch (column.valueType) {
    case ValueType.STRING:
      checkPieces(column.values.starts, column.values.ends, backingOf(column.values).length, name);
      return column.values.starts.length;
    case ValueType.BYTES:
      checkPieces(column.values.starts, column.values.ends, column.values.bytes.length, name);
      return column.values.starts.length;
    case ValueType.INTEGER:
    case ValueType.DOUBLE:
      return column.values.length;
    case ValueType.BOOL:
      checkBools(column.values, name);
      return column.values.length;
    default:
      throw new WireError(`${name} has an unknown value type`);
  }
}

function checkBools(values: Uint8Array, name: string): void {
  for (let i = 0; i < values.length; i++) must((values[i] as number) <= 1, name, 'has a bool that is neither 0 nor 1');
}

function checkPieces(starts: Uint32Array, ends: Uint32Array, length: number, name: string): void {
  must(starts.length === ends.length, name, 'has another number of starts than of ends');
  for (let i = 0; i < starts.length; i++) {
    const end = ends[i] as number;
    if ((starts[i] as number) > end || end > length) throw new WireError(`${name} has a value outside of its text`);
  }
}

function checkRows(rows: Uint32Array | null, length: number, name: string): void {
  if (rows === null) return;
  let previous = -1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row <= previous) throw new WireError(`${name} has rows that do not ascend`);
    previous = row;
  }
  must(previous < length, name, 'has a row that the batch does not have');
}

function checkOffsets(offsets: Uint32Array, entries: number, count: number, name: string): void {
  must(offsets.length === entries + 1 && offsets[0] === 0, name, 'has offsets that do not fit its entries');
  for (let i = 1; i < offsets.length; i++) {
    if ((offsets[i] as number) < (offsets[i - 1] as number)) throw new WireError(`${name} has offsets that do not ascend`);
  }
  must(offsets[entries] === count, name, 'has offsets that do not end at its values');
}

function must(condition: boolean, name: string, what: string): void {
  if (!condition) throw new WireError(`${name} ${what}`);
}
