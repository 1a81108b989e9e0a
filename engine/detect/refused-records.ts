import { bytesText } from '../inputs/notices.ts';
import { DEFAULT_MAX_RECORD } from '../inputs/splitters/index.ts';
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
/** Bytes of the longest character. */
const LONGEST_CHARACTER = 4;

/** The records of these rows, without their line ends. */
export const refusedRecords = (source: MessageBatch, failures: readonly Failure[]): RefusedRecord[] =>
  failures.map(({ row, reason }) => {
    const text = textAt(source.payload, row) ?? '';
    return { source, row, last: row, reason: isCut(text) ? `${CUT}: ${reason}` : reason, text: text.replace(LINE_END, '') };
  });

const CUT = `cut at ${bytesText(DEFAULT_MAX_RECORD)}`;

/** Whether inputs have cut a record: it is as long as they let it be, up to a character. */
function isCut(text: string): boolean {
  if (text.length * LONGEST_CHARACTER <= DEFAULT_MAX_RECORD - LONGEST_CHARACTER) return false;
  const bytes = Buffer.byteLength(text);
  return bytes > DEFAULT_MAX_RECORD - LONGEST_CHARACTER && bytes <= DEFAULT_MAX_RECORD;
}
