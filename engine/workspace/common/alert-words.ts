import { seriesName } from '../../api/series.ts';
import type { Graph } from '../../api/types.ts';

/** The parts of a graph that the words of an alert need. */
type AlertGraph = Pick<Graph, 'title' | 'time' | 'rowMs'> & {
  readonly columns: readonly Pick<Graph['columns'][number], 'name' | 'values'>[];
};

export interface AlertContext {
  readonly plugin: string;
  readonly graphs: readonly AlertGraph[];
  /** Milliseconds of the alert. */
  readonly time: number;
}

interface Form {
  readonly pattern: RegExp;
  readonly words: (found: readonly string[], context: AlertContext) => string;
}

/** The column of all messages in the graphs of `rate`. */
const ALL = 'All';
/** A filter that keeps its graphs, one of failures for each plugin, to itself. */
const FAILURES = 'process_message_failures';
const INSTANT = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`;

/** The alerts of the bundled filters, as `plugins/modules/anomaly.ts` and the filters themselves write them. */
const FORMS: readonly Form[] = [
  { pattern: /^(.*) - algorithm: \w+ col: (\d+) msg: (.*)$/, words: anomaly },
  {
    pattern: new RegExp(`^(\\S+) (.*): silent since ${INSTANT} \\(\\d+ s\\)$`),
    words: ([variable = '', value = '', since = '']) => `no records of ${nameOf(variable)} ${value} since ${since}`,
  },
  {
    pattern: new RegExp(`^(\\S+) (.*): back at ${INSTANT} after (\\d+) s$`),
    words: ([variable = '', value = '', at = '', seconds = '']) =>
      `records of ${nameOf(variable)} ${value} again at ${at}, after ${spanWords(Number(seconds))} without any`,
  },
  {
    pattern: /^new pattern: (.*) \((\d+) lines, such as: (.*)\)$/,
    words: ([pattern = '', count = '', example = '']) =>
      `records of a new pattern: ${pattern}${example === pattern ? '' : `, such as “${example}”`} (${records(count)})`,
  },
  {
    pattern: new RegExp(`^pattern gone since ${INSTANT}: (.*) \\((\\d+) lines\\)$`),
    words: ([since = '', pattern = '', count = '']) => `no records of a pattern since ${since}: ${pattern} (${records(count)} before)`,
  },
  { pattern: /^rare: (.*)$/, words: ([example = '']) => `rare: ${example}` },
];

/**
 * An alert in words: those of the bundled filters name columns by their number, and are short for programs. Of several lines, the first one says how many
 * more there are. Times stay as they are (`2026-03-17T14:45:00.000Z`): the window writes them in its zone.
 * @param context the plugin that sent it, its graphs, which have the names of columns and since when they have no values, and the time of the alert
 */
export function alertWords(text: string, context: AlertContext): string {
  const [first = '', ...more] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => lineWords(line, context));
  return more.length === 0 ? first : [`${first} (and ${more.length} more)`, ...more].join('\n');
}

function lineWords(line: string, context: AlertContext): string {
  for (const { pattern, words } of FORMS) {
    const found = pattern.exec(line);
    if (found !== null) return words(found.slice(1), context);
  }
  return `${context.plugin}: ${line}`;
}

function anomaly([title = '', column = '', finding = '']: readonly string[], { plugin, graphs, time }: AlertContext): string {
  const graph = graphs.find((candidate) => candidate.title === title);
  const series = graph?.columns[Number(column) - 1];
  if (graph === undefined && plugin.startsWith(FAILURES)) return `${title}: ${findingWords(finding, 'failures', null)}`;
  if (graph === undefined || series === undefined) return `${plugin}: ${title}: ${findingWords(finding, `column ${column}`, null)}`;
  return `${titleOf(title)}: ${findingWords(finding, series.name === ALL ? 'records' : seriesName(series.name), lastValue(graph, series, time))}`;
}

function findingWords(finding: string, name: string, last: number | null): string {
  if (finding === 'no new data') return `no ${name} ${last === null ? 'any more' : `since ${new Date(last).toISOString()}`}`;
  if (finding === 'unexpected data') return `${name}, where there were none before`;
  const deviation = /^detected anomaly, standard deviation exceeds (\S+)$/.exec(finding)?.[1];
  if (deviation !== undefined) return `${name} changed suddenly, by more than ${deviation} standard deviations`;
  switch (trendOf(finding)) {
    case 'increasing':
      return `${name} unusually high`;
    case 'decreasing':
      return `${name} unusually low`;
    default:
      return finding.startsWith('detected anomaly') ? `${name} unusual` : `${name}: ${finding}`;
  }
}

function trendOf(finding: string): string | undefined {
  const told = /^detected anomaly, (increasing|decreasing) values$/.exec(finding)?.[1];
  const statistic = /^detected anomaly, pstat: (\S+)$/.exec(finding)?.[1];
  if (statistic === undefined) return told;
  return Number(statistic) > 0.5 ? 'increasing' : 'decreasing';
}

/** Milliseconds of the end of the last complete row with a value before an alert; null: there is none. */
function lastValue({ time, rowMs }: AlertGraph, { values }: AlertGraph['columns'][number], until: number): number | null {
  const rows = Math.min(values.length, Math.floor((until - time) / rowMs));
  for (let row = rows - 1; row >= 0; row--) {
    const value = values[row] ?? NaN;
    if (!Number.isNaN(value) && value !== 0) return time + (row + 1) * rowMs;
  }
  return null;
}

/** The title of a graph, with the names of fields alone. */
const titleOf = (title: string): string => title.replaceAll(/\bFields\[([^\]]+)\]/g, '$1');

/** The name of a message variable without the brackets of a field. */
const nameOf = (variable: string): string => /^Fields\[([^\]]+)\]$/.exec(variable)?.[1] ?? variable;

const records = (count: string): string => (count === '1' ? '1 record' : `${count} records`);

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

function spanWords(seconds: number): string {
  const [size, unit] = UNITS.find(([candidate]) => seconds >= candidate) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit}`;
}
