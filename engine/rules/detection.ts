import { parseCondition } from './condition.ts';
import { RuleMistake } from './mistake.ts';
import type { Node } from './model.ts';
import { fieldNode, joined } from './modifiers.ts';
import type { Yaml, YamlMap } from './yaml.ts';

/** Keys beside the searches of a detection. */
const CONDITION = 'condition';
const TIMEFRAME = 'timeframe';

/**
 * The condition of a rule, down to tests of fields.
 * @throws {RuleMistake}
 */
export function parseDetection(detection: YamlMap): Node {
  const searches = new Map<string, Node>();
  const conditions: { readonly text: string; readonly line: number }[] = [];
  for (const { key, line, value } of detection.entries) {
    if (key === TIMEFRAME) throw new RuleMistake('timeframe belongs to aggregations: correlation rules have replaced them', line);
    if (key !== CONDITION) searches.set(key, searchNode(key, value));
    else
      for (const item of value.kind === 'list' ? value.items : [value]) {
        if (item.kind !== 'scalar' || item.type === 'null') throw new RuleMistake('the condition is not a text', item.line);
        conditions.push(item);
      }
  }
  if (conditions.length === 0) throw new RuleMistake('the detection has no condition', detection.line);
  return joined(
    'or',
    conditions.map(({ text, line }) => parseCondition(text, searches, line)),
  );
}

/** A search: a map of fields, or a list of maps or of texts. */
function searchNode(name: string, value: Yaml): Node {
  switch (value.kind) {
    case 'map':
      return mapNode(name, value);
    case 'list':
      if (value.items.length === 0) throw new RuleMistake(`the search ${name} is empty`, value.line);
      return joined(
        'or',
        value.items.map((item) => (item.kind === 'list' ? searchNode(name, item) : itemNode(name, item))),
      );
    case 'scalar':
      return itemNode(name, value);
  }
}

const itemNode = (name: string, item: YamlMap | Extract<Yaml, { kind: 'scalar' }>): Node =>
  item.kind === 'map' ? mapNode(name, item) : fieldNode('', item, item.line);

function mapNode(name: string, { entries, line }: YamlMap): Node {
  if (entries.length === 0) throw new RuleMistake(`the search ${name} is empty`, line);
  return joined(
    'and',
    entries.map(({ key, line: keyLine, value }) => {
      if (value.kind === 'map') throw new RuleMistake(`the value of ${key} is a map`, keyLine);
      return fieldNode(key, value, keyLine);
    }),
  );
}
