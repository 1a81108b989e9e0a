import { z } from 'zod';
import type { Overview } from '../../../api/overview-types.ts';
import { fitting } from '../answer.ts';
import { queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

/** Milliseconds for counting: what is not counted by then is a sample from all over the log. */
const COUNT_MS = 4000;

export const schema = tool({
  name: 'schema',
  title: 'List the fields',
  about:
    'Lists the fields of the records with their types, how many records have them, their commonest values and numbers, and the tables and columns for query.',
  input: z.strictObject({ files: selected.files, values: z.int().min(0).max(50).default(5).describe('Common values of each field') }),
  output: z.object({
    records: z.number(),
    counted: z.number().describe('Fewer than records: the numbers are of a sample'),
    fields: z.array(
      z.object({
        name: z.string(),
        types: z.array(z.string()),
        records: z.number(),
        distinct: z.number(),
        values: z.array(z.object({ value: z.string(), count: z.number() })),
        numbers: z
          .object({ min: z.number(), max: z.number(), average: z.number(), p50: z.number(), p95: z.number(), p99: z.number() })
          .optional(),
      }),
    ),
    tables: z.array(z.object({ name: z.string(), rows: z.number(), columns: z.array(z.object({ name: z.string(), type: z.string() })) })),
  }),
  async run({ files, values }, context) {
    const logs = await context.logs.read(files, context);
    const sources = logs.map(({ source }) => source.id);
    const engine = await context.logs.engine();
    const end = performance.now() + COUNT_MS;
    const found = await context.logs.view(queryOf({}, sources), context, async (_, view) => {
      let overview: Overview;
      do overview = await engine.request('view.overview', { view, values: Math.max(1, values) }, context.signal);
      while (!overview.complete && performance.now() < end);
      return overview;
    });
    const tables = await engine.request('query.tables', {}, context.signal);
    const own = tables.filter((table) => table.sources.some((id) => sources.includes(id)));
    const fields = found.fields.map(({ name, types, records, distinct, values: common, numbers }) => ({
      name,
      types: types.map(({ type }) => type),
      records,
      distinct,
      values: common.slice(0, values).map(({ value, count }) => ({ value, count })),
      ...(numbers === null
        ? {}
        : {
            numbers: {
              min: numbers.minimum,
              max: numbers.maximum,
              average: numbers.average,
              p50: numbers.p50,
              p95: numbers.p95,
              p99: numbers.p99,
            },
          }),
    }));
    const shown = fitting(fields, { bytes: context.bytes / 2, rows: context.rows });
    const columns = own.map(({ name, rows, columns: all }) => ({
      name,
      rows,
      columns: all.map((column) => ({ name: column.name, type: column.type })),
    }));
    const tabled = fitting(columns, { bytes: context.bytes / 2, rows: context.rows });
    const left = fields.length - shown.length + found.others;
    const missing = [
      ...(left > 0 ? [`${left} fields`] : []),
      ...(tabled.length < columns.length ? [`${columns.length - tabled.length} tables`] : []),
    ];
    return {
      data: { records: found.total, counted: found.records, fields: [...shown], tables: [...tabled] },
      more: missing.length === 0 ? undefined : `${missing.join(' and ')} are left out: ask for fewer files or values.`,
    };
  },
});
