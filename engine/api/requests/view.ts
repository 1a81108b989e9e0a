/** Requests about views of records, and of what users keep with them. */
import { z } from 'zod';
import type { Difference } from '../difference-types.ts';
import type { ExportRequest } from '../export-types.ts';
import { OPERATION_ORDERS, type Operations } from '../operation-types.ts';
import type { FilterSet } from '../filter-types.ts';
import type { Highlighter, Mark } from '../mark-types.ts';
import { MEASURES, MOST_BY, MOST_MEASURES, type MeasureAnswer } from '../measure-types.ts';
import type { Overview } from '../overview-types.ts';
import type { LogPatterns } from '../pattern-types.ts';
import type { HeatMap, RecordGraph } from '../record-graph-types.ts';
import type { RecordDetail, RecordPlace, RowsReply } from '../record-types.ts';
import type { Histogram, Ticks } from '../view-types.ts';
import { asks } from './request.ts';
import {
  nothing,
  id,
  path,
  columns,
  more,
  variable,
  text,
  query,
  note,
  highlighterList,
  filterSets,
  recordGraphs,
  format,
} from './shapes.ts';

export const viewRequests = {
  'view.open': asks(z.strictObject({ query })).gives<{ view: number }>(),
  /**
   * Answers with the revision from which on `view.changed` events are about this query. `near`: the record around which rows are wanted first, or the end of the
   * list; absent: its beginning.
   */
  'view.query': asks(z.strictObject({ view: id, query, near: z.union([id, z.literal('end')]).optional() })).gives<{ revision: number }>(),
  'view.close': asks(z.strictObject({ view: id })).gives<null>(),
  'view.rows': asks(z.strictObject({ view: id, start: id, count: z.int().min(0).max(1000), columns, more })).gives<RowsReply>(),
  /** Records as they were read, or as JSON lines: as many as fit. */
  'view.text': asks(z.strictObject({ view: id, start: id, count: z.int().min(1).max(50_000), format: z.enum(['raw', 'json']) })).gives<{
    text: string;
    count: number;
  }>(),
  /** Row number in the view of the first record at or after a time. */
  'view.seek': asks(z.strictObject({ view: id, time: z.number() })).gives<{ row: number }>(),
  /** Row number in the view of a record, of as many rows as there are then; null: it is not shown there. */
  'view.locate': asks(z.strictObject({ view: id, id })).gives<{ row: number | null; total: number }>(),
  /**
   * Looks for a text in the rows of a view, which stay as they are, beginning at the row `near`; `search.changed` events say how far it is. An empty text
   * ends the search. The search stays when the view gets another query.
   */
  'view.search': asks(z.strictObject({ view: id, search: z.strictObject(text), near: id })).gives<null>(),
  /**
   * Shows all rows of a view by a column, in a stable order, values that are missing last; `view.changed` events say how far it is. Rows that come then are not shown
   * until it is asked for again. null: in the order of arrival or time.
   */
  'view.sort': asks(z.strictObject({ view: id, column: z.strictObject({ by: variable, down: z.boolean() }).nullable() })).gives<null>(),
  /** Rows with a hit before a row, as far as they were counted, and whether that row is one. */
  'view.hits': asks(z.strictObject({ view: id, row: id })).gives<{ before: number; hit: boolean }>(),
  /** The nearest row of a kind behind a row, or before it; beyond the end of the list it goes on at the other one. null: there is none. */
  'view.nearest': asks(
    z.strictObject({
      view: id,
      kind: z.enum(['hit', 'mark', 'rule', 'error', 'warning']),
      row: z.int().min(-1),
      forward: z.boolean(),
    }),
  ).gives<{ row: number | null; wrapped: boolean }>(),
  /** The hits, marks, errors and warnings along the rows of a view, in so many parts at most. */
  'view.ticks': asks(z.strictObject({ view: id, buckets: z.int().min(1).max(10_000) })).gives<Ticks>(),
  /** `by`: a variable whose values are the layers; absent: severities. */
  'view.histogram': asks(
    z.strictObject({
      view: id,
      buckets: z.int().min(1).max(2000),
      from: z.number().optional(),
      to: z.number().optional(),
      by: variable.optional(),
    }),
  ).gives<Histogram>(),
  /** Numbers of the records that the view shows, by up to two variables and over time. Counts a while and answers with what it has. */
  'view.measure': asks(
    z
      .strictObject({
        view: id,
        measures: z.array(z.enum(MEASURES)).min(1).max(MOST_MEASURES),
        of: variable.nullable(),
        by: z.array(variable).max(MOST_BY),
        over: z.strictObject({ buckets: z.int().min(1).max(2000), from: z.number().optional(), to: z.number().optional() }).nullable(),
        limit: z.int().min(1).max(1000),
      })
      .refine(({ measures, of }) => of !== null || measures.every((measure) => measure === 'count'), { error: 'no field to measure' }),
  ).gives<MeasureAnswer>(),
  /** The records that a view shows by time and by a number, in so many rows at most. */
  'view.heat': asks(
    z.strictObject({
      view: id,
      buckets: z.int().min(1).max(2000),
      rows: z.int().min(1).max(200),
      from: z.number().optional(),
      to: z.number().optional(),
      variable,
    }),
  ).gives<HeatMap>(),
  /**
   * The fields and the schema of the records that the view shows, with so many values of each. Counts a while and answers with what it has; what was counted is kept.
   * `field`: of this one alone. `again`: begins anew, with the records that came since.
   */
  'view.overview': asks(
    z.strictObject({ view: id, values: z.int().min(1).max(1000), field: z.string().max(1000).optional(), again: z.boolean().optional() }),
  ).gives<Overview>(),
  /** The patterns of the lines that a view shows, or of the values of a variable. Counts a while and answers with what it has. */
  'view.patterns': asks(z.strictObject({ view: id, limit: z.int().min(1).max(1000), variable: variable.optional() })).gives<LogPatterns>(),
  /** The operations of the records that a view shows when it is first asked. Counts a while and answers with what it has. */
  'view.operations': asks(
    z.strictObject({
      view: id,
      variable,
      order: z.enum(OPERATION_ORDERS),
      down: z.boolean(),
      text: z.string().max(1000),
      limit: z.int().min(1).max(1000),
    }),
  ).gives<Operations>(),
  /**
   * Compares the records that two queries select when it is first asked; `b` takes what both do. Counts a while and answers with how far it is, and with the rows at the
   * end. Another pair ends the one before.
   */
  'records.compare': asks(z.strictObject({ a: query, b: query, without: z.array(variable).max(100) })).gives<Difference>(),
  /** Writes the records that a query selects now into a file; `export` events say how far it is. */
  'export.start': asks<ExportRequest>(z.strictObject({ query, format, columns: z.array(z.string().max(200)).max(100), path })).gives<{
    id: number;
  }>(),
  'export.cancel': asks(z.strictObject({ id })).gives<null>(),
  /** Number of the record that came last; null: there is none. */
  'record.last': asks(nothing).gives<{ last: number | null }>(),
  /**
   * The place of the record of a number, from 1 in the order of its source. `time`: of the record, by which it is found where it has another number here; null: not known.
   * null: there is none.
   */
  'record.find': asks(z.strictObject({ source: id, number: z.int().min(1), time: z.number().nullable() })).gives<RecordPlace | null>(),
  'record.get': asks(z.strictObject({ id })).gives<RecordDetail>(),
  /** The message of a record as a line of JSON, without its line end, as exports write it. */
  'record.json': asks(z.strictObject({ id })).gives<{ json: string }>(),
  /** The marks of the open sources, by time. */
  'mark.list': asks(nothing).gives<Mark[]>(),
  /** Marks a record, or takes its mark away. */
  'mark.set': asks(z.strictObject({ record: id, on: z.boolean() })).gives<null>(),
  'mark.note': asks(z.strictObject({ key: id, note })).gives<null>(),
  'mark.remove': asks(z.strictObject({ key: id })).gives<null>(),
  'highlighter.list': asks(nothing).gives<Highlighter[]>(),
  /** Replaces all highlighters. */
  'highlighter.set': asks(z.strictObject({ highlighters: highlighterList })).gives<null>(),
  'filterSet.list': asks(nothing).gives<FilterSet[]>(),
  /** Replaces all sets of filters. */
  'filterSet.set': asks(z.strictObject({ sets: filterSets })).gives<null>(),
  /** The graphs of records that the workspace keeps. */
  'recordGraph.list': asks(nothing).gives<RecordGraph[]>(),
  /** Replaces all of them. */
  'recordGraph.set': asks(z.strictObject({ graphs: recordGraphs })).gives<null>(),
};
