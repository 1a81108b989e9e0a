/** Writes matcher expressions for clicked values. Pure. */
import { ALL_HEADERS, headerNamed } from '../headers.ts';
import type { Variable } from './variable.ts';

export type ValueType = 'string' | 'number' | 'bool';

/** An expression; null: it cannot be written, since constants have no sign and a bracket ends the name of a field. */
export type Written = string | null;

/** `Fields[name]`, or of a later instance or element `Fields[name][instance][element]`; null: the name cannot be written. */
export function fieldVariable(name: string, instance = 0, element = 0): Written {
  if (name === '' || name.includes(']')) return null;
  if (element > 0) return `Fields[${name}][${instance}][${element}]`;
  return instance > 0 ? `Fields[${name}][${instance}]` : `Fields[${name}]`;
}

/** Whether it is a header variable of the message, not a field. */
export function isHeader(variable: string): boolean {
  return headerNamed(variable) !== undefined;
}

/** The type of a header variable. */
export function headerType(variable: string): ValueType {
  const kind = headerNamed(variable)?.kind;
  return kind === 'time' || kind === 'int' ? 'number' : 'string';
}

/** The headers, as variables of which nothing more is known. */
export const HEADER_VARIABLES: readonly Variable[] = ALL_HEADERS.map(({ name, about }) => ({
  name,
  about,
  type: headerType(name),
  constants: [],
  isLevel: name === 'Severity',
}));

/**
 * A string constant, quoted so that the lexer reads exactly this text. A backslash is an escape only before the quote that encloses the
 * text, so some texts fit only in the other quotes, and a text that ends with a backslash in none.
 */
export function quote(text: string): Written {
  for (const mark of ["'", '"'] as const) {
    if (!text.includes(mark) && !text.endsWith('\\')) return mark + text + mark;
  }
  if (text.endsWith('\\') || /\\'/.test(text)) return null;
  return `'${text.replaceAll("'", "\\'")}'`;
}

/** A regular expression that finds exactly this text and nothing around it. */
export function exactPattern(text: string): string {
  return `/^${escapePattern(text)}$/`;
}

/** The text with everything escaped that means something in a regular expression or ends its token. */
export function escapePattern(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}

/** The records whose variable is this value. `mixed`: a text, or a number or truth value that is written so. */
export function is(variable: string, type: ValueType | 'mixed', value: string): Written {
  if (type === 'mixed') {
    const isNumber = String(Number(value)) === value;
    const types: readonly ValueType[] = ['string', ...(isNumber ? (['number'] as const) : []), 'bool'];
    const tests = types.flatMap((one) => is(variable, one, value) ?? []);
    return tests.length > 1 ? `(${tests.join(' || ')})` : (tests[0] ?? null);
  }
  if (type === 'number') return numberTest(variable, value);
  if (type === 'bool') return value === 'true' || value === 'false' ? `${variable} == ${value.toUpperCase()}` : null;
  const constant = quote(value);
  if (constant !== null && !/[\n\r]/.test(value)) return `${variable} == ${constant}`;
  return `${variable} =~ ${exactPattern(value)}`;
}

/** The records with a number from one to below another, or to that. Expressions have neither signs nor exponents. */
export function between(variable: string, low: number, high: number, inclusive = false): Written {
  if (!(low >= 0 && high < Infinity)) return null;
  return `${variable} >= ${plain(low)} && ${variable} ${inclusive ? '<=' : '<'} ${plain(high)}`;
}

const plain = (value: number): string => value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 });

/** The records that have the field. */
export function exists(variable: string): string {
  return `${variable} != NIL`;
}

function numberTest(variable: string, value: string): Written {
  if (!/^[\d.]/.test(value) || !Number.isFinite(Number(value))) return null;
  return `${variable} == ${value}`;
}

/** The records without the variable. A header of text is empty then; one of numbers has a number that others may have. */
export function lacks(variable: string): Written {
  if (!isHeader(variable)) return `${variable} == NIL`;
  return headerType(variable) === 'string' ? `${variable} == ''` : null;
}

/** One expression for which all of these hold; null when there is none. */
export function allOf(expressions: readonly string[]): Written {
  const written = expressions.map((expression) => expression.trim()).filter((expression) => expression !== '');
  if (written.length === 0) return null;
  if (written.length === 1) return written[0] as string;
  return written.map((expression) => (hasOr(expression) ? `(${expression})` : expression)).join(' && ');
}

/** Whether an expression may hold `||`. Then it needs brackets before `&&`, which binds tighter; one in brackets may get a second pair. */
function hasOr(expression: string): boolean {
  return expression.includes('||');
}
