import { z } from 'zod';
import { MAX_SQL } from '../../../api/query-types.ts';
import { Serial } from '../../../base/time/serial.ts';
import { fitting } from '../answer.ts';
import { Refusal } from '../granted-logs.ts';
import { tool } from '../tool.ts';

/** The engine runs one query at a time. */
const turns = new Serial();

export const query = tool({
  name: 'query',
  title: 'Run SQL',
  about:
    'Runs one SELECT in the dialect of DuckDB over the tables that schema lists: one for each log by its name, and messages with all of them. It only reads these tables: no other file, no settings, no writing.',
  input: z.strictObject({ sql: z.string().min(1).max(MAX_SQL) }),
  output: z.object({
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  }),
  async run({ sql }, context) {
    await context.logs.read(undefined, context);
    const engine = await context.logs.engine();
    const reply = await turns.run(async () => {
      context.signal.throwIfAborted();
      const cancel = (): void => void engine.request('query.cancel', {}).catch(() => undefined);
      context.signal.addEventListener('abort', cancel);
      try {
        return await engine.request('query.run', { sql });
      } finally {
        context.signal.removeEventListener('abort', cancel);
      }
    });
    context.signal.throwIfAborted();
    if (reply.kind === 'canceled') throw new Refusal('The query was cancelled.');
    if (reply.kind === 'problem')
      throw new Refusal(reply.at === null ? reply.text : `${reply.text}\nat: ${sql.slice(reply.at, reply.at + 60)}`);
    const rows = fitting(reply.rows, context);
    const isCut = rows.length < reply.rows.length || reply.more;
    return {
      data: { columns: [...reply.columns], rows: rows.map((row) => [...row]) },
      more: isCut
        ? `There are more rows than these ${rows.length}: count or group them, or go on with LIMIT and OFFSET in an order.`
        : undefined,
    };
  },
});
