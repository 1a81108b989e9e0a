/** A record that an answer named. */
export interface AskedRecord {
  /** Name and number, as in the answer. */
  readonly name: string;
  /** The file or pattern that it is of. */
  readonly path: string;
  /** Milliseconds; null: it was not told. */
  readonly time: number | null;
}

/** A question of an assistant. What was answered is not in it. */
export interface AskedCall {
  /** Milliseconds. */
  readonly at: number;
  readonly tool: string;
  /** Its arguments in short words. */
  readonly question: string;
  /** Names of the files that it named; empty: all. */
  readonly files: readonly string[];
  /** Rows of the answer; null: it had none. */
  readonly rows: number | null;
  /** The reason for which it was refused; null: it was answered. */
  readonly error: string | null;
  /** The first records that the answer named. */
  readonly records: readonly AskedRecord[];
}

/** Files that assistants may ask about, and their questions. */
export interface AssistantsState {
  /** Addresses, names and secrets are pseudonyms in all answers. */
  readonly redact: boolean;
  /** Locations of the sources that may be asked about. */
  readonly granted: readonly string[];
  /** The last questions, the latest first. */
  readonly asked: readonly AskedCall[];
}
