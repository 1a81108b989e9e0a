import { visibleText } from '../../../../engine/api/printable.ts';
import type { Graph, GraphColumn, Histogram, NumberSeries, RecordGraph, RecordQuery } from '../../../../engine/api/types.ts';
import { activeTerms, NO_FILTER, pushDraft, toQuery, withTerm, type Filter, type FilterTerm } from '../filter/filter.ts';
import { exists, isHeader } from '../../../../engine/api/filter/expression.ts';
import { layerLabel } from './histogram-groups.ts';

/** A graph of records before it is kept. */
export type NewGraph = Omit<RecordGraph, 'id'>;

/** One of the graphs that can be made of something, in words. */
export interface GraphChoice {
  readonly what: string;
  readonly graph: NewGraph;
}

/** Subject of a graph: the values that it shows. */
export interface GraphSubject {
  readonly name: string;
  /** null: no expression can name it. */
  readonly variable: string | null;
  readonly isNumber: boolean;
  readonly unit: string;
  /** Finds the records with the value that someone clicked; null: there is none. */
  readonly term: FilterTerm | null;
}

const MOST_TITLE = 200;

/** The graphs that can be made of something among the records that the filter shows, the likeliest first. */
export function graphChoices({ name, variable, isNumber, unit, term }: GraphSubject, filter: Filter): GraphChoice[] {
  const shown = { variable, unit: '', ...shownBy(filter) };
  const values: GraphChoice = {
    what: `Average, minimum and maximum of ${name}`,
    graph: { ...shown, title: titled(name), measure: 'number', unit },
  };
  const counts: GraphChoice = {
    what: `Number of records by ${name}, of the commonest values`,
    graph: { ...shown, title: titled(`Records by ${name}`), measure: 'records' },
  };
  const ofVariable = variable === null ? [] : !isNumber ? [counts] : isCode(name) ? [counts, values] : [values, counts];
  return [...ofVariable, ...(term === null ? [] : narrowed(term, filter))];
}

/** The graph of the number of the records that the filter shows. */
export function countOfShown(filter: Filter): GraphChoice {
  const labels = activeTerms(filter).map(labelOf).join(', ');
  return {
    what: 'Number of records',
    graph: { title: titled(labels === '' ? 'Records' : labels), measure: 'records', variable: null, unit: '', ...shownBy(filter) },
  };
}

/** The number of the records that one more filter shows; none where that filter cannot be added to the others. */
export function narrowed(term: FilterTerm, filter: Filter): GraphChoice[] {
  if (filter.any && activeTerms(filter).some(({ out }) => !out)) return [];
  const more = shownBy(withTerm(pushDraft(filter), term));
  return [
    {
      what: `Number of records with ${term.label}`,
      graph: { title: titled(term.label), measure: 'records', variable: null, unit: '', ...more },
    },
  ];
}

/** Numbers that are names of something: their average says nothing. */
const isCode = (name: string): boolean => /status|code|pid|port|_?id$|severity/i.test(name);
const titled = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TITLE) || 'Records';
const labelOf = ({ label, out }: Pick<FilterTerm, 'label' | 'out'>): string => (out ? `not ${label}` : label);

function shownBy(filter: Filter): Pick<RecordGraph, 'any' | 'filters'> {
  const filters = activeTerms(filter).map(({ kind, text, label, caseSensitive, out }) => ({
    kind,
    text,
    label,
    caseSensitive,
    out,
    enabled: true,
  }));
  return { any: filter.any, filters };
}

/** The filter that shows the records of a graph. */
export function filterOf({ any, filters }: Pick<RecordGraph, 'any' | 'filters'>): Filter {
  return { ...NO_FILTER, any, stack: filters.map((kept, i) => ({ ...kept, id: i + 1 })) };
}

/** The query for the records of a graph: of a field those that have it. @param sources empty: all */
export function queryOf(graph: Pick<RecordGraph, 'any' | 'filters' | 'variable'>, sources: readonly number[]): RecordQuery {
  const { variable } = graph;
  const query = toQuery({ ...filterOf(graph), sources });
  return variable === null || isHeader(variable) ? query : { ...query, matcher: exists(variable) };
}

/** The records of a graph in words. */
export function recordsOf({ any, filters }: Pick<RecordGraph, 'any' | 'filters'>): string {
  return filters.length === 0 ? 'all records' : filters.map(labelOf).join(any ? ' or ' : ', ');
}

export const keyOf = ({ id }: Pick<RecordGraph, 'id'>): string => `records ${id}`;

/** The picture of counts of records. */
export function countsGraph(of: RecordGraph, { from, bucketMs, groups, counts }: Histogram): Graph {
  const columns =
    of.variable === null
      ? [summed('Records', addedUp(counts))]
      : different(groups.map((group) => visibleText(layerLabel(group, of.variable)))).map((name, i) =>
          summed(name, Float64Array.from(counts[i] ?? [])),
        );
  return { ...emptyGraph(of), time: from, rowMs: bucketMs, columns };
}

/** The picture of a number in records. */
export function numbersGraph(of: RecordGraph, { from, bucketMs, average, minimum, maximum }: NumberSeries): Graph {
  const columns = [
    { name: 'Average', values: average },
    { name: 'Minimum', values: minimum },
    { name: 'Maximum', values: maximum },
  ].map(({ name, values }): GraphColumn => ({ name, unit: of.unit, aggregation: 'none', values }));
  return { ...emptyGraph(of), time: from, rowMs: bucketMs, columns };
}

const emptyGraph = (of: RecordGraph): Pick<Graph, 'key' | 'source' | 'plugin' | 'title' | 'annotations'> => ({
  key: keyOf(of),
  source: -1,
  plugin: '',
  title: of.title,
  annotations: [],
});

/** Names of columns that no two share: values may differ in what cannot be seen, or be called as the rest is. */
function different(names: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
    taken.add(free);
  }
  return [...taken];
}

const summed = (name: string, values: Float64Array): GraphColumn => ({ name, unit: 'count', aggregation: 'sum', values });

function addedUp(counts: readonly (readonly number[])[]): Float64Array {
  const sums = new Float64Array(counts[0]?.length ?? 0);
  for (const layer of counts) for (const [i, count] of layer.entries()) sums[i] = (sums[i] as number) + count;
  return sums;
}
