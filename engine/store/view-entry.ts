import type { MessageBatch } from '../message/batch/batch.ts';
import { alarmsOf, NO_ALARMS, type Alarms } from './alarms.ts';
import { NO_ROWS, type Rows } from './query.ts';
import type { Segment } from './segment.ts';
import { EMPTY_SUMMARY, summarise, type TimeSummary } from './summary.ts';
import { millisecondsOf } from './times.ts';

/** The rows of one segment that a view shows. */
export interface ViewEntry {
  readonly segment: Segment;
  readonly rows: Rows;
  readonly count: number;
  readonly summary: TimeSummary;
  readonly alarms: Alarms;
}

/** A record that a view shows, with the records of its segment. */
export interface ViewRow {
  readonly segment: Segment;
  readonly row: number;
  readonly stored: MessageBatch;
}

/**
 * The entry of a segment.
 * @param rows that are shown; null: all
 * @param stored the segment's records; undefined: they are not in memory, which is enough when all of them are shown or none
 */
export function entryOf(segment: Segment, rows: Rows, stored: MessageBatch | undefined): ViewEntry {
  const count = rows === null ? segment.length : rows.length;
  if (count === 0) return { segment, rows: NO_ROWS, count, summary: EMPTY_SUMMARY, alarms: NO_ALARMS };
  if (rows === null || stored === undefined) return { segment, rows, count, summary: segment.summary, alarms: segment.alarms };
  const summary = summarise(millisecondsOf(stored.timestamps), stored.severity, rows);
  return { segment, rows, count, summary, alarms: alarmsOf(stored, rows) };
}

/** Number of the segment's record that is the row `i` of an entry. */
export const rowAt = ({ rows }: ViewEntry, i: number): number => (rows === null ? i : (rows[i] as number));
