import type { Operation, SchemaField, SchemaLogger } from '../../../engine/api/types.ts';
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

const MINUTE = 60_000;

/** The duration of an operation, from milliseconds: `0 s`, `4.9 s`, `2 d 23 h`. */
export function durationText(ms: number): string {
  if (ms === 0) return '0 s';
  return ms < MINUTE ? formatNs(ms * 1e6) : formatSpan(ms);
}
