import { fencedMarkdown, plainMarkdown as cell } from '../../../../../engine/api/printable.ts';
import type { RecordDetail } from '../../../../../engine/api/types.ts';
import { baseFacts, fieldFacts } from './record-facts.ts';

/** A record as Markdown, for a ticket or a chat: where it is from, its fields as a table, and the line as it was read. @param time as the window shows it */
export function recordMarkdown(record: RecordDetail, source: string, time: string): string {
  const facts = [...fieldFacts(record), ...baseFacts(record).filter(({ name }) => name !== 'Uuid' && name !== 'Timestamp')];
  const rows = facts.map(({ name, value, unit }) => `| ${cell(name)} | ${cell(unit === '' ? value : `${value} ${unit}`)} |`);
  const text = record.raw ?? record.payload ?? '';
  const table = rows.length === 0 ? [] : ['| Field | Value |', '|---|---|', ...rows, ''];
  return [`**${cell(time)}** ${cell(source)}`, '', ...table, fencedMarkdown(text), ''].join('\n');
}
