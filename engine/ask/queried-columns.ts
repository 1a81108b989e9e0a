import { ColumnNames, keyText, type ColumnKey, type NamedColumn } from '../parquet/column-names.ts';
import { ValueType } from '../message/types.ts';

/** A column that queries see, and those of the files that it is made of. */
export interface QueriedColumn {
  readonly name: string;
  /** The fields that it holds, and their type. */
  readonly key: ColumnKey;
  /** The values of the first one that a row has. */
  readonly parts: readonly ColumnKey[];
}

const FIELD_TYPES: Readonly<Record<ValueType, string>> = {
  [ValueType.STRING]: 'VARCHAR',
  [ValueType.BYTES]: 'BLOB',
  [ValueType.INTEGER]: 'BIGINT',
  [ValueType.DOUBLE]: 'DOUBLE',
  [ValueType.BOOL]: 'BOOLEAN',
};

/** The type of a column in SQL. */
export const typeOf = ({ valueType, list }: ColumnKey): string => `${FIELD_TYPES[valueType]}${list ? '[]' : ''}`;

/**
 * The columns that queries see of those of a table's files. A field whose values are integers in some messages and doubles in others has one column with all of
 * them: of integers when its doubles are whole, else of doubles, with the exact integers in a column beside it. Otherwise each column stays as it is; the names
 * are given once all of them are known: by type, whichever came first.
 * @param others names of columns beside them
 */
export function queriedColumns(columns: readonly NamedColumn[], others: readonly string[] = []): QueriedColumn[] {
  const keys = new Map(columns.map((column) => [keyText(column), keyOf(column)]));
  const fractional = new Set(columns.filter(({ whole }) => whole !== true).map(keyText));
  const other = (key: ColumnKey, valueType: ValueType): ColumnKey | undefined => keys.get(keyText({ ...key, valueType }));
  const parts = new Map<ColumnKey, readonly ColumnKey[]>();
  const plain: ColumnKey[] = [];
  for (const key of keys.values()) {
    const doubles = key.list || key.valueType !== ValueType.INTEGER ? undefined : other(key, ValueType.DOUBLE);
    const integers = key.list || key.valueType !== ValueType.DOUBLE ? undefined : other(key, ValueType.INTEGER);
    if (doubles !== undefined) parts.set(key, fractional.has(keyText(doubles)) ? [key] : [key, doubles]);
    else if (integers === undefined) parts.set(key, [key]);
    else if (fractional.has(keyText(key))) {
      parts.set(key, [key, integers]);
      plain.push(key);
    }
  }
  const names = new ColumnNames(others);
  names.name(plain);
  const all = [...parts.keys()];
  return names.name(all).map(({ column }, i) => {
    const key = all[i] as ColumnKey;
    return { name: column, key, parts: parts.get(key) ?? [key] };
  });
}

const keyOf = ({ name, valueType, representation, list, nth }: NamedColumn): ColumnKey => ({ name, valueType, representation, list, nth });
