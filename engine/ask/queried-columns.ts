import { FreeNames, baseName, type NamedColumn } from '../parquet/column-names.ts';
import { fieldShapes, type FieldShape } from './field-shapes.ts';

/** Values of a field that a column has: the first one of each message, the first one where it is a number, or all of them. */
type FieldPart = 'first' | 'number' | 'all';

/** A column that queries see. */
export interface QueriedColumn {
  readonly name: string;
  readonly field: FieldShape;
  readonly part: FieldPart;
}

const SQL_TYPES: Readonly<Record<FieldShape['type'], string>> = {
  text: 'VARCHAR',
  bytes: 'BLOB',
  integer: 'BIGINT',
  double: 'DOUBLE',
  bool: 'BOOLEAN',
};

/** The type of a column in SQL. */
export const typeOf = ({ field, part }: Pick<QueriedColumn, 'field' | 'part'>): string =>
  part === 'number' ? SQL_TYPES.double : `${SQL_TYPES[field.type]}${part === 'all' ? '[]' : ''}`;

/** The parts of a field that have a column, and what is added to its name. */
const PARTS: readonly { readonly part: FieldPart; readonly suffix: string; readonly of: (field: FieldShape) => boolean }[] = [
  { part: 'first', suffix: '', of: () => true },
  { part: 'number', suffix: '_number', of: ({ hasNumbers }) => hasNumbers },
  { part: 'all', suffix: '_list', of: ({ hasSeveral }) => hasSeveral },
];

/**
 * The columns that queries see of those of a table's files. The plain name of a field has the first value of each message. Where these are of several kinds, it is a
 * text, and `NAME_number` has the numbers. `NAME_list` has all values, where some message has several. Plain names are given first.
 * @param others names of columns beside them
 */
export function queriedColumns(columns: readonly NamedColumn[], others: readonly string[] = []): QueriedColumn[] {
  const names = new FreeNames(others);
  const fields = fieldShapes(columns);
  const named = new Map<FieldShape, QueriedColumn[]>();
  for (const { part, suffix, of } of PARTS) {
    for (const field of fields.filter(of)) {
      const column = { name: names.take([`${baseName(field.name)}${suffix}`]), field, part };
      named.set(field, [...(named.get(field) ?? []), column]);
    }
  }
  return fields.flatMap((field) => named.get(field) ?? []);
}
