/** Types of the overview of the records that a view shows. */
import type { SchemaLogger } from './output-types.ts';

/** A value of a field. */
export interface FieldValue {
  readonly value: string;
  /** Records that surely have it. */
  readonly count: number;
  /** So many more may have it, since it was forgotten for a time; 0: the count is exact. */
  readonly missed: number;
  /** Records in each part of the time; empty: they were not counted. */
  readonly counts: readonly number[];
}

/** Numbers along a scale in parts of equal length, of the numbers or of their logarithms. */
export interface Distribution {
  readonly scale: 'linear' | 'log';
  readonly from: number;
  readonly to: number;
  /** Values in each part; what lies below the first one is in it. */
  readonly counts: readonly number[];
}

/** Facts about the numbers among the values of a field. */
export interface FieldNumbers {
  readonly count: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly average: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** false: there are very many different ones, and the percentiles are within one percent. */
  readonly exact: boolean;
  readonly distribution: Distribution;
  /** The average in each part of the time; NaN: there is none. */
  readonly averages: readonly number[];
}

/** A field, or a header of the messages. */
export interface FieldFacts {
  readonly name: string;
  readonly isHeader: boolean;
  /** Values of each type, the commonest first. */
  readonly types: readonly { readonly type: 'string' | 'number' | 'bool'; readonly count: number }[];
  /** Unit or form of its values; null: none is said. */
  readonly representation: string | null;
  /** Records that have it. */
  readonly records: number;
  /** Different values. */
  readonly distinct: number;
  /** false: there are very many, and their number is within two percent. */
  readonly isDistinctExact: boolean;
  /** The commonest values. */
  readonly values: readonly FieldValue[];
  /** null: none of its values is a number. */
  readonly numbers: FieldNumbers | null;
  /** Records that have it in each part of the time. */
  readonly counts: readonly number[];
}

/** The fields and the schema of the records that a view shows. */
export interface Overview {
  /** Those of the most records come first. */
  readonly fields: readonly FieldFacts[];
  /** Fields of which there was no room for more than these. */
  readonly others: number;
  readonly loggers: readonly SchemaLogger[];
  /** Records in each part of the time. */
  readonly counts: readonly number[];
  /** Milliseconds of the earliest and the latest record. */
  readonly from: number;
  readonly to: number;
  /** Records that were counted, of `total`; until all are, they are a sample from all over the log. */
  readonly records: number;
  readonly total: number;
  /** false: ask again, and the counting goes on. */
  readonly complete: boolean;
}
