/**
 * Graphs statistics that arrive as fields of `svc.statmetric` messages, each in a column of its own.
 *
 * The field `timestamp` holds the time in seconds and selects the row; a message without it is refused. Values of the same row are always added up;
 * the aggregation is for filters that merge the graph with others.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import type { Aggregation } from '../base/column_header.ts';
import { makeGraph, anomalyConfig, injectGraph, numberFields, setPreservationVersion } from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { fieldsConfig, stringConfig, uintConfig } from '../modules/config.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { words } from '../base/fields.ts';

declare global {
  var graph: CircularBuffer;
}

export const meta: PluginMeta = {
  name: 'stat_graph',
  kind: 'filter',
  summary: 'Graphs the statistics of the accumulator.',
  parameters: {
    title: { type: 'string', summary: 'Title of the graph.', default: 'Stats' },
    rows: { ...ROWS, default: 300 },
    sec_per_row: { ...SECONDS_PER_ROW, default: 1 },
    stats: { type: 'string', summary: 'Names of the statistics, separated by blanks.', required: true },
    stat_labels: { type: 'string', summary: 'Names of the columns, in the same order; 15 characters are shown.', required: true },
    stat_aggregation: {
      type: 'string',
      summary: 'The aggregation of the columns, by which other filters merge graphs.',
      default: 'sum',
      values: ['sum', 'min', 'max', 'none'],
    },
    stat_unit: { type: 'string', summary: 'Unit of the columns; 7 characters are shown.', default: 'count' },
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph of this title.' },
    preservation_version: { type: 'uint', summary: 'To be raised when rows, sec_per_row, stats or stat_labels change.', default: 0 },
  },
  examples: [
    {
      title: 'two statistics',
      config: {
        title: 'T',
        rows: 3,
        sec_per_row: 10,
        stat_aggregation: 'none',
        stat_unit: 'req/s !x',
        stats: 'stats.counters.hits.count  stats.gauges.temp',
        stat_labels: 'hits temperature_of_room_1',
      },
      in: [
        { Fields: { timestamp: 100, 'stats.counters.hits.count': 5, 'stats.gauges.temp': 20.5 } },
        { Fields: { timestamp: 105, 'stats.counters.hits.count': 2 } },
      ],
      out: {
        Payload:
          '{"time":80,"rows":3,"columns":2,"seconds_per_row":10,"column_info":[' +
          '{"name":"hits","unit":"req/s__","aggregation":"none"},{"name":"temperature_of_","unit":"req/s__","aggregation":"none"}]}\n' +
          'nan\tnan\nnan\tnan\n7\t20.5\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'T' },
      },
    },
    {
      title: 'a message without a time',
      config: { stats: 'a', stat_labels: 'a' },
      in: { Fields: { a: 1 } },
      fails: 'timestamp is not a number',
    },
  ],
};

const title = stringConfig('title');
const stats = numberFields(...fieldsConfig('stats'));
const labels = words(stringConfig('stat_labels'));
const aggregation = stringConfig('stat_aggregation') as Aggregation;
const unit = stringConfig('stat_unit');
if (stats.length !== labels.length) throw new TypeError(`${stats.length} stats, but ${labels.length} stat_labels`);

const anomalies = anomalyConfig({ [title]: stats.length });
setPreservationVersion();
preserveFor({ stats: stats.map(({ name }) => name).join(' '), stat_labels: labels.join(' ') });
globalThis.graph = makeGraph(
  title,
  uintConfig('rows'),
  uintConfig('sec_per_row'),
  labels.map((label) => [label, unit, aggregation]),
);

export function process_message(): ProcessStatus {
  const seconds = read_message('Fields[timestamp]');
  if (typeof seconds !== 'number') return [-1, 'timestamp is not a number'];
  for (const { column, variable } of stats) {
    const value = read_message(variable);
    if (typeof value === 'number') globalThis.graph.add(seconds * 1e9, column, value);
  }
  return 0;
}

export function timer_event(ns: number): void {
  injectGraph(ns, title, globalThis.graph, anomalies);
}
