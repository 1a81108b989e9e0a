/**
 * Draws the `cbufd` output of one filter on several hosts as one graph for each column, in which every host has a column of its own.
 *
 * Deltas of `sum` columns are added up, of `min` and `max` columns the smallest and the largest are kept, and graphs of `none` columns stay empty.
 * The column of a host that was silent for host_expiration seconds goes to the next new host, with the data in it. When all columns are in use, a
 * further host ends the filter.
 *
 * A payload that would exceed max_cells is refused. A tick outputs at most outputs_per_tick graphs; when there are more, they take turns.
 */
import { MAX_CELLS, OUTPUTS_PER_TICK } from '../base/graph_parameters.ts';
import { CellBudget, merge, NO_LAYOUT, NO_ROOM, parseDeltas, parseLayout, type Layout } from '../lib/graphs/cbufd.ts';
import { CircularBuffer } from '../modules/circular_buffer.ts';
import type { Aggregation } from '../base/column_header.ts';
import { uintConfig } from '../modules/config.ts';
import { injectBuffer, messageTime, setPreservationVersion } from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { nextTurn, outputsPerTick } from '../modules/turns.ts';
import { keyOf } from '../modules/weights.ts';

interface Host {
  /** The host's column in every graph. */
  readonly column: number;
  /** The latest Timestamp of its messages. */
  lastUpdate: number;
}

/** A column of the source as a graph of hosts. */
interface HostGraph {
  readonly name: string;
  readonly unit: string;
  readonly aggregation: Aggregation;
  readonly graph: CircularBuffer;
}

declare global {
  var hosts: Map<string, Host>;
  /** By payload name, in the order of the source's columns. */
  var host_graphs: Map<string, HostGraph[]>;
}

export const meta: PluginMeta = {
  name: 'cbufd_host_aggregator',
  kind: 'filter',
  summary: 'Graphs each column of a filter on several hosts, with a column for each host.',
  parameters: {
    max_hosts: { type: 'uint', summary: 'Hosts that there can be at a time.', required: true, minimum: 1 },
    rows: { type: 'uint', summary: 'Rows of the graphs.', required: true, minimum: 2 },
    host_expiration: { type: 'uint', summary: 'Seconds of silence after which a column can be given to another host.', default: 120 },
    preservation_version: { type: 'uint', summary: 'To be raised when max_hosts or rows change.', default: 0 },
    max_cells: MAX_CELLS,
    outputs_per_tick: OUTPUTS_PER_TICK,
  },
  examples: [
    {
      title: 'the requests of two hosts',
      config: { max_hosts: 2, rows: 2 },
      in: [
        {
          Hostname: 'web-1',
          Payload:
            '{"time":0,"rows":2,"columns":1,"seconds_per_row":60,"column_info":[{"name":"Requests","unit":"count","aggregation":"sum"}]}\n' +
            '60\t5\n120\t2\n',
          Fields: { payload_type: 'cbufd', payload_name: 'Stats' },
        },
        { Hostname: 'web-2', Payload: '{}\n120\t3\n', Fields: { payload_type: 'cbufd', payload_name: 'Stats' } },
      ],
      out: {
        Payload:
          '{"options":{"stackedGraph":true,"fillGraph":true}}\n' +
          '{"time":60,"rows":2,"columns":2,"seconds_per_row":60,"column_info":[{"name":"web_1","unit":"count","aggregation":"sum"},' +
          '{"name":"web_2","unit":"count","aggregation":"sum"}]}\n5\tnan\n2\t3\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Stats (Requests)' },
      },
    },
    {
      title: 'a payload that is not a graph',
      config: { max_hosts: 2, rows: 2 },
      in: { Payload: 'garbage' },
      fails: 'the payload is not cbufd text',
    },
  ],
};

const OPTIONS = '{"options":{"stackedGraph":true,"fillGraph":true}}\n';

const maxHosts = uintConfig('max_hosts');
const rows = uintConfig('rows');
const expiration = uintConfig('host_expiration') * 1e9;
const perTick = outputsPerTick();
const budget = new CellBudget();
setPreservationVersion();
preserveFor({ max_hosts: maxHosts, rows });
globalThis.hosts = new Map();
globalThis.host_graphs = new Map();

export function process_message(): ProcessStatus {
  const deltas = parseDeltas(String(read_message('Payload') ?? ''));
  if (deltas === null) return [-1, 'the payload is not cbufd text'];
  const now = messageTime();
  const host = hostOf(keyOf(String(read_message('Hostname') ?? '')), now);
  const graphs = graphsOf(keyOf(String(read_message('Fields[payload_name]') ?? '')), deltas.header);
  if (typeof graphs === 'string') return [-1, graphs];
  if (deltas.rows.some(({ values }) => values.length > graphs.length)) return [-1, 'the payload has more columns than its layout'];
  host.lastUpdate = Math.max(host.lastUpdate, now);
  for (const { ns, values } of deltas.rows) {
    for (const [i, { graph, aggregation }] of graphs.entries()) merge(graph, ns, host.column, values[i] ?? NaN, aggregation);
  }
  return 0;
}

/** A host with its column: its own, a free one, or that of a host that has been silent. Raises an error when there is none. */
function hostOf(name: string, now: number): Host {
  const known = globalThis.hosts.get(name);
  if (known !== undefined) return known;
  const host: Host = { column: freeColumn(now), lastUpdate: now };
  globalThis.hosts.set(name, host);
  for (const graphs of globalThis.host_graphs.values()) for (const graph of graphs) nameColumn(graph, host.column, name);
  return host;
}

function freeColumn(now: number): number {
  const { hosts } = globalThis;
  if (hosts.size < maxHosts) return hosts.size + 1;
  for (const [name, { column, lastUpdate }] of hosts) {
    if (now - lastUpdate < expiration) continue;
    hosts.delete(name);
    return column;
  }
  throw new Error(`more than ${maxHosts} hosts at a time`);
}

/** The graphs of a name, made when it is new; or why there are none. */
function graphsOf(name: string, header: string): HostGraph[] | string {
  const known = globalThis.host_graphs.get(name);
  if (known !== undefined) return known;
  const layout = parseLayout(header);
  if (layout === null) return NO_LAYOUT;
  const buffers = [...globalThis.host_graphs.values()].flat().map(({ graph }) => graph);
  if (!budget.holds(layout.columns, rows, maxHosts, buffers)) return NO_ROOM;
  const graphs = makeGraphs(layout);
  globalThis.host_graphs.set(name, graphs);
  return graphs;
}

function makeGraphs({ seconds_per_row, column_info }: Layout): HostGraph[] {
  return column_info.map((source) => {
    const hostGraph = { ...source, graph: new CircularBuffer(rows, maxHosts, seconds_per_row) };
    for (const [name, { column }] of globalThis.hosts) nameColumn(hostGraph, column, name);
    return hostGraph;
  });
}

function nameColumn({ graph, unit, aggregation }: HostGraph, column: number, name: string): void {
  graph.set_header(column, name, unit, aggregation);
}

export function timer_event(): void {
  const all = [...globalThis.host_graphs].flatMap(([name, graphs]) =>
    graphs.map((graph) => ({ ...graph, title: `${name} (${graph.name})` })),
  );
  for (const { title, graph } of nextTurn(all, perTick)) injectBuffer(title, graph, OPTIONS);
}
