/** Types of the operations that records are parts of. */

/** The orders in which operations are listed. */
export const OPERATION_ORDERS = ['start', 'duration', 'errors', 'count'] as const;
export type OperationOrder = (typeof OPERATION_ORDERS)[number];

/** The records of an operation in equal parts of its time. */
export interface OperationParts {
  /** Milliseconds at which the first part begins, at or before the first record. */
  readonly from: number;
  /** Milliseconds of a part. */
  readonly partMs: number;
  /** Records of each part: 32 parts at most, the last one with the last record. */
  readonly counts: readonly number[];
  /** Places of the parts that have errors. */
  readonly errors: readonly number[];
}

/** The records with one value of a field, such as one request id: one operation, from its first record to its last. */
export interface Operation {
  /** The value, or its beginning when it is very long. */
  readonly value: string;
  /** Whether there is more of the value. */
  readonly cut: boolean;
  readonly count: number;
  /** Records that are errors: of severity 0 to 3, or with an HTTP status of 500 and more. */
  readonly errors: number;
  /** Milliseconds of its earliest and latest record. */
  readonly first: number;
  readonly last: number;
  readonly parts: OperationParts;
}

/** The operations of the records that a view shows. */
export interface Operations {
  readonly operations: readonly Operation[];
  /** Operations whose value has the text that was asked for; `operations` are the first of them. */
  readonly matching: number;
  /** Operations that are known. */
  readonly distinct: number;
  /** Records of further operations, which are not kept because there are too many. */
  readonly others: number;
  /** Records without the field. */
  readonly missing: number;
  /** Milliseconds of the earliest and latest record that has the field. */
  readonly from: number;
  readonly to: number;
  /** Records that were looked at, of `total`. */
  readonly records: number;
  readonly total: number;
  /** false: ask again, and the counting goes on. */
  readonly complete: boolean;
}

export interface OperationQuery {
  /** A header (`Pid`) or a field (`Fields[request_id]`). */
  readonly variable: string;
  readonly order: OperationOrder;
  /** The last or largest first. */
  readonly down: boolean;
  /** Only those whose value has this text, in whatever case; empty: all. */
  readonly text: string;
  readonly limit: number;
}
