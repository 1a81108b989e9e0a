import { z } from 'zod';
import { exists } from '../../../api/filter/expression.ts';
import { fitting } from '../answer.ts';
import { fileId } from '../selection.ts';
import { toldRecord, toldRecords } from '../records.ts';
import { tool } from '../tool.ts';

const [MOST_LINES, MOST_REFUSED] = [5, 5];

export const detect = tool({
  name: 'detect',
  title: 'Tell the format of a file',
  about: 'Tells which decoder reads a file and with which parameters, its first lines, and examples of records that the decoder refuses.',
  input: z.strictObject({ file: fileId }),
  output: z.object({
    decoder: z.string().nullable(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    confidence: z.number().describe('0 to 1'),
    lines: z.array(z.string()),
    refused: z.array(toldRecord),
  }),
  async run({ file }, context) {
    const [log] = await context.logs.read([file], context);
    if (log === undefined) throw new Error('a log that is read is known');
    const { source } = log;
    const engine = await context.logs.engine();
    const { lines } = await engine.request('source.head', { id: source.id }, context.signal);
    const query = { sources: [source.id], matcher: exists('Fields[decode_error]') };
    const rows = await context.logs.view(query, context, (_, view) =>
      engine.request('view.rows', { view, start: 0, count: MOST_REFUSED, columns: [] }, context.signal),
    );
    const room = context.bytes / 2;
    return {
      data: {
        decoder: source.decoder?.name ?? null,
        parameters: source.decoder?.config ?? {},
        confidence: source.decoder?.confidence ?? 0,
        lines: [...fitting(lines, { bytes: room, rows: MOST_LINES })],
        refused: [...fitting(await toldRecords(rows.rows, [log], [], context), { bytes: room, rows: MOST_REFUSED })],
      },
    };
  },
});
