/**
 * Graphs the status codes of an access log by class: one column each for 100 to 500 and one for everything else.
 *
 * The message's Timestamp selects the row, so a log that is read late fills the past. Messages older than the window are ignored. With an
 * anomaly_config every tick looks for anomalies in the complete rows, marks them on the graph and sends an alert, at most one in alert_throttle
 * seconds. While alerts are throttled it looks for none, so the graph is marked where an alert was sent. The graph survives a restart when the filter preserves its data.
 */
import { ALERT_THROTTLE, ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { set_throttle } from '../modules/alert.ts';
import { fieldConfig, uintConfig } from '../modules/config.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { anomalyConfig, configuredGraph, injectGraph, setPreservationVersion } from '../modules/graph.ts';

declare global {
  var graph: CircularBuffer;
}

export const meta: PluginMeta = {
  name: 'http_status',
  kind: 'filter',
  summary: 'Graphs the HTTP status codes of access logs.',
  parameters: {
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    status_field: { type: 'string', summary: 'The field that holds the status.', default: 'status' },
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph "HTTP Status".' },
    alert_throttle: ALERT_THROTTLE,
    preservation_version: { type: 'uint', summary: 'To be raised when sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'three minutes of requests',
      config: { rows: 3 },
      in: [
        { Timestamp: 0, Fields: { status: 200 } },
        { Timestamp: 1e9, Fields: { status: 204 } },
        { Timestamp: 30e9, Fields: { status: 404 } },
        { Timestamp: 61e9, Fields: { status: 500 } },
        { Timestamp: 62e9, Fields: { status: 999 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":3,"columns":6,"seconds_per_row":60,"column_info":[' +
          '{"name":"HTTP_100","unit":"count","aggregation":"sum"},{"name":"HTTP_200","unit":"count","aggregation":"sum"},' +
          '{"name":"HTTP_300","unit":"count","aggregation":"sum"},{"name":"HTTP_400","unit":"count","aggregation":"sum"},' +
          '{"name":"HTTP_500","unit":"count","aggregation":"sum"},{"name":"HTTP_UNKNOWN","unit":"count","aggregation":"sum"}]}\n' +
          'nan\t2\tnan\t1\tnan\tnan\nnan\tnan\tnan\tnan\t1\t1\nnan\tnan\tnan\tnan\tnan\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'HTTP Status' },
      },
    },
    {
      title: 'a status that is a text',
      in: { Fields: { status: '200' } },
      fails: 'status is not a number',
    },
  ],
};

const TITLE = 'HTTP Status';
const UNKNOWN = 6;
const COLUMNS = ['HTTP_100', 'HTTP_200', 'HTTP_300', 'HTTP_400', 'HTTP_500', 'HTTP_UNKNOWN'];
const LAYOUT = 1;

const field = fieldConfig('status_field');
const variable = `Fields[${field}]`;
const refusal: ProcessStatus = [-1, `${field} is not a number`];
const anomalies = anomalyConfig({ [TITLE]: COLUMNS.length });

setPreservationVersion(LAYOUT);
set_throttle(uintConfig('alert_throttle') * 1e9);
globalThis.graph = configuredGraph(
  TITLE,
  COLUMNS.map((name) => [name]),
);

export function process_message(): ProcessStatus {
  const status = read_message(variable);
  if (typeof status !== 'number') return refusal;
  const column = status >= 100 && status < 600 ? Math.floor(status / 100) : UNKNOWN;
  globalThis.graph.add(read_message('Timestamp') as number, column, 1);
  return 0;
}

export function timer_event(ns: number): void {
  injectGraph(ns, TITLE, globalThis.graph, anomalies);
}
