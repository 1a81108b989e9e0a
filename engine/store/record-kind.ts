import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn } from '../message/batch/columns.ts';
import { pieceOf } from '../message/latin-text.ts';
import { alikeFields, type AlikeFields } from './alike-fields.ts';
import { NO_SEVERITY, severityReader } from './summary.ts';
import { millisecondsOf } from './times.ts';

/** The type of records; null: they have several. undefined: none of them was decoded. */
export type SharedType = string | null | undefined;

/** Parts of records that the table need not show, because all records have the same, or because other columns repeat them. */
interface RecordKind {
  /** The type of all records but those that were refused. */
  readonly type: SharedType;
  /** Whether the messages have texts of their own. */
  readonly texts: boolean;
  /** Whether any of the records has a severity, but for those that were refused or are of another form. */
  readonly severities: boolean;
  /** Whether any of their times has a fraction of a second. */
  readonly fractions: boolean;
  /** Fields that say the same in all records but those that were refused. */
  readonly alike: AlikeFields;
}

/** Messages, and the records as they were read; null when the messages are the records. */
interface StoredRecords {
  readonly batch: MessageBatch;
  readonly raw: TextColumn | null;
  /** Rows that are of another form than their source (ascending), which count as those that were refused; absent: none. */
  readonly others?: readonly number[] | undefined;
}

/** Looks at records that come into the store. */
export function kindOf(records: StoredRecords): RecordKind {
  const { batch } = records;
  const except = exceptions(records);
  return {
    type: typeOf(batch, except),
    texts: hasTexts(records),
    severities: hasSeverities(batch, except),
    fractions: hasFractions(batch),
    alike: alikeFields(batch, except),
  };
}

/** The type that the records of two parts share. */
export function sharedType(a: SharedType, b: SharedType): SharedType {
  if (a === undefined) return b;
  return b === undefined || a === b ? a : null;
}

function typeOf(batch: MessageBatch, except: ReadonlySet<number>): SharedType {
  if (except.size === batch.length) return undefined;
  return sameText(batch.type, batch.length, except);
}

/** The text of all rows but some; null: they differ, or not all have one. */
function sameText(column: TextColumn | null, length: number, except: ReadonlySet<number>): string | null {
  if (column === null) return '';
  if (column.constant !== undefined) return column.constant;
  const { starts, ends, rows } = column;
  let first: string | null = null;
  let left = length - except.size;
  for (let entry = 0; entry < starts.length; entry++) {
    if (except.size > 0 && except.has(rows?.[entry] ?? entry)) continue;
    const start = starts[entry] as number;
    first ??= pieceOf(column, entry);
    if ((ends[entry] as number) - start !== first.length || pieceOf(column, entry) !== first) return null;
    left--;
  }
  return left === 0 ? first : null;
}

/** Whether any message has a text of its own. The whole record, as those keep it that were refused or passed on, is none. */
export function hasTexts(records: StoredRecords): boolean {
  const { batch, raw } = records;
  const { payload, length } = batch;
  if (raw === null) return true;
  const except = exceptions(records);
  for (let row = 0; payload !== null && row < length; row++) {
    const text = textAt(payload, row);
    if (text !== undefined && text !== textAt(raw, row) && !except.has(row)) return true;
  }
  return false;
}

function hasSeverities({ severity, length }: MessageBatch, except: ReadonlySet<number>): boolean {
  if (severity === null) return false;
  const severityOf = severityReader(severity);
  for (let row = 0; row < length; row++) if (severityOf(row) < NO_SEVERITY && !except.has(row)) return true;
  return false;
}

function hasFractions({ timestamps }: MessageBatch): boolean {
  const times = millisecondsOf(timestamps);
  for (let i = 0; i < times.length; i++) if (Math.trunc((times[i] as number) / 1000) * 1000 !== times[i]) return true;
  return false;
}

/** Rows of which a table shows no columns of their own. */
function exceptions({ batch, others = [] }: StoredRecords): ReadonlySet<number> {
  const refused = refusedRows(batch);
  return others.length === 0 ? refused : new Set([...refused, ...others]);
}

function refusedRows({ fields, length }: MessageBatch): ReadonlySet<number> {
  const columns = fields.filter(({ name }) => name === 'decode_failure');
  if (columns.length === 0) return NONE;
  return new Set(columns.flatMap(({ rows }) => Array.from({ length: rows?.length ?? length }, (_, entry) => rows?.[entry] ?? entry)));
}

const NONE: ReadonlySet<number> = new Set();
