/** Types of the graphs of records, which the workspace keeps. */
import type { KeptFilter } from './filter-types.ts';

/** A graph of the records that some filters show. */
export interface RecordGraph {
  readonly id: number;
  readonly title: string;
  /** `records`: their number, of each value of the variable if there is one; `number`: average, minimum and maximum of the variable. */
  readonly measure: 'records' | 'number';
  /** null: all records are counted together. */
  readonly variable: string | null;
  /** Unit of the variable; empty: unknown. */
  readonly unit: string;
  /** Whether one of the filters that show records is enough; else all of them must show a record. */
  readonly any: boolean;
  readonly filters: readonly KeptFilter[];
}

/** A number in records over time: NaN where no record has it. */
export interface NumberSeries {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly average: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  /** Whether all records of the view were looked at; if not, ask again. */
  readonly complete: boolean;
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
