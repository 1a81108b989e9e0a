/** Types of the patterns of lines. */

/** Lines that are alike, such as `Accepted publickey for <*> from <ip> port <num> ssh2`. */
export interface PatternLine {
  readonly id: number;
  /** Its words; what varies is `<*>`, or `<num>`, `<ip>`, `<mac>`, `<time>`, `<uuid>`, `<hex>`. */
  readonly text: string;
  /** The variable whose values the lines are, Payload for the texts of messages; null: they are records as they were read. */
  readonly variable: string | null;
  readonly count: number;
  /** Milliseconds of its earliest and latest line. */
  readonly first: number;
  readonly last: number;
  readonly example: string;
  /** Lines in each part of the time between `from` and `to`; all parts are equally long. */
  readonly counts: readonly number[];
}

/** The patterns of the records that a view shows. */
export interface LogPatterns {
  /** By count, descending. */
  readonly patterns: readonly PatternLine[];
  /** Patterns that were found and are known. */
  readonly distinct: number;
  /** Patterns that were given up, because there were too many. */
  readonly forgotten: number;
  /** Records without the variable. */
  readonly missing: number;
  /** Milliseconds of the earliest and the latest record. */
  readonly from: number;
  readonly to: number;
  /** Records that were looked at, of `total`. */
  readonly records: number;
  readonly total: number;
  /** false: ask again, and the counting goes on. */
  readonly complete: boolean;
}
