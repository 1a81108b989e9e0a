import { ALL_HEADERS, type Header } from '../api/headers.ts';
import type { Networks } from '../base/text/networks.ts';
import type { Find } from '../lookup/lookup.ts';
import type { Pattern } from './regex/pattern.ts';

/** Header variables whose value is text. */
export type TextVariable = Extract<Header, { kind: 'uuid' | 'text' }>['name'];
export const TEXT_VARIABLES = ALL_HEADERS.flatMap((header): TextVariable[] =>
  header.kind === 'uuid' || header.kind === 'text' ? [header.name] : [],
);

/** Header variables whose value is a number. */
export type NumberVariable = Extract<Header, { kind: 'time' | 'int' }>['name'];
export const NUMBER_VARIABLES = ALL_HEADERS.flatMap((header): NumberVariable[] =>
  header.kind === 'time' || header.kind === 'int' ? [header.name] : [],
);

export const RELATIONS = ['==', '!=', '>', '>=', '<', '<='] as const;
export type Relation = (typeof RELATIONS)[number];

/** Element `element` of the `instance`-th field called `name`; both are zero-based. */
export interface FieldReference {
  readonly name: string;
  readonly instance: number;
  readonly element: number;
}

/** The right side of a test, with its operator. */
export type Condition =
  | { readonly kind: 'number'; readonly relation: Relation; readonly value: number }
  | { readonly kind: 'text'; readonly relation: Relation; readonly value: string }
  | { readonly kind: 'pattern'; readonly negated: boolean; readonly pattern: Pattern }
  | { readonly kind: 'networks'; readonly negated: boolean; readonly networks: Networks }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'exists'; readonly expected: boolean }
  /** The condition on what a lookup has for the text of the value. */
  | { readonly kind: 'lookup'; readonly find: Find; readonly condition: Condition };

export type LookupCondition = Extract<Condition, { kind: 'lookup' }>;
export type TextCondition = Extract<Condition, { kind: 'text' | 'pattern' | 'networks' | 'lookup' }>;
export type PatternCondition = Extract<Condition, { kind: 'pattern' }>;
export type NumberCondition = Extract<Condition, { kind: 'number' }>;

/** A parsed expression. Chains are flat, so depth is the depth of parentheses only. */
export type Node =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and'; readonly terms: readonly Node[] }
  | { readonly kind: 'or'; readonly terms: readonly Node[] }
  | { readonly kind: 'textHeader'; readonly variable: TextVariable; readonly condition: TextCondition }
  | { readonly kind: 'numberHeader'; readonly variable: NumberVariable; readonly condition: NumberCondition }
  | { readonly kind: 'field'; readonly field: FieldReference; readonly condition: Condition }
  | { readonly kind: 'anyText'; readonly condition: PatternCondition };

/** The variables that an expression reads: for column pruning, completion and the inspector. Each name once, in order of appearance. */
export interface Variables {
  readonly headers: readonly (TextVariable | NumberVariable)[];
  readonly fields: readonly string[];
  /** It reads all texts: the Payload, and all fields. */
  readonly anyText: boolean;
}

/** Collects the variables that `node` reads. */
export function variablesOf(node: Node): Variables {
  const headers = new Set<TextVariable | NumberVariable>();
  const fields = new Set<string>();
  let anyText = false;
  const visit = (part: Node): void => {
    if (part.kind === 'and' || part.kind === 'or') part.terms.forEach(visit);
    else if (part.kind === 'field') fields.add(part.field.name);
    else if (part.kind === 'anyText') anyText = true;
    else if (part.kind !== 'constant') headers.add(part.variable);
  };
  visit(node);
  return { headers: [...headers], fields: [...fields], anyText };
}
