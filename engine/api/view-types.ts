/** Types of the summaries of a view: histogram and most frequent values. */

/** Share of records that has a severity; few: only records of another form than their source, such as the errors that a server writes between its requests, and less than one in a hundred. */
export type SeverityShare = 'none' | 'few' | 'many';

/** Properties of all records that a view shows. */
export interface ViewFacts {
  /** Milliseconds since 1970 of the earliest and the latest record; null: there is none. */
  readonly span: { readonly from: number; readonly to: number } | null;
  /** The share of them that has a severity. */
  readonly severities: SeverityShare;
  /** The sources that they are of, in ascending order. */
  readonly sources: readonly number[];
  /** The type of all of them but those that were refused; null: they have several, or there are none. */
  readonly type: string | null;
  /** Whether any has a text of its own, beside the record as it was read. */
  readonly texts: boolean;
  /** Whether any of their times has a fraction of a second. */
  readonly fractions: boolean;
  /** Fields that say the same in all of them but those that were refused, with what they say; none while there are few records. */
  readonly alike: Readonly<Record<string, string>>;
}

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
  /** The time of which the log has records, shown or not, up to the exclusive end: the first and the last bucket may reach beyond it. */
  readonly covered: { readonly from: number; readonly to: number };
  /** Whether all that the view shows was counted; if not, ask again. */
  readonly complete: boolean;
}

/** The share of hits, marks, hits of rules, errors and warnings among the rows of each part of a view, from 0 to 1. */
export interface Ticks {
  readonly hit: readonly number[];
  readonly mark: readonly number[];
  /** Records of which a rule is true. */
  readonly rule: readonly number[];
  readonly error: readonly number[];
  readonly warning: readonly number[];
}

/** The kinds of rows that someone can go to. */
export type TickKind = keyof Ticks;

/** The state of a search. */
export interface SearchProgress {
  /** Rows with a hit, of those that were looked at. */
  readonly hits: number;
  /** Rows that were looked at, of those that the view shows. */
  readonly scanned: number;
  readonly total: number;
  /** Whether all that the view shows, and will show after its scan, was looked at. */
  readonly complete: boolean;
}

/** The column that the rows of a view are sorted by, and how far that is. */
export interface SortState {
  /** `time`, `severity`, `source`, `type`, `summary`, `text`, or a field (`Fields[status]`). */
  readonly by: string;
  /** From the highest to the lowest. */
  readonly down: boolean;
  /** Rows that were looked at, of how many; null: the rows are sorted. */
  readonly sorting: { readonly looked: number; readonly of: number } | null;
  /** Rows that came since, which are not shown. */
  readonly newer: number;
}
