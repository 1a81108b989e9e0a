import { MAX_QUERY_NAME, MAX_SQL } from '../api/query-types.ts';
import { isTable } from './document.ts';
import type { Finding } from './problems.ts';
import type { SectionTypes } from './schema/sections.ts';

/** Name of the table of saved queries: their SQL by their names. The window writes it, a service leaves it alone. */
export const QUERIES = 'queries';

/** Tells it from a section that someone has named so. */
export function isQueries(name: string, value: unknown, types: SectionTypes): boolean {
  return name === QUERIES && isTable(value) && !(typeof value['type'] === 'string' && Object.hasOwn(types, value['type']));
}

/** The saved queries without those that are wrong. */
export function checkQueries(
  value: unknown,
  types: SectionTypes,
): { readonly queries: Readonly<Record<string, string>>; readonly findings: readonly Finding[] } {
  if (!isTable(value) || !isQueries(QUERIES, value, types)) return { queries: {}, findings: [] };
  const findings: Finding[] = [];
  const right = Object.entries(value).filter(([name, sql]) => {
    const text = problemOf(name, sql);
    if (text !== null) findings.push({ path: [name], text, hint: 'a saved query is its name and its SQL: "errors" = "SELECT …"' });
    return text === null;
  });
  return { queries: Object.fromEntries(right) as Record<string, string>, findings };
}

function problemOf(name: string, sql: unknown): string | null {
  if (name.trim() === '' || name.length > MAX_QUERY_NAME) return `the name of a query has 1 to ${MAX_QUERY_NAME} characters`;
  if (typeof sql !== 'string' || sql.trim() === '') return 'is not the text of a query';
  return sql.length > MAX_SQL ? `a query has at most ${MAX_SQL} characters` : null;
}
