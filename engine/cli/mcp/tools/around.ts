import { z } from 'zod';
import { fitting } from '../answer.ts';
import { Refusal } from '../granted-logs.ts';
import { recordAt, recordName } from '../record-name.ts';
import { toldRecord, toldRecords } from '../records.ts';
import { momentOf, queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

const count = z.int().min(0).max(500).default(10);

export const around = tool({
  name: 'around',
  title: 'Show records around a place',
  about: 'Shows the records before and after a record or a time, in order. With files, those of several logs are merged by time.',
  input: z.strictObject({
    record: recordName.optional(),
    time: z.string().max(100).optional().describe('UTC, such as 2026-11-22T12:40:00Z; instead of record'),
    files: selected.files.describe('Ids of files; absent: the file of the record, or all'),
    before: count,
    after: count,
  }),
  output: z.object({
    records: z.array(toldRecord),
    before: z.number().describe('Records in front of these'),
    after: z.number().describe('Records behind these'),
  }),
  async run({ record, time, files, before, after }, context) {
    if ((record === undefined) === (time === undefined)) throw new Refusal('around needs either a record or a time.');
    const place = record === undefined ? null : await recordAt(record, context);
    const logs = await context.logs.read(files ?? (place === null ? undefined : [place.log.id]), context);
    const query = queryOf(
      {},
      logs.map(({ source }) => source.id),
    );
    const found = await context.logs.view(query, context, async (engine, view) => {
      const { row } =
        place === null
          ? await engine.request('view.seek', { view, time: momentOf('time', time ?? '') }, context.signal)
          : await engine.request('view.locate', { view, id: place.id }, context.signal);
      if (row === null) throw new Refusal('The record is not in these files.');
      const start = Math.max(0, row - before);
      return engine.request(
        'view.rows',
        { view, start, count: Math.min(context.rows, row - start + 1 + after), columns: [] },
        context.signal,
      );
    });
    const records = fitting(await toldRecords(found.rows, logs, [], context), context);
    const cut = found.rows.length - records.length;
    return {
      data: { records: [...records], before: found.start, after: found.total - found.start - records.length },
      more: cut > 0 ? `${cut} records did not fit: ask for fewer, or from the last of these on.` : undefined,
    };
  },
});
