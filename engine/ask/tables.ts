import {
  ColumnNames,
  HEADER_COLUMNS,
  keyText,
  MORE_COLUMN,
  RAW_COLUMN,
  type ColumnKey,
  type NamedColumn,
} from '../parquet/column-names.ts';
import type { Layout } from '../parquet/message-table.ts';
import { ValueType } from '../message/types.ts';
import type { AskedTable } from './protocol.ts';

/** A file of a table, and what it holds. */
export interface StoredFile {
  readonly path: string;
  readonly layout: Layout;
  /** Headers that no row has. */
  readonly unused: readonly string[];
  /** Columns that its rows have and the file has not, since no query that is asked needs them; they are null in answers. */
  readonly leftOut?: readonly string[];
}

/** The files of one table. Columns for the same fields have the same name in all of them. */
export interface StoredTable {
  readonly name: string;
  readonly files: readonly StoredFile[];
}

/** The table of all messages. */
export const ALL = 'messages';

/** The headers of messages in tables. */
const MESSAGE_HEADERS: readonly string[] = HEADER_COLUMNS.filter((name) => name !== 'Uuid');

const hasRaw = ({ files }: StoredTable): boolean => files.some(({ layout }) => layout.raw === true);

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The table for each file's messages, their fields first, and the table of all of them with the headers first. */
export function askedTables(tables: readonly StoredTable[]): AskedTable[] {
  const own = tables.map((table): AskedTable => ({
    name: table.name,
    select: selectOf(table, columnsOf(table), namesFor(columnsOf(table))),
  }));
  return [...own, { name: ALL, select: selectAll(tables) }];
}

/** A column that a query can name. */
export interface TableColumn {
  readonly name: string;
  /** Type in SQL. */
  readonly type: string;
  /** The fields that it holds; null: it is a header, or none of the message. */
  readonly field: ColumnKey | null;
}

/** The columns of the table for each file's messages, and those of the table of all of them, as `askedTables` makes them. */
export function columnsOfTables(tables: readonly StoredTable[]): Map<string, readonly TableColumn[]> {
  const all = new Map<string, TableColumn[]>();
  for (const table of tables) {
    const columns = columnsOf(table);
    const [time = 'Timestamp', ...others] = usedHeaders(table);
    all.set(table.name, [header(time), ...described(columns, namesFor(columns)), ...moreColumn([table]), ...others.map(header)]);
  }
  if (tables.length === 0) return all;
  const columns = tables.flatMap(columnsOf);
  const unique = [...new Map(columns.map((column) => [keyText(column), column])).values()];
  const headers = [...MESSAGE_HEADERS, ...(tables.some(hasRaw) ? [RAW_COLUMN] : [])].map(header);
  const table = { name: 'table', type: 'VARCHAR', field: null };
  return all.set(ALL, [table, ...headers, ...described(unique, namesFor(columns)), ...moreColumn(tables)]);
}

const HEADER_TYPES: Readonly<Record<string, string>> = { Timestamp: 'TIMESTAMP_NS', Severity: 'INTEGER', Pid: 'INTEGER' };

const header = (name: string): TableColumn => ({ name, type: HEADER_TYPES[name] ?? 'VARCHAR', field: null });

const FIELD_TYPES: Readonly<Record<ValueType, string>> = {
  [ValueType.STRING]: 'VARCHAR',
  [ValueType.BYTES]: 'BLOB',
  [ValueType.INTEGER]: 'BIGINT',
  [ValueType.DOUBLE]: 'DOUBLE',
  [ValueType.BOOL]: 'BOOLEAN',
};

const typeOf = ({ valueType, list }: ColumnKey): string => `${FIELD_TYPES[valueType]}${list ? '[]' : ''}`;

const leftOutOf = ({ files }: StoredTable): ReadonlySet<string> => new Set(files.flatMap(({ leftOut = [] }) => leftOut));

function described(columns: readonly NamedColumn[], names: ReadonlyMap<string, string>): TableColumn[] {
  return columns.map((field) => ({
    name: names.get(keyText(field)) ?? field.column,
    type: typeOf(field),
    field,
  }));
}

const moreColumn = (tables: readonly StoredTable[]): TableColumn[] =>
  tables.some((table) => more(table).length > 0) ? [{ name: MORE_COLUMN, type: 'MAP(VARCHAR, VARCHAR)', field: null }] : [];

/** The columns of a table, each once. */
function columnsOf({ files }: StoredTable): NamedColumn[] {
  const columns = new Map(files.flatMap(({ layout }) => layout.columns.map((column) => [keyText(column), column] as const)));
  return [...columns.values()];
}

/** The names of columns once all of them are known: by type, whichever came first. */
function namesFor(columns: readonly NamedColumn[]): Map<string, string> {
  const keys = columns.map(({ name, valueType, representation, list, nth }): ColumnKey => ({ name, valueType, representation, list, nth }));
  return new Map(new ColumnNames().name(keys).map((named) => [keyText(named), named.column]));
}

function selectOf(table: StoredTable, columns: readonly NamedColumn[], names: ReadonlyMap<string, string>): string {
  const headers = usedHeaders(table);
  const [time = 'Timestamp', ...others] = headers;
  return fromFiles(table, [time, ...fieldsOf(table, columns, names), ...more(table), ...others]);
}

function selectAll(tables: readonly StoredTable[]): string {
  const names = namesFor(tables.flatMap(columnsOf));
  const selects = tables.map((table) =>
    fromFiles(table, [
      `${text(table.name)} AS "table"`,
      ...MESSAGE_HEADERS,
      ...fieldsOf(table, columnsOf(table), names),
      ...more(table),
      ...(hasRaw(table) ? [RAW_COLUMN] : []),
    ]),
  );
  return selects.join(' UNION ALL BY NAME ');
}

function fieldsOf(table: StoredTable, columns: readonly NamedColumn[], names: ReadonlyMap<string, string>): string[] {
  const leftOut = leftOutOf(table);
  return columns.map((column) => {
    const value = leftOut.has(column.column) ? `NULL::${typeOf(column)}` : identifier(column.column);
    return `${value} AS ${identifier(names.get(keyText(column)) ?? column.column)}`;
  });
}

const more = ({ files }: StoredTable): string[] => (files.some(({ layout }) => layout.more.length > 0) ? [MORE_COLUMN] : []);

function usedHeaders(table: StoredTable): string[] {
  const { files } = table;
  const used = MESSAGE_HEADERS.filter((header) => files.some(({ unused }) => !unused.includes(header)));
  return hasRaw(table) ? [...used, RAW_COLUMN] : used;
}

function fromFiles({ files }: StoredTable, columns: readonly string[]): string {
  return `SELECT ${columns.join(', ')} FROM read_parquet([${files.map(({ path }) => text(path)).join(', ')}], union_by_name = true, hive_partitioning = false)`;
}
