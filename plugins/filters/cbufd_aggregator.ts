/**
 * Merges the `cbufd` output of graphs of the same layout, such as those of one filter on several hosts, into one graph for each name.
 *
 * Deltas of `sum` columns are added up, of `min` and `max` columns the smallest and the largest are kept, and `none` columns stay empty. The layout
 * comes from the first payload of a name; the graphs must be of the same version. With enable_delta the merged graphs output their own changes for
 * the next level.
 *
 * A payload that would exceed max_cells is refused, and one of more than 500 columns, of which an output may not hold two rows. A tick outputs at most outputs_per_tick graphs; when there are more, they take turns.
 */
import { MAX_CELLS, OUTPUTS_PER_TICK } from '../base/graph_parameters.ts';
import { queue, send_queue } from '../modules/alert.ts';
import { set_prune } from '../modules/annotation.ts';
import { CellBudget, layoutGraph, merge, NO_LAYOUT, NO_ROOM, parseDeltas, parseLayout } from '../lib/graphs/cbufd.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { boolConfig } from '../modules/config.ts';
import { anomalyConfig, injectGraph, setPreservationVersion } from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { nextTurn, outputsPerTick } from '../modules/turns.ts';
import { keyOf } from '../modules/weights.ts';

declare global {
  /** The merged graphs by name. */
  var merged: Map<string, CircularBuffer>;
}

export const meta: PluginMeta = {
  name: 'cbufd_aggregator',
  kind: 'filter',
  summary: 'Merges the changes of graphs of the same layout.',
  parameters: {
    enable_delta: { type: 'bool', summary: 'Output the changes of the merged graphs, too.', default: false },
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the merged graphs, by their names.' },
    preservation_version: { type: 'uint', summary: 'To be raised when enable_delta changes.', default: 0 },
    max_cells: MAX_CELLS,
    outputs_per_tick: OUTPUTS_PER_TICK,
  },
  examples: [
    {
      title: 'the requests of two hosts',
      in: [
        {
          Payload:
            '{"time":0,"rows":3,"columns":2,"seconds_per_row":60,"column_info":[{"name":"Requests","unit":"count","aggregation":"sum"},' +
            '{"name":"Peak","unit":"ms","aggregation":"max"}]}\n60\t5\t10\n120\t2\tnan\n',
          Fields: { payload_type: 'cbufd', payload_name: 'Stats' },
        },
        { Payload: '{}\n60\t7\t8\n', Fields: { payload_type: 'cbufd', payload_name: 'Stats' } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":3,"columns":2,"seconds_per_row":60,"column_info":[{"name":"Requests","unit":"count","aggregation":"sum"},' +
          '{"name":"Peak","unit":"ms","aggregation":"max"}]}\nnan\tnan\n12\t10\n2\tnan\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Stats' },
      },
    },
    { title: 'a payload that is not a graph', in: { Payload: 'garbage' }, fails: 'the payload is not cbufd text' },
    {
      title: 'a layout that is none',
      in: { Payload: '{bad json}\n60\t1\n' },
      fails: 'the payload has no layout',
    },
  ],
};

/** Two rows of so many columns fit into an output with their header, whatever is in them. */
const MAX_COLUMNS = 500;
const TOO_WIDE = `the layout has more than ${MAX_COLUMNS} columns`;

const enableDelta = boolConfig('enable_delta');
const anomalies = anomalyConfig();
const perTick = outputsPerTick();
const budget = new CellBudget();
setPreservationVersion();
preserveFor({ enable_delta: enableDelta });
globalThis.merged = new Map();

export function process_message(): ProcessStatus {
  const deltas = parseDeltas(String(read_message('Payload') ?? ''));
  if (deltas === null) return [-1, 'the payload is not cbufd text'];
  const graph = graphOf(keyOf(String(read_message('Fields[payload_name]') ?? '')), deltas.header);
  if (typeof graph === 'string') return [-1, graph];
  const [, columns] = graph.get_configuration();
  if (deltas.rows.some(({ values }) => values.length > columns)) return [-1, 'the payload has more columns than its layout'];
  for (const { ns, values } of deltas.rows) {
    for (const [i, value] of values.entries()) merge(graph, ns, i + 1, value, graph.get_header(i + 1)[2]);
  }
  return 0;
}

/** The merged graph of a name, made when it is new; or why there is none. */
function graphOf(name: string, header: string): CircularBuffer | string {
  const known = globalThis.merged.get(name);
  if (known !== undefined) return known;
  const layout = parseLayout(header);
  if (layout === null) return NO_LAYOUT;
  if (layout.columns > MAX_COLUMNS) return TOO_WIDE;
  if (!budget.holds(1, layout.rows, layout.columns, globalThis.merged.values())) return NO_ROOM;
  const graph = layoutGraph(layout, enableDelta);
  globalThis.merged.set(name, graph);
  set_prune(name, layout.rows * layout.seconds_per_row * 1e9);
  return graph;
}

export function timer_event(ns: number): void {
  const alerts = anomalies.tests.size === 0 ? 0 : 1;
  const graphs = Math.max(1, Math.floor((perTick - alerts) / (enableDelta ? 2 : 1)));
  for (const [name, graph] of nextTurn([...globalThis.merged], graphs)) {
    injectGraph(ns, name, graph, anomalies, queue);
    if (enableDelta) inject_payload('cbufd', name, graph.format('cbufd'));
  }
  send_queue(ns);
}
