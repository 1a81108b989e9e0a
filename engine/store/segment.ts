import { isLaterField } from '../api/rule-fields.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { entryOf, RAW_FIELD, type FieldColumn, type TextColumn, type TextValues } from '../message/batch/columns.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import { backingOf, pieceOf, textHeader } from '../message/latin-text.ts';
import { ValueType } from '../message/types.ts';
import type { Alarms } from './alarms.ts';
import type { AlikeFields } from './alike-fields.ts';
import type { NumberRanges } from './number-ranges.ts';
import type { SharedType } from './record-kind.ts';
import type { TimeSummary } from './summary.ts';

/** Rows of a segment that came from one stream of one source, up to where the next part begins. */
export interface SegmentPart {
  readonly firstRow: number;
  readonly source: number;
  /** Number of the stream within its source: what was written one after the other, such as one of several files. */
  readonly stream: number;
  /** The decoder that made them; null: raw records. */
  readonly decoder: string | null;
  /** Milliseconds since 1970. */
  readonly minTime: number;
  readonly maxTime: number;
  /** The type of all of its records but those that were refused. */
  readonly type: SharedType;
  /** Whether its messages have texts of their own, beside the records as they were read. */
  readonly texts: boolean;
  /** Whether any of them has a severity, but for those that were refused or are of another form. */
  readonly severities: boolean;
  /** Whether any of their times has a fraction of a second. */
  readonly fractions: boolean;
  /** Fields that say the same in all of its records but those that were refused. */
  readonly alike: AlikeFields;
  /** The source was closed or is being decoded anew: these rows are gone. */
  readonly removed: boolean;
}

/** The place of a segment in the segment file. */
export interface FilePlace {
  readonly offset: number;
  readonly length: number;
}

/** Up to some thousands of consecutive records: the part of them that the store keeps in memory. */
export interface Segment {
  /** Number of the first record; the others follow without a gap. */
  readonly firstId: number;
  readonly length: number;
  /** Milliseconds since 1970. */
  readonly minTime: number;
  readonly maxTime: number;
  readonly summary: TimeSummary;
  readonly alarms: Alarms;
  /** The numbers of its fields, once it stays as it is. */
  readonly numbers: NumberRanges;
  parts: readonly SegmentPart[];
  /** Rows that are the header or comments of their file, which are no rows of tables (ascending). */
  readonly comments: Uint32Array;
  /** Rows that are not removed. */
  alive: number;
  place: FilePlace | null;
  /** In the file each character of its texts is a byte. */
  isNarrow: boolean;
  /** The records themselves while they are not in the file. */
  batch: MessageBatch | null;
  /** Number of times that it was merged; `SEALED` when it stays as it is. */
  readonly level: number;
}

export const SEALED = Infinity;

/** The batch with the raw records as one more column, as it is stored. */
export function withRaw(batch: MessageBatch, raw: TextColumn | null): MessageBatch {
  if (raw === null) return batch;
  const column = rawColumn(raw, batch.length);
  return batch.with({ fields: [...batch.fields, column] });
}

/** The batch without the raw column. */
export function withoutRaw(batch: MessageBatch): MessageBatch {
  return batch.fields.some(isRaw) ? batch.with({ fields: batch.fields.filter((field) => !isRaw(field)) }) : batch;
}

/** The batch as it was decoded, without the raw column and what its records got later. */
export function asDecoded(batch: MessageBatch): MessageBatch {
  const fields = batch.fields.filter((field) => !isRaw(field) && !isLaterField(field.name));
  return fields.length === batch.fields.length ? batch : batch.with({ fields });
}

/** The raw records of a stored batch; null: it has none. */
export function rawOf(batch: MessageBatch): TextColumn | null {
  const field = batch.fields.find(isRaw);
  return field?.valueType === ValueType.STRING ? textColumn(field.rows, field.values) : null;
}

/** The columns that the raw text of records is in. */
export const RAW_TEXT: WantedColumns = { header: (member) => member === 'payload', field: (name) => name === RAW_FIELD };

const textColumn = (rows: Uint32Array | null, values: TextValues): TextColumn =>
  textHeader(rows, backingOf(values), values.starts, values.ends);

const isRaw = (field: FieldColumn): boolean => field.name === RAW_FIELD;

function rawColumn(raw: TextColumn, length: number): FieldColumn {
  const base = { name: RAW_FIELD, representation: null, valueType: ValueType.STRING, offsets: null } as const;
  if (raw.constant === undefined) return { ...base, rows: raw.rows, values: raw };
  const { constant } = raw;
  const values = { text: constant, starts: new Uint32Array(length), ends: new Uint32Array(length).fill(constant.length) };
  return { ...base, rows: null, values };
}

/** Pieces of texts, one for each row: the record as it was read. */
export interface RawText {
  /** The raw line of a row, or its payload when it was never decoded. */
  at(row: number): string;
  /** Columns that together hold the text of every row, each with the rows that it stands for (null: all). */
  readonly columns: readonly TextColumn[];
}

/** The raw text of a stored batch: the records as they were read, or their payload where that is missing. */
export function rawText(stored: MessageBatch): RawText {
  const columns: TextColumn[] = [];
  for (const field of stored.fields) {
    if (isRaw(field) && field.valueType === ValueType.STRING) columns.push(textColumn(field.rows, field.values));
  }
  const complete = columns.some((column) => column.constant === undefined && column.rows === null);
  if (!complete && stored.payload !== null) columns.push(stored.payload);
  return { columns, at: (row) => firstText(columns, row) };
}

function firstText(columns: readonly TextColumn[], row: number): string {
  for (const column of columns) {
    if (column.constant !== undefined) return column.constant;
    const entry = entryOf(column.rows, row);
    if (entry >= 0) return pieceOf(column, entry);
  }
  return '';
}

/** The part that a row belongs to. */
export function partOf(segment: Segment, row: number): SegmentPart {
  const { parts } = segment;
  let at = parts.length - 1;
  while (at > 0 && (parts[at] as SegmentPart).firstRow > row) at--;
  return parts[at] as SegmentPart;
}

/** The rows [from, to) of a part. */
export function partRange(segment: Segment, index: number): readonly [from: number, to: number] {
  const part = segment.parts[index] as SegmentPart;
  return [part.firstRow, segment.parts[index + 1]?.firstRow ?? segment.length];
}

/** Counts the rows that are not removed. */
export function aliveRows(segment: Pick<Segment, 'parts' | 'length'>): number {
  let alive = 0;
  for (const [i, part] of segment.parts.entries()) {
    if (!part.removed) alive += (segment.parts[i + 1]?.firstRow ?? segment.length) - part.firstRow;
  }
  return alive;
}
