import type { FieldFacts, Overview } from '../../../../engine/api/types.ts';
import type { Filter } from '../filter/filter.ts';
import { isSpread, repeating, variableOf } from '../overview-facts.ts';
import { countBy, countOverTime, spreadOf } from './question.ts';
import { graphOf, type NewGraph } from './record-graph.ts';

/** Different values of a field that can be told apart in one graph. */
const MOST_VALUES = 50;
/** Names of what people look at first. */
const TELLING_FIELD = /status|level|severity|code|result|action|outcome/i;
const TELLING_NUMBER = /time|duration|latency|elapsed|took|delay/i;
const SIZE = /bytes|size|length/i;

/** The graphs that say most about the records that a filter shows: their number, by level where they have levels, the most telling field, and the most telling number. */
export function ownGraphs({ fields, records }: Pick<Overview, 'fields' | 'records'>, filter: Filter): NewGraph[] {
  const own = fields.filter(({ isHeader }) => !isHeader);
  const field = best(repeating(own), (one) => fieldWeight(one, records));
  const number = best(own.filter(isSpread), (one) => numberWeight(one, records));
  const [by, of] = [field, number].map((one) => (one === null ? null : variableOf(one)));
  return [
    byLevel(fields, filter),
    ...(by === null || by === undefined ? [] : [graphOf({ ...countBy(by), display: 'bars' }, filter)]),
    ...(of === null || of === undefined ? [] : [graphOf(spreadOf({ variable: of, unit: number?.representation ?? '' }), filter)]),
  ];
}

function byLevel(fields: readonly FieldFacts[], filter: Filter): NewGraph {
  const hasLevels = fields.some(({ isHeader, name, distinct }) => isHeader && name === 'Severity' && distinct > 1);
  return hasLevels ? graphOf({ ...countBy('Severity'), display: 'bars' }, filter, 'Records by level') : graphOf(countOverTime, filter);
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
