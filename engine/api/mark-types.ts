/** Types of marks and highlighters. */

/** A record that someone marked. */
export interface Mark {
  /** Number of the mark. */
  readonly key: number;
  /** Number of its record; null: it is not in its source now, or was not read yet. */
  readonly record: number | null;
  /** Short name of its source. */
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The beginning of the record as it was read. */
  readonly text: string;
  readonly note: string;
}

/** The way in which a highlighter finds what it colours. */
export type HighlightKind = 'text' | 'regex' | 'field';

/** Number of a colour of the theme. */
export type HighlightColor = 0 | 1 | 2 | 3 | 4 | 5;

/** A rule by which the table colours texts, or the rows with a value of a field. */
export interface Highlighter {
  readonly name: string;
  readonly kind: HighlightKind;
  /** The text, the expression, or the value of the field. */
  readonly text: string;
  /** Name of the field; empty unless `kind` is `field`. */
  readonly field: string;
  readonly caseSensitive: boolean;
  readonly word: boolean;
  readonly color: HighlightColor;
  readonly enabled: boolean;
}
