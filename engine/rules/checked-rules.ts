import { entriesOf, isUnknown, LOG_KINDS } from './logsources.ts';
import type { DetectionRule, LogSource, Node, Rule } from './model.ts';

/** A field that rules ask for and that no decoder of their logs makes. */
interface UnknownField {
  readonly field: string;
  /** The log source of the rules. */
  readonly source: string;
  /** Number of rules. */
  readonly rules: number;
}

/** Facts about rules that need no log. */
interface CheckedRules {
  readonly unknownFields: readonly UnknownField[];
  /** Log sources without a decoder, with the number of their rules. */
  readonly withoutDecoder: readonly (readonly [source: string, rules: number])[];
}

/** Compares rules with the table of log sources. */
export function checkedRules(rules: readonly Rule[]): CheckedRules {
  const unknown = new Map<string, { field: string; source: string; rules: number }>();
  const without = new Map<string, number>();
  for (const rule of rules) {
    if (rule.kind !== 'detection') continue;
    const source = sourceText(rule.logSource);
    const entries = entriesOf(rule.logSource);
    if (entries.length === 0) without.set(source, (without.get(source) ?? 0) + 1);
    else
      for (const field of fieldsOf(rule)) {
        if (!entries.every((entry) => isUnknown(entry, field))) continue;
        const kinds = [...new Set(entries.flatMap(({ kind }) => LOG_KINDS[kind].decoders[0]))].join(', ');
        const key = `${field}\0${source}`;
        const known = unknown.get(key) ?? { field, source: `${source}, ${kinds}`, rules: 0 };
        known.rules++;
        unknown.set(key, known);
      }
  }
  return {
    unknownFields: [...unknown.values()].sort((a, b) => b.rules - a.rules),
    withoutDecoder: [...without].sort((a, b) => b[1] - a[1]),
  };
}

/** A log source as rules write it. */
const sourceText = ({ product, category, service }: LogSource): string =>
  [product, category, service].filter((part) => part !== undefined).join(' ');

/** The names of the fields that a rule asks for. */
function fieldsOf({ condition }: DetectionRule): ReadonlySet<string> {
  const fields = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'and' || node.kind === 'or') node.parts.forEach(visit);
    else if (node.kind === 'not') visit(node.part);
    else if (node.kind === 'test') {
      fields.add(node.field);
      if (node.test.kind === 'field') fields.add(node.test.other);
    }
  };
  visit(condition);
  return fields;
}
