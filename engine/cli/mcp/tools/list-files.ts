import { z } from 'zod';
import { fitting } from '../answer.ts';
import { toldTime } from '../records.ts';
import { tool } from '../tool.ts';

/** Milliseconds that the list waits for files that are being read. */
const SOON_MS = 2000;

export const listFiles = tool({
  name: 'list_files',
  title: 'List the log files',
  about: 'Lists the log files that may be asked about: ids, formats, numbers of records, and the time that they cover. Call it first.',
  input: z.strictObject({}),
  output: z.object({
    files: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        path: z.string().optional(),
        state: z.string().describe('reading: it is still being read; following: it is read, and new records are read as they come'),
        decoder: z.string().nullable().describe('null: its lines are not decoded'),
        records: z.number(),
        refused: z.number().describe('Records that the decoder did not take'),
        bytes: z.number(),
        from: z.string().optional(),
        to: z.string().optional(),
        problem: z.string().optional(),
      }),
    ),
  }),
  async run(_, context) {
    const soon = AbortSignal.any([context.signal, AbortSignal.timeout(SOON_MS)]);
    await context.logs.read(undefined, { ...context, signal: soon }).catch(() => undefined);
    const logs = await context.logs.list(context.signal);
    const files = await Promise.all(
      logs.map(async ({ id, source }) => {
        const span = await context.logs.view({ sources: [source.id] }, context, async (engine, view) => {
          const { facts } = await engine.request('view.rows', { view, start: 0, count: 0, columns: [] }, context.signal);
          return facts.span;
        });
        return {
          id,
          name: source.label,
          ...(context.paths ? { path: source.location } : {}),
          state: source.state,
          decoder: source.decoder?.name ?? null,
          records: source.records,
          refused: source.failures,
          bytes: source.totalBytes,
          ...(span === null ? {} : { from: toldTime(span.from), to: toldTime(span.to) }),
          ...(source.problem === null ? {} : { problem: source.problem }),
        };
      }),
    );
    const shown = fitting(files, { bytes: context.bytes, rows: 500 });
    return {
      data: { files: [...shown] },
      more: shown.length < files.length ? `${files.length - shown.length} more files are open.` : undefined,
    };
  },
});
