/** Types of the difference between two sets of records, A and B. */
import type { RecordQuery } from './record-types.ts';

/** The two sides. A record that both select is of B, so that A can be "all of them" for the rest. */
export interface DifferenceQuery {
  readonly a: RecordQuery;
  readonly b: RecordQuery;
  /** Names of fields and headers that are not compared, such as those by which the sides are chosen. */
  readonly without?: readonly string[] | undefined;
}

/** Kinds of difference: the share of a value or of a pattern of texts, a part of the numbers of a field, records per second, times that go back, times without records. */
export type DifferenceKind = 'value' | 'pattern' | 'number' | 'rate' | 'clock' | 'gap';

/** Records of a side. */
interface SideCount {
  readonly count: number;
  /** Of the records of the side, 0 to 1. */
  readonly share: number;
}

/** A value that explains a difference: most of the records that differ have it. */
export interface DifferenceCause {
  /** As in `upstream_addr 10.0.0.7:8080`. */
  readonly text: string;
  /** Expression that selects the records with it; null: it cannot be written. */
  readonly filter: string | null;
  /** The share of it among the records that differ, and among the others of their side. */
  readonly share: number;
  readonly others: number;
}

export interface DifferenceRow {
  readonly kind: DifferenceKind;
  /** A sentence, as in `status 502: 0.1 % of A, 8.2 % of B`. */
  readonly text: string;
  /** The variable that differs; null: it is about all records. */
  readonly variable: string | null;
  readonly a: SideCount;
  readonly b: SideCount;
  /** The share of B by that of A; Infinity where A has none. */
  readonly lift: number;
  /** Bound on the probability that chance makes any of all compared things differ as much. */
  readonly chance: number;
  /** The larger, the more it says; rows come in this order. */
  readonly score: number;
  /** Expression that selects the records, of the one side and the other; null: it cannot be written, or these are all records. */
  readonly filter: string | null;
  readonly causes: readonly DifferenceCause[];
  /** Other differences of the same records, as sentences. */
  readonly also: readonly string[];
}

/** Time and number of the records of a side. */
export interface DifferenceSide {
  readonly records: number;
  /** Milliseconds, without the few records that lie far from all others. */
  readonly from: number;
  readonly to: number;
}

export interface Difference {
  /** At most ten, those that say most first; empty: chance explains all. */
  readonly rows: readonly DifferenceRow[];
  readonly a: DifferenceSide;
  readonly b: DifferenceSide;
  /** Values, patterns and parts of numbers that were compared. */
  readonly tests: number;
  /** Fields whose values were not compared, since there are too many different ones. */
  readonly skipped: readonly string[];
  /** Share of the work that is done. */
  readonly done: number;
  readonly complete: boolean;
}
