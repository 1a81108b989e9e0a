import { namedWords } from './named-words.ts';
import type { AskedTable } from './protocol.ts';

/** The tables that a query may mean: all, unless it names some and can reach no others. The view of a table opens all of its files. */
export function neededTables(tables: readonly AskedTable[], sql: string): readonly AskedTable[] {
  const words = namedWords(
    sql,
    tables.map(({ name }) => name),
  );
  const named = words === null ? [] : tables.filter(({ name }) => words.has(name.toLowerCase()));
  return named.length === 0 ? tables : named;
}
