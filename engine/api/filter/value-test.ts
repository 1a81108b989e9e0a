import type { Variable } from './variable.ts';
import { escapePattern, isHeader, quote } from './expression.ts';

type Type = 'string' | 'number' | 'bool';

/** An expression that is true of values of one type, and its opposite, which is true of all other values of that type. */
interface Test {
  readonly is: string;
  readonly isNot: string;
}

/** A test of a variable, for each type of values that may pass it: the language holds no comparison with another type for true, not even `!=`. */
export type ValueTest = Readonly<Partial<Record<Type, Test>>>;

/** The most digits of a whole number that is exact. */
const MOST_DIGITS = 15;
export const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;

/** The test by a constant, as the language writes it. */
export function constantTest(variable: string, type: Variable['type'], constant: string): ValueTest {
  if (constant === 'TRUE' || constant === 'FALSE') {
    const other = constant === 'TRUE' ? 'FALSE' : 'TRUE';
    return { bool: { is: `${variable} == ${constant}`, isNot: `${variable} == ${other}` } };
  }
  const test = { is: `${variable} == ${constant}`, isNot: `${variable} != ${constant}` };
  if (!NUMBER.test(constant)) return { string: test };
  return type === 'mixed' ? { number: test, ...constantTest(variable, 'string', quote(constant) as string) } : { number: test };
}

const OPPOSITE = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' } as const;
export type Order = keyof typeof OPPOSITE;

/** The test by the order of numbers, or of texts. */
export function orderTest(variable: string, relation: Order, constant: string): ValueTest {
  const opposite = OPPOSITE[relation];
  const test = { is: `${variable} ${relation} ${constant}`, isNot: `${variable} ${opposite} ${constant}` };
  return NUMBER.test(constant) ? { number: test } : { string: test };
}

/** The test by a network such as `10.0.0.0/8`. */
export function networkTest(variable: string, network: string): ValueTest {
  return { string: { is: `${variable} in ${network}`, isNot: `${variable} not in ${network}` } };
}

/**
 * The test by a value with wildcards: `*` stands for any characters, and an `x` behind the first digits of a number for one digit, as in `5xx`.
 * Null: the value has none.
 */
export function wildcardTest(variable: string, type: Variable['type'], value: string): ValueTest | null {
  const number = type === 'string' || type === 'bool' ? null : digitsTest(variable, value);
  if (type === 'number' || type === 'bool' || !value.includes('*')) return number === null ? null : { number };
  const pattern = `/^(?s:${value.split('*').map(escapePattern).join('.*')})$/`;
  const string = { is: `${variable} =~ ${pattern}`, isNot: `${variable} !~ ${pattern}` };
  return number === null ? { string } : { number, string };
}

function digitsTest(variable: string, value: string): Test | null {
  const family = /^([1-9]\d*)(x+)$/i.exec(value);
  if (family !== null) return rangesTest(variable, Number(family[1]), [10 ** (family[2] as string).length]);
  const first = /^([1-9]\d*)\*$/.exec(value)?.[1];
  if (first === undefined || first.length > MOST_DIGITS) return null;
  const sizes = Array.from({ length: MOST_DIGITS - first.length + 1 }, (_, digits) => 10 ** digits);
  return rangesTest(variable, Number(first), sizes);
}

/** Whether a number has these first digits, and then as many as one of the sizes, which are powers of ten, stands for. */
function rangesTest(variable: string, first: number, sizes: readonly number[]): Test {
  const bounds = sizes.map((size) => ({ from: first * size, to: (first + 1) * size }));
  return {
    is: either(bounds.map(({ from, to }) => `${variable} >= ${from} && ${variable} < ${to}`)),
    isNot: both(bounds.map(({ from, to }) => `(${variable} < ${from} || ${variable} >= ${to})`)),
  };
}

/** The expression for the records that have the variable, or have it not. */
export function presence(variable: string, isThere: boolean): string {
  // A header is always there.
  if (isHeader(variable)) return isThere ? 'TRUE' : 'FALSE';
  return `${variable} ${isThere ? '!=' : '=='} NIL`;
}

/** The expression for the records that pass one of the tests. */
export const passing = (tests: readonly ValueTest[]): string => either(tests.flatMap((test) => Object.values(test).map(({ is }) => is)));

/** The expression for the records that pass none of the tests. Those without the field are among them. */
export function failing(variable: string, type: Variable['type'], tests: readonly ValueTest[]): string {
  const types = type === 'mixed' ? (['string', 'number', 'bool'] as const) : [type];
  const others = types.map((one) => {
    const refused = tests.flatMap((test) => test[one]?.isNot ?? []);
    return refused.length === 0 ? ofType(variable, one) : both(refused);
  });
  return either(isHeader(variable) ? others : [...others, `${variable} == NIL`]);
}

/** The expression for all values of a type. */
function ofType(variable: string, type: Type): string {
  const all = {
    string: `${variable} >= ''`,
    number: `${variable} == 0 || ${variable} != 0`,
    bool: `${variable} == TRUE || ${variable} == FALSE`,
  };
  return all[type];
}

const either = (expressions: readonly string[]): string =>
  expressions.length === 1 ? bracketed(expressions[0] as string) : `(${expressions.join(' || ')})`;
const both = (expressions: readonly string[]): string =>
  expressions.length === 1 ? (expressions[0] as string) : `(${expressions.join(' && ')})`;
const bracketed = (expression: string): string =>
  expression.includes(' && ') && !expression.startsWith('(') ? `(${expression})` : expression;
