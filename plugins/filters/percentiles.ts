/**
 * Graphs percentiles of a number in messages, such as the time that requests took: one column for each percentile, and one for the number of
 * messages.
 *
 * Percentiles are within one percent of the true ones (see modules/quantile_sketch.ts). The message's Timestamp selects the row; messages that are
 * late by more than about ten rows are not counted. 0 is the minimum and 100 the maximum; of n numbers in order, counted from 0, the percentile p
 * is the one at p(n - 1)/100, rounded down. With enable_sketch the numbers are output as sketches, which `sketch_aggregator` merges, for up to 240 rows
 * between two ticks.
 */
import { ALERT_THROTTLE, ENABLE_SKETCH, ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { set_throttle } from '../modules/alert.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { boolConfig, stringConfig, uintConfig, variableConfig } from '../modules/config.ts';
import { words } from '../base/fields.ts';
import { anomalyConfig, configuredGraph, injectGraph, messageTime, setPreservationVersion, type Column } from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { QuantileSketch } from '../modules/quantile_sketch.ts';
import { injectSketch, quantileData, type SketchRow } from '../lib/graphs/sketch_text.ts';

declare global {
  var graph: CircularBuffer;
  /** The numbers of the newest rows, by number of the row. */
  var sketches: Map<number, QuantileSketch>;
  var newest_row: number;
  /** The numbers that were not output as sketches yet, by number of the row. */
  var unsent_numbers: Map<number, QuantileSketch>;
}

export const meta: PluginMeta = {
  name: 'percentiles',
  kind: 'filter',
  summary: 'Graphs percentiles of a number in messages.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable, such as `Fields[request_time]`.', required: true },
    percentiles: { type: 'string', summary: 'Percentiles from 0 to 100, separated by blanks.', default: '50 90 99' },
    title: { type: 'string', summary: 'Title of the graph; the variable behind "Percentiles of" when it is not set.' },
    unit: { type: 'string', summary: 'Unit of the number; 7 characters are shown.', default: 's' },
    sec_per_row: SECONDS_PER_ROW,
    rows: ROWS,
    enable_sketch: ENABLE_SKETCH,
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graph of this title.' },
    alert_throttle: ALERT_THROTTLE,
    preservation_version: { type: 'uint', summary: 'To be raised when percentiles, sec_per_row or rows change.', default: 0 },
  },
  examples: [
    {
      title: 'two minutes of requests',
      config: { message_variable: 'Fields[ms]', percentiles: '0 50 100', unit: 'ms', rows: 2, title: 'Duration' },
      in: [
        { Timestamp: 0, Fields: { ms: 10 } },
        { Timestamp: 1e9, Fields: { ms: 900 } },
        { Timestamp: 60e9, Fields: { ms: 7 } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":4,"seconds_per_row":60,"column_info":[{"name":"p0","unit":"ms","aggregation":"none"},' +
          '{"name":"p50","unit":"ms","aggregation":"none"},{"name":"p100","unit":"ms","aggregation":"none"},' +
          '{"name":"Count","unit":"count","aggregation":"sum"}]}\n10\t10\t900\t2\n7\t7\t7\t1\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Duration' },
      },
    },
    {
      title: 'a text',
      config: { message_variable: 'Fields[ms]' },
      in: { Fields: { ms: '12' } },
      fails: 'Fields[ms] is not a number',
    },
  ],
};

/** Rows that numbers are still collected for. */
const OPEN_ROWS = 10;
/** Rows whose sketches wait for the next tick. */
const UNSENT_ROWS = 240;

const variable = variableConfig('message_variable');
const title = stringConfig('title', `Percentiles of ${variable}`);
const unit = stringConfig('unit');
const percentiles = words(stringConfig('percentiles'));
const percents = percentiles.map(percentOf);
const enableSketch = boolConfig('enable_sketch');
const secondsPerRow = uintConfig('sec_per_row');
const rowNs = secondsPerRow * 1e9;
const anomalies = anomalyConfig({ [title]: percentiles.length + 1 });
const refusal: ProcessStatus = [-1, `${variable} is not a number`];

setPreservationVersion();
set_throttle(uintConfig('alert_throttle') * 1e9);
preserveFor({ percentiles: percentiles.join(' ') });
globalThis.sketches = new Map();
globalThis.unsent_numbers = new Map();
globalThis.newest_row = -Infinity;
globalThis.graph = configuredGraph(title, [...percentiles.map((percentile): Column => [`p${percentile}`, unit, 'none']), ['Count']]);

function percentOf(percentile: string): number {
  const percent = Number(percentile);
  if (/^\d+(\.\d+)?$/.test(percentile) && percent <= 100) return percent;
  throw new TypeError(`percentiles must be numbers from 0 to 100, not ${percentile}`);
}

export function process_message(): ProcessStatus {
  const value = read_message(variable);
  if (typeof value !== 'number') return refusal;
  const row = Math.trunc(messageTime() / rowNs);
  const sketch = sketchOf(row);
  sketch?.add(value);
  if (enableSketch && sketch !== null) keepUnsent(row, value);
  return 0;
}

function keepUnsent(row: number, value: number): void {
  const { unsent_numbers } = globalThis;
  const known = unsent_numbers.get(row);
  if (known !== undefined) return known.add(value);
  if (unsent_numbers.size >= UNSENT_ROWS) unsent_numbers.delete(Math.min(...unsent_numbers.keys()));
  const sketch = new QuantileSketch();
  sketch.add(value);
  unsent_numbers.set(row, sketch);
}

/** The numbers of a row; null when it is closed already. */
function sketchOf(row: number): QuantileSketch | null {
  const { sketches } = globalThis;
  const known = sketches.get(row);
  if (known !== undefined) return known;
  if (row <= globalThis.newest_row - OPEN_ROWS) return null;
  const sketch = new QuantileSketch();
  sketches.set(row, sketch);
  if (row > globalThis.newest_row) closeBefore(row);
  return sketch;
}

function closeBefore(newest: number): void {
  globalThis.newest_row = newest;
  for (const [row, sketch] of globalThis.sketches) {
    if (row > newest - OPEN_ROWS) continue;
    write(row, sketch);
    globalThis.sketches.delete(row);
  }
}

function write(row: number, sketch: QuantileSketch): void {
  for (const [i, percent] of percents.entries()) globalThis.graph.set(row * rowNs, i + 1, sketch.percentile(percent));
  globalThis.graph.set(row * rowNs, percents.length + 1, sketch.count);
}

export function timer_event(ns: number): void {
  for (const [row, sketch] of globalThis.sketches) write(row, sketch);
  injectGraph(ns, title, globalThis.graph, anomalies);
  if (enableSketch) injectUnsent();
}

function injectUnsent(): void {
  const { unsent_numbers } = globalThis;
  const rows = [...unsent_numbers].filter(([, { count }]) => count > 0);
  const texts = rows.map(([row, sketch]): SketchRow => ({ seconds: row * secondsPerRow, data: quantileData(sketch) }));
  const layout = {
    sketch: 'quantiles',
    rows: uintConfig('rows'),
    seconds_per_row: secondsPerRow,
    percentiles: percentiles.join(' '),
    unit,
  } as const;
  const sent = injectSketch(title, layout, texts);
  globalThis.unsent_numbers = new Map(rows.slice(sent));
}
