/**
 * Graphs the number of messages in each row of time: of all messages, and of those with each of the most frequent values of a message variable.
 *
 * The first `top` values get a column each. At each tick a value without a column takes the column of the least frequent one, if it is clearly more
 * frequent; the column is then cleared. Frequencies are estimated in bounded memory (see modules/heavy_hitters.ts), and messages count half after a
 * quarter of the graph's window. Names of columns are cut to 15 characters; the values in full, with their counts in the window of the graph, are
 * output as a table. A message without the variable counts in the first column only.
 */
import { ALERT_THROTTLE, ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { set_throttle } from '../modules/alert.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { stringConfig, uintConfig, variableConfig } from '../modules/config.ts';
import { anomalyConfig, configuredGraph, injectGraph, messageTime, setPreservationVersion, type Column } from '../modules/graph.ts';
import { HeavyHitters } from '../modules/heavy_hitters.ts';
import { injectWeights, valueKey } from '../modules/weights.ts';

declare global {
  var graph: CircularBuffer;
  /** The column of each value that has one. */
  var columns: Map<string, number>;
  var hitters: HeavyHitters;
  /** Time at which the weights were halved last; null before the first tick. */
  var last_halving: number | null;
}

export const meta: PluginMeta = {
  name: 'rate',
  kind: 'filter',
  summary: 'Graphs the number of messages, in total and by the most frequent values of a variable.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable, such as `Fields[remote_addr]`; only the total when it is not set.' },
    top: { type: 'uint', summary: 'Values that have a column.', default: 10, minimum: 1 },
    title: { type: 'string', summary: 'Title of the graph; the variable behind "Rate by", or "Rate", when it is not set.' },
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph of this title; column 1 is the total.' },
    alert_throttle: ALERT_THROTTLE,
    preservation_version: { type: 'uint', summary: 'To be raised when top, sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'requests by method',
      config: { message_variable: 'Fields[method]', top: 2, rows: 2 },
      in: [
        { Timestamp: 0, Fields: { method: 'GET' } },
        { Timestamp: 1e9, Fields: { method: 'POST' } },
        { Timestamp: 2e9, Fields: { method: 'GET' } },
        { Timestamp: 60e9, Fields: { method: 'GET' } },
        { Timestamp: 61e9, Fields: { method: 'PUT' } },
      ],
      out: [
        {
          Payload:
            '{"time":0,"rows":2,"columns":3,"seconds_per_row":60,"column_info":[{"name":"All","unit":"count","aggregation":"sum"},' +
            '{"name":"GET","unit":"count","aggregation":"sum"},{"name":"POST","unit":"count","aggregation":"sum"}]}\n3\t2\t1\n2\t1\tnan\n',
          Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Rate by Fields[method]' },
        },
        {
          Payload: 'Fields[method]\tWeight\nGET\t3\nPOST\t1\n',
          Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Rate by Fields[method]' },
        },
      ],
    },
  ],
};

/** Values that are weighed for each that has a column. */
const CANDIDATES = 20;
/** A value must be this many times as frequent to take the column of another. */
const CLEARLY = 1.25;
const TOTAL = 1;

const variable = variableConfig('message_variable', null);
const title = stringConfig('title', variable === null ? 'Rate' : `Rate by ${variable}`);
const top = variable === null ? 0 : uintConfig('top');
const anomalies = anomalyConfig({ [title]: TOTAL + top });

setPreservationVersion();
set_throttle(uintConfig('alert_throttle') * 1e9);
globalThis.graph = configuredGraph(title, [['All'], ...Array.from({ length: top }, (): Column => ['-'])]);
globalThis.columns = new Map();
globalThis.hitters = new HeavyHitters(Math.max(1, top) * CANDIDATES);
globalThis.last_halving = null;

export function process_message(): ProcessStatus {
  const { graph, columns, hitters } = globalThis;
  const time = messageTime();
  graph.add(time, TOTAL, 1);
  const value = variable === null ? null : read_message(variable);
  if (value === null) return 0;
  const text = valueKey(value);
  hitters.add(text);
  const column = columns.get(text) ?? (columns.size < top ? assign(text, TOTAL + 1 + columns.size) : 0);
  if (column > 0) graph.add(time, column, 1);
  return 0;
}

function assign(value: string, column: number): number {
  globalThis.columns.set(value, column);
  globalThis.graph.set_header(column, value === '' ? '-' : value);
  return column;
}

export function timer_event(ns: number): void {
  if (variable !== null) exchange();
  halveInTime(ns);
  injectGraph(ns, title, globalThis.graph, anomalies);
  if (variable !== null) injectTable(variable);
}

/** Gives columns of the least frequent values to more frequent ones. */
function exchange(): void {
  const { columns, hitters } = globalThis;
  const candidates = hitters.sorted().filter(([value]) => !columns.has(value));
  for (const [value, weight] of candidates.slice(0, top)) {
    const [weakest, column] = [...columns].reduce((a, b) => (hitters.weightOf(b[0]) < hitters.weightOf(a[0]) ? b : a));
    if (weight <= hitters.weightOf(weakest) * CLEARLY) return;
    columns.delete(weakest);
    clear(column);
    assign(value, column);
  }
}

function clear(column: number): void {
  const { graph } = globalThis;
  const [rows, , seconds] = graph.get_configuration();
  for (let row = 0; row < rows; row++) graph.set(graph.current_time() - row * seconds * 1e9, column, NaN);
}

function halveInTime(ns: number): void {
  const [rows, , seconds] = globalThis.graph.get_configuration();
  globalThis.last_halving ??= ns;
  if (ns - globalThis.last_halving < (rows * seconds * 1e9) / 4) return;
  globalThis.hitters.halve();
  globalThis.last_halving = ns;
}

function injectTable(name: string): void {
  const { graph, columns } = globalThis;
  const counts = [...columns].map(([value, column]): [string, number] => [value, graph.compute('sum', column)[0] ?? 0]);
  injectWeights(
    title,
    name,
    counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a),
  );
}
