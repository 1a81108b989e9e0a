import { ValueType } from '../message/types.ts';
import { typeFacts } from '../message/value-types.ts';
import { keyText, type ColumnKey } from '../parquet/column-names.ts';
import type { FieldShape } from './field-shapes.ts';
import { typeOf, type QueriedColumn } from './queried-columns.ts';
import { conversion, isUnit } from './units.ts';

/** Functions of the expressions below. `number_text` writes a double as ECMAScript does (Number::toString), as all of the program does. */
export const FIELD_MACROS: readonly string[] = [
  `CREATE MACRO number_text(x) AS CASE
    WHEN x IS NULL THEN NULL
    WHEN isnan(x) THEN 'NaN'
    WHEN isinf(x) THEN CASE WHEN x > 0 THEN 'Infinity' ELSE '-Infinity' END
    WHEN x = trunc(x) AND abs(x) < 9007199254740992 THEN x::BIGINT::VARCHAR
    WHEN abs(x) >= 1e21 OR abs(x) < 1e-6 THEN regexp_replace(x::VARCHAR, 'e([+-])0', 'e\\1')
    WHEN abs(x) >= 9007199254740992 THEN x::VARCHAR::DECIMAL(38, 0)::VARCHAR
    WHEN abs(x) < 1e-3 THEN rtrim(x::VARCHAR::DECIMAL(38, 25)::VARCHAR, '0')
    ELSE x::VARCHAR END`,
  `CREATE MACRO text_number(x) AS CASE WHEN regexp_full_match(x, '[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?') THEN TRY_CAST(x AS DOUBLE) END`,
];

/** The columns of a table's files by the texts of their keys; null: the files lack it, although rows have it. */
export type StoredColumns = ReadonlyMap<string, string | null>;

/** The expression for a column; null: the table has none of its values. */
export function fieldSql(column: QueriedColumn, stored: StoredColumns): string | null {
  const { field, part } = column;
  const keys = field.keys.filter((key) => stored.has(keyText(key)));
  if (keys.length === 0) return null;
  const cells = keys.map((key) => ({ key, sql: storedSql(key, stored.get(keyText(key)) ?? null) }));
  if (part === 'all') return listSql(field, cells);
  // A later field of a message has its first value only where those before it have none.
  const firsts = keys.some(({ list }) => list) ? cells : cells.filter(({ key }) => key.nth === 0);
  return part === 'number' ? numberOf(field, firsts) : coalesced(firsts.map((cell) => valueSql(field, cell.key, firstOf(cell))));
}

interface Cell {
  readonly key: ColumnKey;
  readonly sql: string;
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function storedSql({ valueType, list }: ColumnKey, column: string | null): string {
  return column === null ? `(NULL::${typeFacts(valueType).sql}${list ? '[]' : ''})` : identifier(column);
}

const firstOf = ({ key, sql }: Cell): string => (key.list ? `${sql}[1]` : sql);

const coalesced = (values: readonly string[]): string => (values.length > 1 ? `coalesce(${values.join(', ')})` : (values[0] ?? 'NULL'));

/** The first value where it is a number. */
function numberOf(field: FieldShape, cells: readonly Cell[]): string {
  const numbers = cells.map((cell) => numberSql(field, cell.key, firstOf(cell)) ?? 'NULL');
  if (!field.hasSeveral) return `${coalesced(numbers.filter((sql) => sql !== 'NULL'))}::DOUBLE`;
  const cases = cells.map((cell, i) => `WHEN ${firstOf(cell)} IS NOT NULL THEN ${numbers[i] as string}`);
  return `CASE ${cases.join(' ')} ELSE NULL END::DOUBLE`;
}

function listSql(field: FieldShape, cells: readonly Cell[]): string {
  const lists = cells.map(({ key, sql }) => {
    if (!key.list) return `CASE WHEN ${sql} IS NOT NULL THEN [${valueSql(field, key, sql)}] END`;
    const value = valueSql(field, key, 'x');
    return value === 'x' ? sql : `[${value} for x in ${sql}]`;
  });
  const [first = ''] = lists;
  if (lists.length === 1) return first;
  const none = cells.map(({ sql }) => `${sql} IS NULL`).join(' AND ');
  return `CASE WHEN NOT (${none}) THEN list_concat(${lists.join(', ')})::${typeOf({ field, part: 'all' })} END`;
}

/** A value as the plain name has it. */
function valueSql(field: FieldShape, key: ColumnKey, sql: string): string {
  const { valueType } = key;
  if (field.type === 'text') return textSql(field, key, sql);
  if (field.type === 'integer' && valueType === ValueType.DOUBLE) return `${sql}::BIGINT`;
  return field.type === 'double' ? doubleSql(field, key, sql) : sql;
}

/** A text within a constant of SQL, which holds no NUL. */
const sqlText = (text: string): string => text.replaceAll('\0', '\ufffd').replaceAll("'", "''");

function textSql(field: FieldShape, key: ColumnKey, sql: string): string {
  switch (key.valueType) {
    case ValueType.STRING:
      return sql;
    case ValueType.BYTES:
      return `lower(hex(${sql}))`;
    case ValueType.BOOL:
      return `${sql}::VARCHAR`;
    case ValueType.INTEGER:
    case ValueType.DOUBLE: {
      const isPlain = key.valueType === ValueType.INTEGER && factorOf(field, key) === '';
      const text = isPlain ? `${sql}::VARCHAR` : `number_text(${doubleSql(field, key, sql)})`;
      return field.namesUnits && isUnit(key.representation) ? `${text} || ' ${sqlText(key.representation)}'` : text;
    }
  }
}

/** A value as a number; null: it is none. */
function numberSql(field: FieldShape, key: ColumnKey, sql: string): string | null {
  if (key.valueType === ValueType.STRING) return field.quantity === null ? `text_number(${sql})` : `quantity_number(${sql})`;
  return key.valueType === ValueType.INTEGER || key.valueType === ValueType.DOUBLE ? doubleSql(field, key, sql) : null;
}

function doubleSql(field: FieldShape, key: ColumnKey, sql: string): string {
  const number = key.valueType === ValueType.INTEGER ? `${sql}::DOUBLE` : sql;
  return `${number}${factorOf(field, key)}`;
}

/** The conversion of a number to the unit of its field. */
function factorOf({ unit }: FieldShape, { representation }: ColumnKey): string {
  const factor = unit === null || !isUnit(representation) ? null : conversion(representation, unit);
  if (factor === null) return '';
  return `${factor.times === 1 ? '' : ` * ${factor.times}::DOUBLE`}${factor.by === 1 ? '' : ` / ${factor.by}::DOUBLE`}`;
}
