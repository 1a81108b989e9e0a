/** Types of the summaries of a view: histogram and most frequent values. */

/** One layer of a histogram: a severity, a class of HTTP statuses (`2xx`), a value; the rest of the values; records without one. */
export interface HistogramGroup {
  readonly kind: 'severity' | 'class' | 'value' | 'other' | 'none';
  /** Number of the severity, class or value; empty for the last two. */
  readonly name: string;
}

/** Record counts over time, in layers. By severity there are always nine: 0 to 7, and none. */
export interface Histogram {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly groups: readonly HistogramGroup[];
  /** counts[group][bucket] */
  readonly counts: readonly (readonly number[])[];
  /** Whether all that the view shows was counted; if not, ask again. */
  readonly complete: boolean;
}

/** The commonest values of a variable. */
export interface TopValues {
  /** By count, descending. */
  readonly items: readonly { readonly value: string; readonly count: number }[];
  /** Different values that were seen. */
  readonly distinct: number;
  /** false: there were too many different values, counts are lower bounds. */
  readonly exact: boolean;
  /** Records that were counted of `total`, and how many of them do not have the variable. */
  readonly records: number;
  readonly missing: number;
  readonly total: number;
  /** false: ask again, and the counting goes on. */
  readonly complete: boolean;
}
