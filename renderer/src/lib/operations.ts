import type { FieldFacts, Operation, Operations, SchemaField, SchemaLogger } from '../../../engine/api/types.ts';
import { exactPattern, fieldVariable, headerType, is, isHeader, type Written } from '../../../engine/api/filter/expression.ts';
import { formatNs } from '../../../engine/api/quantities.ts';
import { formatSpan } from './format.ts';
import { fieldsOf, valueTypeOf } from './sources/schema-facts.ts';

/** A variable by whose values records can be parts of operations. */
export interface OperationKey {
  readonly variable: string;
  readonly name: string;
  /** Its name says that it tells operations apart. */
  readonly likely: boolean;
}

/** Names of what identifies operations, the closest first. */
const NAMES: readonly RegExp[] = [
  /trace_?id$|^trace$/,
  /req(uest)?_?id$/,
  /(correlation|transaction|operation|txn|workflow|run|batch)_?(id)?$/,
  /(session|job|task|order|query|message|msg|container|connection|conn|span|block)_?id$|^(session|job|task|connection|conn)$/,
  /thread(_?(id|name))?$|^tid$/,
  /^pid$|process_?id$/,
  /(^|_)u?u?id$/,
  /remote_addr$|client(_?ip)?$|user(_?(name|id))?$/,
];
const UNLIKELY = NAMES.length;
/** Headers that no record was seen to have are the last. */
const UNSEEN = UNLIKELY + 1;
/** Behind all fields that are likely. */
const HEADERS = { Pid: UNLIKELY - 0.5, Logger: UNLIKELY, Hostname: UNLIKELY } as const;

/** The variables to choose from, the likeliest first: fields and headers that were seen. @param headers names of those that records have */
export function operationKeys(schema: readonly SchemaLogger[], headers: readonly string[]): OperationKey[] {
  const fields = [...fieldsOf(schema).values()].flatMap(({ name, count }) => {
    const variable = fieldVariable(name);
    return variable === null ? [] : [{ variable, name, rank: rankOf(name), count }];
  });
  const others = Object.entries(HEADERS).map(([name, rank]) => ({
    variable: name,
    name,
    rank: headers.includes(name) ? rank : UNSEEN,
    count: 0,
  }));
  return [...fields, ...others]
    .sort((a, b) => a.rank - b.rank || b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ variable, name, rank }) => ({ variable, name, likely: rank < UNLIKELY }));
}

function rankOf(name: string): number {
  const plain = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[.\-\s@]+/g, '_')
    .toLowerCase();
  const at = NAMES.findIndex((pattern) => pattern.test(plain));
  return at < 0 ? UNLIKELY : at;
}

/** The variables of which each record has a value of its own: there are no operations of several records. */
export function singleVariables(fields: readonly FieldFacts[]): string[] {
  return fields
    .filter(({ distinct, records, isDistinctExact }) => isDistinctExact && distinct > 1 && distinct === records)
    .flatMap(({ name, isHeader: isOfAll }) => (isOfAll ? name : fieldVariable(name)) ?? []);
}

/** Whether each of them is of one record. */
export const areSingle = ({ distinct, records, missing, others, complete }: Operations): boolean =>
  complete && distinct > 1 && distinct === records - missing - others;

/** The condition for the records of an operation; null: no expression can say it. */
export function operationCondition(
  schema: readonly SchemaLogger[],
  { variable, name }: Pick<OperationKey, 'variable' | 'name'>,
  { value, cut }: Pick<Operation, 'value' | 'cut'>,
): Written {
  if (cut) return `${variable} =~ ${exactPattern(value).replace(/\$\/$/, '/')}`;
  const field: SchemaField | undefined = fieldsOf(schema).get(name);
  return is(variable, isHeader(variable) ? headerType(variable) : valueTypeOf(field, value), value);
}

/** The place of an operation in the whole time, as shares of it: where it begins, and its length. */
export function placeIn({ first, last }: Pick<Operation, 'first' | 'last'>, from: number, to: number): { start: number; length: number } {
  if (!(to > from)) return { start: 0, length: 0 };
  return { start: (first - from) / (to - from), length: (last - first) / (to - from) };
}

/** A part of a bar, as shares of it. */
interface BarPart {
  readonly start: number;
  readonly end: number;
}

/** The part of a bar that some parts of the time of its operation take. */
function partOf({ first, last, parts }: Operation, begin: number, end: number): BarPart {
  const share = (at: number): number =>
    last > first ? Math.min(1, Math.max(0, (parts.from + at * parts.partMs - first) / (last - first))) : 0;
  return { start: share(begin), end: last > first ? share(end) : 1 };
}

/** Shades of a bar: none where no record is, and the most where the records are densest. */
const MOST_SHADE = 4;

/** The stretches of a bar in which its records are equally dense, each with its shade. */
export function shadesOf(operation: Operation): (BarPart & { readonly shade: number })[] {
  const { counts } = operation.parts;
  const most = Math.max(...counts);
  const shades = counts.map((count) => Math.ceil((count / most) * MOST_SHADE));
  return runsOf(counts.length, (at) => shades[at] === shades[at - 1]).map(([begin, end]) => ({
    ...partOf(operation, begin, end),
    shade: shades[begin] ?? 0,
  }));
}

/** The stretches of a bar that have errors. */
export function errorsIn(operation: Operation): BarPart[] {
  const { errors } = operation.parts;
  return runsOf(errors.length, (at) => errors[at] === (errors[at - 1] ?? NaN) + 1).map(([begin, end]) =>
    partOf(operation, errors[begin] as number, (errors[end - 1] as number) + 1),
  );
}

/** Begins and ends of the runs of so many things. @param joins whether a thing belongs to the run of the one before it */
function runsOf(length: number, joins: (at: number) => boolean): (readonly [begin: number, end: number])[] {
  const begins = Array.from({ length }, (_unused, at) => at).filter((at) => at === 0 || !joins(at));
  return begins.map((begin, i) => [begin, begins[i + 1] ?? length]);
}

const MINUTE = 60_000;

/** The duration of an operation, from milliseconds: `0 s`, `4.9 s`, `2 d 23 h`. */
export function durationText(ms: number): string {
  if (ms === 0) return '0 s';
  return ms < MINUTE ? formatNs(ms * 1e6) : formatSpan(ms);
}
