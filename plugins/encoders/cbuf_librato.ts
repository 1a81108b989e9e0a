/**
 * Turns graphs (messages of payload type `cbuf`) into gauges for Librato's interface: `{"gauges":[{value, measure_time, name, source}]}`, where
 * name is that of the column and source the Hostname.
 *
 * The first graph of a key gives all rows but the last, which may still be filling; a later one gives the rows that were completed since. A graph
 * without new rows gives no output. A graph is refused when it is older than the last one, when it is not a whole number of rows later, or when a
 * value is not a number (`nan` stands for an empty cell). With preserve_data no row is sent twice over a restart.
 *
 * When a graph has more values than fit into an output (60,000 bytes), the newest ones are sent. The last 10,000 keys are remembered.
 */
import { stringConfig } from '../modules/config.ts';
import { injectOutput } from '../base/inject.ts';
import { parseGraph, type Graph } from '../base/graph_text.ts';
import { Template, systemSeconds } from '../modules/interpolate.ts';
import { fittingOutput } from '../base/output_size.ts';
import { keyOf } from '../modules/weights.ts';

declare global {
  /** Seconds since 1970 of the first row of the last graph that was sent, by key. */
  var last_times: Map<string, number>;
}

export const meta: PluginMeta = {
  name: 'cbuf_librato',
  kind: 'encoder',
  summary: 'Turns graphs into gauges of a metrics service.',
  parameters: {
    message_key: {
      type: 'string',
      summary: 'Identity of a graph: messages with the same key continue the same graph; may contain `%{…}`.',
      default: '%{Logger}:%{payload_name}',
    },
  },
  examples: [
    {
      title: 'the first graph of a filter',
      in: {
        Logger: 'web',
        Hostname: 'box1',
        Payload:
          '{"time":100,"rows":3,"columns":2,"seconds_per_row":10,"column_info":[' +
          '{"name":"hits","unit":"count","aggregation":"sum"},{"name":"errors","unit":"count","aggregation":"sum"}]}\n' +
          '17\tnan\n23\t1\n4\t2\n',
        Fields: { payload_type: 'cbuf', payload_name: 'Requests' },
      },
      out: {
        Payload:
          '{"gauges":[{"value":17,"measure_time":100,"name":"hits","source":"box1"},' +
          '{"value":23,"measure_time":110,"name":"hits","source":"box1"},{"value":1,"measure_time":110,"name":"errors","source":"box1"}]}',
      },
    },
    { title: 'no graph', in: 'hello', fails: 'the payload is not a graph' },
  ],
};

interface Gauge {
  readonly value: number;
  readonly measure_time: number;
  readonly name: string;
  readonly source: string;
}

const NO_OUTPUT = -2;
const MIN_ROWS = 3;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_KEYS = 10_000;

const messageKey = new Template(stringConfig('message_key'));

globalThis.last_times = new Map();

export function process_message(): ProcessStatus {
  const graph = parseGraph(String(read_message('Payload') ?? ''));
  if (graph === null || graph.rows.length < MIN_ROWS) return [-1, 'the payload is not a graph'];
  const key = keyOf(messageKey.text(systemSeconds()));
  const passed = graph.time - (globalThis.last_times.get(key) ?? -Infinity);
  if (passed === 0) return NO_OUTPUT;
  if (passed < 0) return [-1, 'the graph is older than the last one'];
  const moved = passed / graph.secondsPerRow;
  const first = moved < graph.rows.length - 1 ? graph.rows.length - 1 - moved : 0;
  if (passed !== Infinity && !Number.isInteger(moved)) return [-1, 'the graph is not a whole number of rows later than the last one'];
  const gauges = gaugesOf(graph, first);
  if (gauges === null) return [-1, 'a value of the graph is not a number'];
  if (gauges.length === 0) return NO_OUTPUT;
  const status = injectOutput('json', 'output', gaugesText(gauges));
  if (status === 0) remember(key, graph.time);
  return status;
}

/** The gauges as JSON; the newest ones when there are too many. */
function gaugesText(gauges: readonly Gauge[]): string {
  const newest = fittingOutput(gauges.toReversed().map((gauge) => JSON.stringify(gauge)));
  return `{"gauges":[${newest.toReversed().join(',')}]}`;
}

/** Keys are in the order in which they were used last. */
function remember(key: string, time: number): void {
  const { last_times: times } = globalThis;
  times.delete(key);
  times.set(key, time);
  if (times.size > MAX_KEYS) times.delete(times.keys().next().value as string);
}

/** The values of the rows from `first` to the last but one; null when one is no number. */
function gaugesOf({ rows, time, secondsPerRow, columns }: Graph, first: number): Gauge[] | null {
  const source = String(read_message('Hostname') ?? '');
  const gauges: Gauge[] = [];
  for (let row = first; row < rows.length - 1; row++) {
    const cells = rows[row] as string[];
    for (const [i, { name }] of columns.entries()) {
      const cell = cells[i] ?? '';
      if (cell === 'nan') continue;
      if (!NUMBER.test(cell) || !Number.isFinite(Number(cell))) return null;
      gauges.push({ value: Number(cell), measure_time: time + row * secondsPerRow, name, source });
    }
  }
  return gauges;
}
