import { headerNamed } from '../../api/headers.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { RAW_FIELD, type FieldColumn, type IntColumn, type TextColumn } from '../../message/batch/columns.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import { ValueType } from '../../message/types.ts';

import { FieldCodes } from './field-codes.ts';
import { NumberCounts } from './number-counts.ts';
import { TextParts } from './text-parts.ts';

/** Headers that are compared. The log that a record is of is a side of its own, and processes get other numbers. */
const HEADERS = ['Type', 'Severity', 'Hostname', 'EnvVersion', 'Payload'].flatMap((name) => headerNamed(name) ?? []);
/** Fields that are compared: a stream that invents names must not take all memory. */
const MOST_FIELDS = 300;

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

/** The entries of one column. */
export type VisitColumn = (field: ComparedField, column: FieldColumn, count: number) => void;

/** The fields of all records, by name and type. */
export class FieldTable {
  readonly fields = new Map<string, ComparedField>();
  readonly #without: ReadonlySet<string>;
  #codes = new Int32Array(4096);

  /** @param without names that are not compared */
  constructor(without: readonly string[]) {
    this.#without = new Set(without);
  }

  /** Calls back for each column of a batch that is compared; a header that all rows have is a column of one entry for each. */
  each(batch: MessageBatch, visit: VisitColumn): void {
    for (const column of batch.fields) {
      if (column.name === RAW_FIELD || column.valueType === ValueType.BYTES) continue;
      const field = this.#fieldOf(column.name, false, column.valueType);
      if (field !== null) visit(field, column, column.rows?.length ?? batch.length);
    }
    for (const header of HEADERS) {
      const { name, kind } = header;
      if (kind !== 'text' && kind !== 'int') continue;
      const column: TextColumn | IntColumn | null = batch[header.member];
      if (column === null) continue;
      const field = this.#fieldOf(name, true, kind === 'text' ? ValueType.STRING : ValueType.DOUBLE);
      if (field !== null)
        visit(
          field,
          asField(name, column, batch.length),
          column.constant === undefined ? (column.rows?.length ?? batch.length) : batch.length,
        );
    }
  }

  /** Looks into the texts that have patterns. @param records of both sides @returns whether there are parts of them to be compared */
  findParts(records: number): boolean {
    for (const { codes } of this.fields.values()) {
      if (codes.mode !== 'patterns') continue;
      const parts = new TextParts(codes, records);
      if (!parts.isEmpty) codes.parts = parts;
    }
    return [...this.fields.values()].some(({ codes }) => codes.parts !== null);
  }

  /** Calls back for each part of the texts of a batch. */
  eachPart(batch: MessageBatch, visit: VisitColumn): void {
    this.each(batch, ({ codes: { parts }, codes: field }, column, count) => {
      if (parts === null || column.valueType !== ValueType.STRING) return;
      if (this.#codes.length < count) this.#codes = new Int32Array(count);
      field.fill(column, count, this.#codes, false);
      parts.each(column, count, this.#codes, visit);
    });
  }

  /** All fields, and the parts of texts. */
  *all(): Generator<ComparedField> {
    for (const field of this.fields.values()) {
      yield field;
      yield* field.codes.parts?.fields ?? [];
    }
  }

  #fieldOf(name: string, isHeader: boolean, valueType: FieldColumn['valueType']): ComparedField | null {
    if (this.#without.has(name)) return null;
    const key = `${isHeader ? 'h' : 'f'}${valueType} ${name}`;
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    if (this.fields.size >= MOST_FIELDS) return null;
    const isNumber = !isHeader && (valueType === ValueType.INTEGER || valueType === ValueType.DOUBLE);
    const field = { codes: new FieldCodes(name, isHeader, valueType), numbers: isNumber ? new NumberCounts() : null };
    this.fields.set(key, field);
    return field;
  }
}

/** A column of a header as one of a field. */
function asField(name: string, column: TextColumn | IntColumn, length: number): FieldColumn {
  const base = { name, representation: null, offsets: null };
  if (column.constant !== undefined) {
    const { constant } = column;
    if (typeof constant === 'number')
      return { ...base, rows: null, valueType: ValueType.DOUBLE, values: new Float64Array(length).fill(constant) };
    const values = { text: constant, starts: new Uint32Array(length), ends: new Uint32Array(length).fill(constant.length) };
    return { ...base, rows: null, valueType: ValueType.STRING, values };
  }
  if ('values' in column) return { ...base, rows: column.rows, valueType: ValueType.DOUBLE, values: Float64Array.from(column.values) };
  return { ...base, rows: column.rows, valueType: ValueType.STRING, values: column };
}
