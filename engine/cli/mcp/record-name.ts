import { z } from 'zod';
import { Refusal, type GrantedLog } from './granted-logs.ts';
import type { ToolContext } from './tool.ts';

export const recordName = z
  .string()
  .max(220)
  .regex(/^[^#]+#\d{1,15}$/, { error: 'a record is named as in answers, such as access.log#120' })
  .describe('Name of a record, as in answers, such as access.log#120');

/** The record of a name, by its number in the store. @throws {Refusal} */
export async function recordAt(name: string, context: ToolContext): Promise<{ readonly log: GrantedLog; readonly id: number }> {
  const [file = '', number = ''] = name.split('#');
  await context.logs.list(context.signal);
  const [log] = await context.logs.read([context.logs.named(file)?.id ?? file], context);
  if (log === undefined) throw new Refusal(`There is no file ${file}.`);
  const start = Number(number) - 1;
  const { rows, total } = await context.logs.view({ sources: [log.source.id] }, context, (engine, view) =>
    engine.request('view.rows', { view, start: Math.max(0, start), count: 1, columns: [] }, context.signal),
  );
  const [row] = rows;
  if (row === undefined || start < 0) throw new Refusal(`There is no record ${name}: the file has ${total} records.`);
  return { log, id: row.id };
}
