/** Types of records, as the window gets and selects them. */

import type { IntHeader, TextHeader } from './headers.ts';
import type { QueryFilter, TextQuery } from './filter-types.ts';
import type { RuleLevel } from './rule-fields.ts';
import type { ViewFacts } from './view-types.ts';

/** Selection of the records that a view shows. All given parts must hold; `text` must be in the raw line. */
export interface RecordQuery extends TextQuery {
  /** All of them must show a record; those with `out` must not find it. */
  readonly filters?: readonly QueryFilter[] | undefined;
  /** One of the filters without `out` is enough. */
  readonly any?: boolean | undefined;
  /** Source ids; absent: all. */
  readonly sources?: readonly number[] | undefined;
  /** A matcher expression. */
  readonly matcher?: string | undefined;
  /** Whether the records are shown that `text` does not match. */
  readonly exclude?: boolean | undefined;
  /** Milliseconds, from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Number of a record: only those that came after it. */
  readonly after?: number | undefined;
}

/** Place of a record that was named by its file and number. */
export interface RecordPlace {
  readonly id: number;
  /** Milliseconds. */
  readonly time: number;
  /** The part that it has of the name; `time`: it is the first record at that time, and the one with the number has another. */
  readonly by: 'both' | 'number' | 'time';
}

/** One line of the record table. */
export interface RecordRow {
  /** Number of the record in the workspace, from 0, in order of arrival. */
  readonly id: number;
  readonly time: number;
  readonly timeNs: string;
  /** 0 to 7; null: unset. */
  readonly severity: number | null;
  readonly source: number;
  readonly logger: string;
  readonly type: string;
  /** The text that the table shows: the payload, else the raw line; cut to 2,000 characters. */
  readonly text: string;
  /** The reason for which the decoder refused the record; null: it did not. */
  readonly failure: string | null;
  /** The word of its decoder about a record that it took in part, such as one that was cut; absent: it took all of it. */
  readonly incomplete?: string;
  /** Whether its decoder found no time in it: `time` is that of a neighbour or of the file. */
  readonly undated?: true;
  /** The titles of the rules that are true of it, and the highest of their levels; absent: none is. */
  readonly rules?: { readonly level: RuleLevel; readonly titles: readonly string[] };
  /** The record in one line, by the template of its decoder; absent: it was not asked for. */
  readonly summary?: string;
  /** Nanoseconds since the row before; null: there is none. Absent: it was not asked for. */
  readonly since?: number | null;
  /** Records that the row stands for, where repeated ones are folded; absent: one. */
  readonly repeats?: number;
  /** Values of the columns that were asked for, in that order. */
  readonly values: readonly (string | null)[];
}

export interface FieldInfo {
  readonly name: string;
  readonly type: 'string' | 'bytes' | 'integer' | 'double' | 'bool';
  readonly representation: string | null;
  readonly values: readonly string[];
}

/** The headers beside those of its row; null: unset. */
export type RecordHeaders = { readonly [H in Exclude<TextHeader, keyof RecordRow>]: string | null } & {
  readonly [H in Exclude<IntHeader, keyof RecordRow>]: number | null;
};

/** Everything about one record. */
export interface RecordDetail extends RecordRow, RecordHeaders {
  readonly uuid: string;
  /** The record as it was read. */
  readonly raw: string | null;
  readonly decoder: string | null;
  readonly fields: readonly FieldInfo[];
}

export interface RowsReply {
  readonly total: number;
  /** Number of the first row that follows. */
  readonly start: number;
  readonly rows: readonly RecordRow[];
  /** Of all records of the view. */
  readonly facts: ViewFacts;
}

/** A line as it stands in its file. */
export interface RawLine {
  /** Its first byte. */
  readonly at: number;
  /** At most its first 8 KiB. */
  readonly text: string;
}

/** Lines as they stand in their file. */
export interface RawLines {
  readonly lines: readonly RawLine[];
  /** The byte behind the last of them. */
  readonly end: number;
  /** Bytes of the file. */
  readonly size: number;
}

/** A record that was decoded before the records in front of it, from a file on the way to its end: its number is not known. */
export interface UnreadRecord extends Omit<RecordRow, 'id'> {
  /** Its first byte in the file. */
  readonly at: number;
}

/** Records from any place of a file on the way to its end, those that a query selects. */
export interface UnreadPage {
  readonly records: readonly UnreadRecord[];
  /** The byte from which on all that the query selects is among them: it is looked through only so far at once. */
  readonly first: number;
  /** The byte behind the last of them. */
  readonly end: number;
  /** Bytes of the file, without a last record that is being written. */
  readonly size: number;
}
