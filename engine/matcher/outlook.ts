import type { Condition, Node, NumberCondition, NumberVariable, TextCondition, TextVariable } from './ast.ts';
import { inAnyBytes, latinLines, literalRegex } from './regex/latin-lines.ts';
import { parseRegex } from './regex/parse.ts';

/** Numbers, of which none is NaN. */
export interface KnownNumbers {
  readonly low: number;
  readonly high: number;
  /** All different ones, when these are few. */
  readonly few: readonly number[] | null;
}

/** The values of some records, as far as they are known. */
export interface KnownValues {
  /** The numbers of a header; undefined: not known. */
  readonly header: (variable: NumberVariable) => KnownNumbers | undefined;
  /** The values of a field that has one number in each record that has it; undefined: not known. */
  readonly field: (name: string) => KnownNumbers | undefined;
  /** Whether the text of a header of any of them may satisfy a condition; absent: it may. */
  readonly text?: (variable: TextVariable, condition: TextCondition) => boolean;
}

/** Whether any of some records may satisfy an expression; false: none does. */
export function mayMatch(node: Node, values: KnownValues): boolean {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'and':
      return node.terms.every((term) => mayMatch(term, values));
    case 'or':
      return node.terms.some((term) => mayMatch(term, values));
    case 'textHeader':
      return values.text?.(node.variable, node.condition) ?? true;
    case 'anyText':
      return true;
    case 'numberHeader':
      return hasAny(values.header(node.variable), node.condition);
    case 'field': {
      const { field, condition } = node;
      return condition.kind === 'exists' || field.instance > 0 || field.element > 0 || hasAny(values.field(field.name), condition);
    }
  }
}

function hasAny(numbers: KnownNumbers | undefined, condition: Condition): boolean {
  if (numbers === undefined) return true;
  if (condition.kind === 'lookup') return true;
  // A constant of another type than the value never matches.
  return (
    condition.kind === 'number' &&
    (numbers.few?.some((number) => fits(condition, number, number)) ?? fits(condition, numbers.low, numbers.high))
  );
}

/** Whether any number from one to another satisfies a condition. */
function fits({ relation, value }: NumberCondition, low: number, high: number): boolean {
  switch (relation) {
    case '==':
      return low <= value && value <= high;
    case '!=':
      return low !== value || high !== value;
    case '>':
      return high > value;
    case '>=':
      return high >= value;
    case '<':
      return low < value;
    case '<=':
      return low <= value;
  }
}

/** Other characters may be stored in several ways. */
const ASCII = /^[\0-\x7f]+$/;

/** An expression of ripgrep that is found in a line of the stored texts of each record that satisfies an expression; null: there is none. */
export function latinOf(node: Node): string | null {
  switch (node.kind) {
    case 'and':
      return node.terms.map(latinOf).find((latin) => latin !== null) ?? null;
    case 'or': {
      const terms = node.terms.map(latinOf);
      return terms.includes(null) ? null : terms.map((term) => `(?:${term ?? ''})`).join('|');
    }
    case 'textHeader':
      return node.variable === 'Uuid' ? null : latinText(node.condition);
    case 'field':
    case 'anyText':
      return latinText(node.condition);
    case 'constant':
    case 'numberHeader':
      return null;
  }
}

function latinText(condition: Condition): string | null {
  if (condition.kind === 'text' && condition.relation === '==')
    return ASCII.test(condition.value) ? latinLines(literalRegex(condition.value, true)) : null;
  const regex = condition.kind === 'pattern' && !condition.negated ? parseRegex(condition.pattern.source) : null;
  return regex === null ? null : latinLines(inAnyBytes(regex));
}
