import type { QueryCell, QueryTable, RecordKey, RecordsBehind, RecordTerm, RecordVariable } from '../../../../engine/api/types.ts';
import { allOf, exists, is, isHeader, lacks, quote } from '../../../../engine/api/filter/expression.ts';
import { byMatcher, NO_FILTER, withTerm, type Filter } from '../../lib/filter/filter.ts';
import { spokenName } from '../../lib/filter/variable.ts';

/** A filter of the Logs view for the records behind a row. */
export interface RowFilter {
  readonly filter: Filter;
  /** false: it may select more records than those of the row. */
  readonly whole: boolean;
}

/** The filter for the records behind a row of a result. */
export function filterOf(records: RecordsBehind, row: readonly QueryCell[], tables: readonly QueryTable[]): RowFilter {
  let { whole } = records;
  let sources = records.sources;
  let [from, to] = [null, null] as [number | null, number | null];
  const labels: string[] = [];
  const expressions: string[] = [];
  const add = (label: string, expression: string | null): void => {
    if (expression === null) {
      whole = false;
      return;
    }
    labels.push(label);
    expressions.push(expression);
  };
  row.forEach((value, i) => {
    const key: RecordKey | null = records.keys[i] ?? null;
    if (key?.kind === 'value') add(labelOf(key.variable, value), testOf(key.variable, value));
    if (key?.kind === 'table') sources = tables.find(({ name }) => name === value)?.sources ?? sources;
    if (key?.kind === 'time') {
      const span = spanOf(value, key.unit);
      if (span === null) whole = false;
      else [from, to] = [Math.max(from ?? -Infinity, span.from), Math.min(to ?? Infinity, span.to)];
    }
  });
  if (records.where !== null) {
    const where = expressionOf(records.where);
    add('WHERE of the query', where);
  }
  const expression = allOf(expressions);
  const filter: Filter = { ...NO_FILTER, sources, from, to };
  return { filter: expression === null ? filter : withTerm(filter, byMatcher(shortened(labels.join(', ')), expression)), whole };
}

const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

const labelOf = (variable: RecordVariable, value: QueryCell): string =>
  value === null ? `no ${spokenName(variable.name)}` : `${spokenName(variable.name)} = ${String(value)}`;

function testOf(variable: RecordVariable, value: QueryCell): string | null {
  if (value === null) return lacks(variable.name);
  // The window has only the beginning of a long value.
  if (typeof value === 'string' && value.length > 2000) return null;
  return is(variable.name, variable.type, String(value));
}

function expressionOf(term: RecordTerm): string | null {
  if ('terms' in term) {
    const parts = term.terms.map(expressionOf);
    if (parts.some((part) => part === null)) return null;
    return `(${parts.join(term.op === 'and' ? ' && ' : ' || ')})`;
  }
  const { name, type } = term.variable;
  if (!('value' in term)) {
    if (term.op === 'missing') return lacks(name);
    return isHeader(name) ? (type === 'string' ? isSet(name) : null) : exists(name);
  }
  const { value } = term;
  if (type === 'mixed') return is(name, type, String(value));
  if (type === 'bool') return term.op === '==' || term.op === '!=' ? `${name} == ${value === (term.op === '==') ? 'TRUE' : 'FALSE'}` : null;
  const constant =
    type === 'number' ? (/^[\d.]/.test(String(value)) ? String(value) : null) : /[\n\r]/.test(String(value)) ? null : quote(String(value));
  if (constant === null) return null;
  const test = `${name} ${term.op} ${constant}`;
  // SQL has no text where a header is not set, and the filter an empty one.
  return isHeader(name) && type === 'string' && ['!=', '<', '<='].includes(term.op) ? `(${test} && ${isSet(name)})` : test;
}

const isSet = (header: string): string => `${header} != ''`;

const UNITS: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** The milliseconds that a time of a result stands for. SQL has times in UTC. */
function spanOf(value: QueryCell, unit: string | null): { readonly from: number; readonly to: number } | null {
  const from = typeof value === 'string' ? timeOf(value) : null;
  if (from === null) return null;
  if (unit === null) return { from, to: from + 1 };
  const fixed = UNITS[unit];
  if (fixed !== undefined) return { from, to: from + fixed };
  const months = MONTHS[unit];
  if (months === undefined) return null;
  const date = new Date(from);
  return { from, to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) };
}

/** Milliseconds of a date or time as DuckDB writes it: `2026-11-20 10:00:00.123`; null: it is none. */
export function timeOf(text: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?)?$/.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second, Number((found[7] ?? '').padEnd(3, '0').slice(0, 3)));
}
