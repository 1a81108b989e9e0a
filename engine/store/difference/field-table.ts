import { headerNamed } from '../../api/headers.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { RAW_FIELD, type FieldColumn, type IntColumn, type TextColumn } from '../../message/batch/columns.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import { ValueType } from '../../message/types.ts';

import { FieldCodes } from './field-codes.ts';
import { NumberCounts } from './number-counts.ts';

/** Headers that are compared. The log that a record is of is a side of its own, and processes get other numbers. */
const HEADERS = ['Type', 'Severity', 'Hostname', 'EnvVersion', 'Payload'].flatMap((name) => headerNamed(name) ?? []);
/** Fields that are compared: a stream that invents names must not take all memory. */
const MOST_FIELDS = 300;
/** Fields with more texts than the others, which take some megabytes each. */
const MOST_WIDE = 12;

/** A field of one type. */
export interface ComparedField {
  readonly codes: FieldCodes;
  /** null: its values are no numbers. */
  readonly numbers: NumberCounts | null;
}

/** The columns that are compared. */
export const COMPARED: WantedColumns = {
  header: (member) => HEADERS.some((one) => one.member === member),
  field: (name) => name !== RAW_FIELD,
};

/** The entries of one column. @param isSame the column has one entry, which all rows have */
export type VisitColumn = (field: ComparedField, column: FieldColumn, count: number, isSame: boolean) => void;

/** The fields of all records, by name and type. */
export class FieldTable {
  readonly fields = new Map<string, ComparedField>();
  readonly #without: ReadonlySet<string>;
  readonly #wide = { left: MOST_WIDE };

  /** @param without names that are not compared */
  constructor(without: readonly string[]) {
    this.#without = new Set(without);
  }

  /** Calls back for each column of a batch that is compared. */
  each(batch: MessageBatch, visit: VisitColumn): void {
    for (const column of batch.fields) {
      if (column.name === RAW_FIELD || column.valueType === ValueType.BYTES) continue;
      const field = this.#fieldOf(column.name, false, column.valueType);
      if (field !== null) visit(field, column, column.rows?.length ?? batch.length, false);
    }
    for (const header of HEADERS) {
      const { name, kind } = header;
      if (kind !== 'text' && kind !== 'int') continue;
      const column: TextColumn | IntColumn | null = batch[header.member];
      if (column === null) continue;
      const field = this.#fieldOf(name, true, kind === 'text' ? ValueType.STRING : ValueType.DOUBLE);
      if (field === null) continue;
      const isSame = column.constant !== undefined;
      visit(field, asField(name, column), isSame ? batch.length : (column.rows?.length ?? batch.length), isSame);
    }
  }

  #fieldOf(name: string, isHeader: boolean, valueType: FieldColumn['valueType']): ComparedField | null {
    if (this.#without.has(name)) return null;
    const key = `${isHeader ? 'h' : 'f'}${valueType} ${name}`;
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    if (this.fields.size >= MOST_FIELDS) return null;
    const isNumber = !isHeader && (valueType === ValueType.INTEGER || valueType === ValueType.DOUBLE);
    const field = { codes: new FieldCodes(name, isHeader, valueType, this.#wide), numbers: isNumber ? new NumberCounts() : null };
    this.fields.set(key, field);
    return field;
  }
}

/** A column of a header as one of a field; of one that all rows have, with one entry. */
function asField(name: string, column: TextColumn | IntColumn): FieldColumn {
  const base = { name, representation: null, offsets: null };
  if (column.constant !== undefined) {
    const { constant } = column;
    if (typeof constant === 'number') return { ...base, rows: null, valueType: ValueType.DOUBLE, values: Float64Array.of(constant) };
    const values = { text: constant, starts: Uint32Array.of(0), ends: Uint32Array.of(constant.length) };
    return { ...base, rows: null, valueType: ValueType.STRING, values };
  }
  if ('values' in column) return { ...base, rows: column.rows, valueType: ValueType.DOUBLE, values: Float64Array.from(column.values) };
  return { ...base, rows: column.rows, valueType: ValueType.STRING, values: column };
}
