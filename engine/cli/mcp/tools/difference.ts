import { z } from 'zod';
import type { Difference } from '../../../api/difference-types.ts';
import { columnVariable } from '../../../api/columns.ts';
import { Serial } from '../../../base/time/serial.ts';
import { fitting } from '../answer.ts';
import { queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

/** The engine counts one pair at a time: another one would begin anew with each of its turns. */
const turns = new Serial();

const side = z.strictObject(selected);
const part = z.object({ records: z.number(), share: z.number() });

export const difference = tool({
  name: 'difference',
  title: 'Say how two sets of records differ',
  about:
    'Compares two sets of records, a and b, such as before and after a time, or one host and the others: values, patterns, numbers, rates and clocks that differ beyond chance, at most ten, those that say most first. A record that both select is of b.',
  input: z.strictObject({
    a: side.describe('The usual records'),
    b: side.describe('The records that are to be explained'),
    without: z
      .array(z.string().max(200))
      .max(100)
      .default([])
      .describe('Fields that are not compared, such as those by which the sides are chosen'),
  }),
  output: z.object({
    a: z.number().describe('Records of a'),
    b: z.number().describe('Records of b'),
    compared: z.number().describe('Values, patterns and parts of numbers that were compared'),
    rows: z.array(
      z.object({
        text: z.string(),
        a: part,
        b: part,
        chance: z
          .number()
          .describe('Bound on the probability that chance makes any of all compared things differ as much; 0 for rows without one'),
        where: z.string().optional().describe('Expression for the argument where, which selects the records'),
        causes: z.array(z.string()),
        also: z.array(z.string()).describe('Other differences of the same records'),
      }),
    ),
    notCompared: z.array(z.string()).describe('Fields of which nearly all values differ'),
  }),
  async run({ a, b, without }, context) {
    const [logsOfA, logsOfB] = [await context.logs.read(a.files, context), await context.logs.read(b.files, context)];
    const sourcesOf = (logs: typeof logsOfA): number[] => logs.map(({ source }) => source.id);
    const sides = { a: queryOf(a, sourcesOf(logsOfA)), b: queryOf(b, sourcesOf(logsOfB)), without: without.map(columnVariable) };
    const engine = await context.logs.engine();
    const found = await turns.run(async () => {
      let answer: Difference;
      do answer = await engine.request('records.compare', sides, context.signal);
      while (!answer.complete);
      return answer;
    });
    const partOf = ({ count, share }: { readonly count: number; readonly share: number }): z.input<typeof part> => ({
      records: count,
      share,
    });
    const rows = found.rows.map((row) => ({
      ...{ text: row.text, a: partOf(row.a), b: partOf(row.b), chance: row.chance },
      ...(row.filter === null ? {} : { where: row.filter }),
      causes: row.causes.map(({ text }) => text),
      also: [...row.also],
    }));
    const shown = fitting(rows, context);
    return {
      data: { a: found.a.records, b: found.b.records, compared: found.tests, rows: [...shown], notCompared: [...found.skipped] },
      more: shown.length < rows.length ? `${rows.length - shown.length} rows that say less are left out.` : undefined,
    };
  },
});
