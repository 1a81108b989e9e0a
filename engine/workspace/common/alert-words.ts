import { seriesName } from '../../api/series.ts';
import type { Graph } from '../../api/types.ts';

/** An alert of the tests of anomalies, as `plugins/modules/anomaly.ts` writes it. */
const ANOMALY = /^(.*) - algorithm: \w+ col: (\d+) msg: (.*)$/;

/**
 * An alert in words. Those of the tests of anomalies name columns by their number.
 * @param graphs of the filter, to look up the names of columns
 */
export function alertWords(text: string, graphs: readonly Pick<Graph, 'title' | 'columns'>[]): string {
  return text
    .split('\n')
    .map((line) => {
      const [, title, column, finding] = ANOMALY.exec(line) ?? [];
      if (title === undefined || column === undefined || finding === undefined) return line;
      const name = graphs.find((graph) => graph.title === title)?.columns[Number(column) - 1]?.name;
      return inWords(`${name === undefined ? `column ${column}` : seriesName(name)} of ${title}`, finding);
    })
    .join('\n');
}

function inWords(what: string, finding: string): string {
  if (finding === 'no new data') return `no data any more: ${what}`;
  if (finding === 'unexpected data') return `data where there was none before: ${what}`;
  const trend = /^detected anomaly, (increasing|decreasing) values$/.exec(finding)?.[1];
  if (trend !== undefined) return `unusually ${trend}: ${what}`;
  const deviation = /^detected anomaly, standard deviation exceeds (\S+)$/.exec(finding)?.[1];
  if (deviation !== undefined) return `unusual change, over ${deviation} standard deviations: ${what}`;
  return finding.startsWith('detected anomaly') ? `unusual values: ${what}` : `${finding}: ${what}`;
}
