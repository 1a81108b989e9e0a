import { visibleText } from '../../../../engine/api/printable.ts';
import type { Graph, GraphColumn, Histogram, MeasureAnswer, Question, RecordGraph, RecordQuery } from '../../../../engine/api/types.ts';
import { activeTerms, NO_FILTER, pushDraft, toQuery, withTerm, type Filter, type FilterTerm } from '../filter/filter.ts';
import { allOf, exists, isHeader } from '../../../../engine/api/filter/expression.ts';
import { layerLabel } from './histogram-groups.ts';
import { measureName, measuresOf, titleOf, unitOf } from './question.ts';

/** A graph of records before it is kept. */
export type NewGraph = Omit<RecordGraph, 'id'>;

const MOST_TITLE = 200;

/** The graph of a question about the records that a filter shows. A count of them all is called by the filter. */
export function graphOf(question: Question, filter: Filter, title = ''): NewGraph {
  const labels = question.of === null && question.by.length === 0 ? activeTerms(filter).map(labelOf).join(', ') : '';
  return { ...question, title: titled(title.trim() || labels || titleOf(question)), ...shownBy(filter) };
}

/** A filter with one more; null: it cannot be added to the others. */
export function narrowed(term: FilterTerm, filter: Filter): Filter | null {
  if (filter.any && activeTerms(filter).some(({ out }) => !out)) return null;
  return withTerm(pushDraft(filter), term);
}

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

/** The query for the records of a question: over time those that have its fields. @param filter that shows them */
export function queryOf({ of, by, display }: Question, filter: Filter): RecordQuery {
  const query = toQuery(filter);
  const fields = [...(of === null ? [] : [of]), ...by].filter((variable) => !isHeader(variable));
  const matcher = display === 'list' ? null : allOf([...new Set(fields)].map(exists));
  return matcher === null ? query : { ...query, matcher };
}

/** The records of a graph in words. */
export function recordsOf({ any, filters }: Pick<RecordGraph, 'any' | 'filters'>): string {
  return filters.length === 0 ? 'all records' : filters.map(labelOf).join(any ? ' or ' : ', ');
}

export const keyOf = ({ id }: Pick<RecordGraph, 'id'>): string => `records ${id}`;

/** Whether a question over time is one for a histogram, which has statuses by their class and is quickest. */
export const isHistogram = ({ measure, of, by }: Question): boolean => measure === 'count' && of === null && by.length < 2;

/** The picture of counts of records. */
export function countsGraph(of: RecordGraph, { from, bucketMs, groups, counts }: Histogram): Graph {
  const [by = null] = of.by;
  const columns =
    by === null
      ? [summed('Records', addedUp(counts))]
      : different(groups.map((group) => visibleText(layerLabel(group, by)))).map((name, i) =>
          summed(name, Float64Array.from(counts[i] ?? [])),
        );
  return { ...emptyGraph(of), time: from, rowMs: bucketMs, columns };
}

/** The picture of other numbers of records: a column for each of them, or for each group. */
export function measuredGraph(of: RecordGraph, { from, bucketMs, all, groups }: MeasureAnswer): Graph {
  const measures = measuresOf(of);
  const aggregation = of.measure === 'count' || of.measure === 'sum' ? 'sum' : 'none';
  const columnOf = (name: string, values: Float64Array | undefined): GraphColumn => ({
    name,
    unit: unitOf(of),
    aggregation,
    values: values ?? new Float64Array(0),
  });
  const names = different(groups.map(({ values }) => groupName(values)));
  const columns =
    of.by.length === 0
      ? measures.map((measure, i) => columnOf(measureName(measure), all.series[i]))
      : groups.map(({ series }, i) => columnOf(names[i] as string, series[0]));
  return { ...emptyGraph(of), time: from, rowMs: bucketMs, columns };
}

/** The values of a group as they are read. */
export const groupName = (values: readonly string[]): string =>
  values.map((value) => (value === '' ? '(empty)' : visibleText(value))).join(' · ');

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
