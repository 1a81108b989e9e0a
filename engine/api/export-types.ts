/** Types of exports. */

import type { RecordQuery } from './record-types.ts';

/**
 * `raw`: the lines as they were read; `json`: messages, one a line; `csv`: a table with the chosen columns, in which no cell is a formula to a
 * spreadsheet; `exact-csv`: the same with every cell as it is, for programs.
 */
export type ExportFormat = 'raw' | 'json' | 'csv' | 'exact-csv';

export interface ExportRequest {
  readonly query: RecordQuery;
  readonly format: ExportFormat;
  /** Fields that are columns of a table. */
  readonly columns: readonly string[];
  /** Path of the target file, which the user chose in a dialog. */
  readonly path: string;
}

/** Progress of an export. */
export interface ExportInfo {
  readonly id: number;
  readonly path: string;
  /** `byte`: of a workspace that is saved. */
  readonly what: 'record' | 'row' | 'byte';
  readonly state: 'running' | 'done' | 'canceled' | 'failed';
  /** Records, rows or bytes that were written, and those that will be; 0 until that is known. */
  readonly written: number;
  readonly total: number;
  /** Reason of the failure; null: it did not fail. */
  readonly problem: string | null;
}
