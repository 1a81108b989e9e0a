import { z } from 'zod';
import type { RecordRow } from '../../api/record-types.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import type { GrantedLog } from './granted-logs.ts';
import type { ToolContext } from './tool.ts';

/** A record as an answer has it. */
export const toldRecord = z.object({
  record: z.string().describe('Name of the record: file, and number in it. around and record take it, and the window shows it'),
  file: z.string().describe('Name of the file'),
  time: z.string().describe('UTC'),
  undated: z.literal(true).optional().describe('The record has no time: this is the one of a neighbour'),
  level: z.string().optional(),
  text: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  failure: z.string().optional().describe('Why its decoder refused it'),
});
export type ToldRecord = z.output<typeof toldRecord>;

/** A time for people and programs. @param ms since 1970 */
export const toldTime = (ms: number): string => (Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : '');

/** Records of a page as an answer has them. @param columns the fields of their values */
export async function toldRecords(
  rows: readonly RecordRow[],
  logs: readonly GrantedLog[],
  columns: readonly string[],
  context: ToolContext,
): Promise<ToldRecord[]> {
  const bySource = new Map(logs.map((log) => [log.source.id, log]));
  const names = new Map<number, string>();
  for (const source of new Set(rows.map((row) => row.source))) {
    const own = rows.filter((row) => row.source === source).map(({ id }) => id);
    const numbers = await context.logs.numbers(source, own, context);
    own.forEach((id, at) => names.set(id, `${bySource.get(source)?.name ?? ''}#${numbers[at] ?? '?'}`));
  }
  return rows.map((row) => ({
    record: names.get(row.id) ?? '',
    file: bySource.get(row.source)?.source.label ?? '',
    time: toldTime(row.time),
    ...(row.undated === true ? { undated: true as const } : {}),
    ...(row.severity === null ? {} : { level: SEVERITY_NAMES[row.severity]?.[0].toLowerCase() ?? '' }),
    text: row.text,
    ...(columns.length === 0 ? {} : { fields: valuesOf(row.values, columns) }),
    ...(row.failure === null ? {} : { failure: row.failure }),
  }));
}

function valuesOf(values: RecordRow['values'], columns: readonly string[]): Record<string, string> {
  const pairs = columns.map((name, at) => [name, values[at] ?? null] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null));
}
