/** Shapes that the inputs of several requests have. */
import { z } from 'zod';
import { MAX_QUERY_NAME, MAX_SQL } from '../query-types.ts';
import type { FilterSet } from '../filter-types.ts';
import type { Highlighter } from '../mark-types.ts';
import type { FilterSection } from '../plugin-types.ts';
import { MEASURES, MOST_BY } from '../measure-types.ts';
import { DISPLAYS, MEASURE_SETS, type RecordGraph } from '../record-graph-types.ts';
import { INCIDENT_FORMS, type IncidentExport, type IncidentText } from '../incident-types.ts';
import type { RecordQuery } from '../record-types.ts';
import type { WindowPart } from '../workspace-types.ts';

export const nothing = z.strictObject({});
export const id = z.int().nonnegative();
export const path = z.string().min(1).max(4096);
export const typed = z.strictObject({ text: z.string().max(4096) });
export const cluster = { servers: z.string().min(1).max(1000), credentials: z.string().max(4096) };
export const commandText = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .regex(/^[^\0]*$/);
export const configValues = z
  .record(z.string().max(100), z.union([z.string().max(65_536), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 200, { error: 'at most 200 parameters' });

/** Most filters of a stack. */
const MAX_FILTERS = 200;

export const since = z.strictObject({ since: z.int().nonnegative() });
export const variable = z.string().min(1).max(200);
export const columns = z.array(z.string().max(200)).max(100);
/** Facts that rows tell beside their columns. */
export const more = z
  .array(z.enum(['summary', 'since']))
  .max(2)
  .optional();

export const text = {
  text: z.string().max(10_000).optional(),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  word: z.boolean().optional(),
};

const matcher = z.string().max(10_000);

export const query: z.ZodType<RecordQuery> = z.strictObject({
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

export const note = z.string().max(2000);

export const highlighterList: z.ZodType<Highlighter[]> = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1).max(100),
      kind: z.enum(['text', 'regex', 'field']),
      text: z.string().min(1).max(1000),
      field: z.string().max(200),
      caseSensitive: z.boolean(),
      word: z.boolean(),
      color: z.literal([0, 1, 2, 3, 4, 5]),
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

export const filterSets: z.ZodType<FilterSet[]> = z
  .array(z.strictObject({ name: z.string().trim().min(1).max(100), any: z.boolean(), filters: keptFilters }))
  .max(100);

/** Graphs as they were kept before they could be of any measure. */
function questionOf(graph: unknown): unknown {
  if (typeof graph !== 'object' || graph === null || !('variable' in graph)) return graph;
  const { measure, variable, ...others } = graph as { measure?: unknown; variable: unknown };
  if (measure === 'number') return { ...others, measure: 'range', of: variable, by: [], display: 'chart' };
  return {
    ...others,
    measure: measure === 'records' ? 'count' : measure,
    of: null,
    by: variable === null ? [] : [variable],
    display: 'bars',
  };
}

/** Each has a view while it is shown. */
export const recordGraphs: z.ZodType<RecordGraph[]> = z
  .array(
    z.preprocess(
      questionOf,
      z.strictObject({
        id,
        title: z.string().trim().min(1).max(200),
        measure: z.enum([...MEASURES, ...MEASURE_SETS]),
        of: variable.nullable(),
        by: z.array(variable).max(MOST_BY),
        display: z.enum(DISPLAYS),
        unit: z.string().max(40),
        any: z.boolean(),
        filters: keptFilters,
      }),
    ),
  )
  .max(24);

export const format = z.enum(['raw', 'json', 'csv', 'exact-csv']);
export const sql = z.string().min(1).max(MAX_SQL);
export const queryName = z.string().trim().min(1).max(MAX_QUERY_NAME);
export const scriptText = z.string().max(1_000_000);
export const kind = z.enum(['filter', 'decoder']);
export const section = z.string().min(1).max(200);
const limit = z.int().nonnegative();
export const limits = z.strictObject({ memory: limit, instructions: limit, output: limit });

export const filterSection: z.ZodType<FilterSection> = z.strictObject({
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
export const filePlaces = z.array(z.strictObject({ path, place: path })).max(1000);

/** Data of the window that a workspace keeps: some kilobytes mostly. */
export const windowPart: z.ZodType<WindowPart> = z
  .record(z.string().max(100), z.json())
  .refine((part) => JSON.stringify(part).length <= 2_000_000, {
    error: 'at most 2,000,000 characters',
  });

/** Most characters of what someone writes of an incident. */
const MAX_SUMMARY = 20_000;
const line = z.string().max(500);

export const incidentText: z.ZodType<IncidentText> = z.strictObject({
  title: z.string().max(200),
  summary: z.string().max(MAX_SUMMARY),
  from: z.number().nullable(),
  to: z.number().nullable(),
  difference: z.strictObject({ title: line, sentences: z.array(z.string().max(2000)).max(10) }).nullable(),
});

const number = z.number().nullable();

export const incidentExport: z.ZodType<IncidentExport> = z.strictObject({
  path,
  form: z.enum(INCIDENT_FORMS),
  anonymise: z.boolean(),
  words: z.array(z.string().max(200)).max(100),
  around: z.int().min(0).max(1000),
  columns: z.array(z.string().max(200)).max(12),
  charts: z
    .array(
      z.strictObject({
        title: line,
        about: z.string().max(2000),
        unit: z.string().max(40),
        by: z.array(variable).max(MOST_BY),
        form: z.enum(['bars', 'lines', 'list', 'heat', 'none']),
        from: z.number(),
        rowMs: z.number().positive(),
        series: z.array(z.strictObject({ name: z.string().max(1000), values: z.array(number).max(2000) })).max(200),
      }),
    )
    .max(24),
  ask: z.boolean(),
  zone: z.enum(['utc', 'local']),
  window: windowPart,
});
