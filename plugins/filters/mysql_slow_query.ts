/**
 * Graphs the slow queries of a database, from messages of a slow query decoder: their number in each row, and the averages of their times and rows.
 *
 * A message in which one of the four fields is missing or not a number is refused, but counted. Messages older than the window are ignored.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { CircularBuffer } from '../modules/circular_buffer.ts';
import { uintConfig } from '../modules/config.ts';
import {
  anomalyConfig,
  configuredGraph,
  injectGraph,
  messageTime,
  numberFields,
  readNumbers,
  setPreservationVersion,
} from '../modules/graph.ts';

declare global {
  var graph: CircularBuffer;
  /** The sums of the first four columns, from which their averages come. */
  var sums: CircularBuffer;
}

export const meta: PluginMeta = {
  name: 'mysql_slow_query',
  kind: 'filter',
  summary: 'Graphs the number and the averages of slow queries.',
  parameters: {
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph "Statistics".' },
    preservation_version: { type: 'uint', summary: 'To be raised when sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'two queries in a minute, one in the next',
      config: { rows: 2 },
      in: [
        { Timestamp: 0, Fields: { Query_time: 2, Lock_time: 0.5, Rows_examined: 10, Rows_sent: 3 } },
        { Timestamp: 1e9, Fields: { Query_time: 5, Lock_time: 0.25, Rows_examined: 5, Rows_sent: 2 } },
        { Timestamp: 60e9, Fields: { Query_time: 1, Lock_time: 0, Rows_examined: 7, Rows_sent: 7 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":5,"seconds_per_row":60,"column_info":[' +
          '{"name":"Query_Time","unit":"s","aggregation":"none"},{"name":"Lock_Time","unit":"s","aggregation":"none"},' +
          '{"name":"Rows_Examined","unit":"count","aggregation":"none"},{"name":"Rows_Sent","unit":"count","aggregation":"none"},' +
          '{"name":"Count","unit":"count","aggregation":"sum"}]}\n' +
          '3.5\t0.375\t7\t2\t2\n1\t0\t7\t7\t1\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Statistics' },
      },
    },
    { title: 'a message of something else', in: { Fields: { status: 200 } }, fails: 'Query_time is not a number' },
  ],
};

const TITLE = 'Statistics';
const FIELDS = numberFields('Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent');
const FIRST_ROW_FIELD = FIELDS.findIndex(({ name }) => name === 'Rows_examined');
const COUNT = 5;

const anomalies = anomalyConfig({ [TITLE]: COUNT });
setPreservationVersion();
globalThis.sums = new CircularBuffer(uintConfig('rows'), FIELDS.length, uintConfig('sec_per_row'));
globalThis.graph = configuredGraph(TITLE, [
  ['Query Time', 's', 'none'],
  ['Lock Time', 's', 'none'],
  ['Rows Examined', 'count', 'none'],
  ['Rows Sent', 'count', 'none'],
  ['Count'],
]);

export function process_message(): ProcessStatus {
  const ns = messageTime();
  const count = globalThis.graph.add(ns, COUNT, 1);
  if (count === null) return 0;
  const values = readNumbers(FIELDS);
  if (typeof values === 'string') return [-1, `${values} is not a number`];
  for (const [i, value] of values.entries()) {
    const average = (globalThis.sums.add(ns, i + 1, value) ?? NaN) / count;
    globalThis.graph.set(ns, i + 1, i < FIRST_ROW_FIELD ? average : Math.floor(average));
  }
  return 0;
}

export function timer_event(ns: number): void {
  injectGraph(ns, TITLE, globalThis.graph, anomalies);
}
