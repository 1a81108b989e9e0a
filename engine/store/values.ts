import { headerNamed } from '../api/headers.ts';
import { isWrittenNumber } from '../base/text/written-number.ts';
import { headerReader as batchHeader, type MessageBatch } from '../message/batch/batch.ts';
import { entryOf, type FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';

/** Reads one value of a row as text; null: the row has none. */
export type ValueReader = (row: number) => string | null;

/**
 * Reads the first value of a variable, row after row, as fast as the columns allow.
 * @param variable a header (`Hostname`), a field (`Fields[status]`) or a bare field name
 */
export function valueReader(batch: MessageBatch, variable: string): ValueReader {
  const header = headerReader(batch, variable);
  if (header !== null) return (row) => header(row)?.toString() ?? null;
  return firstReader(batch, variable, fieldReader);
}

/** Reads a header of messages, row after row; null: the variable is none. */
export function headerReader(batch: MessageBatch, variable: string): ((row: number) => string | number | null) | null {
  const header = headerNamed(variable);
  if (header?.kind !== 'text' && header?.kind !== 'int') return null;
  const read = batchHeader(batch, header);
  return (row) => read(row) ?? null;
}

/** Reads the first value of a field, whichever of its columns a row has it in. */
export function firstReader<T>(batch: MessageBatch, variable: string, readerOf: (column: FieldColumn) => (row: number) => T | null) {
  const name = fieldName(variable);
  const readers = batch.fields.filter((column) => column.name === name).map(readerOf);
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only;
  return (row: number): T | null => {
    for (const read of readers) {
      const value = read(row);
      if (value !== null) return value;
    }
    return null;
  };
}

/** A copy of a text that was cut from a longer one: to keep a piece would keep all of the text in memory. */
export function ownText(piece: string): string {
  return ` ${piece}`.slice(1);
}

/** Reads the first value of a variable as a number, row after row, also from a text; NaN: the row has none. */
export function numberReader(batch: MessageBatch, variable: string): (row: number) => number {
  const direct = directNumbers(batch, variable);
  if (direct !== null) return direct;
  const read = valueReader(batch, variable);
  return (row) => {
    const text = read(row);
    return text !== null && isWrittenNumber(text) ? Number(text) : NaN;
  };
}

/** Reads a field whose values are all numbers without making texts of them; null: it is not such a field. */
function directNumbers(batch: MessageBatch, variable: string): ((row: number) => number) | null {
  if (headerNamed(variable) !== undefined) return null;
  const name = fieldName(variable);
  const [column, ...others] = batch.fields.filter((one) => one.name === name);
  if (others.length > 0 || (column?.valueType !== ValueType.INTEGER && column?.valueType !== ValueType.DOUBLE)) return null;
  const { rows, offsets, values } = column;
  return (row) => {
    const entry = entryOf(rows, row);
    if (entry < 0) return NaN;
    const at = offsets === null ? entry : (offsets[entry] as number);
    const value = offsets !== null && at === offsets[entry + 1] ? NaN : Number(values[at]);
    return Number.isFinite(value) ? value : NaN;
  };
}

/** `status` of `Fields[status]`; a name without that is one already. */
export function fieldName(variable: string): string {
  return /^Fields\[(.*?)\]/s.exec(variable)?.[1] ?? variable;
}

/** Whether a field of this name holds the status codes of HTTP (RFC 9110, section 15). */
export function isStatusName(name: string): boolean {
  return name === 'status' || name.endsWith('_status');
}

/** Reads the first value of a field, row after row. */
export function fieldReader(column: FieldColumn): ValueReader {
  const { rows, offsets } = column;
  const text = entryReader(column);
  return (row) => {
    const entry = entryOf(rows, row);
    if (entry < 0) return null;
    if (offsets === null) return text(entry);
    const from = offsets[entry] as number;
    return from === offsets[entry + 1] ? null : text(from);
  };
}

function entryReader(column: FieldColumn): (at: number) => string {
  switch (column.valueType) {
    case ValueType.STRING: {
      const { text, starts, ends } = column.values;
      return (at) => text.slice(starts[at], ends[at]);
    }
    case ValueType.BYTES: {
      const { bytes, starts, ends } = column.values;
      return (at) => Buffer.from(bytes.subarray(starts[at], ends[at])).toString('hex');
    }
    case ValueType.INTEGER: {
      const { values } = column;
      return (at) => String(values[at]);
    }
    case ValueType.DOUBLE: {
      const { values } = column;
      return (at) => String(values[at]);
    }
    case ValueType.BOOL: {
      const { values } = column;
      return (at) => (values[at] === 1 ? 'true' : 'false');
    }
  }
}
