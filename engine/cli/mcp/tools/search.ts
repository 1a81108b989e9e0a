import { z } from 'zod';
import { columnVariable } from '../../../api/columns.ts';
import { fitting } from '../answer.ts';
import { toldRecord, toldRecords } from '../records.ts';
import { queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

export const search = tool({
  name: 'search',
  title: 'Find records',
  about:
    'Finds records by a text or a regular expression, by an expression over fields, and by time. All conditions that are given must hold. The answer tells how many there are and has the first of them.',
  input: z.strictObject({
    ...selected,
    fields: z.array(z.string().max(200)).max(30).default([]).describe('Fields to tell beside the text, from schema'),
    newest: z.boolean().default(false).describe('The latest records first'),
    start: z.int().min(0).default(0).describe('Records to skip'),
    limit: z.int().min(1).max(1000).default(50),
  }),
  output: z.object({ total: z.number(), start: z.number(), records: z.array(toldRecord) }),
  async run({ fields, newest, start, limit, ...given }, context) {
    const logs = await context.logs.read(given.files, context);
    const query = queryOf(
      given,
      logs.map(({ source }) => source.id),
    );
    const columns = fields.map((name) => (/[[\]]/.test(name) ? name : columnVariable(name)));
    const { total, rows } = await context.logs.view(query, context, async (engine, view) => {
      const page = (from: number, count: number) => engine.request('view.rows', { view, start: from, count, columns }, context.signal);
      const { total: all } = await page(0, 0);
      const count = Math.min(limit, context.rows, Math.max(0, all - start));
      const { rows: found } = await page(newest ? all - start - count : start, count);
      return { total: all, rows: newest ? found.toReversed() : found };
    });
    const records = fitting(await toldRecords(rows, logs, fields, context), context);
    const next = start + records.length;
    return {
      data: { total, start, records: [...records] },
      more: next < total ? `${total - next} more records: ask again with start ${next}, or narrow the search.` : undefined,
    };
  },
});
