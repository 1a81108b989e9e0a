import type { SourceInfo } from '../../../engine/api/types.ts';
import { columnValue, type TableRow } from './rows.svelte.ts';
import { formatNs } from '../../../engine/api/quantities.ts';
import { severityOf } from '../lib/severity.ts';
import type { Column } from '../lib/table/table-layout.ts';
import { formatTime, type TimeZone } from '../../../engine/api/time/time.ts';

/** Lines of a text behind the first one; empty ones at its end do not count. */
export function linesBehind(text: string): number {
  return text.includes('\n') ? text.trimEnd().split('\n').length - 1 : 0;
}

/** The time since the row before, as people write it; empty where there is none. */
export const sinceText = (since: number | null | undefined): string =>
  since === null || since === undefined ? '' : since === 0 ? '0' : formatNs(since);

/** The text of one cell, as the table shows it. */
function cellText(row: TableRow, column: Column, zone: TimeZone, source: SourceInfo | undefined): string {
  switch (column.base) {
    case 'time':
      return formatTime(row.time, zone);
    case 'severity':
      return severityOf(row.severity).short;
    case 'source':
      return source?.label ?? '';
    case 'type':
      return row.type;
    case 'since':
      return sinceText(row.since);
    case 'summary':
      return row.summary ?? row.text;
    case 'text':
      return row.text;
    case null:
      return columnValue(row, column.title) ?? '';
  }
}

/** The titles of the columns as one line, as `rowLine` writes the cells below them. */
export const headLine = (columns: readonly Column[]): string => columns.map(({ title }) => title.replace(/[\t\n\r]+/g, ' ')).join('\t');

/** A row as one line of tab-separated cells. */
export function rowLine(
  row: TableRow,
  columns: readonly Column[],
  zone: TimeZone,
  sourceOf: (id: number) => SourceInfo | undefined,
): string {
  return columns.map((column) => cellText(row, column, zone, sourceOf(row.source)).replace(/[\t\n\r]+/g, ' ')).join('\t');
}
