import type { KeptFilter, QueryFilter, RecordQuery } from '../../../../engine/api/types.ts';
import { isArrayOf, isBoolean, isNumber, isOneOf, isShape, isString, orNull } from '../sources/saved.ts';

/** One filter of the stack. */
export interface StackFilter extends KeptFilter {
  readonly id: number;
}

/** A filter without its switch. */
export type FilterTerm = Omit<KeptFilter, 'enabled'>;

/** Content of the box of the filter bar: it acts while it is typed, and goes to the stack with Enter. */
export interface Draft {
  readonly typed: string;
  /** Whether the typed text is a regular expression. */
  readonly regex: boolean;
  /** Whether the typed text is searched as text, even if it could be a comparison. */
  readonly plain: boolean;
  readonly caseSensitive: boolean;
  readonly out: boolean;
  /** The filter that was understood; null: none, or not yet. */
  readonly term: FilterTerm | null;
}

/** The filter of the Logs view, as the window keeps it. */
export interface Filter {
  readonly stack: readonly StackFilter[];
  /** One of the filters that show records is enough. */
  readonly any: boolean;
  readonly draft: Draft;
  readonly sources: readonly number[];
  readonly from: number | null;
  readonly to: number | null;
  /** Number of the record that the view begins behind; null: it begins with the first. */
  readonly after: number | null;
}

export const NO_DRAFT: Draft = { typed: '', regex: false, plain: false, caseSensitive: false, out: false, term: null };

export const NO_FILTER: Filter = { stack: [], any: false, draft: NO_DRAFT, sources: [], from: null, to: null, after: null };

const term = { kind: isOneOf('text', 'regex', 'matcher'), text: isString, label: isString, caseSensitive: isBoolean, out: isBoolean };

/** Whether a saved value is a filter. */
export const isFilter = isShape<Filter>({
  stack: isArrayOf(isShape<StackFilter>({ ...term, enabled: isBoolean, id: isNumber })),
  any: isBoolean,
  draft: isShape<Draft>({
    typed: isString,
    regex: isBoolean,
    plain: isBoolean,
    caseSensitive: isBoolean,
    out: isBoolean,
    term: orNull(isShape<FilterTerm>(term)),
  }),
  sources: isArrayOf(isNumber),
  from: orNull(isNumber),
  to: orNull(isNumber),
  after: orNull(isNumber),
});

/** The filters that are on, with the one in the box as the last. */
export function activeTerms({ stack, draft }: Filter): FilterTerm[] {
  return [...stack.filter(({ enabled }) => enabled), ...(draft.term === null ? [] : [draft.term])];
}

/** The query for the engine, without empty parts. */
export function toQuery(filter: Filter): RecordQuery {
  const filters = activeTerms(filter).map(queryFilter);
  return {
    ...(filter.sources.length > 0 ? { sources: [...filter.sources] } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(filter.any && filters.filter(({ out }) => out !== true).length > 1 ? { any: true } : {}),
    ...(filter.from !== null ? { from: filter.from } : {}),
    ...(filter.to !== null ? { to: filter.to } : {}),
    ...(filter.after !== null ? { after: filter.after } : {}),
  };
}

function queryFilter({ kind, text, caseSensitive, out }: FilterTerm): QueryFilter {
  const found =
    kind === 'matcher'
      ? { matcher: text }
      : { text, ...(kind === 'regex' ? { regex: true } : {}), ...(caseSensitive ? { caseSensitive } : {}) };
  return { ...found, ...(out ? { out } : {}) };
}

/** Whether it hides anything. */
export function isEmpty(filter: Filter): boolean {
  return Object.keys(toQuery(filter)).length === 0;
}

/** Whether a filter shows records of a source. */
export const showsSource = ({ sources }: Filter, id: number): boolean => sources.length === 0 || sources.includes(id);

/** Whether two filters ask for the same. */
export const sameTerm = (one: FilterTerm | null, other: FilterTerm | null): boolean =>
  one?.kind === other?.kind && one?.text === other?.text && one?.caseSensitive === other?.caseSensitive;

/** A filter by a matcher expression. */
export const byMatcher = (label: string, expression: string, out = false): FilterTerm => ({
  kind: 'matcher',
  text: expression,
  label,
  caseSensitive: false,
  out,
});

/** The filter with one more in its stack; one that finds the same is switched on and turned the same way instead. */
export function withTerm(filter: Filter, added: FilterTerm): Filter {
  const known = filter.stack.find((one) => sameTerm(one, added));
  if (known !== undefined) return changeTerm(filter, known.id, { enabled: true, out: added.out });
  const id = 1 + Math.max(0, ...filter.stack.map((one) => one.id));
  return { ...filter, stack: [...filter.stack, { ...added, enabled: true, id }] };
}

/** The filter with one of its stack changed. */
export function changeTerm(filter: Filter, id: number, part: Partial<KeptFilter>): Filter {
  return { ...filter, stack: filter.stack.map((one) => (one.id === id ? { ...one, ...part } : one)) };
}

/** The filter with one of its stack switched on, and the others off. */
export function onlyTerm(filter: Filter, id: number): Filter {
  return { ...filter, stack: filter.stack.map((one) => ({ ...one, enabled: one.id === id })) };
}

export function withoutTerm(filter: Filter, id: number): Filter {
  return { ...filter, stack: filter.stack.filter((one) => one.id !== id) };
}

/** The filter with what stands in the box moved to the stack. */
export function pushDraft(filter: Filter): Filter {
  const { draft } = filter;
  if (draft.term === null) return filter;
  return { ...withTerm(filter, draft.term), draft: { ...NO_DRAFT, regex: draft.regex, caseSensitive: draft.caseSensitive } };
}

/** The filter with one of its stack taken back into the box. */
export function pullTerm(filter: Filter, id: number): Filter {
  const pulled = filter.stack.find((one) => one.id === id);
  if (pulled === undefined) return filter;
  const { enabled: _enabled, id: _id, ...taken } = pulled;
  const { kind, label, text, caseSensitive, out } = taken;
  const typed = kind === 'matcher' ? label : text;
  const draft = { typed, regex: kind === 'regex', plain: kind === 'text', caseSensitive, out, term: taken };
  return { ...withoutTerm(filter, id), draft };
}

/** The shown sources with one switched on or off; none: all are shown. The last one stays. */
export function switchSource(shown: readonly number[], id: number, all: readonly number[]): readonly number[] {
  const now = shown.length === 0 ? all : shown;
  const next = all.filter((one) => (one === id ? !now.includes(id) : now.includes(one)));
  if (next.length === 0) return shown;
  return next.length === all.length ? [] : next;
}
