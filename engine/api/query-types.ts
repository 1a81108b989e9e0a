/** Types of queries in SQL, and of their results. */

/** A column that a query can name. */
export interface QueryColumn {
  readonly name: string;
  /** Type in SQL. */
  readonly type: string;
  /** The variable of the message that it holds; null: none that a matcher could test. */
  readonly variable: RecordVariable | null;
}

export interface RecordVariable {
  readonly name: string;
  /** `mixed`: its values are of several types, and the column has them as texts. */
  readonly type: 'string' | 'number' | 'bool' | 'mixed';
}

export interface QueryTable {
  readonly name: string;
  /** The sources whose records it has. */
  readonly sources: readonly number[];
  readonly rows: number;
  readonly columns: readonly QueryColumn[];
}

/** A value in the window. Integers beyond 2^53, times, decimals, lists and bytes are text. */
export type QueryCell = null | boolean | number | string;

export interface ResultColumnInfo {
  readonly name: string;
  /** Type in SQL. */
  readonly type: string;
}

/** A condition on records. */
export type RecordTerm =
  | { readonly op: 'and' | 'or'; readonly terms: readonly RecordTerm[] }
  | {
      readonly op: '==' | '!=' | '<' | '<=' | '>' | '>=';
      readonly variable: RecordVariable;
      readonly value: string | number | boolean;
    }
  | { readonly op: 'missing' | 'there'; readonly variable: RecordVariable };

/** A condition on the records behind a row, by the value of a column: it is that of a variable, a time that may be cut to a unit, or the name of their table. */
export type RecordKey =
  | { readonly kind: 'value'; readonly variable: RecordVariable }
  | { readonly kind: 'time'; readonly unit: string | null }
  | { readonly kind: 'table' };

/** The records that the rows of a result stand for. */
export interface RecordsBehind {
  readonly sources: readonly number[];
  /** Conditions on the records, by columns of the result; null: the column says nothing about them. */
  readonly keys: readonly (RecordKey | null)[];
  readonly where: RecordTerm | null;
  /** false: the records may be more than those that the row stands for. */
  readonly whole: boolean;
}

/** The first rows of a result. */
export interface QueryRows {
  readonly kind: 'rows';
  readonly columns: readonly ResultColumnInfo[];
  readonly rows: readonly (readonly QueryCell[])[];
  /** There are more than these. */
  readonly more: boolean;
  readonly ms: number;
  /** null: the rows cannot be led back to records. */
  readonly records: RecordsBehind | null;
}

export type QueryReply =
  | QueryRows
  /** `at`: place of the mistake in the query, in UTF-16 units; null: unknown. */
  | { readonly kind: 'problem'; readonly text: string; readonly at: number | null }
  | { readonly kind: 'canceled' };

/** `csv`: for spreadsheets, no cell is a formula; `exact-csv`: for programs, every cell as it is. */
export type QueryFormat = 'csv' | 'exact-csv' | 'json' | 'parquet';

/** A query that the workspace file keeps. */
export interface SavedQuery {
  readonly name: string;
  readonly sql: string;
}

/** Longest text of a query, and of the name of one. */
export const MAX_SQL = 100_000;
export const MAX_QUERY_NAME = 100;

/** The lookups that there are. */
export interface LookupList {
  readonly names: readonly string[];
  /** Columns of the one that was asked for; of nested ones, the names of their parts. */
  readonly columns: readonly string[];
}
