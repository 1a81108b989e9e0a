import type { MessageBatch } from '../../message/batch/batch.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import type { WantedColumns } from '../../message/batch/wire.ts';
import { ValueType } from '../../message/types.ts';
import type { Segment } from '../segment.ts';
import { columnsNamed } from '../wanted.ts';
import { NO_CODE, totalsOf } from './block-counts.ts';
import type { FieldCodes } from './field-codes.ts';
import { FieldTable, type ComparedField, type VisitColumn } from './field-table.ts';
import { TextParts } from './text-parts.ts';

/** Bytes of codes that are kept. Beyond them, columns are read and numbered anew for each use. */
const MOST_BYTES = 128 * 2 ** 20;
type Texts = Extract<FieldColumn, { readonly valueType: 0 }>;

/** The codes of a column. */
interface KeptColumn {
  readonly field: FieldCodes;
  readonly rows: Uint32Array | null;
  readonly count: number;
  /** One number: all entries have it. */
  readonly codes: Uint16Array | number;
  /** Of the codes when these were kept. */
  readonly age: number;
}

/** The entries of one column by their codes, or `NO_CODE`. */
export type VisitCodes = (field: FieldCodes, codes: Uint16Array, count: number, rows: Uint32Array | null) => void;

/** The values of all records by number. They are read and numbered once, and counted; the numbers are kept for what is asked of them later. */
export class CodedRecords {
  readonly #table: FieldTable;
  readonly #kept = new Map<Segment, KeptColumn[]>();
  /** Fields of which not all codes are kept. */
  readonly #partial = new Set<FieldCodes>();
  #room: number;
  #codes = new Uint16Array(4096);
  /** Rows that several columns have. */
  #rows: { readonly of: Uint32Array | null; readonly kept: Uint32Array | null } = { of: null, kept: null };

  /** @param without names of fields that are not compared */
  constructor(without: readonly string[], room = MOST_BYTES) {
    this.#table = new FieldTable(without);
    this.#room = room;
  }

  /** The fields of the records, and behind each of them the parts of its texts. */
  get fields(): readonly ComparedField[] {
    return [...this.#table.fields.values()].flatMap((field) => [field, ...(field.codes.parts?.fields ?? [])]);
  }

  /** Counts the records of a segment by block. */
  count(segment: Segment, stored: MessageBatch, blocks: Uint8Array): void {
    const kept: KeptColumn[] = [];
    this.#kept.set(segment, kept);
    this.#table.each(stored, this.#counting(kept, blocks));
  }

  /** Chooses the parts of texts that are compared. @param records of both sides @returns the columns that have to be read to count them; null: there are none */
  findParts(records: number): WantedColumns | null {
    const texts = [...this.#table.fields.values()].map(({ codes }) => codes).filter(({ mode }) => mode === 'patterns');
    for (const field of texts) {
      const parts = new TextParts(field, records);
      if (!parts.isEmpty) field.parts = parts;
    }
    return this.columnsFor(
      [],
      texts.filter(({ parts }) => parts !== null),
    );
  }

  /** Counts the parts of the texts of a segment by block. */
  countParts(segment: Segment, stored: MessageBatch, blocks: Uint8Array): void {
    this.#eachPart(segment, stored, () => true, this.#counting(this.#kept.get(segment) as KeptColumn[], blocks));
  }

  /** The columns that have to be read for the codes of these fields, and for those of which the numbers are wanted; null: none. */
  columnsFor(fields: Iterable<FieldCodes>, numbers: readonly FieldCodes[] = []): WantedColumns | null {
    const read = [...numbers, ...[...fields].filter((field) => !this.#isKept(field))].map((field) => field.within?.field ?? field);
    if (read.length === 0) return null;
    const named = (isHeader: boolean): string[] => read.filter((field) => field.isHeader === isHeader).map(({ name }) => name);
    return columnsNamed(named(true), named(false));
  }

  /** Calls back for the columns of a segment. @param stored the columns that had to be read; null: none */
  each(segment: Segment, stored: MessageBatch | null, isWanted: (field: FieldCodes) => boolean, visit: VisitCodes): void {
    for (const { field, rows, count, codes, age } of this.#kept.get(segment) ?? [])
      if (this.#isKept(field) && isWanted(field)) visit(field, this.#expand(codes, count, field.codesSince(age)), count, rows);
    if (stored === null) return;
    const isRead = (field: FieldCodes): boolean => field.mode !== 'none' && !this.#isKept(field) && isWanted(field);
    const read: VisitColumn = ({ codes: field }, column, count, isSame) => {
      if (isRead(field)) visit(field, this.#fill(field, column, count, isSame), count, column.rows);
    };
    this.#table.each(stored, read);
    this.#eachPart(segment, stored, isRead, read);
  }

  /** Calls back for the columns that were read. */
  eachColumn(segment: Segment, stored: MessageBatch, isWanted: (field: FieldCodes) => boolean, visit: VisitColumn): void {
    const wanted: VisitColumn = (field, ...column) => {
      if (isWanted(field.codes)) visit(field, ...column);
    };
    this.#table.each(stored, wanted);
    this.#eachPart(segment, stored, isWanted, wanted);
  }

  /** Drops what is kept. */
  clear(): void {
    this.#kept.clear();
  }

  #counting(kept: KeptColumn[], blocks: Uint8Array): VisitColumn {
    this.#rows = { of: null, kept: null };
    const totals = totalsOf(blocks);
    return ({ codes: field, numbers }, column, count, isSame) => {
      numbers?.add(column, count, blocks);
      const codes = this.#roomFor(count);
      field.fill(column, isSame ? 1 : count, codes, true);
      if (field.mode === 'none') return;
      if (isSame) field.counts.addAll(codes[0] as number, totals);
      else field.counts.add(codes, count, column.rows, blocks, field.size);
      const one = this.#keep(field, column.rows, codes, count, isSame);
      if (one === null) this.#partial.add(field);
      else kept.push(one);
    };
  }

  #eachPart(segment: Segment, stored: MessageBatch, isWanted: (field: FieldCodes) => boolean, visit: VisitColumn): void {
    this.#table.each(stored, ({ codes: field }, column, count, isSame) => {
      const { parts } = field;
      if (parts === null || column.valueType !== ValueType.STRING) return;
      if (parts.fields.length > 0 && !parts.fields.some(({ codes }) => isWanted(codes))) return;
      const kept = this.#kept.get(segment)?.filter((one) => one.field === field) ?? [];
      const codes =
        kept.length === 1 && this.#isKept(field)
          ? this.#expand((kept[0] as KeptColumn).codes, count, field.codesSince((kept[0] as KeptColumn).age))
          : this.#fill(field, column, count, isSame);
      parts.each(isSame ? repeated(column, count) : column, count, codes, isWanted, visit);
    });
  }

  #isKept(field: FieldCodes): boolean {
    return !field.isLossy && !this.#partial.has(field);
  }

  #fill(field: FieldCodes, column: FieldColumn, count: number, isSame: boolean): Uint16Array {
    const codes = this.#roomFor(count);
    field.fill(column, isSame ? 1 : count, codes, false);
    return isSame ? codes.fill(codes[0] as number, 0, count) : codes;
  }

  #roomFor(count: number): Uint16Array {
    if (this.#codes.length < count) this.#codes = new Uint16Array(count);
    return this.#codes;
  }

  #keep(field: FieldCodes, rows: Uint32Array | null, codes: Uint16Array, count: number, isSame: boolean): KeptColumn | null {
    if (!this.#isKept(field)) return null;
    const isKnown = rows === null || rows === this.#rows.of;
    const size = (isSame ? 0 : 2 * count) + (isKnown ? 0 : 4 * count);
    if (size > this.#room) return null;
    this.#room -= size;
    // The memory of the batch is used for the next one.
    if (!isKnown) this.#rows = { of: rows, kept: rows.slice() };
    const base = { field, rows: rows === null ? null : this.#rows.kept, count, age: field.age };
    return { ...base, codes: isSame ? (codes[0] as number) : codes.slice(0, count) };
  }

  /** @param renumbered the number now of each code; null: they are the same */
  #expand(kept: Uint16Array | number, count: number, renumbered: Int32Array | null): Uint16Array {
    if (typeof kept !== 'number' && renumbered === null) return kept;
    const codes = this.#roomFor(count);
    const now = (code: number): number => (renumbered === null || code === NO_CODE ? code : (renumbered[code] as number));
    if (typeof kept === 'number') return codes.fill(now(kept), 0, count);
    for (let i = 0; i < count; i++) codes[i] = now(kept[i] as number);
    return codes;
  }
}

/** A column of one entry that all rows have, with an entry for each. */
function repeated(column: Texts, count: number): Texts {
  const { starts, ends } = column.values;
  const of = (value: number): Uint32Array => new Uint32Array(count).fill(value);
  return { ...column, values: { ...column.values, starts: of(starts[0] as number), ends: of(ends[0] as number) } };
}
