import { hint } from '../base/text/suggest.ts';
import { MAX_GROUP_EVENTS } from './correlation-group.ts';
import { parseDetection } from './detection.ts';
import { RuleMistake } from './mistake.ts';
import { CORRELATIONS, LEVELS, type Bounds, type CorrelationRule, type CorrelationType, type Level, type Rule } from './model.ts';
import { textOf, textsOf, valueOf, type Yaml, type YamlMap } from './yaml.ts';

/** The level of a rule that does not say one. */
const USUAL_LEVEL: Level = 'medium';
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_SPAN_S = 366 * 86_400;
const BOUNDS = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq'] as const;

/**
 * The rule of a document.
 * @throws {RuleMistake}
 */
export function parseRule(document: Yaml, file: string): Rule {
  if (document.kind !== 'map') throw new RuleMistake('it is no rule: a map with title and detection is expected', document.line);
  const { line } = document;
  const title = textOf(document, 'title');
  if (title === null) throw new RuleMistake('the rule has no title', line);
  const head = {
    title,
    id: textOf(document, 'id'),
    name: textOf(document, 'name'),
    level: levelOf(document),
    tags: textsOf(valueOf(document, 'tags')),
    file,
    line,
  };
  const filter = document.entries.find(({ key }) => key === 'filter');
  if (filter !== undefined) throw new RuleMistake('rules that filter other rules (filter) are not known', filter.line);
  const correlation = valueOf(document, 'correlation');
  if (correlation !== undefined) return { kind: 'correlation', ...head, ...parseCorrelation(mapOf(correlation, 'correlation'), document) };
  const detection = valueOf(document, 'detection');
  if (detection === undefined) throw new RuleMistake('the rule has no detection', line);
  const source = valueOf(document, 'logsource');
  if (source === undefined) throw new RuleMistake('the rule has no logsource', line);
  const logSource = mapOf(source, 'logsource');
  const [product, category, service] = ['product', 'category', 'service'].map((key) => textOf(logSource, key)?.toLowerCase());
  if (product === undefined && category === undefined && service === undefined)
    throw new RuleMistake('the logsource has no product, category or service', source.line);
  return {
    kind: 'detection',
    ...head,
    logSource: { product, category, service },
    condition: parseDetection(mapOf(detection, 'detection')),
  };
}

function mapOf(value: Yaml, what: string): YamlMap {
  if (value.kind !== 'map') throw new RuleMistake(`${what} is not a map`, value.line);
  return value;
}

function levelOf(document: YamlMap): Level {
  const value = valueOf(document, 'level');
  if (value === undefined) return USUAL_LEVEL;
  const text = value.kind === 'scalar' ? value.text.toLowerCase() : '';
  const level = LEVELS.find((other) => other === text);
  if (level === undefined) throw new RuleMistake(`there is no level ${text}${hint(text, LEVELS)}`, value.line);
  return level;
}

type CorrelationParts = Pick<CorrelationRule, 'type' | 'rules' | 'groupBy' | 'spanMs' | 'bounds' | 'fields' | 'aliases' | 'generate'>;

function parseCorrelation(map: YamlMap, document: YamlMap): CorrelationParts {
  const typed = textOf(map, 'type') ?? '';
  const type = CORRELATIONS.find((other) => other === typed);
  if (type === undefined)
    throw new RuleMistake(`there is no type of correlation ${typed || '(none)'}${hint(typed, CORRELATIONS)}`, map.line);
  const rules = textsOf(valueOf(map, 'rules'));
  if (rules.length === 0) throw new RuleMistake('the correlation has no rules', map.line);
  const condition = valueOf(map, 'condition');
  const generate = textOf(map, 'generate') ?? textOf(document, 'generate');
  return {
    type,
    rules,
    groupBy: textsOf(valueOf(map, 'group-by')),
    spanMs: spanOf(map),
    ...conditionOf(type, condition, rules.length, map.line),
    aliases: aliasesOf(valueOf(map, 'aliases')),
    generate: generate?.toLowerCase() === 'true',
  };
}

function spanOf(map: YamlMap): number {
  const value = valueOf(map, 'timespan');
  const text = value?.kind === 'scalar' ? value.text : '';
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (!(seconds > 0 && seconds <= MAX_SPAN_S))
    throw new RuleMistake(
      `timespan is a number with s, m, h or d behind it, of at most a year, not ${text || 'nothing'}`,
      value?.line ?? map.line,
    );
  return seconds * 1000;
}

function conditionOf(
  type: CorrelationType,
  condition: Yaml | undefined,
  rules: number,
  line: number,
): Pick<CorrelationRule, 'bounds' | 'fields'> {
  const isTemporal = type.startsWith('temporal');
  if (condition === undefined) {
    if (isTemporal) return { bounds: { gte: rules }, fields: [] };
    throw new RuleMistake(`a correlation of the type ${type} needs a condition`, line);
  }
  const map = mapOf(condition, 'the condition of the correlation');
  const bounds: { -readonly [B in keyof Bounds]: Bounds[B] } = {};
  for (const { key, line: at, value } of map.entries) {
    if (key === 'field') continue;
    const bound = BOUNDS.find((other) => other === key);
    if (bound === undefined) throw new RuleMistake(`there is no condition ${key}${hint(key, BOUNDS)}`, at);
    const number = value.kind === 'scalar' ? Number(value.text) : Number.NaN;
    if (!Number.isFinite(number)) throw new RuleMistake(`${key} needs a number`, at);
    if (number > MAX_GROUP_EVENTS && type !== 'value_sum' && type !== 'value_avg')
      throw new RuleMistake(`${key} is above ${MAX_GROUP_EVENTS}, the number of events that are kept`, at);
    bounds[bound] = number;
  }
  const isPercentile = type === 'value_percentile';
  if (bounds.gt === undefined && bounds.gte === undefined && bounds.eq === undefined && !isPercentile)
    throw new RuleMistake('a condition without gt, gte or eq is not known: it would be true before anything has happened', map.line);
  const fields = textsOf(valueOf(map, 'field'));
  if (type.startsWith('value_') && fields.length === 0) throw new RuleMistake(`a correlation of the type ${type} needs a field`, map.line);
  return { bounds, fields };
}

function aliasesOf(value: Yaml | undefined): CorrelationRule['aliases'] {
  if (value === undefined) return new Map();
  return new Map(
    mapOf(value, 'aliases').entries.map(({ key, value: fields }) => [
      key,
      new Map(mapOf(fields, `the alias ${key}`).entries.map((entry) => [entry.key, textsOf(entry.value)[0] ?? ''])),
    ]),
  );
}
