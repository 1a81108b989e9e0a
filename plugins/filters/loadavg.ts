/**
 * Graphs the load averages of a host, from messages of the decoder linux_loadavg: the largest value of each row.
 *
 * A message in which a field is missing or not a number is refused. Columns that were written before that field was reached keep the message's
 * values.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { graphOfLargest } from '../lib/graphs/largest.ts';

export const meta: PluginMeta = {
  name: 'loadavg',
  kind: 'filter',
  summary: 'Graphs load averages and the number of running processes.',
  parameters: {
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph "LoadAvg Stats".' },
    preservation_version: { type: 'uint', summary: 'To be raised when sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'two readings in a minute',
      config: { rows: 2 },
      in: [
        { Timestamp: 0, Fields: { '1MinAvg': 0.5, '5MinAvg': 0.25, '15MinAvg': 0.1, NumProcesses: 3 } },
        { Timestamp: 30e9, Fields: { '1MinAvg': 0.4, '5MinAvg': 0.75, '15MinAvg': 0.1, NumProcesses: 9 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":4,"seconds_per_row":60,"column_info":[' +
          '{"name":"1MinAvg","unit":"Count","aggregation":"max"},{"name":"5MinAvg","unit":"Count","aggregation":"max"},' +
          '{"name":"15MinAvg","unit":"Count","aggregation":"max"},{"name":"NumProcesses","unit":"Count","aggregation":"max"}]}\n' +
          '0.5\t0.75\t0.1\t9\nnan\tnan\tnan\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'LoadAvg Stats' },
      },
    },
    {
      title: 'a load that is a text',
      in: { Fields: { '1MinAvg': 0.5, '5MinAvg': 'high' } },
      fails: '5MinAvg is not a number',
    },
  ],
};

const { process, tick } = graphOfLargest('LoadAvg Stats', '1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses');

export const process_message = process;
export const timer_event = tick;
