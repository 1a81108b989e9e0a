import type { Networks } from '../base/text/networks.ts';
import type { Pattern } from '../matcher/regex/pattern.ts';
import type { RuleLevel as Level } from '../api/rule-fields.ts';
import type { TextPattern } from './text-pattern.ts';

export { RULE_LEVELS as LEVELS, type RuleLevel as Level } from '../api/rule-fields.ts';
export type { RuleFault as RuleProblem } from '../api/rule-types.ts';

/** The kind of logs that a rule is for. */
export interface LogSource {
  readonly product?: string | undefined;
  readonly category?: string | undefined;
  readonly service?: string | undefined;
}

export type NumberRelation = 'gt' | 'gte' | 'lt' | 'lte';
export type TimeUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** A test of a value. All but `null` and `exists` are true when one of the values of the field passes. */
export type Test =
  | { readonly kind: 'text'; readonly pattern: TextPattern }
  | { readonly kind: 'regex'; readonly pattern: Pattern }
  | { readonly kind: 'networks'; readonly networks: Networks }
  | { readonly kind: 'number'; readonly relation: NumberRelation; readonly value: number }
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly value: number }
  | { readonly kind: 'field'; readonly other: string; readonly place: 'equals' | 'contains' | 'startsWith' | 'endsWith' }
  | { readonly kind: 'null' }
  | { readonly kind: 'exists' };

/** Part of a condition, down to tests of fields; the field '' stands for each text of a message. */
export type Node =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node }
  | { readonly kind: 'test'; readonly field: string; readonly test: Test };

/** Properties of rules of all kinds. */
interface RuleHead {
  readonly title: string;
  readonly id: string | null;
  /** For rules that refer to it. */
  readonly name: string | null;
  readonly level: Level;
  readonly tags: readonly string[];
  readonly file: string;
  readonly line: number;
}

/** A rule about single messages. */
export interface DetectionRule extends RuleHead {
  readonly kind: 'detection';
  readonly logSource: LogSource;
  readonly condition: Node;
}

export const CORRELATIONS = [
  'event_count',
  'value_count',
  'temporal',
  'temporal_ordered',
  'value_sum',
  'value_avg',
  'value_percentile',
] as const;
export type CorrelationType = (typeof CORRELATIONS)[number];

export type Bounds = Readonly<Partial<Record<NumberRelation | 'eq' | 'neq', number>>>;

/** A rule about the hits of other rules within a time. */
export interface CorrelationRule extends RuleHead {
  readonly kind: 'correlation';
  readonly type: CorrelationType;
  /** Ids or names of other rules. */
  readonly rules: readonly string[];
  readonly groupBy: readonly string[];
  readonly spanMs: number;
  readonly bounds: Bounds;
  /** Fields whose values are counted or added. */
  readonly fields: readonly string[];
  /** Fields of rules, by the alias and the rule. */
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The rules that it refers to tell of their own hits, too. */
  readonly generate: boolean;
}

export type Rule = DetectionRule | CorrelationRule;
