import type { FieldFacts, Overview } from '../../../../engine/api/types.ts';
import type { Filter } from '../filter/filter.ts';
import { isSpread, repeating, variableOf } from '../overview-facts.ts';
import { countOfShown, graphChoices, type NewGraph } from './record-graph.ts';

/** Different values of a field that can be told apart in one graph. */
const MOST_VALUES = 50;
/** Names of what people look at first. */
const TELLING_FIELD = /status|level|severity|code|result|action|outcome/i;
const TELLING_NUMBER = /time|duration|latency|elapsed|took|delay/i;
const SIZE = /bytes|size|length/i;

/** The graphs that say most about the records that a filter shows: their number, by level where they have levels, the most telling field, and the most telling number. */
export function ownGraphs({ fields, records }: Pick<Overview, 'fields' | 'records'>, filter: Filter): NewGraph[] {
  const own = fields.filter(({ isHeader }) => !isHeader);
  return [
    byLevel(fields, filter),
    of(
      best(repeating(own), (field) => fieldWeight(field, records)),
      'records',
      filter,
    ),
    of(
      best(own.filter(isSpread), (field) => numberWeight(field, records)),
      'number',
      filter,
    ),
  ].filter((graph) => graph !== null);
}

function byLevel(fields: readonly FieldFacts[], filter: Filter): NewGraph {
  const { graph } = countOfShown(filter);
  const hasLevels = fields.some(({ isHeader, name, distinct }) => isHeader && name === 'Severity' && distinct > 1);
  return hasLevels ? { ...graph, title: 'Records by level', variable: 'Severity' } : graph;
}

function of(field: FieldFacts | null, measure: NewGraph['measure'], filter: Filter): NewGraph | null {
  if (field === null) return null;
  const subject = {
    name: field.name,
    variable: variableOf(field),
    isNumber: field.numbers !== null,
    unit: field.representation ?? '',
    term: null,
  };
  return graphChoices(subject, filter).find(({ graph }) => graph.measure === measure)?.graph ?? null;
}

/** The field of the greatest weight; null: none has any. */
function best(fields: readonly FieldFacts[], weight: (field: FieldFacts) => number): FieldFacts | null {
  const weighed = fields.map((field) => ({ field, weight: weight(field) })).filter((one) => one.weight > 0);
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.field ?? null;
}

/** How much its values tell: more, the more records have it, and the more evenly they share few values. */
function fieldWeight({ name, distinct, records: of, values }: FieldFacts, records: number): number {
  if (distinct > MOST_VALUES) return 0;
  const largest = (values[0]?.count ?? 0) / Math.max(1, of);
  return (of / Math.max(1, records)) * (1.1 - largest) * (TELLING_FIELD.test(name) ? 3 : 1);
}

function numberWeight({ name, representation, records: of }: FieldFacts, records: number): number {
  const kind = TELLING_NUMBER.test(name) ? 4 : representation !== null ? 2 : SIZE.test(name) ? 1.5 : 1;
  return (of / Math.max(1, records)) * kind;
}
