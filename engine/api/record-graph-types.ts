/** Types of the graphs of records, which the workspace keeps. */
import type { KeptFilter } from './filter-types.ts';
import type { Measure } from './measure-types.ts';

/** Numbers that belong together in one graph: average, minimum and maximum, or p50, p95 and p99. */
export const MEASURE_SETS = ['range', 'percentiles'] as const;
export type GraphMeasure = Measure | (typeof MEASURE_SETS)[number];

/** The forms in which the answer to a question is shown. */
export const DISPLAYS = ['list', 'chart', 'bars', 'heat', 'timeline'] as const;
export type Display = (typeof DISPLAYS)[number];

/** A question about records: a number of them, or of a field in them, by other fields. */
export interface Question {
  readonly measure: GraphMeasure;
  /** A header or a field (`Fields[took]`); null: the records themselves. */
  readonly of: string | null;
  /** Up to two variables; none: all records together. */
  readonly by: readonly string[];
  readonly display: Display;
  /** Unit of the number; empty: unknown. */
  readonly unit: string;
}

/** A question about the records that some filters show, kept as a graph. */
export interface RecordGraph extends Question {
  readonly id: number;
  readonly title: string;
  /** Whether one of the filters that show records is enough; else all of them must show a record. */
  readonly any: boolean;
  readonly filters: readonly KeptFilter[];
}

/** Records by time and by a number of theirs: how often each part of its range occurs. */
export interface HeatMap {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** The borders of the rows from the lowest up, one more than there are rows: a row has the numbers from its lower border to below the upper one. */
  readonly edges: Float64Array;
  /** The records of each row, bucket after bucket, the lowest row first. */
  readonly counts: Float64Array;
  /** Records of this time, and those among them without the number. */
  readonly records: number;
  readonly missing: number;
  /** Whether all records of the view were looked at; if not, ask again. */
  readonly complete: boolean;
}
