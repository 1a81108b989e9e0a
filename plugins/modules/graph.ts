/** Common parts of filters that draw graphs: parameters, anomaly detection, output. */
import { send, throttled } from './alert.ts';
import { concat, prune, set_prune } from './annotation.ts';
import { checkList, checkString, timeArgument, unexpected } from '../base/arguments.ts';
import { checkTests, detect, parse_config, type AnomalyConfig, type GraphSize } from './anomaly.ts';
import { CircularBuffer } from './circular_buffer.ts';
import type { Aggregation } from '../base/column_header.ts';
import { stringConfig, uintConfig } from './config.ts';
import { ROWS, SECONDS_PER_ROW } from '../base/graph_parameters.ts';
import { newestRows } from '../base/graph_text.ts';
import { injectWithin, outputBytes } from '../base/output_size.ts';

declare global {
  /** State that was preserved under another version is not restored. */
  var _PRESERVATION_VERSION: number;
}

/** A column of a graph; unit `count` and aggregation `sum` unless given. */
export type Column = readonly [name: string, unit?: string, aggregation?: Aggregation];

/** An empty graph. Its annotations live as long as its window. */
export function makeGraph(title: string, rows: number, secondsPerRow: number, columns: readonly Column[]): CircularBuffer {
  checkString('makeGraph', 1, title);
  checkList('makeGraph', 4, columns);
  const graph = new CircularBuffer(rows, columns.length, secondsPerRow);
  for (const [i, column] of columns.entries()) graph.set_header(i + 1, ...column);
  set_prune(title, rows * secondsPerRow * 1e9);
  return graph;
}

/** An empty graph by the parameters rows and sec_per_row. */
export function configuredGraph(title: string, columns: readonly Column[]): CircularBuffer {
  return makeGraph(title, configuredRows(), uintConfig('sec_per_row', SECONDS_PER_ROW.default, SECONDS_PER_ROW.minimum), columns);
}

/**
 * The parameter anomaly_config, without tests when it is not set or empty. A test that has no place in its graph is an error at load: `columns` are
 * the columns of each graph by its title, when these are known, and the parameter rows is its length.
 */
export function anomalyConfig(columns?: Readonly<Record<string, number>>): AnomalyConfig {
  const config = parse_config(stringConfig('anomaly_config', null) || null);
  checkTests(config, (title) => sizeOf(title, columns), Object.keys(columns ?? {}));
  return config;
}

function sizeOf(title: string, columns: Readonly<Record<string, number>> | undefined): GraphSize | null {
  if (columns === undefined) return {};
  if (!Object.hasOwn(columns, title)) return null;
  return { rows: configuredRows(), columns: columns[title] as number };
}

function configuredRows(): number {
  return uintConfig('rows', ROWS.default, ROWS.minimum);
}

/** Takes the parameter preservation_version; a plugin whose own layout changed raises `layout`. */
export function setPreservationVersion(layout = 0): void {
  globalThis._PRESERVATION_VERSION = uintConfig('preservation_version', 0) + layout;
}

/**
 * Injects a graph at a tick. With tests in its configuration it is tested for anomalies, unless its alerts are throttled, and its annotations are written in
 * front of it. The alerts of each title are throttled by themselves. They are sent at once; a filter with several graphs passes `queue` and sends them
 * together.
 */
export function injectGraph(
  ns: number | bigint,
  title: string,
  graph: CircularBuffer,
  config: AnomalyConfig | null,
  deliver: (ns: number | bigint, message: string, kind: string) => boolean = send,
): void {
  timeArgument('injectGraph', 1, ns);
  if (config === null || config.tests.size === 0) {
    injectBuffer(title, graph);
    return;
  }
  const found = throttled(ns, title) ? null : detect(ns, title, graph, config);
  if (found !== null) {
    const [message, annotations] = found;
    concat(title, annotations);
    deliver(ns, message, title);
  }
  injectBuffer(title, graph, prune(title, ns));
}

/** Outputs a graph as `cbuf` with a line in front. One that is larger than the output limit goes out without its oldest rows. */
export function injectBuffer(title: string, graph: CircularBuffer, preamble = ''): void {
  checkString('injectBuffer', 1, title);
  if (!(graph instanceof CircularBuffer)) throw unexpected('injectBuffer', 2, 'CircularBuffer', graph);
  const text = graph.format('cbuf').toPayload();
  injectWithin('cbuf', title, preamble + text, (bytes) => preamble + newestRows(text, bytes - outputBytes(preamble)));
}

/** A field that holds a number, and its column in a graph. */
export interface NumberField {
  readonly column: number;
  readonly name: string;
  /** The same for `read_message`. */
  readonly variable: string;
}

/** Fields in the order of their columns. */
export function numberFields(...names: string[]): readonly NumberField[] {
  return names.map((name, i) => ({ column: i + 1, name, variable: `Fields[${name}]` }));
}

/** The numbers in fields of the current message; the name of the first field that is no number instead. */
export function readNumbers(fields: readonly NumberField[]): number[] | string {
  const values: number[] = [];
  for (const { name, variable } of fields) {
    const value = read_message(variable);
    if (typeof value !== 'number') return name;
    values.push(value);
  }
  return values;
}

/** The time of the current message in nanoseconds since 1970. */
export function messageTime(): number {
  return read_message('Timestamp') ?? 0;
}

/**
 * Sets the columns of the current message's row to its fields, in order. Stops at a field that is no number and says so; what was set before
 * stays.
 */
export function setWhileNumbers(graph: CircularBuffer, fields: readonly NumberField[]): ProcessStatus {
  const ns = messageTime();
  for (const { column, name, variable } of fields) {
    const value = read_message(variable);
    if (typeof value !== 'number') return [-1, `${name} is not a number`];
    graph.set(ns, column, value);
  }
  return 0;
}
