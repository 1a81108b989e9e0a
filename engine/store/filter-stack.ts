import { isLaterField } from '../api/rule-fields.ts';
import type { QueryFilter, RecordQuery } from '../api/types.ts';
import { EngineError } from '../base/errors.ts';
import { MatcherError } from '../matcher/errors.ts';
import { compileExpression as compile } from '../matcher/expression.ts';
import type { Matcher } from '../matcher/matcher.ts';
import { minus, NO_ROWS, union, type Rows } from '../matcher/rows.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { compileSearch } from './search/compile-search.ts';
import { knownValues } from './number-ranges.ts';
import { RAW_TEXT, rawText, type Segment } from './segment.ts';
import { allOf, columnsNamed, TEXTS } from './wanted.ts';
import type { WantedColumns } from '../message/batch/wire.ts';
import { markMatches, type TextSearch } from './search/text-search.ts';

/** Finds the rows of `from` that are shown, in the records of a segment. */
type SelectRows = (stored: MessageBatch, from: Rows) => Rows;

/** The filters of a query. */
export interface FilterStack {
  readonly select: SelectRows;
  /** An expression of ripgrep that is found in a line of each record in Latin-1 that is shown; null: there is none. */
  readonly latin: string | null;
  /** Whether any record of a segment may be shown; false: none is. */
  readonly mayShow: (segment: Segment) => boolean;
  /** The columns by which it selects; null: all. */
  readonly columns: WantedColumns | null;
  /** Whether it selects by fields that records get after they were read. */
  readonly byLater: boolean;
}

interface Compiled extends FilterStack {
  readonly out: boolean;
  /** Rough share of the work for one row. */
  readonly cost: number;
}

/**
 * Compiles the filters of a query, and its text and matcher, which must hold whatever the filters say; null: there are none. A filter looks only at the
 * rows that are still in question after the cheaper ones.
 * @throws {EngineError} `query.matcher`, `query.regex`: with the place when it is in a filter
 */
export function compileFilters({ filters = [], any = false, matcher, exclude = false, ...text }: RecordQuery): FilterStack | null {
  const stack = filters.flatMap((filter, i) => compileFilter(filter, i) ?? []);
  const own = [...present(compileFilter({ matcher })), ...present(compileFilter({ ...text, out: exclude }))];
  const shown = stack.filter(({ out }) => !out);
  const choice = any && shown.length > 1 ? [anyOf(shown)] : shown;
  const all = [...own, ...choice, ...stack.filter(({ out }) => out)].sort((a, b) => a.cost - b.cost);
  if (all.length === 0) return null;
  const select: SelectRows = (stored, from) => {
    let rows = from;
    for (const { select: next, out } of all) {
      if (rows !== null && rows.length === 0) return rows;
      const found = next(stored, rows);
      rows = out ? minus(rows, found, stored.length) : found;
    }
    return rows;
  };
  return {
    select,
    latin: longest(all.map(({ latin, out }) => (out ? null : latin))),
    columns: allOf(all.map(({ columns }) => columns)),
    byLater: all.some(({ byLater }) => byLater),
    mayShow: (segment) => all.every(({ out, mayShow }) => out || mayShow(segment)),
  };
}

/** The expression that is most likely found seldom; null: there is none. */
const longest = (expressions: readonly (string | null)[]): string | null =>
  expressions.reduce((best, one) => ((one?.length ?? 0) > (best?.length ?? 0) ? one : best), null);

const present = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** Each filter looks only at the rows that no filter before it found. */
function anyOf(filters: readonly Compiled[]): Compiled {
  const ordered = [...filters].sort((a, b) => a.cost - b.cost);
  const select: SelectRows = (stored, from) => {
    let rest = from;
    let found: Uint32Array = NO_ROWS;
    for (const one of ordered) {
      const more = one.select(stored, rest);
      if (more === null || more.length === (rest?.length ?? stored.length)) return from;
      found = union(found, more);
      rest = minus(rest, more, stored.length);
    }
    return found;
  };
  const expressions = ordered.map(({ latin }) => latin);
  const latin = expressions.includes(null) ? null : expressions.map((one) => `(?:${one ?? ''})`).join('|');
  const columns = allOf(ordered.map((one) => one.columns));
  const mayShow = (segment: Segment): boolean => ordered.some((one) => one.mayShow(segment));
  const byLater = ordered.some((one) => one.byLater);
  return { select, latin, columns, byLater, mayShow, out: false, cost: ordered.reduce((sum, { cost }) => sum + cost, 0) };
}

/** @param number of the filter in its stack; absent: it is in none */
function compileFilter({ matcher: expression = '', out = false, ...text }: QueryFilter, number?: number): Compiled | null {
  if (expression.trim() !== '') {
    const matcher = compileExpression(expression, number);
    const { headers, fields, anyText } = matcher.variables;
    const named = columnsNamed(headers, fields);
    const columns = anyText ? allOf([named, TEXTS]) : named;
    const mayShow = (segment: Segment): boolean => matcher.mayMatch(knownValues(segment));
    // Fields that records get later are in no line of theirs.
    const byLater = fields.some(isLaterField);
    const latin = byLater ? null : matcher.latin;
    return { select: (stored, from) => matcher.select(stored, from), latin, columns, byLater, mayShow, out, cost: 1 };
  }
  const search = compileSearch(text, number);
  if (search === null) return null;
  const { latin, needle } = search;
  const select: SelectRows = (stored, from) => selectText(stored, search, from);
  return { select, latin, columns: RAW_TEXT, byLater: false, mayShow: () => true, out, cost: needle === null ? 100 : 10 };
}

function compileExpression(expression: string, filter: number | undefined): Matcher {
  try {
    return compile(expression);
  } catch (error) {
    if (!(error instanceof MatcherError)) throw error;
    const place = filter === undefined ? undefined : { filter, ...pieceOf(error) };
    throw new EngineError('query.matcher', error.message, { cause: error, place });
  }
}

/** The piece of an expression that is wrong; of no length where something is missing. */
function pieceOf({ expression, column, found }: MatcherError): { readonly from: number; readonly to: number } {
  const from = column - 1;
  const text = found.replace(/^'(.*)'$/s, '$1');
  return { from, to: expression.startsWith(text, from) ? from + text.length : from };
}

/** Rows of which fewer than this share are in question are tested one by one. */
const FEW = 0.25;

function selectText(stored: MessageBatch, search: TextSearch, from: Rows): Rows {
  const text = rawText(stored);
  if (from !== null && from.length < stored.length * FEW) {
    return from.filter((row) => {
      const line = text.at(row);
      return search.test(line, 0, line.length);
    });
  }
  const found = new Uint8Array(stored.length);
  markMatches(text.columns, stored.length, search, found);
  return from === null ? rowsOf(found) : from.filter((row) => found[row] === 1);
}

/** The rows with a mark, ascending; null: all of them. */
export function rowsOf(marks: Uint8Array): Rows {
  let count = 0;
  for (const mark of marks) count += mark;
  if (count === marks.length) return null;
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) rows[at++] = row;
  return rows;
}
