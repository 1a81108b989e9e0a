import { Group } from './correlation-group.ts';
import type { Bounds, CorrelationRule, Rule } from './model.ts';

/** An event of a rule: a message, or what a correlation has found. */
export interface RuleEvent {
  readonly rule: Rule;
  readonly timeMs: number;
  /** Values of the fields that correlations need, by the names of the fields in that rule. */
  readonly values: ReadonlyMap<string, string>;
}

/** Hit of a correlation. */
export interface CorrelationHit extends RuleEvent {
  readonly rule: CorrelationRule;
  /** The values of group-by. */
  readonly group: readonly string[];
  /** The number that the condition is about. */
  readonly count: number;
}

/** Groups of a correlation that are kept, and their events together. The newest ones are kept. */
const MAX_GROUPS = 10_000;
const MAX_EVENTS = 1_000_000;
/** Correlations about correlations. */
const MAX_DEPTH = 10;

/** A correlation about a rule, and the place of the rule among its rules. */
interface Reference {
  readonly correlation: CorrelationRule;
  readonly index: number;
}

/** Finds what correlations are about in the hits of other rules, with bounded memory. */
export class Correlator {
  /** By ids and names of rules. */
  readonly #about = new Map<string, Reference[]>();
  readonly #groups = new Map<CorrelationRule, { readonly groups: Map<string, Group>; events: number }>();
  readonly #fields = new Map<Rule, readonly string[]>();
  readonly #onFull: (correlation: CorrelationRule) => void;
  readonly #told = new Set<CorrelationRule>();

  /** @param onFull is called once when a correlation has to forget groups */
  constructor(correlations: readonly CorrelationRule[], onFull: (correlation: CorrelationRule) => void = () => undefined) {
    this.#onFull = onFull;
    for (const correlation of correlations) {
      this.#groups.set(correlation, { groups: new Map(), events: 0 });
      for (const [index, name] of correlation.rules.entries()) {
        const list = this.#about.get(name);
        if (list === undefined) this.#about.set(name, [{ correlation, index }]);
        else list.push({ correlation, index });
      }
    }
  }

  /** Whether a correlation is about a rule. */
  isAbout(rule: Rule): boolean {
    return this.#of(rule).length > 0;
  }

  /** The fields of a rule that correlations need. */
  fieldsOf(rule: Rule): readonly string[] {
    const known = this.#fields.get(rule);
    if (known !== undefined) return known;
    const fields = this.#of(rule).flatMap(({ correlation }) =>
      [...correlation.groupBy, ...correlation.fields].map((name) => fieldIn(correlation, rule, name)),
    );
    this.#fields.set(rule, [...new Set(fields)]);
    return fields;
  }

  /** Takes an event, in order of time. @returns what correlations find by it, also such of other correlations */
  take(event: RuleEvent, depth = 0): readonly CorrelationHit[] {
    if (depth === MAX_DEPTH) return [];
    const hits: CorrelationHit[] = [];
    for (const { correlation, index } of this.#of(event.rule)) {
      const hit = this.#count(correlation, index, event);
      if (hit !== null) hits.push(hit, ...this.take(hit, depth + 1));
    }
    return hits;
  }

  #of({ id, name }: Rule): readonly Reference[] {
    const [byId, byName] = [this.#named(id), name === id ? [] : this.#named(name)];
    return byName.length === 0 ? byId : [...byId, ...byName];
  }

  #named(key: string | null): readonly Reference[] {
    return (key === null ? undefined : this.#about.get(key)) ?? [];
  }

  #count(correlation: CorrelationRule, index: number, event: RuleEvent): CorrelationHit | null {
    const valueOf = (name: string): string | undefined => event.values.get(fieldIn(correlation, event.rule, name));
    const group = correlation.groupBy.map(valueOf);
    const counted = correlation.fields.map(valueOf);
    // An event without a value belongs to no group.
    if (group.includes(undefined) || counted.includes(undefined)) return null;
    const value = counted.length === 1 ? (counted[0] as string) : JSON.stringify(counted);
    const state = this.#groups.get(correlation) as { groups: Map<string, Group>; events: number };
    const key = JSON.stringify(group);
    const kept = state.groups.get(key) ?? new Group(correlation);
    state.events -= kept.size;
    const count = kept.add({ timeMs: event.timeMs, rule: index, value });
    const isFound = count !== null && isWithin(correlation.bounds, count);
    state.groups.delete(key);
    // A correlation that has hit begins anew; rare values are rare among all.
    if (!isFound || correlation.type === 'value_percentile') {
      state.groups.set(key, kept);
      state.events += kept.size;
      this.#forget(correlation, state);
    }
    if (!isFound) return null;
    const values = new Map(correlation.groupBy.map((name, i) => [name, group[i] as string]));
    return { rule: correlation, timeMs: event.timeMs, values, group: group as readonly string[], count };
  }

  #forget(correlation: CorrelationRule, state: { readonly groups: Map<string, Group>; events: number }): void {
    while (state.groups.size > MAX_GROUPS || (state.events > MAX_EVENTS && state.groups.size > 1)) {
      const [key, group] = state.groups.entries().next().value as [string, Group];
      state.groups.delete(key);
      state.events -= group.size;
      if (!this.#told.has(correlation)) this.#onFull(correlation);
      this.#told.add(correlation);
    }
  }
}

/** The field of a rule that a correlation means by a name. */
function fieldIn({ aliases }: CorrelationRule, rule: Rule, name: string): string {
  const alias = aliases.get(name);
  const [byName, byId] = [rule.name, rule.id].map((key) => (key === null ? undefined : alias?.get(key)));
  return byName ?? byId ?? name;
}

function isWithin({ gt, gte, lt, lte, eq, neq }: Bounds, count: number): boolean {
  return (
    (gt === undefined || count > gt) &&
    (gte === undefined || count >= gte) &&
    (lt === undefined || count < lt) &&
    (lte === undefined || count <= lte) &&
    (eq === undefined || count === eq) &&
    (neq === undefined || count !== neq)
  );
}
