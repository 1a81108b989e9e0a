import { ValueType } from '../message/types.ts';

/** Properties that all values of a column share. */
export interface ColumnKey {
  /** Name of the fields. */
  readonly name: string;
  readonly valueType: ValueType;
  /** null: the fields have none. */
  readonly representation: string | null;
  /** The column holds the fields that have no value or several. */
  readonly list: boolean;
  /** Of several fields of one message that have all of this in common: which one, from 0 on. */
  readonly nth: number;
}

/** A column of a file and the fields that it holds. */
export interface NamedColumn extends ColumnKey {
  readonly column: string;
  /** Its doubles are integers up to 2^53, none of them -0. */
  readonly whole?: true;
}

/** Names of the columns for the headers of messages. No field's column has one of them. */
export const HEADER_COLUMNS = ['Timestamp', 'Uuid', 'Type', 'Logger', 'Severity', 'Payload', 'EnvVersion', 'Pid', 'Hostname'] as const;

/** Name of the column for the lines or records that messages were made of, in files that keep them. */
export const RAW_COLUMN = 'RawLine';

/** Name of the column for the fields of a table with very many. */
export const MORE_COLUMN = 'more_fields';

/** Suffix of a column's name when a column of another type has that name. */
const TYPE_WORD: Readonly<Record<ValueType, string>> = {
  [ValueType.STRING]: 'text',
  [ValueType.BYTES]: 'bytes',
  [ValueType.INTEGER]: 'int',
  [ValueType.DOUBLE]: 'double',
  [ValueType.BOOL]: 'bool',
};

/** The key that a text of `keyText` is of; null: it is none. */
export function keyOfText(text: string): ColumnKey | null {
  try {
    const [name, valueType, representation, list, nth] = JSON.parse(text) as [string, ValueType, string | null, boolean, number];
    const key = { name, valueType, representation, list, nth };
    return keyText(key) === text && typeof name === 'string' && valueType in TYPE_WORD ? key : null;
  } catch {
    return null;
  }
}

/** The types in the order in which they get the plain name, when several come at once. */
const PRECEDENCE: readonly ValueType[] = [ValueType.INTEGER, ValueType.DOUBLE, ValueType.BOOL, ValueType.STRING, ValueType.BYTES];

/** A text that is a key's and no other's. */
export const keyText = ({ name, valueType, representation, list, nth }: ColumnKey): string =>
  JSON.stringify([name, valueType, representation, list, nth]);

/**
 * Names columns such that no two differ in case alone, as SQL asks for. A name that was given stays. The values of one field are in several
 * columns when they are of several types (`status`, `status_text`), units (`took`, `took_ms`), no single values (`tags`, `tags_list`) or come several
 * times in one message (`to`, `to_2`).
 */
export class ColumnNames {
  readonly #byKey = new Map<string, string>();
  readonly #taken: Map<string, ColumnKey | null>;

  /** @param others names that no field's column has, beside those of the layout */
  constructor(others: readonly string[] = []) {
    this.#taken = new Map([...HEADER_COLUMNS, RAW_COLUMN, MORE_COLUMN, ...others].map((name) => [name.toLowerCase(), null]));
  }

  /** Number of columns that have names. */
  get size(): number {
    return this.#byKey.size;
  }

  has(key: ColumnKey): boolean {
    return this.#byKey.has(keyText(key));
  }

  /** Takes names that were given before, such as those of a table's earlier files. */
  keep(columns: readonly NamedColumn[]): void {
    for (const { column, whole: _whole, ...key } of columns) {
      this.#taken.set(column.toLowerCase(), key);
      this.#byKey.set(keyText(key), column);
    }
  }

  /** Names columns, in the order in which they were given. */
  name<K extends ColumnKey>(keys: readonly K[]): (K & { readonly column: string })[] {
    const ordered = keys.map((key, i) => ({ key, i }));
    ordered.sort((one, other) => rank(one.key) - rank(other.key) || one.i - other.i);
    for (const { key } of ordered) this.#name(key);
    return keys.map((key) => ({ ...key, column: this.#byKey.get(keyText(key)) as string }));
  }

  #name(key: ColumnKey): void {
    const text = keyText(key);
    if (this.#byKey.has(text)) return;
    const free = [...this.#candidates(key)].find((name) => !this.#taken.has(name.toLowerCase())) ?? this.#numbered(baseName(key));
    this.#taken.set(free.toLowerCase(), key);
    this.#byKey.set(text, free);
  }

  *#candidates(key: ColumnKey): Iterable<string> {
    const base = baseName(key);
    yield base;
    const { valueType, representation, nth } = key;
    const other = this.#taken.get(base.toLowerCase());
    if (other && other.valueType !== valueType) yield `${base}_${TYPE_WORD[valueType]}`;
    else if (nth === 0 && representation !== null && /^\w+$/.test(representation)) yield `${base}_${representation}`;
  }

  #numbered(base: string): string {
    for (let number = 2; ; number++) {
      const name = `${base}_${number}`;
      if (!this.#taken.has(name.toLowerCase())) return name;
    }
  }
}

/** The beginning of the names of a key's columns. Not every reader takes names that are empty, that hold NUL, or that UTF-8 does not keep. */
export function baseName({ name, list }: Pick<ColumnKey, 'name' | 'list'>): string {
  const base = name === '' ? '_' : name.toWellFormed().replaceAll('\0', '\ufffd');
  return list ? `${base}_list` : base;
}

const rank = ({ valueType, list, nth }: ColumnKey): number => nth * 100 + (list ? 10 : 0) + PRECEDENCE.indexOf(valueType);
