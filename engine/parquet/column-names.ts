import { HEADERS, OPTIONAL_HEADERS } from '../api/headers.ts';
import type { Measure } from '../base/text/quantity.ts';
import type { ValueType } from '../message/types.ts';
import { typeFacts, VALUE_TYPES } from '../message/value-types.ts';

/** Properties that all values of a column share. */
export interface ColumnKey {
  /** Name of the fields. */
  readonly name: string;
  readonly valueType: ValueType;
  /** null: the fields have none. */
  readonly representation: string | null;
  /** The column holds the fields that have no value or several. */
  readonly list: boolean;
  /** Place among the fields of this name in one message, from 0 on; in earlier files, among those that have all of this in common. */
  readonly nth: number;
}

/** A column of a file and the fields that it holds. */
export interface NamedColumn extends ColumnKey {
  readonly column: string;
  /** Its doubles are integers up to 2^53, none of them -0. */
  readonly whole?: true;
  /** Its integers are not all within 2^53. */
  readonly wide?: true;
  /** Its texts are all written as numbers. */
  readonly numbers?: true;
  /** Its texts are all durations, or all sizes, with their units. */
  readonly quantity?: Measure;
}

/** Names of the columns for the headers of messages. No field's column has one of them. */
export const HEADER_COLUMNS = [HEADERS.timestamp, HEADERS.uuid, ...OPTIONAL_HEADERS].map(({ name }) => name);

/** Name of the column for the lines or records that messages were made of, in files that keep them. */
export const RAW_COLUMN = 'RawLine';

/** Name of the column for the fields of a table with very many. */
export const MORE_COLUMN = 'more_fields';

/** The key that a text of `keyText` is of; null: it is none. */
export function keyOfText(text: string): ColumnKey | null {
  try {
    const [name, valueType, representation, list, nth] = JSON.parse(text) as [string, ValueType, string | null, boolean, number];
    const key = { name, valueType, representation, list, nth };
    return keyText(key) === text && typeof name === 'string' && VALUE_TYPES.some(({ type }) => type === valueType) ? key : null;
  } catch {
    return null;
  }
}

/** A text that is a key's and no other's. */
export const keyText = ({ name, valueType, representation, list, nth }: ColumnKey): string =>
  JSON.stringify([name, valueType, representation, list, nth]);

/** Names of which no two differ in case alone, as SQL asks for, and none is that of a column beside the fields. */
export class FreeNames {
  readonly #taken: Set<string>;

  /** @param others names that are taken, beside those of the layout */
  constructor(others: readonly string[] = []) {
    this.#taken = new Set([...HEADER_COLUMNS, RAW_COLUMN, MORE_COLUMN, ...others].map((name) => name.toLowerCase()));
  }

  add(name: string): void {
    this.#taken.add(name.toLowerCase());
  }

  /** Takes the first name that is free, or the first one with a number behind it. */
  take(candidates: readonly [string, ...string[]]): string {
    const name = candidates.find((one) => this.#isFree(one)) ?? this.#numbered(candidates[0]);
    this.add(name);
    return name;
  }

  #isFree(name: string): boolean {
    return !this.#taken.has(name.toLowerCase());
  }

  #numbered(base: string): string {
    for (let number = 2; ; number++) if (this.#isFree(`${base}_${number}`)) return `${base}_${number}`;
  }
}

/** Names the columns of files. A name that was given stays. A field whose values are in several columns has a suffix in the further ones. */
export class ColumnNames {
  readonly #byKey = new Map<string, string>();
  readonly #free = new FreeNames();
  readonly #holders = new Map<string, ColumnKey>();

  /** Number of columns that have names. */
  get size(): number {
    return this.#byKey.size;
  }

  has(key: ColumnKey): boolean {
    return this.#byKey.has(keyText(key));
  }

  /** Takes names that were given before, such as those of a table's earlier files. Where several programs have given names, the first one stays. */
  keep(columns: readonly NamedColumn[]): void {
    for (const column of columns)
      if (!this.has(column) && !this.#holders.has(column.column.toLowerCase())) this.#give(column, column.column);
  }

  /** Names columns, in the order in which they were given. */
  name<K extends ColumnKey>(keys: readonly K[]): (K & { readonly column: string })[] {
    const ordered = keys.map((key, i) => ({ key, i }));
    ordered.sort((one, other) => rank(one.key) - rank(other.key) || one.i - other.i);
    for (const { key } of ordered) this.#name(key);
    return keys.map((key) => ({ ...key, column: this.#byKey.get(keyText(key)) as string }));
  }

  #name(key: ColumnKey): void {
    if (!this.has(key)) this.#give(key, this.#free.take(this.#candidates(key)));
  }

  #give(key: ColumnKey, name: string): void {
    this.#free.add(name);
    this.#holders.set(name.toLowerCase(), key);
    this.#byKey.set(keyText(key), name);
  }

  #candidates({ name, valueType, representation, list, nth }: ColumnKey): [string, ...string[]] {
    const base = list ? `${baseName(name)}_list` : baseName(name);
    const other = this.#holders.get(base.toLowerCase());
    if (other !== undefined && other.valueType !== valueType) return [base, `${base}_${typeFacts(valueType).suffix}`];
    return nth === 0 && representation !== null && /^\w+$/.test(representation) ? [base, `${base}_${representation}`] : [base];
  }
}

/** The beginning of the names of a field's columns. Not every reader takes names that are empty, that hold NUL, or that UTF-8 does not keep. */
export const baseName = (name: string): string => (name === '' ? '_' : name.toWellFormed().replaceAll('\0', '\ufffd'));

const rank = ({ valueType, list, nth }: ColumnKey): number => nth * 100 + (list ? 10 : 0) + typeFacts(valueType).rank;
