import { headerNamed, type Header } from '../api/headers.ts';
import { HEADER_COLUMNS, keyText, MORE_COLUMN, RAW_COLUMN, type NamedColumn } from '../parquet/column-names.ts';
import type { Layout } from '../parquet/message-table.ts';
import { fieldSql } from './field-sql.ts';
import type { AskedTable } from './protocol.ts';
import { queriedColumns, typeOf, type QueriedColumn } from './queried-columns.ts';

/** A file of a table, and what it holds. */
export interface StoredFile {
  readonly path: string;
  readonly layout: Layout;
  /** Headers that no row has. */
  readonly unused: readonly string[];
  /** Whether it has the Uuids of its messages. */
  readonly uuids?: boolean;
  /** Columns that its rows have and the file has not, since no query that is asked needs them; they are null in answers. */
  readonly leftOut?: readonly string[];
}

/** The files of one table. */
export interface StoredTable {
  readonly name: string;
  readonly files: readonly StoredFile[];
}

/** The table of all messages. */
export const ALL = 'messages';

/** Its column for the tables that messages are of. */
export const TABLE_COLUMN = 'table';

const UUID_COLUMN = 'Uuid';

/** The headers of messages in tables. */
const MESSAGE_HEADERS: readonly string[] = HEADER_COLUMNS.filter((name) => name !== UUID_COLUMN);

const hasUuids = ({ files }: StoredTable): boolean => files.some(({ uuids }) => uuids === true);
const hasRaw = ({ files }: StoredTable): boolean => files.some(({ layout }) => layout.raw === true);

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The table for each file's messages, their fields first, and the table of all of them with the headers first. */
export function askedTables(tables: readonly StoredTable[]): AskedTable[] {
  const own = tables.map((table): AskedTable => ({
    name: table.name,
    select: selectOf(table, queriedColumns(columnsOf(table))),
  }));
  return [...own, { name: ALL, select: selectAll(tables) }];
}

/** A column that a query can name. */
export interface TableColumn {
  readonly name: string;
  /** Type in SQL. */
  readonly type: string;
  /** The field that it is of; null: it is a header, or none of the message. */
  readonly field: QueriedColumn | null;
}

/** The columns of the table for each file's messages, and those of the table of all of them, as `askedTables` makes them. */
export function columnsOfTables(tables: readonly StoredTable[]): Map<string, readonly TableColumn[]> {
  const all = new Map<string, TableColumn[]>();
  for (const table of tables) {
    const [time = 'Timestamp', ...others] = usedHeaders(table);
    all.set(table.name, [header(time), ...described(queriedColumns(columnsOf(table))), ...moreColumn([table]), ...others.map(header)]);
  }
  if (tables.length === 0) return all;
  const headers = [...MESSAGE_HEADERS, ...(tables.some(hasUuids) ? [UUID_COLUMN] : []), ...(tables.some(hasRaw) ? [RAW_COLUMN] : [])].map(
    header,
  );
  const table = { name: TABLE_COLUMN, type: 'VARCHAR', field: null };
  return all.set(ALL, [table, ...headers, ...described(columnsOfAll(tables)), ...moreColumn(tables)]);
}

const SQL_TYPES: Readonly<Partial<Record<Header['kind'], string>>> = { time: 'TIMESTAMP_NS', int: 'INTEGER' };

const header = (name: string): TableColumn => ({ name, type: headerType(name), field: null });
const headerType = (name: string): string => (name === UUID_COLUMN ? 'UUID' : (SQL_TYPES[headerNamed(name)?.kind ?? 'text'] ?? 'VARCHAR'));

const described = (columns: readonly QueriedColumn[]): TableColumn[] =>
  columns.map((column) => ({ name: column.name, type: typeOf(column), field: column }));

const leftOutOf = ({ files }: StoredTable): ReadonlySet<string> => new Set(files.flatMap(({ leftOut = [] }) => leftOut));

const moreColumn = (tables: readonly StoredTable[]): TableColumn[] =>
  tables.some((table) => more(table).length > 0) ? [{ name: MORE_COLUMN, type: 'MAP(VARCHAR, VARCHAR)', field: null }] : [];

/** The columns of a table's files, each as often as it is there. */
const columnsOf = ({ files }: StoredTable): NamedColumn[] => files.flatMap(({ layout }) => layout.columns);

function selectOf(table: StoredTable, columns: readonly QueriedColumn[]): string {
  const [time = 'Timestamp', ...others] = usedHeaders(table);
  const groups = groupsOf(table).map((group) => {
    const has: Readonly<Record<string, boolean>> = { [UUID_COLUMN]: hasUuids(group), [RAW_COLUMN]: hasRaw(group) };
    const headers = others.map((name) => (has[name] === false ? `NULL::${headerType(name)} AS ${name}` : name));
    return fromFiles(group, [time, ...fieldsOf(group, columns, true), ...more(group), ...headers]);
  });
  return groups.join(' UNION ALL BY NAME ');
}

/**
 * The files of a table in groups in which columns for the same fields have the same name, and others have not: several programs may have given names.
 */
function groupsOf({ name, files }: StoredTable): StoredTable[] {
  const groups: { readonly files: StoredFile[]; readonly names: Map<string, string>; readonly keys: Map<string, string> }[] = [];
  for (const file of files) {
    const columns = file.layout.columns.map((named) => ({ key: keyText(named), column: named.column.toLowerCase() }));
    const fits = ({ names, keys }: (typeof groups)[number]): boolean =>
      columns.every(({ key, column }) => (names.get(key) ?? column) === column && (keys.get(column) ?? key) === key);
    let group = groups.find(fits);
    if (group === undefined) groups.push((group = { files: [], names: new Map(), keys: new Map() }));
    for (const { key, column } of columns) {
      group.names.set(key, column);
      group.keys.set(column, key);
    }
    group.files.push(file);
  }
  return groups.map((group) => ({ name, files: group.files }));
}

const columnsOfAll = (tables: readonly StoredTable[]): QueriedColumn[] => queriedColumns(tables.flatMap(columnsOf), [TABLE_COLUMN]);

function selectAll(tables: readonly StoredTable[]): string {
  const columns = columnsOfAll(tables);
  const selects = tables
    .flatMap(groupsOf)
    .map((table) =>
      fromFiles(table, [
        `${text(table.name)} AS ${identifier(TABLE_COLUMN)}`,
        ...MESSAGE_HEADERS,
        ...fieldsOf(table, columns),
        ...more(table),
        ...(hasUuids(table) ? [UUID_COLUMN] : []),
        ...(hasRaw(table) ? [RAW_COLUMN] : []),
      ]),
    );
  return selects.join(' UNION ALL BY NAME ');
}

/** The expressions for the columns that a table has. @param all whether those that it lacks are null, and not left out */
function fieldsOf(table: StoredTable, columns: readonly QueriedColumn[], all = false): string[] {
  const leftOut = leftOutOf(table);
  const stored = new Map(columnsOf(table).map((named) => [keyText(named), leftOut.has(named.column) ? null : named.column]));
  return columns.flatMap((column) => {
    const sql = fieldSql(column, stored);
    return sql === null && !all ? [] : `${sql ?? `NULL::${typeOf(column)}`} AS ${identifier(column.name)}`;
  });
}

const more = ({ files }: StoredTable): string[] => (files.some(({ layout }) => layout.more.length > 0) ? [MORE_COLUMN] : []);

function usedHeaders(table: StoredTable): string[] {
  const { files } = table;
  const used = MESSAGE_HEADERS.filter((header) => files.some(({ unused }) => !unused.includes(header)));
  return [...used, ...(hasUuids(table) ? [UUID_COLUMN] : []), ...(hasRaw(table) ? [RAW_COLUMN] : [])];
}

function fromFiles({ files }: StoredTable, columns: readonly string[]): string {
  const options = `union_by_name = ${!areAlike(files)}, hive_partitioning = false`;
  return `SELECT ${columns.join(', ')} FROM read_parquet([${files.map(({ path }) => text(path)).join(', ')}], ${options})`;
}

/** Whether all files have the same columns: then DuckDB looks at the first one alone before it reads them. */
function areAlike(files: readonly StoredFile[]): boolean {
  const [first, ...others] = files.map(columnsInFile);
  return others.every((columns) => columns === first);
}

function columnsInFile({ layout, uuids, leftOut = [] }: StoredFile): string {
  const columns = [...layout.columns.map(({ column }) => column), ...(layout.more.length > 0 ? [MORE_COLUMN] : [])];
  const there = columns.filter((column) => !leftOut.includes(column)).sort();
  return JSON.stringify([layout.raw === true, uuids === true, leftOut.toSorted(), there]);
}
