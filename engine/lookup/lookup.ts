/** A value that a lookup has for a key. */
export type LookupValue = string | number | boolean;

/** Finds the value for a key; null: there is none. */
export type Find = (key: string) => LookupValue | null;

/** Knowledge of a user's file about addresses, or about other texts. */
export interface Lookup {
  /** Names of its columns; of nested ones, those of their parts. */
  readonly columns: readonly string[];
  /** Whether it knows a key. */
  has(key: string): boolean;
  /**
   * Finds the values of a column.
   * @throws {LookupError} when it has no such column
   */
  column(name: string): Find;
  /** Its keys; null: they are too many, as those of a database are. */
  keys(): readonly string[] | null;
}

/** A lookup that cannot be used: there is none of that name, its file is broken, or it has no such column. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** The message without what else there is, which is none of the business of a script from elsewhere. */
  readonly plain: string;

  /** @param options `instead`: what there is, or may have been meant */
  constructor(plain: string, { instead, cause }: { readonly instead?: string; readonly cause?: unknown } = {}) {
    super(instead === undefined ? plain : `${plain}: ${instead}`, { cause });
    this.plain = plain;
  }
}
