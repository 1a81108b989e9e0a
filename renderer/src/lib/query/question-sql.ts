import type { Measure, Question, QueryColumn, QueryTable } from '../../../../engine/api/types.ts';
import { measuresOf } from '../charts/question.ts';
import { spokenName } from '../filter/variable.ts';
import type { Filter } from '../filter/filter.ts';
import { filterSql } from './filter-sql.ts';
import { identifier } from './names.ts';

const NUMBERS: Readonly<Record<Measure, (column: string) => string>> = {
  count: (column) => `count(${column})`,
  sum: (column) => `sum(${column})`,
  average: (column) => `avg(${column})`,
  min: (column) => `min(${column})`,
  max: (column) => `max(${column})`,
  p50: (column) => `quantile_cont(${column}, 0.5)`,
  p95: (column) => `quantile_cont(${column}, 0.95)`,
  p99: (column) => `quantile_cont(${column}, 0.99)`,
  distinct: (column) => `count(DISTINCT ${column})`,
};
/** The table of all records. */
const ALL = 'messages';
const NUMBER = /^(?:BIGINT|DOUBLE|INTEGER)$/;
const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 0 },
] as const;

/** The table that answers a question, and the names of those whose records count in that of all records; null: all do. */
interface Asked {
  readonly table: QueryTable;
  readonly among: readonly string[] | null;
}

/**
 * The table for a question: that of the only shown source, or the only one with what it groups by; else that of all records; null: none has its variables.
 * @param sources that are shown; empty: all
 */
export function tableFor(tables: readonly QueryTable[], { of, by }: Pick<Question, 'of' | 'by'>, sources: readonly number[]): Asked | null {
  const has = ({ columns }: QueryTable, variables: readonly string[]): boolean =>
    variables.every((variable) => columns.some((column) => column.variable?.name === variable));
  const variables = [...(of === null ? [] : [of]), ...by];
  const isShown = (table: QueryTable): boolean => sources.length === 0 || table.sources.some((source) => sources.includes(source));
  const own = tables.filter(({ name }) => name !== ALL);
  const shown = own.filter(isShown);
  const counted = by.length === 0 ? shown : shown.filter((table) => has(table, by));
  const [only, ...others] = counted;
  if (only !== undefined && others.length === 0 && has(only, variables)) return { table: only, among: null };
  const all = tables.find((table) => table.name === ALL && has(table, variables));
  if (all !== undefined) return { table: all, among: shown.length === own.length ? null : shown.map(({ name }) => name) };
  const [largest] = counted.filter((table) => has(table, variables)).sort((one, other) => other.rows - one.rows);
  return largest === undefined ? null : { table: largest, among: null };
}

/**
 * The query that gives the same as a question about the records that a filter shows. What SQL cannot say stands above it.
 * @param rowMs of a bucket, where it is shown over time; null: it is not
 */
export function questionSql(question: Question, filter: Filter, tables: readonly QueryTable[], rowMs: number | null): string | null {
  const { of, by } = question;
  const asked = tableFor(tables, question, filter.sources);
  if (asked === null) return null;
  const { table, among } = asked;
  const columnOf = (variable: string): QueryColumn | undefined => table.columns.find((column) => column.variable?.name === variable);
  const keys = by.map((variable) => identifier(columnOf(variable)?.name ?? variable));
  const unit = rowMs === null ? null : (UNITS.find(({ ms }) => rowMs >= ms)?.unit ?? 'second');
  const time = unit === null ? [] : [`date_trunc('${unit}', Timestamp) AS ${unit}`];
  const places = [...time, ...keys].map((_key, i) => i + 1);
  const numbers = measuresOf(question).map((measure) => numberSql(measure, of === null ? undefined : columnOf(of)));
  const { where, unsaid } = filterSql(filter, table);
  const ofTables =
    among === null ? [] : [`${identifier('table')} IN (${among.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ')})`];
  const conditions = [...ofTables, ...(where === null ? [] : [where]), ...keys.map((key) => `${key} IS NOT NULL`)];
  return [
    ...unsaid.map((label) => `-- Without the filter “${label}”: SQL cannot say it.`),
    `SELECT ${[...time, ...keys, ...numbers, ...(question.measure === 'count' ? [] : ['count(*) AS records'])].join(',\n  ')}`,
    `FROM ${identifier(table.name)}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join('\n  AND ')}`]),
    ...(places.length === 0
      ? []
      : [`GROUP BY ${places.join(', ')}`, `ORDER BY ${time.length > 0 ? places.join(', ') : `${places.length + 1} DESC`}`]),
  ].join('\n');
}

function numberSql(measure: Measure, column: QueryColumn | undefined): string {
  if (column === undefined) return 'count(*) AS records';
  const name = identifier(column.name);
  // Texts that are written like numbers count as such.
  const value = measure === 'count' || measure === 'distinct' || NUMBER.test(column.type) ? name : `TRY_CAST(${name} AS DOUBLE)`;
  return `${NUMBERS[measure](value)} AS ${identifier(measure)}`;
}

/** Told where no table has all that a question names. */
export const noTable = ({ of, by }: Question): string =>
  `-- No table has ${[...(of === null ? [] : [of]), ...by].map(spokenName).join(' and ')}.`;
