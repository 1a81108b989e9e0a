import { describe, expect, it } from 'vitest';
import type { Histogram, MeasureAnswer, RecordGraph } from '../../../../../engine/api/types.ts';
import { recordGraphs } from '../../../../../engine/api/requests/shapes.ts';
import { countBy, countOverTime, percentilesOf } from '../../../../../renderer/src/lib/charts/question.ts';
import { byMatcher, NO_DRAFT, NO_FILTER, withTerm, type Filter } from '../../../../../renderer/src/lib/filter/filter.ts';
import {
  countsGraph,
  filterOf,
  graphOf,
  measuredGraph,
  narrowed,
  queryOf,
  recordsOf,
} from '../../../../../renderer/src/lib/charts/record-graph.ts';

const ERRORS = byMatcher('status >= 500', 'Fields[status] >= 500');
const NOT_GET = byMatcher('method = GET', "Fields[method] == 'GET'", true);
const filter: Filter = withTerm(withTerm(NO_FILTER, ERRORS), NOT_GET);

describe('the graph of a question', () => {
  it('is of the records that the filter shows, with what stands in its box, and can be kept', () => {
    const typed = {
      ...filter,
      draft: { ...NO_DRAFT, typed: 'timeout', term: { ...ERRORS, kind: 'text' as const, text: 'timeout', label: 'timeout' } },
    };
    const graph = graphOf(countOverTime, typed);
    expect(graph.title).toBe('status >= 500, not method = GET, timeout');
    expect(graph.filters.map(({ label }) => label)).toEqual(['status >= 500', 'method = GET', 'timeout']);
    for (const question of [countOverTime, countBy('Hostname'), percentilesOf({ variable: 'Fields[bytes]', unit: 'B' })])
      expect(recordGraphs.safeParse([{ ...graphOf(question, typed), id: 1 }]).error).toBeUndefined();
    expect(graphOf(countOverTime, { ...NO_FILTER, stack: [{ ...ERRORS, id: 1, enabled: false }] })).toMatchObject({
      title: 'Records',
      filters: [],
    });
  });

  it('is called by the question, or as someone says', () => {
    expect(graphOf(countBy('Fields[status]'), filter).title).toBe('Records by status');
    expect(graphOf(countBy('Fields[status]'), filter, ' By  class ').title).toBe('By class');
  });

  it('is none of one more filter while one of several is enough', () => {
    expect(narrowed(NOT_GET, { ...filter, any: true })).toBeNull();
    expect(narrowed(ERRORS, { ...NO_FILTER, any: true })?.stack).toHaveLength(1);
  });
});

const kept: RecordGraph = { id: 7, ...graphOf(countOverTime, filter) };
const of = (part: Partial<RecordGraph>): RecordGraph => ({ ...kept, any: false, filters: [], ...part });

describe('a graph that is kept', () => {
  it('asks for its records, of the sources that are shown', () => {
    expect(queryOf(kept, { ...filterOf(kept), sources: [3] })).toEqual({
      sources: [3],
      filters: [{ matcher: 'Fields[status] >= 500' }, { matcher: "Fields[method] == 'GET'", out: true }],
    });
    for (const [part, query] of [
      [{}, {}],
      [{ by: ['Hostname'] }, {}],
      [{ by: ['Fields[n]'] }, { matcher: 'Fields[n] != NIL' }],
      [{ measure: 'p95', of: 'Fields[t]', by: ['Fields[n]', 'Type'] }, { matcher: 'Fields[t] != NIL && Fields[n] != NIL' }],
      [{ by: ['Fields[n]'], display: 'list' }, {}],
    ] as const)
      expect(queryOf(of(part), NO_FILTER)).toEqual(query);
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
    const by = countsGraph({ ...kept, by: ['Fields[host]'] }, histogram);
    expect(by.columns.map(({ name, values }) => [name, [...values]])).toEqual([
      ['Other', [1, 0]],
      ['a\\u202e', [2, 3]],
      ['Other (2)', [0, 1]],
      ['No host', [1, 1]],
    ]);
  });

  const answer: MeasureAnswer = {
    groups: [
      { values: ['a', ''], records: 1, numbers: [3], series: [Float64Array.of(3, NaN)] },
      { values: ['\u202e', 'b'], records: 1, numbers: [2], series: [Float64Array.of(NaN, 2)] },
    ],
    all: { records: 2, numbers: [1, 1, 1], series: [1, 2, 3].map((value) => Float64Array.of(value, NaN)) },
    ...{ distinct: 2, missing: 0, without: 0, exact: true, from: 1000, bucketMs: 10, looked: 2, total: 2, complete: true },
  };
  const columnsOf = (part: Partial<RecordGraph>): unknown =>
    measuredGraph(of(part), answer).columns.map(({ name, unit, aggregation, values }) => [name, unit, aggregation, values[0]]);

  it('has the unit of its number, and a column for each number or group', () => {
    expect(columnsOf({ measure: 'range', of: 'Fields[t]', unit: 's' })).toEqual([
      ['Average', 's', 'none', 1],
      ['Minimum', 's', 'none', 2],
      ['Maximum', 's', 'none', 3],
    ]);
    expect(columnsOf({ measure: 'p95', of: 'Fields[t]', unit: 's', by: ['Type', 'Fields[x]'] })).toEqual([
      ['a · (empty)', 's', 'none', 3],
      ['\\u202e · b', 's', 'none', NaN],
    ]);
    expect(columnsOf({ by: ['Type', 'Fields[x]'] })).toMatchObject([{ 1: 'count', 2: 'sum' }, { 1: 'count' }]);
  });
});
