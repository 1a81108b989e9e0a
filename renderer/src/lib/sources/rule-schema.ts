import { RULE_FIELD, RULE_LEVEL_FIELD, RULE_LEVELS } from '../../../../engine/api/rule-fields.ts';
import type { SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';

/** The fields that records have by rules, as the schema has those of decoders. @param titles of rules with hits */
export function ruleSchema(titles: readonly string[], records: number): SchemaLogger {
  const field = (name: string, samples: readonly string[]): SchemaField => ({
    name,
    type: 'string',
    representation: null,
    count: records,
    optional: true,
    samples: [...samples],
  });
  const fields = [field(RULE_FIELD, titles), field(RULE_LEVEL_FIELD, RULE_LEVELS)];
  return { name: '', count: 0, types: [{ name: '', count: 0, versions: [{ name: '', count: 0, fields }] }] };
}
