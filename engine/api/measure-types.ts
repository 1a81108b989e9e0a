/** Types of the one question about records: a number of a field, by other fields, over time. */

/** Numbers of the records of a group; all but `count` are of a field. */
export const MEASURES = ['count', 'sum', 'average', 'min', 'max', 'p50', 'p95', 'p99', 'distinct'] as const;
export type Measure = (typeof MEASURES)[number];

/** Measures of one answer, and variables to group by. */
export const MOST_MEASURES = 3;
export const MOST_BY = 2;

/** Time in buckets: as many as fit, of a usual length. Milliseconds; absent: from the first record, or to the last. */
export interface OverTime {
  readonly buckets: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface MeasureQuery {
  /** The first one orders the groups. */
  readonly measures: readonly Measure[];
  /** A header or a field (`Fields[took]`); null: records are counted. */
  readonly of: string | null;
  /** None: all records are one group. */
  readonly by: readonly string[];
  /** null: of all time. */
  readonly over: OverTime | null;
  /** The groups with the highest numbers. */
  readonly limit: number;
}

/** Numbers of some records, one for each measure: NaN where none of them has any. */
export interface Measured {
  readonly records: number;
  readonly numbers: readonly number[];
  /** For each measure the numbers by bucket; empty without `over`. */
  readonly series: readonly Float64Array[];
}

/** The records with the same values. */
export interface MeasuredGroup extends Measured {
  /** One for each variable, or the beginning of a very long one. */
  readonly values: readonly string[];
}

export interface MeasureAnswer {
  readonly groups: readonly MeasuredGroup[];
  /** All records that were looked at together, also those without a group. */
  readonly all: Measured;
  readonly distinct: number;
  /** Records without one of the variables to group by. */
  readonly missing: number;
  /** Records in which there is nothing to measure. */
  readonly without: number;
  /** false: there was too much to keep. Groups are missing and counts are lower bounds, or percentiles and numbers of different values are estimates. */
  readonly exact: boolean;
  /** Milliseconds at which the first bucket begins, and of each. */
  readonly from: number;
  readonly bucketMs: number;
  /** Records that were looked at, of `total`. */
  readonly looked: number;
  readonly total: number;
  /** false: ask again, and the counting goes on. */
  readonly complete: boolean;
}
