import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { Failure } from '../sandbox/contract/types.ts';

/** A record that its decoder refused. */
export interface RefusedRecord {
  readonly source: MessageBatch;
  readonly row: number;
  /** The last row of the record: those from `row` on are joined. */
  readonly last: number;
  readonly text: string;
  readonly reason: string;
}

const LINE_END = /\r?\n$/;

/** The records of these rows, without their line ends. */
export const refusedRecords = (source: MessageBatch, failures: readonly Failure[]): RefusedRecord[] =>
  failures.map(({ row, reason }) => ({ source, row, last: row, reason, text: (textAt(source.payload, row) ?? '').replace(LINE_END, '') }));
