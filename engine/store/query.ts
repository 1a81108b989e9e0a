import type { RecordQuery } from '../api/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { compileFilters, rowsOf } from './filter-stack.ts';
import { partRange, type Segment } from './segment.ts';
import { allOf, LEVELS } from './wanted.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import { millisecondsOf } from './times.ts';

/** Rows of a segment, ascending; null: all of them. */
export type Rows = Uint32Array | Uint16Array | null;

export const NO_ROWS: Rows = new Uint16Array(0);

/** A compiled query. */
export interface SegmentFilter {
  /** The selected rows of a segment, as far as known without its records; undefined: the records are needed. */
  known(segment: Segment): Rows | undefined;
  /** @param stored the segment's records with their raw column, or such columns as are needed */
  select(segment: Segment, stored: MessageBatch): Rows;
  /** The columns by which it selects, and those of levels; null: all. */
  readonly columns: WantedColumns | null;
  /** An expression of ripgrep that is found in a line of each record in Latin-1 that is selected; null: there is none. */
  readonly latin: string | null;
  /** Whether it selects by fields that records get after they were read. */
  readonly byLater: boolean;
}

/**
 * Compiles the query of a view.
 * @throws {EngineError} `query.matcher`, `query.regex`: the expression is wrong; the text says where
 */
export function compileQuery(query: RecordQuery): SegmentFilter {
  const sources = query.sources === undefined ? null : new Set(query.sources);
  const from = query.from ?? -Infinity;
  const to = query.to ?? Infinity;
  const filters = compileFilters(query);
  const after = query.after ?? -1;

  return {
    latin: filters?.latin ?? null,
    byLater: filters?.byLater ?? false,
    columns: filters === null ? LEVELS : allOf([filters.columns, LEVELS]),
    known(segment) {
      if (segment.maxTime < from || segment.minTime >= to || segment.firstId + segment.length - 1 <= after) return NO_ROWS;
      if (sources !== null && !segment.parts.some((part) => sources.has(part.source))) return NO_ROWS;
      if (filters?.mayShow(segment) === false) return NO_ROWS;
      if (filters !== null || segment.minTime < from || segment.maxTime >= to) return undefined;
      const marks = laterRows(segment, visibleRows(segment, sources), after);
      return marks === null ? null : packRows(marks);
    },
    select(segment, stored) {
      let marks = laterRows(segment, visibleRows(segment, sources), after);
      if (segment.minTime < from || segment.maxTime >= to) {
        marks ??= new Uint8Array(segment.length).fill(1);
        keepTimes(marks, stored, from, to);
      }
      const rows = marks === null ? null : rowsOf(marks);
      return packed(filters === null ? rows : filters.select(stored, rows), segment.length);
    },
  };
}

/** Rows that are not removed and come from these sources, as marks; null: all rows. */
function visibleRows(segment: Segment, sources: ReadonlySet<number> | null): Uint8Array | null {
  const wanted = segment.parts.map((part) => !part.removed && (sources === null || sources.has(part.source)));
  if (wanted.every(Boolean)) return null;
  const marks = new Uint8Array(segment.length);
  for (const [i, keep] of wanted.entries()) if (keep) marks.fill(1, ...partRange(segment, i));
  return marks;
}

/** Removes the marks of the rows up to a record; null: all rows. */
function laterRows(segment: Segment, marks: Uint8Array | null, after: number): Uint8Array | null {
  if (segment.firstId > after) return marks;
  const later = marks ?? new Uint8Array(segment.length).fill(1);
  return later.fill(0, 0, after + 1 - segment.firstId);
}

function keepTimes(marks: Uint8Array, stored: MessageBatch, from: number, to: number): void {
  const times = millisecondsOf(stored.timestamps);
  for (let row = 0; row < marks.length; row++) {
    const time = times[row] as number;
    if (time < from || time >= to) marks[row] = 0;
  }
}

/** Marks as row numbers, in the smallest form. */
export function packRows(marks: Uint8Array): Rows {
  return packed(rowsOf(marks), marks.length);
}

function packed(rows: Uint32Array | null, length: number): Rows {
  if (rows === null || rows.length === length) return null;
  if (rows.length === 0) return NO_ROWS;
  return length <= 65_536 ? new Uint16Array(rows) : rows;
}
