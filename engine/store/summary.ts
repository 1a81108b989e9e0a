import { entryOf, type IntColumn } from '../message/batch/columns.ts';

/** Severities 0 to 7 and, as number 8, unset. */
export const SEVERITIES = 9;
/** That of records without one. */
export const NO_SEVERITY = SEVERITIES - 1;

/** Slots that a summary may have. */
const MAX_SLOTS = 256;

/** Slot lengths in milliseconds, each a multiple of the one before, so that slots add up to longer ones without error. */
const SLOT_LENGTHS = [1, 10, 100, 1e3, 1e4, 6e4, 6e5, 3.6e6, 2.16e7, 8.64e7, 6.048e8];

/** The records of a segment, or of a selection of its rows, counted by slot of time and severity. */
export interface TimeSummary {
  readonly slotMs: number;
  /** Number of the first slot since 1970. */
  readonly firstSlot: number;
  /** Pairs of (slot − firstSlot) · 9 + severity and the count; slots without records are left out. */
  readonly cells: Uint32Array;
  /** Milliseconds since 1970 of the first and the last record; infinite when there are none. */
  readonly minTime: number;
  readonly maxTime: number;
}

export const EMPTY_SUMMARY: TimeSummary = { slotMs: 1, firstSlot: 0, cells: new Uint32Array(0), minTime: Infinity, maxTime: -Infinity };

/** The shortest slot by which a span of time fits into a summary. */
export function slotLength(spanMs: number): number {
  for (const length of SLOT_LENGTHS) if (spanMs / length < MAX_SLOTS - 1) return length;
  let length = SLOT_LENGTHS[SLOT_LENGTHS.length - 1] as number;
  while (spanMs / length >= MAX_SLOTS - 1) length *= 10;
  return length;
}

/**
 * Counts rows by time and severity.
 * @param times milliseconds of every row
 * @param rows which rows count; null: all
 */
export function summarise(times: Float64Array, severity: IntColumn | null, rows: ArrayLike<number> | null): TimeSummary {
  const length = rows === null ? times.length : rows.length;
  if (length === 0) return EMPTY_SUMMARY;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < length; i++) {
    const time = times[rows === null ? i : (rows[i] as number)] as number;
    if (time < min) min = time;
    if (time > max) max = time;
  }
  const slotMs = slotLength(max - min);
  const firstSlot = Math.floor(min / slotMs);
  const counts = new Uint32Array((Math.floor(max / slotMs) - firstSlot + 1) * SEVERITIES);
  const severityOf = severityReader(severity);
  for (let i = 0; i < length; i++) {
    const row = rows === null ? i : (rows[i] as number);
    const cell = (Math.floor((times[row] as number) / slotMs) - firstSlot) * SEVERITIES + severityOf(row);
    counts[cell] = (counts[cell] as number) + 1;
  }
  return { slotMs, firstSlot, cells: packed(counts), minTime: min, maxTime: max };
}

/** Number of the records that were counted with a severity. */
export function withSeverity({ cells }: TimeSummary): number {
  let count = 0;
  for (let i = 0; i < cells.length; i += 2) if ((cells[i] as number) % SEVERITIES !== NO_SEVERITY) count += cells[i + 1] as number;
  return count;
}

/** Reads severities as 0 to 8 (8: unset or out of range), row after row. */
export function severityReader(column: IntColumn | null): (row: number) => number {
  const clamp = (value: number): number => (value >= 0 && value < NO_SEVERITY ? value : NO_SEVERITY);
  if (column === null) return () => NO_SEVERITY;
  if (column.constant !== undefined) {
    const constant = clamp(column.constant);
    return () => constant;
  }
  const { rows, values } = column;
  return (row) => {
    const entry = entryOf(rows, row);
    return entry < 0 ? NO_SEVERITY : clamp(values[entry] as number);
  };
}

function packed(counts: Uint32Array): Uint32Array {
  let used = 0;
  for (const count of counts) if (count > 0) used++;
  const cells = new Uint32Array(used * 2);
  let at = 0;
  for (let cell = 0; cell < counts.length; cell++) {
    if ((counts[cell] as number) === 0) continue;
    cells[at++] = cell;
    cells[at++] = counts[cell] as number;
  }
  return cells;
}
