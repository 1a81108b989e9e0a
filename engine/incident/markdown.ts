import type { Incident, IncidentChart, IncidentQuery, IncidentRecord } from '../api/incident-types.ts';
import { fencedMarkdown, plainMarkdown, visibleText } from '../api/printable.ts';
import { formatValue } from '../api/quantities.ts';
import { SEVERITY_NAMES } from '../api/severities.ts';
import { formatTime, type TimeZone } from '../api/time/time.ts';
import { headOf, plural, toldOf } from './words.ts';

const plain = (text: string): string => plainMarkdown(visibleText(text));

/** An incident as a text in Markdown. What comes from records stands between fences or with its signs escaped. */
export function incidentMarkdown(incident: Incident): string {
  const { title, summary, difference, marks, charts, queries, records, zone } = incident;
  const parts = [
    `# ${plain(title)}`,
    ...headOf(incident).map(plain),
    ...summary.split(/\n{2,}/).map((part) => part.split('\n').map(plain).join('\\\n')),
    ...toldOf(incident, { cut: null, dropped: { columns: [], records: 0 } }).map((line) => `> ${plain(line)}`),
    ...section(
      'Marks',
      marks.map(({ time, source, text, note }) => {
        const words = note === '' ? '' : ` — **${plain(note)}**`;
        return `${formatTime(time, zone)} · ${plain(source)}${words}\n\n${fencedMarkdown(visibleText(text))}`;
      }),
    ),
    ...section(
      plain(difference?.title ?? ''),
      difference === null ? [] : [difference.sentences.map((sentence) => `- ${plain(sentence)}`).join('\n')],
    ),
    ...section('Charts and counts', charts.map(chartText)),
    ...section('Queries', queries.map(queryText)),
    ...section(
      'Records around the marks',
      records.length === 0 ? [] : [fencedMarkdown(records.map((record) => recordText(record, zone)).join('\n'))],
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const section = (title: string, items: readonly string[]): string[] => (items.length === 0 ? [] : [`## ${title}`, ...items]);

function recordText({ time, source, severity, text, marked }: IncidentRecord, zone: TimeZone): string {
  const level = severity === null ? '' : `${SEVERITY_NAMES[severity]?.[0] ?? ''} `;
  return `${marked ? '★' : ' '} ${formatTime(time, zone)} ${visibleText(source)} ${level}${visibleText(text)}`;
}

function chartText({ title, about, unit, form, series }: IncidentChart): string {
  const shown = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : plain(formatValue(value, unit));
  if (form === 'none') return `### ${plain(title)}\n\n${plain(about)}`;
  if (form === 'heat')
    return `### ${plain(title)}\n\n${plain(about)}\n\n${table(['Range', 'Records'], series.toReversed().flatMap(heatRow))}`;
  const head = form === 'list' ? ['Value', 'Number'] : ['Series', 'Lowest', 'Highest', 'Average', 'Last'];
  const rows = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (form === 'list' || known.length === 0) return [plain(name), shown(values[0])];
    const average = known.reduce((sum, value) => sum + value, 0) / known.length;
    return [plain(name), shown(Math.min(...known)), shown(Math.max(...known)), shown(average), shown(known.at(-1))];
  });
  return `### ${plain(title)}\n\n${plain(about)}\n\n${table(head, rows)}`;
}

/** The records of a range of numbers, over all time; a range without any has no row. */
function heatRow({ name, values }: IncidentChart['series'][number]): (readonly string[])[] {
  const sum = values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return sum === 0 ? [] : [[plain(name), sum.toLocaleString('en-US')]];
}

function queryText({ name, sql, columns, rows, more, problem }: IncidentQuery): string {
  const head = `### ${plain(name)}\n\n${fencedMarkdown(visibleText(sql), 'sql')}`;
  if (problem !== null) return `${head}\n\n${plain(problem)}`;
  if (columns.length === 0) return head;
  const rest = more ? `\n\nThe first ${plural(rows.length, 'row')} of more.` : '';
  return `${head}\n\n${table(
    columns.map(plain),
    rows.map((row) => row.map(plain)),
  )}${rest}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${head.map((_, i) => cells[i] ?? '').join(' | ')} |`).join('\n');
