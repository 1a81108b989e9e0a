/**
 * Graphs numbers from fields of messages, each in a column of its own: temperatures, sizes, the percentages that `procstat` computes.
 *
 * The Timestamp of a message selects the row. Messages of the same row are combined by `aggregation`: `max` and `min` keep the largest and the
 * smallest value, `sum` adds them up, and `none` keeps the last one. A field that is missing or not a number leaves its cell unchanged; a message
 * with none of the fields is refused.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import type { Aggregation } from '../base/column_header.ts';
import { fieldsConfig, stringConfig } from '../modules/config.ts';
import { words } from '../base/fields.ts';
import { anomalyConfig, configuredGraph, injectGraph, messageTime, numberFields, setPreservationVersion } from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';

declare global {
  var graph: CircularBuffer;
}

export const meta: PluginMeta = {
  name: 'field_graph',
  kind: 'filter',
  summary: 'Graphs numbers in fields of messages.',
  parameters: {
    fields: { type: 'string', summary: 'Names of the fields, separated by blanks.', required: true },
    labels: {
      type: 'string',
      summary: 'Names of the columns, in the same order; 15 characters are shown. By default those of the fields.',
    },
    title: { type: 'string', summary: 'Title of the graph.', default: 'Fields' },
    aggregation: {
      type: 'string',
      summary: 'How a cell combines several values; none: it has the last one.',
      default: 'max',
      values: ['sum', 'min', 'max', 'none'],
    },
    unit: { type: 'string', summary: 'Unit of the columns; 7 characters are shown.', default: 'count' },
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph of this title.' },
    preservation_version: { type: 'uint', summary: 'To be raised when fields, labels, rows or sec_per_row change.', default: 0 },
  },
  examples: [
    {
      title: 'the use of the processors, twice in a minute',
      config: { fields: 'cpu_percent cpu_percent_iowait', labels: 'busy waiting', title: 'CPU', unit: 'percent', rows: 2 },
      in: [
        { Timestamp: 0, Fields: { cpu_percent: 12, cpu_percent_iowait: 3 } },
        { Timestamp: 30e9, Fields: { cpu_percent: 40, cpu_percent_iowait: 1 } },
        { Timestamp: 60e9, Fields: { cpu_percent: 7 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":2,"seconds_per_row":60,"column_info":[' +
          '{"name":"busy","unit":"percent","aggregation":"max"},{"name":"waiting","unit":"percent","aggregation":"max"}]}\n40\t3\n7\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'CPU' },
      },
    },
    {
      title: 'sums',
      config: { fields: 'bytes', aggregation: 'sum', unit: 'B', rows: 2, sec_per_row: 10 },
      in: [
        { Timestamp: 10e9, Fields: { bytes: 5 } },
        { Timestamp: 11e9, Fields: { bytes: 6 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":1,"seconds_per_row":10,"column_info":[{"name":"bytes","unit":"B","aggregation":"sum"}]}\nnan\n11\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Fields' },
      },
    },
    { title: 'none of the fields', config: { fields: 'a b' }, in: { Fields: { a: 'x' } }, fails: 'none of a, b is a number' },
  ],
};

const title = stringConfig('title');
const names = fieldsConfig('fields');
const fields = numberFields(...names);
const labels = words(stringConfig('labels', names.join(' ')));
const aggregation = stringConfig('aggregation') as Aggregation;
const unit = stringConfig('unit');
if (names.length === 0) throw new TypeError('fields names no field');
if (labels.length !== names.length) throw new TypeError(`${names.length} fields, but ${labels.length} labels`);

const refusal: ProcessStatus = [-1, `none of ${names.join(', ')} is a number`];
const anomalies = anomalyConfig({ [title]: fields.length });
setPreservationVersion();
preserveFor({ fields: names.join(' '), labels: labels.join(' ') });
globalThis.graph = configuredGraph(
  title,
  labels.map((label) => [label, unit, aggregation]),
);

export function process_message(): ProcessStatus {
  let found = false;
  const ns = messageTime();
  for (const { column, variable } of fields) {
    const value = read_message(variable);
    if (typeof value !== 'number') continue;
    found = true;
    if (aggregation === 'sum') globalThis.graph.add(ns, column, value);
    else globalThis.graph.set(ns, column, value);
  }
  return found ? 0 : refusal;
}

export function timer_event(ns: number): void {
  injectGraph(ns, title, globalThis.graph, anomalies);
}
