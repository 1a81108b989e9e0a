/** What the window and the engine say to each other about exports. Part of the types of the engine's requests. */

import type { RecordQuery } from './types.ts';

/** `raw`: the lines as they were read; `json`: messages, one a line; `csv`: a table with the chosen columns. */
export type ExportFormat = 'raw' | 'json' | 'csv';

export interface ExportRequest {
  readonly query: RecordQuery;
  readonly format: ExportFormat;
  /** Fields that are columns of a table. */
  readonly columns: readonly string[];
  /** Someone chose it in a dialog. */
  readonly path: string;
}

/** How far an export is. */
export interface ExportInfo {
  readonly id: number;
  readonly path: string;
  readonly state: 'running' | 'done' | 'canceled' | 'failed';
  /** Records that were written, and those that will be; 0 until all are found. */
  readonly written: number;
  readonly total: number;
  /** Why it failed; null: it did not. */
  readonly problem: string | null;
}
