/** Types of graphs, lists and the schema. */

export interface GraphColumn {
  readonly name: string;
  readonly unit: string;
  readonly aggregation: 'sum' | 'min' | 'max' | 'none';
  /** One value a row; NaN: no data. */
  readonly values: Float64Array;
}

export interface GraphAnnotation {
  readonly time: number;
  readonly column: number;
  readonly short: string;
  readonly text: string;
}

/** A circular buffer that a filter injected. */
export interface Graph {
  readonly key: string;
  /** The source whose messages it shows. */
  readonly source: number;
  readonly plugin: string;
  readonly title: string;
  /** Milliseconds of the oldest row. */
  readonly time: number;
  readonly rowMs: number;
  readonly columns: readonly GraphColumn[];
  readonly annotations: readonly GraphAnnotation[];
}

export interface ItemTable {
  readonly key: string;
  /** The source whose messages are counted. */
  readonly source: number;
  readonly plugin: string;
  /** The message variable that is counted. */
  readonly variable: string;
  /** The part of the messages that is counted, such as those of a host; empty: all. */
  readonly part: string;
  /** By weight, descending. Shares are parts of the sum of all shown weights. */
  readonly items: readonly { readonly item: string; readonly weight: number; readonly share: number }[];
}

/**
 * The graphs, or the lists, that are newer than a revision that the window has. The window keeps an entry that is not in `changed` as long
 * as its key is in `keys`.
 */
export interface OutputChanges<T> {
  /** The revision of this answer; the window sends it with its next request. */
  readonly revision: number;
  /** Keys of all current entries, in order. */
  readonly keys: readonly string[];
  /** The entries that changed, as they are now. If they are too many for one answer, the next one brings the others. */
  readonly changed: readonly T[];
}

/** A text that a filter injected. */
export interface OutputText {
  /** The source whose messages it is about. */
  readonly source: number;
  readonly plugin: string;
  readonly name: string;
  readonly text: string;
}

export interface SchemaField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'mismatch';
  readonly representation: string | null;
  readonly count: number;
  readonly optional: boolean;
  readonly samples: readonly string[];
}
interface SchemaVersion {
  readonly name: string;
  readonly count: number;
  readonly fields: readonly SchemaField[];
}
interface SchemaType {
  readonly name: string;
  readonly count: number;
  readonly versions: readonly SchemaVersion[];
}
export interface SchemaLogger {
  readonly name: string;
  readonly count: number;
  readonly types: readonly SchemaType[];
}

export interface SchemaChange {
  readonly revision: number;
  readonly loggers: readonly SchemaLogger[];
}
