import type { QueryTable } from '../../../../engine/api/types.ts';
import { identifier } from './names.ts';

/** Key by which records are grouped: a column, or a time cut to a unit. */
export interface GroupKey {
  readonly label: string;
  readonly sql: string;
  /** The variable of the message that it holds; null: none. */
  readonly variable: string | null;
  readonly isTime: boolean;
}

/** A number that each group has. */
export interface Measure {
  readonly name: string;
  readonly title: string;
  /** null: it is not over a column. */
  readonly sql: ((column: string) => string) | null;
}

const quantile =
  (part: number) =>
  (column: string): string =>
    `quantile_cont(${column}, ${part})`;

export const MEASURES: readonly Measure[] = [
  { name: 'records', title: 'Count', sql: null },
  { name: 'sum', title: 'Sum', sql: (column) => `sum(${column})` },
  { name: 'average', title: 'Average', sql: (column) => `avg(${column})` },
  { name: 'p50', title: 'Median (p50)', sql: quantile(0.5) },
  { name: 'p95', title: 'p95', sql: quantile(0.95) },
  { name: 'p99', title: 'p99', sql: quantile(0.99) },
];

const NUMBER = /^(?:BIGINT|DOUBLE|INTEGER)$/;
const TIME = /^TIMESTAMP/;
const UNITS = ['day', 'hour', 'minute'] as const;

/** Keys by which the records of a table can be grouped. */
export function keysOf({ columns }: QueryTable): GroupKey[] {
  return columns.flatMap(({ name, type, variable }): GroupKey[] => {
    if (!TIME.test(type)) return [{ label: name, sql: identifier(name), variable: variable?.name ?? null, isTime: false }];
    return UNITS.map((unit) => ({
      label: `${name} by ${unit}`,
      sql: `date_trunc('${unit}', ${identifier(name)})`,
      variable: null,
      isTime: true,
    }));
  });
}

/** The columns of a table that hold numbers. */
export function numbersOf({ columns }: QueryTable): string[] {
  return columns.filter(({ type }) => NUMBER.test(type)).map(({ name }) => name);
}

/** The table to group: of those that have the variable and the sources, the one with the most records. */
export function tableFor(tables: readonly QueryTable[], variable: string | null, sources: readonly number[]): QueryTable | null {
  const has = ({ columns }: QueryTable): boolean => variable === null || columns.some((column) => column.variable?.name === variable);
  const shown = (table: QueryTable): boolean => sources.length === 0 || table.sources.some((source) => sources.includes(source));
  const own = tables.filter(({ name }) => name !== 'messages');
  const fitting = own.filter((table) => has(table) && shown(table));
  const [first, ...others] = fitting.length > 0 ? fitting : own.filter(has).length > 0 ? own.filter(has) : own;
  return first === undefined ? null : others.reduce((most, one) => (one.rows > most.rows ? one : most), first);
}

/**
 * The query for the groups: the chosen number first, then the others over the same column.
 * @param measure name of the number that comes first
 * @param of the column that is measured; null: records are counted
 */
export function groupSql(table: string, keys: readonly GroupKey[], measure: string, of: string | null): string {
  const column = of === null ? null : identifier(of);
  const wanted = MEASURES.filter(({ sql }) => sql === null || column !== null);
  const first = wanted.find(({ name }) => name === measure) ?? wanted[0];
  const measures = [...(first === undefined ? [] : [first]), ...wanted.filter((one) => one !== first)];
  const selected = [
    ...keys.map(({ sql, isTime, label }) => (isTime ? `${sql} AS ${identifier(label.split(' ').at(-1) ?? label)}` : sql)),
    ...measures.map(({ name, sql }) => `${sql === null || column === null ? 'count(*)' : sql(column)} AS ${name}`),
  ];
  const places = keys.map((_key, i) => i + 1);
  const byTime = keys[0]?.isTime === true;
  const order = byTime ? places.join(', ') : `${keys.length + 1} DESC`;
  return `SELECT ${selected.join(',\n  ')}\nFROM ${identifier(table)}\nGROUP BY ${places.join(', ')}\nORDER BY ${order}`;
}
