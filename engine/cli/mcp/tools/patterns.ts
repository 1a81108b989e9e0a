import { z } from 'zod';
import { columnVariable } from '../../../api/columns.ts';
import type { LogPatterns } from '../../../api/pattern-types.ts';
import { fitting } from '../answer.ts';
import { toldTime } from '../records.ts';
import { queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

export const patterns = tool({
  name: 'patterns',
  title: 'Find what is alike',
  about:
    'Groups the texts of records that are alike, such as "Accepted publickey for <*> from <ip>", with counts, times and an example: the quickest way to see what a log says.',
  input: z.strictObject({
    ...selected,
    field: z.string().max(200).optional().describe('Field whose values are grouped; absent: the texts of the records'),
    limit: z.int().min(1).max(500).default(30),
  }),
  output: z.object({
    records: z.number(),
    distinct: z.number(),
    patterns: z.array(z.object({ pattern: z.string(), count: z.number(), first: z.string(), last: z.string(), example: z.string() })),
  }),
  async run({ field, limit, ...given }, context) {
    const logs = await context.logs.read(given.files, context);
    const query = queryOf(
      given,
      logs.map(({ source }) => source.id),
    );
    const variable = field === undefined ? undefined : columnVariable(field);
    const found = await context.logs.view(query, context, async (engine, view) => {
      let counted: LogPatterns;
      do counted = await engine.request('view.patterns', { view, limit, variable }, context.signal);
      while (!counted.complete);
      return counted;
    });
    const all = found.patterns.map(({ text, count, first, last, example }) => ({
      pattern: text,
      count,
      first: toldTime(first),
      last: toldTime(last),
      example,
    }));
    const shown = fitting(all, context);
    const left = found.distinct - shown.length;
    return {
      data: { records: found.total, distinct: found.distinct, patterns: [...shown] },
      more: left > 0 ? `${left} rarer patterns are left out: raise limit, or narrow the records.` : undefined,
    };
  },
});
