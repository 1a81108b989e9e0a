/** Types of the filters that a view stacks, and of the sets of them that are saved. */

/** Text to be found in records as they were read. */
export interface TextQuery {
  readonly text?: string | undefined;
  /** Whether `text` is a regular expression. */
  readonly regex?: boolean | undefined;
  readonly caseSensitive?: boolean | undefined;
  /** Whether a hit must be a whole word. */
  readonly word?: boolean | undefined;
}

/** One filter of a stack: it finds records by a text, or by a matcher expression. */
export interface QueryFilter extends TextQuery {
  readonly matcher?: string | undefined;
  /** The records that it finds are hidden; absent: they are shown. */
  readonly out?: boolean | undefined;
}

/** The place of an error in a query: the number of the filter in its stack, and the piece of its text. */
export interface QueryPlace {
  readonly filter: number;
  readonly from: number;
  readonly to: number;
}

/** A filter as it is kept: with its switch, and what is shown for it. */
export interface KeptFilter {
  readonly kind: 'text' | 'regex' | 'matcher';
  /** The text, the regular expression or the matcher expression. */
  readonly text: string;
  /** The name of the filter in the window, as it was typed or clicked: `status >= 500`. */
  readonly label: string;
  readonly caseSensitive: boolean;
  readonly out: boolean;
  readonly enabled: boolean;
}

/** Filters that were saved together under a name. */
export interface FilterSet {
  readonly name: string;
  /** Whether one of the filters that show records is enough; else all of them must show a record. */
  readonly any: boolean;
  readonly filters: readonly KeptFilter[];
}
