/**
 * Graphs the memory of Sluicebox itself, from its own messages of Type `svc.memstat`: the largest value of each row. Fields that are missing
 * are left out.
 */
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { anomalyConfig, configuredGraph, injectGraph, messageTime, numberFields, setPreservationVersion } from '../modules/graph.ts';

declare global {
  var graph: CircularBuffer;
}

export const meta: PluginMeta = {
  name: 'svc_memstat',
  kind: 'filter',
  summary: 'Graphs the memory that Sluicebox itself uses.',
  parameters: {
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph "Stats".' },
    preservation_version: { type: 'uint', summary: 'To be raised when sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'two readings',
      config: { rows: 2 },
      in: [
        {
          Timestamp: 0,
          Fields: { HeapSys: 1000, HeapAlloc: 900, HeapIdle: 50, HeapInuse: 950, HeapReleased: 1, HeapObjects: 77 },
        },
        { Timestamp: 61e9, Fields: { HeapSys: 2000 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":6,"seconds_per_row":60,"column_info":[' +
          '{"name":"HeapSys","unit":"B","aggregation":"max"},{"name":"HeapAlloc","unit":"B","aggregation":"max"},' +
          '{"name":"HeapIdle","unit":"B","aggregation":"max"},{"name":"HeapInuse","unit":"B","aggregation":"max"},' +
          '{"name":"HeapReleased","unit":"B","aggregation":"max"},{"name":"HeapObjects","unit":"count","aggregation":"max"}]}\n' +
          '1000\t900\t50\t950\t1\t77\n2000\tnan\tnan\tnan\tnan\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Stats' },
      },
    },
  ],
};

const TITLE = 'Stats';
const FIELDS = numberFields('HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased', 'HeapObjects');

const anomalies = anomalyConfig({ [TITLE]: FIELDS.length });
setPreservationVersion();
globalThis.graph = configuredGraph(
  TITLE,
  FIELDS.map(({ name }) => [name, name === 'HeapObjects' ? 'count' : 'B', 'max']),
);

export function process_message(): ProcessStatus {
  const ns = messageTime();
  for (const { column, variable } of FIELDS) {
    const value = read_message(variable);
    if (typeof value === 'number') globalThis.graph.set(ns, column, value);
  }
  return 0;
}

export function timer_event(ns: number): void {
  injectGraph(ns, TITLE, globalThis.graph, anomalies);
}
