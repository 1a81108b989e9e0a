import { z } from 'zod';
import { OPERATION_ORDERS } from './operation-types.ts';
import { MAX_QUERY_NAME, MAX_SQL } from './query-types.ts';
import type { AllRequests } from './types.ts';

const nothing = z.strictObject({});
const id = z.int().nonnegative();
const path = z.string().min(1).max(4096);
const typed = z.strictObject({ text: z.string().max(4096) });
const cluster = { servers: z.string().min(1).max(1000), credentials: z.string().max(4096) };
const commandText = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .regex(/^[^\0]*$/);
const configValues = z
  .record(z.string().max(100), z.union([z.string().max(65_536), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 200, { error: 'at most 200 parameters' });

/** Most filters of a stack. */
const MAX_FILTERS = 200;

const since = z.strictObject({ since: z.int().nonnegative() });
const variable = z.string().min(1).max(200);

const text = {
  text: z.string().max(10_000).optional(),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  word: z.boolean().optional(),
};

const matcher = z.string().max(10_000);

const query = z.strictObject({
  ...text,
  filters: z
    .array(z.strictObject({ ...text, matcher: matcher.optional(), out: z.boolean().optional() }))
    .max(MAX_FILTERS)
    .optional(),
  any: z.boolean().optional(),
  sources: z.array(id).max(1000).optional(),
  matcher: matcher.optional(),
  exclude: z.boolean().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  after: id.optional(),
});

const note = z.string().max(2000);

export const highlighterList = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1).max(100),
      kind: z.enum(['text', 'regex', 'field']),
      text: z.string().min(1).max(1000),
      field: z.string().max(200),
      caseSensitive: z.boolean(),
      word: z.boolean(),
      color: z.int().min(0).max(5),
      enabled: z.boolean(),
    }),
  )
  .max(50);

const keptFilters = z
  .array(
    z.strictObject({
      kind: z.enum(['text', 'regex', 'matcher']),
      text: matcher.min(1),
      label: matcher,
      caseSensitive: z.boolean(),
      out: z.boolean(),
      enabled: z.boolean(),
    }),
  )
  .max(MAX_FILTERS);

export const filterSets = z
  .array(z.strictObject({ name: z.string().trim().min(1).max(100), any: z.boolean(), filters: keptFilters }))
  .max(100);

/** Each has a view while it is shown. */
export const recordGraphs = z
  .array(
    z.strictObject({
      id,
      title: z.string().trim().min(1).max(200),
      measure: z.enum(['records', 'number']),
      variable: variable.nullable(),
      unit: z.string().max(40),
      any: z.boolean(),
      filters: keptFilters,
    }),
  )
  .max(24);

const format = z.enum(['raw', 'json', 'csv', 'exact-csv']);
const sql = z.string().min(1).max(MAX_SQL);
const queryName = z.string().trim().min(1).max(MAX_QUERY_NAME);
const scriptText = z.string().max(1_000_000);
const kind = z.enum(['filter', 'decoder']);
const section = z.string().min(1).max(200);
const limit = z.int().nonnegative();
const limits = z.strictObject({ memory: limit, instructions: limit, output: limit });

const filterSection = z.strictObject({
  name: section,
  script: path,
  bundled: z.boolean(),
  matcher: z.string().min(1).max(10_000),
  ticker: z
    .int()
    .min(0)
    .max(86_400 * 365),
  config: configValues,
  inputs: z.array(z.string().min(1).max(5000)).max(1000).nullable(),
  limits,
});

/** Places where files were, and where they are. */
const filePlaces = z.array(z.strictObject({ path, place: path })).max(1000);

/** Data of the window that a workspace keeps: some kilobytes mostly. */
const windowPart = z.record(z.string().max(100), z.json()).refine((part) => JSON.stringify(part).length <= 2_000_000, {
  error: 'at most 2,000,000 characters',
});

/** The shape of every request's input; whoever receives a request checks it first. */
export const requestSchemas: { readonly [N in keyof AllRequests]: z.ZodType } = {
  'engine.state': nothing,
  'source.open': z.strictObject({ paths: z.array(path).min(1).max(1000), moved: filePlaces.optional() }),
  'source.whereabouts': z.strictObject({ paths: z.array(path).min(1).max(1000), places: filePlaces }),
  'fleet.look': z.strictObject(cluster),
  'fleet.open': z.strictObject({
    ...cluster,
    stream: z.string().min(1).max(255),
    start: z.union([z.enum(['begin', 'end']), z.number().min(0).max(8.64e15)]),
  }),
  'open.complete': typed,
  'open.look': typed,
  'open.sample': z.strictObject({ kind: z.enum(['command', 'remote']), text: commandText }),
  'open.typed': typed,
  'source.listen': z.strictObject({ protocol: z.enum(['udp', 'tcp']), host: z.string().min(1).max(255), port: z.int().min(0).max(65_535) }),
  'source.run': z.strictObject({
    command: commandText,
  }),
  'source.head': z.strictObject({ id }),
  'source.raw': z.strictObject({ id, at: z.int().min(0), before: z.int().min(0).max(1000), count: z.int().min(1).max(1000) }),
  'source.pause': z.strictObject({ id }),
  'source.resume': z.strictObject({ id }),
  'source.close': z.strictObject({ id }),
  'engine.watch': nothing,
  'workstation.watch': nothing,
  'workstation.about': nothing,
  'source.decoder': z.strictObject({ id, decoder: path.nullable(), config: configValues.optional() }),
  'source.shift': z.strictObject({ id, seconds: z.number().min(-315_576_000).max(315_576_000) }),
  'decoder.list': nothing,
  'decoder.preview': z.strictObject({ id, decoder: path, config: configValues }),
  'view.open': z.strictObject({ query }),
  'view.query': z.strictObject({ view: id, query, near: z.union([id, z.literal('end')]).optional() }),
  'view.close': z.strictObject({ view: id }),
  'view.rows': z.strictObject({ view: id, start: id, count: z.int().min(0).max(1000), columns: z.array(z.string().max(200)).max(100) }),
  'view.text': z.strictObject({ view: id, start: id, count: z.int().min(1).max(50_000), format: z.enum(['raw', 'json']) }),
  'view.seek': z.strictObject({ view: id, time: z.number() }),
  'view.locate': z.strictObject({ view: id, id }),
  'view.search': z.strictObject({ view: id, search: z.strictObject(text), near: id }),
  'view.sort': z.strictObject({ view: id, column: z.strictObject({ by: variable, down: z.boolean() }).nullable() }),
  'view.hits': z.strictObject({ view: id, row: id }),
  'view.nearest': z.strictObject({
    view: id,
    kind: z.enum(['hit', 'mark', 'error', 'warning']),
    row: z.int().min(-1),
    forward: z.boolean(),
  }),
  'view.ticks': z.strictObject({ view: id, buckets: z.int().min(1).max(10_000) }),
  'view.histogram': z.strictObject({
    view: id,
    buckets: z.int().min(1).max(2000),
    from: z.number().optional(),
    to: z.number().optional(),
    by: variable.optional(),
  }),
  'view.numbers': z.strictObject({
    view: id,
    buckets: z.int().min(1).max(2000),
    from: z.number().optional(),
    to: z.number().optional(),
    variable,
  }),
  'view.top': z.strictObject({ view: id, variable, limit: z.int().min(1).max(1000) }),
  'view.patterns': z.strictObject({ view: id, limit: z.int().min(1).max(1000), variable: variable.optional() }),
  'view.operations': z.strictObject({
    view: id,
    variable,
    order: z.enum(OPERATION_ORDERS),
    down: z.boolean(),
    text: z.string().max(1000),
    limit: z.int().min(1).max(1000),
  }),
  'export.start': z.strictObject({ query, format, columns: z.array(z.string().max(200)).max(100), path }),
  'export.cancel': z.strictObject({ id }),
  'query.tables': nothing,
  'query.run': z.strictObject({ sql }),
  'query.cancel': nothing,
  'query.export': z.strictObject({ sql, format: z.enum(['csv', 'exact-csv', 'json', 'parquet']), path }),
  'query.saved': nothing,
  'query.save': z.strictObject({ name: queryName, sql }),
  'query.forget': z.strictObject({ name: queryName }),
  'record.last': nothing,
  'record.get': z.strictObject({ id }),
  'record.json': z.strictObject({ id }),
  'mark.list': nothing,
  'mark.set': z.strictObject({ record: id, on: z.boolean() }),
  'mark.note': z.strictObject({ key: id, note }),
  'mark.remove': z.strictObject({ key: id }),
  'highlighter.list': nothing,
  'highlighter.set': z.strictObject({ highlighters: highlighterList }),
  'filterSet.list': nothing,
  'filterSet.set': z.strictObject({ sets: filterSets }),
  'recordGraph.list': nothing,
  'recordGraph.set': z.strictObject({ graphs: recordGraphs }),
  'graph.list': nothing,
  'items.list': nothing,
  'graph.changes': since,
  'items.changes': since,
  'schema.changes': since,
  'notice.list': nothing,
  'plugin.start': z.strictObject({ id: section }),
  'plugin.stop': z.strictObject({ id: section }),
  'plugin.reload': z.strictObject({ id: section, keepState: z.boolean() }),
  'filter.list': nothing,
  'filter.sections': nothing,
  'filter.set': z.strictObject({ filter: filterSection, was: section.optional(), keepState: z.boolean() }),
  'filter.wake': nothing,
  'filter.remove': z.strictObject({ name: section }),
  'filter.undo': z.strictObject({ step: id.optional() }),
  'filter.inputs': nothing,
  'script.about': z.strictObject({ path }),
  'script.read': z.strictObject({ kind, script: path }),
  'script.save': z.strictObject({ name: section, path: path.nullable(), text: scriptText, apply: z.boolean(), keepState: z.boolean() }),
  'script.try': z.strictObject({
    kind,
    text: scriptText,
    path: path.nullable(),
    typed: z.boolean(),
    source: id,
    matcher: z.string().max(10_000),
    config: configValues,
    limits,
    records: z.int().min(1).max(2000),
  }),
  'workspace.save': z.strictObject({ path, records: z.boolean(), window: windowPart }),
  'workspace.look': z.strictObject({ path, places: filePlaces }),
  'workspace.open': z.strictObject({
    path,
    places: filePlaces,
    window: windowPart,
  }),
  'workspace.before': nothing,
  'shell.chooseWorkspace': z.strictObject({ save: z.string().min(1).max(200).nullable() }),
  'shell.findFile': z.strictObject({ name: z.string().max(4096) }),
  'shell.givenWorkspace': nothing,
  'shell.open': z.strictObject({ folder: z.boolean().optional() }),
  'shell.openSample': z.strictObject({ name: z.enum(['access', 'syslog']) }),
  'shell.recent': nothing,
  'shell.zoom': z.strictObject({ step: z.union([z.literal(-1), z.literal(0), z.literal(1)]) }),
  'shell.theme': z.strictObject({ theme: z.enum(['system', 'light', 'dark']) }),
  'shell.copy': z.strictObject({ text: z.string().max(10_000_000) }),
  'shell.chooseScript': nothing,
  'shell.chooseExport': z.strictObject({ name: z.string().min(1).max(200), format: z.enum([...format.options, 'parquet']) }),
  'shell.saveScript': z.strictObject({ name: z.string().min(1).max(200), text: scriptText }),
  'shell.savePicture': z.strictObject({
    name: z.string().min(1).max(200),
    png: z.instanceof(Uint8Array).refine(({ length }) => length <= 64 << 20),
  }),
  'shell.saveTable': z.strictObject({ name: z.string().min(1).max(200), csv: z.string().max(64 << 20) }),
  'shell.notify': z.strictObject({ title: z.string().max(200), text: z.string().max(1000), alert: z.int() }),
  'shell.background': z.strictObject({ on: z.boolean() }),
  'shell.startEngine': nothing,
  'shell.about': nothing,
};
