import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';

/**
 * Functions that a query may have in FROM. Others read files, write them (`enable_logging`), run text as SQL or take addresses of memory (`arrow_scan`), some of them
 * although external access is off.
 */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['range', 'generate_series', 'unnest', 'repeat', 'repeat_row', 'json_each', 'json_tree', 'histogram', 'histogram_values', 'summary'],
  ...['duckdb_columns', 'duckdb_functions', 'duckdb_keywords', 'duckdb_tables', 'duckdb_types', 'pragma_table_info'],
]);
/** Functions that a query may not have anywhere: they write logs, tell the folders of the machine, or look at SQL that was not checked. */
const NEVER: ReadonlySet<string> = new Set(['write_log', 'current_setting', 'json_serialize_plan']);

/** Tables of DuckDB that tell where files are: the settings, and how the tables of a query are made. */
const TELLING: ReadonlySet<string> = new Set([
  'pg_settings',
  'duckdb_settings',
  'duckdb_views',
  'pg_views',
  'sqlite_master',
  'sqlite_schema',
]);
const SCHEMA = 'information_schema';

/** A statement that may be run. */
export interface Prepared {
  readonly statement: DuckDBPreparedStatement;
  /** As DuckDB has parsed it. */
  readonly tree: unknown;
}

/**
 * Lets exactly one statement through, and only one that reads tables and calls functions that are known to be harmless. Nothing of it is bound, and so no function
 * is called, before that is known.
 * @throws {Error} with a text for the user
 */
export async function prepared(connection: DuckDBConnection, sql: string): Promise<Prepared> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Error(PIVOT.test(sql) ? PIVOT_VALUES : `a query is one statement, not ${statements.count}`);
  const tree = await treeOf(connection, sql);
  checkFunctions(tree);
  const statement = await statements.prepare(0);
  if (statement.statementType !== duckdb.StatementType.SELECT) throw new Error(NO_SELECT);
  if (statement.parameterCount > 0) throw new Error('a query has no parameters ($1, ?)');
  return { statement, tree };
}

/** DuckDB makes two statements of one without values: it makes a type of them first, and what reads them cannot be checked. */
const PIVOT = /\bPIVOT(?:_WIDER)?\b/i;
const PIVOT_VALUES = 'PIVOT needs the values that become columns: PIVOT access ON status IN (200, 404) USING count(*)';

const NO_SELECT = 'a query is a SELECT: nothing can be changed, written or set';

/** The statement as DuckDB has parsed it; it makes one of those alone that read. */
async function treeOf(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const tree = JSON.parse(String(reader.getRows()[0]?.[0])) as { readonly error?: boolean };
  if (tree.error !== false) throw new Error(NO_SELECT);
  return tree;
}

interface TableNode {
  readonly table_name?: unknown;
  readonly schema_name?: unknown;
}

/** The table of DuckDB in a node of a statement that tells where files are; null: it has none. A name may be quoted where it is not parsed yet, as in SUMMARIZE. */
function placesToldBy({ table_name: table, schema_name: schema }: TableNode): string | null {
  if (typeof table !== 'string') return null;
  const whole = typeof schema === 'string' ? `${schema}.${table}` : table;
  const parts = whole.split('.').map((part) => part.replaceAll('"', '').toLowerCase());
  const last = parts.at(-1) ?? '';
  return TELLING.has(last) || (last === 'views' && parts.includes(SCHEMA)) ? table : null;
}

function checkFunctions(node: unknown): void {
  if (Array.isArray(node)) {
    for (const each of node as unknown[]) checkFunctions(each);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { type, function: called, function_name: name } = node as Readonly<Record<string, unknown>>;
  if (typeof name === 'string' && NEVER.has(name.toLowerCase())) throw new Error(`a query may not call ${name}`);
  const told = placesToldBy(node);
  if (told !== null) throw new Error(`a query may not read from ${told}, which tells where files are`);
  if (type === 'TABLE_FUNCTION') {
    const table = String((called as { function_name?: unknown } | undefined)?.function_name).toLowerCase();
    if (!TABLE_FUNCTIONS.has(table)) throw new Error(`a query may not read from ${table}(): it reads the tables of its files alone`);
  }
  for (const each of Object.values(node)) checkFunctions(each);
}
