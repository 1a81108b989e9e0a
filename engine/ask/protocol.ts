/** Messages between the engine and the query process. */
import type { Problem } from './problem.ts';
import type { Selection } from './selection.ts';

/** A table over Parquet files. */
export interface AskedTable {
  readonly name: string;
  /** The SELECT that makes its rows of the files. */
  readonly select: string;
}

/** The query that a process runs, its only one. */
export interface Question {
  readonly tables: readonly AskedTable[];
  /** The files that may be read, and no others. */
  readonly files: readonly string[];
  /** Folder for what does not fit into memory. */
  readonly spill: string;
  readonly memoryMib: number;
  readonly sql: string;
}

/** A question as the process gets it. */
export interface SentQuestion extends Question {
  /** Folder of the lookups that it may read; null: there is none. */
  readonly lookups: string | null;
}

export interface ResultColumn {
  readonly name: string;
  /** Type in SQL. */
  readonly type: string;
}

/** A value of a result. Times, decimals and what else JavaScript has no type for come as text. */
export type ResultValue =
  null | boolean | number | bigint | string | Uint8Array | readonly ResultValue[] | { readonly [key: string]: ResultValue };

/** Answers of the process, in this order: columns, rows any number of times, end; or a problem instead of the rest. */
export type Answer =
  | { readonly kind: 'columns'; readonly columns: readonly ResultColumn[]; readonly selection: Selection | null }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly ResultValue[])[] }
  | { readonly kind: 'end' }
  | ({ readonly kind: 'problem' } & Problem);
