import { describe, expect, it } from 'vitest';
import type { Histogram, RecordGraph } from '../../../../../engine/api/types.ts';
import { recordGraphs } from '../../../../../engine/api/requests/shapes.ts';
import { byMatcher, NO_DRAFT, NO_FILTER, withTerm, type Filter } from '../../../../../renderer/src/lib/filter/filter.ts';
import {
  countOfShown,
  countsGraph,
  filterOf,
  graphChoices,
  narrowed,
  numbersGraph,
  queryOf,
  recordsOf,
} from '../../../../../renderer/src/lib/charts/record-graph.ts';

const ERRORS = byMatcher('status >= 500', 'Fields[status] >= 500');
const NOT_GET = byMatcher('method = GET', "Fields[method] == 'GET'", true);
const filter: Filter = withTerm(withTerm(NO_FILTER, ERRORS), NOT_GET);
const bytes = { name: 'bytes', variable: 'Fields[bytes]', isNumber: true, unit: 'B', term: null };

describe('the graphs that are offered', () => {
  it('of a number begin with its average, and of a code with its counts', () => {
    expect(graphChoices(bytes, NO_FILTER).map(({ graph }) => [graph.title, graph.measure, graph.unit])).toEqual([
      ['bytes', 'number', 'B'],
      ['Records by bytes', 'records', ''],
    ]);
    const status = { ...bytes, name: 'status', variable: 'Fields[status]', unit: '' };
    expect(graphChoices(status, NO_FILTER)[0]?.graph).toMatchObject({ title: 'Records by status', measure: 'records' });
  });

  it('of a text are counts, by its values and of the clicked one', () => {
    const term = byMatcher('host = a', "Hostname == 'a'");
    const choices = graphChoices({ name: 'host', variable: 'Hostname', isNumber: false, unit: '', term }, NO_FILTER);
    expect(choices.map(({ graph }) => [graph.title, graph.variable])).toEqual([
      ['Records by host', 'Hostname'],
      ['host = a', null],
    ]);
    expect(choices[1]?.graph.filters).toEqual([{ ...term, enabled: true }]);
  });

  it('are of the records that the filter shows, with what stands in its box, and can be kept', () => {
    const typed = {
      ...filter,
      draft: { ...NO_DRAFT, typed: 'timeout', term: { ...ERRORS, kind: 'text' as const, text: 'timeout', label: 'timeout' } },
    };
    const { graph } = countOfShown(typed);
    expect(graph.title).toBe('status >= 500, not method = GET, timeout');
    expect(graph.filters.map(({ label }) => label)).toEqual(['status >= 500', 'method = GET', 'timeout']);
    for (const made of [graph, ...graphChoices({ ...bytes, term: ERRORS }, typed).map((choice) => choice.graph)]) {
      expect(recordGraphs.safeParse([{ ...made, id: 1 }]).error).toBeUndefined();
    }
    expect(countOfShown({ ...NO_FILTER, stack: [{ ...ERRORS, id: 1, enabled: false }] }).graph).toMatchObject({
      title: 'Records',
      filters: [],
    });
  });

  it('are none of one more value while one of several filters is enough', () => {
    expect(narrowed(NOT_GET, { ...filter, any: true })).toEqual([]);
    expect(narrowed(ERRORS, { ...NO_FILTER, any: true })).toHaveLength(1);
  });
});

const kept: RecordGraph = { id: 7, ...countOfShown(filter).graph };

describe('a graph that is kept', () => {
  it('asks for its records, of the sources that are shown', () => {
    expect(queryOf(kept, [3])).toEqual({
      sources: [3],
      filters: [{ matcher: 'Fields[status] >= 500' }, { matcher: "Fields[method] == 'GET'", out: true }],
    });
    expect(queryOf({ any: false, filters: [], variable: null }, [])).toEqual({});
    expect(queryOf({ any: false, filters: [], variable: 'Hostname' }, [])).toEqual({});
    expect(queryOf({ any: false, filters: [], variable: 'Fields[n]' }, [])).toEqual({ matcher: 'Fields[n] != NIL' });
    expect(filterOf(kept).stack.map(({ id, label }) => [id, label])).toEqual([
      [1, 'status >= 500'],
      [2, 'method = GET'],
    ]);
  });

  it('says of which records it is', () => {
    expect(recordsOf(kept)).toBe('status >= 500, not method = GET');
    expect(recordsOf({ ...kept, any: true })).toBe('status >= 500 or not method = GET');
    expect(recordsOf({ any: false, filters: [] })).toBe('all records');
  });

  const histogram: Histogram = {
    from: 1000,
    to: 3000,
    bucketMs: 1000,
    groups: [
      { kind: 'value', name: 'Other' },
      { kind: 'value', name: 'a\u202e' },
      { kind: 'other', name: '' },
      { kind: 'none', name: '' },
    ],
    counts: [
      [1, 0],
      [2, 3],
      [0, 1],
      [1, 1],
    ],
    covered: { from: 0, to: 30 },
    complete: true,
  };

  it('counts all records together, or by values whose names are different and visible', () => {
    expect(countsGraph(kept, histogram)).toMatchObject({
      key: 'records 7',
      time: 1000,
      rowMs: 1000,
      columns: [{ name: 'Records', aggregation: 'sum', values: Float64Array.of(4, 5) }],
    });
    const by = countsGraph({ ...kept, variable: 'Fields[host]' }, histogram);
    expect(by.columns.map(({ name, values }) => [name, [...values]])).toEqual([
      ['Other', [1, 0]],
      ['a\\u202e', [2, 3]],
      ['Other (2)', [0, 1]],
      ['No host', [1, 1]],
    ]);
  });

  it('has the unit of its number', () => {
    const values = Float64Array.of(1, NaN);
    const series = { from: 0, to: 20, bucketMs: 10, average: values, minimum: values, maximum: values, complete: true };
    const { columns } = numbersGraph({ ...kept, measure: 'number', variable: 'Fields[t]', unit: 's' }, series);
    expect(columns.map(({ name, unit, aggregation }) => [name, unit, aggregation])).toEqual([
      ['Average', 's', 'none'],
      ['Minimum', 's', 'none'],
      ['Maximum', 's', 'none'],
    ]);
  });
});
