/**
 * Graphs the memory of a host, from messages of the decoder linux_memstats: the largest value of each row.
 *
 * The columns are the seven fields below. A message in which one of them is missing or not a number is refused; columns that were written before
 * that field was reached keep the message's values. Other fields, such as those of swap space, are ignored.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { graphOfLargest } from '../lib/graphs/largest.ts';

export const meta: PluginMeta = {
  name: 'memstats',
  kind: 'filter',
  summary: 'Graphs the use of memory.',
  parameters: {
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph "Memory Stats".' },
    preservation_version: { type: 'uint', summary: 'To be raised when sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'one reading',
      config: { rows: 2 },
      in: [
        {
          Timestamp: 0,
          Fields: { MemFree: 100, Cached: 50, Active: 40, Inactive: 30, VmallocUsed: 20, Shmem: 10, SwapCached: 5 },
        },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":7,"seconds_per_row":60,"column_info":[' +
          '{"name":"MemFree","unit":"Count","aggregation":"max"},{"name":"Cached","unit":"Count","aggregation":"max"},' +
          '{"name":"Active","unit":"Count","aggregation":"max"},{"name":"Inactive","unit":"Count","aggregation":"max"},' +
          '{"name":"VmallocUsed","unit":"Count","aggregation":"max"},{"name":"Shmem","unit":"Count","aggregation":"max"},' +
          '{"name":"SwapCached","unit":"Count","aggregation":"max"}]}\n' +
          '100\t50\t40\t30\t20\t10\t5\nnan\tnan\tnan\tnan\tnan\tnan\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Memory Stats' },
      },
    },
    { title: 'a message of something else', in: { Fields: { '1MinAvg': 0.5 } }, fails: 'MemFree is not a number' },
  ],
};

const { process, tick } = graphOfLargest('Memory Stats', 'MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached');

export const process_message = process;
export const timer_event = tick;
