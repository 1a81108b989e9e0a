import { z } from 'zod';
import { fitting } from '../answer.ts';
import { recordAt, recordName } from '../record-name.ts';
import { toldTime } from '../records.ts';
import { tool } from '../tool.ts';

export const record = tool({
  name: 'record',
  title: 'Show a record',
  about: 'Shows one record whole: as it was read, and all its fields.',
  input: z.strictObject({ record: recordName }),
  output: z.object({
    record: z.string(),
    file: z.string(),
    time: z.string(),
    type: z.string(),
    raw: z.string().nullable(),
    fields: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
  }),
  async run({ record: name }, context) {
    const { log, id } = await recordAt(name, context);
    const engine = await context.logs.engine();
    const { time, type, raw, fields } = await engine.request('record.get', { id }, context.signal);
    const all = fields.map((field) => ({ name: field.name, type: field.type, value: field.values.join(', ') }));
    const shown = fitting(all, { bytes: context.bytes / 2, rows: context.rows });
    return {
      data: { record: name, file: log.source.label, time: toldTime(time), type, raw, fields: [...shown] },
      more: shown.length < all.length ? `${all.length - shown.length} fields did not fit.` : undefined,
    };
  },
});
