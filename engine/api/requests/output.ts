/** Requests about what filters make of records, and queries in SQL. */
import { z } from 'zod';
import type { Graph, ItemTable, OutputChanges, OutputText, SchemaChange } from '../output-types.ts';
import type { LookupList, QueryReply, QueryTable, SavedQuery } from '../query-types.ts';
import type { Notice } from '../types.ts';
import { asks } from './request.ts';
import { nothing, path, since, sql, queryName } from './shapes.ts';

export const outputRequests = {
  'graph.list': asks(nothing).gives<Graph[]>(),
  /**
   * Answered as soon as there is something newer than revision `since`, at most some times a second; 0: whatever there is, at once. So a
   * graph that changed comes by itself, while somebody waits for it, and what changes meanwhile comes once, as it is then.
   */
  'graph.changes': asks(since).gives<OutputChanges<Graph>>(),
  'items.list': asks(nothing).gives<ItemTable[]>(),
  'items.changes': asks(since).gives<OutputChanges<ItemTable>>(),
  /** The texts that these filters injected last, which are neither graphs nor lists nor alerts. */
  'text.list': asks(z.strictObject({ plugins: z.array(z.string().max(1000)).max(100) })).gives<OutputText[]>(),
  'schema.changes': asks(since).gives<SchemaChange>(),
  'notice.list': asks(nothing).gives<Notice[]>(),
  /** The tables with their columns. Writes the records that are in none yet. */
  'query.tables': asks(nothing).gives<QueryTable[]>(),
  /** Runs a query over the records that are there now; one at a time. */
  'query.run': asks(z.strictObject({ sql })).gives<QueryReply>(),
  /** Ends the query that runs, if one does. */
  'query.cancel': asks(nothing).gives<null>(),
  /** Writes all rows of a query into a file; `export` events say how far it is. */
  'query.export': asks(z.strictObject({ sql, format: z.enum(['csv', 'exact-csv', 'json', 'parquet']), path })).gives<{ id: number }>(),
  'query.saved': asks(nothing).gives<SavedQuery[]>(),
  /** Saves a query under a name; one that has the name is replaced. */
  'query.save': asks(z.strictObject({ name: queryName, sql })).gives<null>(),
  'query.forget': asks(z.strictObject({ name: queryName })).gives<null>(),
  /** The lookups that expressions can name, and the columns of one of them. */
  'lookup.list': asks(z.strictObject({ name: z.string().max(200).nullable() })).gives<LookupList>(),
};
