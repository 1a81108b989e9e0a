/**
 * Finds the most frequent values of a message variable in bounded memory.
 *
 * The algorithm is that of J. Misra and D. Gries ("Finding Repeated Elements", 1982): when a new value arrives and the table is full, all weights
 * are reduced by one, and values that reach zero are removed. A value that makes up more than 1/max_items of the stream is never lost; a weight is
 * a lower bound of its count. The number 1 and the text "1" are different values. Each tick outputs the values above min_output_weight as
 * tab-separated text, heaviest first, as many as fit into an output. With enable_sketch the weights that were counted since the last tick are output,
 * too, which `sketch_aggregator` merges.
 */
import { ENABLE_SKETCH } from '../base/graph_parameters.ts';
import { injectSketch, weightKey, type SketchRow } from '../lib/graphs/sketch_text.ts';
import { boolConfig, uintConfig, variableConfig } from '../modules/config.ts';
import { HeavyHitters } from '../modules/heavy_hitters.ts';
import { formatNumber } from '../base/number_format.ts';
import { injectWeights, valueKey } from '../modules/weights.ts';

declare global {
  /** Weights of the values. */
  var items: Map<Scalar, number>;
  /** The day of the last reset, counted from 1970-01-01 in UTC. */
  var last_reset: number;
  /** The weights since the last output as a sketch, and the day of the newest of them. */
  var unsent_weights: HeavyHitters;
  var unsent_day: number;
}

export const meta: PluginMeta = {
  name: 'frequent_items',
  kind: 'filter',
  summary: 'Lists the most frequent values of a message variable.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable, such as `Fields[remote_addr]` or `Hostname`.', required: true },
    max_items: { type: 'uint', summary: 'Values that are kept at most.', default: 1000, minimum: 1 },
    min_output_weight: { type: 'uint', summary: 'Only values with a higher weight are output.', default: 100 },
    reset_days: { type: 'uint', summary: 'Days after which counting starts anew, at midnight UTC; 0: never.', default: 1 },
    enable_sketch: ENABLE_SKETCH,
  },
  examples: [
    {
      title: 'who asks most',
      config: { message_variable: 'Fields[ip]', max_items: 2, min_output_weight: 1 },
      in: [
        { Timestamp: 864000e9, Fields: { ip: '192.0.2.1' } },
        { Timestamp: 864001e9, Fields: { ip: '192.0.2.1' } },
        { Timestamp: 864002e9, Fields: { ip: '192.0.2.2' } },
        { Timestamp: 864003e9, Fields: { ip: '192.0.2.1' } },
        { Timestamp: 864004e9, Fields: { ip: '192.0.2.3' } },
      ],
      out: {
        Payload: 'Fields[ip]\tWeight\n192.0.2.1\t2\n',
        Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Weighting by Fields[ip]' },
      },
    },
    {
      title: 'a message without the variable',
      config: { message_variable: 'Fields[ip]' },
      in: { Fields: {} },
      fails: 'Fields[ip] is not set',
    },
  ],
};

const DAY_SECONDS = 86_400;
const DAY_NS = DAY_SECONDS * 1e9;

const variable = variableConfig('message_variable');
const maxItems = uintConfig('max_items');
const minWeight = uintConfig('min_output_weight');
const resetDays = uintConfig('reset_days');
const enableSketch = boolConfig('enable_sketch');
const refusal: ProcessStatus = [-1, `${variable} is not set`];

globalThis.items = new Map();
globalThis.last_reset = 0;
globalThis.unsent_weights = new HeavyHitters(maxItems);
globalThis.unsent_day = 0;

export function process_message(): ProcessStatus {
  const item = read_message(variable);
  if (item === null || item === false) return refusal;
  const day = Math.floor((read_message('Timestamp') as number) / DAY_NS);
  if (resetDays > 0) {
    if (day < globalThis.last_reset) return 0;
    if (day - globalThis.last_reset >= resetDays) {
      globalThis.items.clear();
      globalThis.unsent_weights = new HeavyHitters(maxItems);
      globalThis.last_reset = day;
    }
  }
  const value = typeof item === 'number' || item === true ? item : valueKey(item);
  count(value);
  if (!enableSketch) return 0;
  globalThis.unsent_weights.add(weightKey(value));
  globalThis.unsent_day = Math.max(globalThis.unsent_day, day);
  return 0;
}

function count(item: Scalar): void {
  const { items } = globalThis;
  const weight = items.get(item);
  if (weight !== undefined) items.set(item, weight + 1);
  else if (items.size < maxItems) items.set(item, 1);
  else decrementAll();
}

function decrementAll(): void {
  const { items } = globalThis;
  for (const [item, weight] of items) {
    if (weight === 1) items.delete(item);
    else items.set(item, weight - 1);
  }
}

export function timer_event(): void {
  const heavy = [...globalThis.items].filter(([, weight]) => weight > minWeight).sort(([, a], [, b]) => b - a);
  injectWeights(
    `Weighting by ${variable}`,
    variable,
    heavy.map(([item, weight]) => [typeof item === 'number' ? formatNumber(item) : String(item), weight]),
  );
  if (enableSketch) injectUnsent();
}

function injectUnsent(): void {
  const weights = globalThis.unsent_weights.sorted();
  const seconds = globalThis.unsent_day * DAY_SECONDS;
  const rows = weights.map((data): SketchRow => ({ seconds, data }));
  const layout = {
    sketch: 'frequent',
    variable,
    capacity: maxItems,
    min_weight: minWeight,
    reset_days: resetDays,
  } as const;
  const sent = injectSketch(`Weighting by ${variable}`, layout, rows);
  globalThis.unsent_weights = HeavyHitters.fromSaved([layout.capacity, new Map(weights.slice(sent))]);
}
