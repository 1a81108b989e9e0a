import type { RecordQuery } from '../../../engine/api/types.ts';
import { allOf } from './expression.ts';
import { isArrayOf, isBoolean, isNumber, isShape, isString, orNull } from './saved.ts';

/** A condition that was made by clicking a value; each has a switch. */
export interface Condition {
  readonly id: number;
  /** The text of the chip: `status = 404`. */
  readonly label: string;
  readonly expression: string;
  readonly enabled: boolean;
}

/** The filter of the Logs view, as the window keeps it. */
export interface Filter {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly exclude: boolean;
  readonly matcher: string;
  readonly conditions: readonly Condition[];
  readonly sources: readonly number[];
  readonly from: number | null;
  readonly to: number | null;
  /** Number of the record that the view begins behind; null: it begins with the first. */
  readonly after: number | null;
}

export const NO_FILTER: Filter = {
  text: '',
  regex: false,
  caseSensitive: false,
  exclude: false,
  matcher: '',
  conditions: [],
  sources: [],
  from: null,
  to: null,
  after: null,
};

/** Whether a saved value is a filter. */
export const isFilter = isShape<Filter>({
  text: isString,
  regex: isBoolean,
  caseSensitive: isBoolean,
  exclude: isBoolean,
  matcher: isString,
  conditions: isArrayOf(isShape<Condition>({ id: isNumber, label: isString, expression: isString, enabled: isBoolean })),
  sources: isArrayOf(isNumber),
  from: orNull(isNumber),
  to: orNull(isNumber),
  after: orNull(isNumber),
});

/** The query for the engine, without empty parts. */
export function toQuery(filter: Filter): RecordQuery {
  const enabled = filter.conditions.filter((condition) => condition.enabled).map((condition) => condition.expression);
  const matcher = allOf([filter.matcher, ...enabled]);
  return {
    ...(filter.sources.length > 0 && { sources: [...filter.sources] }),
    ...(matcher !== null && { matcher }),
    ...(filter.text !== '' && textPart(filter)),
    ...(filter.from !== null && { from: filter.from }),
    ...(filter.to !== null && { to: filter.to }),
    ...(filter.after !== null && { after: filter.after }),
  };
}

function textPart(filter: Filter): Pick<RecordQuery, 'text' | 'regex' | 'caseSensitive' | 'exclude'> {
  return {
    text: filter.text,
    ...(filter.regex && { regex: true }),
    ...(filter.caseSensitive && { caseSensitive: true }),
    ...(filter.exclude && { exclude: true }),
  };
}

/** Whether it hides anything. */
export function isEmpty(filter: Filter): boolean {
  return Object.keys(toQuery(filter)).length === 0;
}

/** The filter with one more condition; an existing one is switched on instead. */
export function withCondition(filter: Filter, label: string, expression: string): Filter {
  const known = filter.conditions.find((condition) => condition.expression === expression);
  if (known !== undefined)
    return { ...filter, conditions: filter.conditions.map((one) => (one === known ? { ...one, enabled: true } : one)) };
  const id = 1 + Math.max(0, ...filter.conditions.map((condition) => condition.id));
  return { ...filter, conditions: [...filter.conditions, { id, label, expression, enabled: true }] };
}

/** The filter with a condition's switch turned. */
export function toggleCondition(filter: Filter, id: number): Filter {
  return { ...filter, conditions: filter.conditions.map((one) => (one.id === id ? { ...one, enabled: !one.enabled } : one)) };
}

export function withoutCondition(filter: Filter, id: number): Filter {
  return { ...filter, conditions: filter.conditions.filter((one) => one.id !== id) };
}

/** The shown sources with one switched on or off; none: all are shown. The last one stays. */
export function switchSource(shown: readonly number[], id: number, all: readonly number[]): readonly number[] {
  const now = shown.length === 0 ? all : shown;
  const next = all.filter((one) => (one === id ? !now.includes(id) : now.includes(one)));
  if (next.length === 0) return shown;
  return next.length === all.length ? [] : next;
}
