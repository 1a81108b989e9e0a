/**
 * Estimates the number of different values of a message variable for each day (in UTC), and graphs a year of them, or the number of days in rows.
 *
 * Only the newest day is counted: messages of an earlier day are ignored. The estimate needs 16 KiB for any number of values, and is exact to about
 * one percent. The number 1 and the text "1" are different values. With enable_delta the changes are output, too, so that the counts of several
 * filters, each with its own share of the values, can be added up. With enable_sketch the changes of the estimate itself are output, which
 * `sketch_aggregator` merges, also of filters that see the same values.
 */
import { CircularBuffer } from '../modules/circular_buffer.ts';
import { boolConfig, stringConfig, uintConfig, variableConfig } from '../modules/config.ts';
import type { FieldScalar } from '../base/fields.ts';
import { injectBuffer, messageTime, setPreservationVersion } from '../modules/graph.ts';
import { HyperLogLog } from '../modules/hyperloglog.ts';
import { ENABLE_SKETCH } from '../base/graph_parameters.ts';
import { estimatorData, injectSketch, type SketchRow } from '../lib/graphs/sketch_text.ts';

declare global {
  var graph: CircularBuffer;
  var estimator: HyperLogLog;
  /** The day that is counted, from 1970-01-01 on. */
  var active_day: number;
  /** Changes of the estimator since its last output, and those of the days before. */
  var unsent_registers: HyperLogLog;
  var unsent_days: SketchRow[];
}

export const meta: PluginMeta = {
  name: 'unique_items',
  kind: 'filter',
  summary: 'Graphs the number of different values of a message variable for each day.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable, such as `Fields[remote_addr]` or `Hostname`.', required: true },
    title: { type: 'string', summary: 'Title of the graph; the variable behind "Estimated Unique Daily" when it is not set.' },
    rows: { type: 'uint', summary: 'Days of the graph.', default: 365, minimum: 2 },
    enable_delta: { type: 'bool', summary: 'Output the changes, too.', default: false },
    enable_sketch: ENABLE_SKETCH,
    preservation_version: { type: 'uint', summary: 'To be raised when rows or enable_delta change.', default: 0 },
  },
  examples: [
    {
      title: 'visitors of two days',
      config: { message_variable: 'Fields[uid]', title: 'Visitors', rows: 2 },
      in: [
        { Timestamp: 0, Fields: { uid: 'alice' } },
        { Timestamp: 1e9, Fields: { uid: 'bob' } },
        { Timestamp: 2e9, Fields: { uid: 'alice' } },
        { Timestamp: 86400e9, Fields: { uid: 'alice' } },
      ],
      out: {
        Payload:
          '{"time":0,"rows":2,"columns":1,"seconds_per_row":86400,"column_info":[{"name":"uid","unit":"count","aggregation":"sum"}]}\n2\n1\n',
        Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Visitors' },
      },
    },
    {
      title: 'a value that is neither text nor number',
      config: { message_variable: 'Fields[uid]' },
      in: { Fields: { uid: true } },
      fails: 'Fields[uid] is neither a text nor a number',
    },
    {
      title: 'a message without the variable',
      config: { message_variable: 'Fields[uid]' },
      in: {},
      fails: 'Fields[uid] is neither a text nor a number',
    },
  ],
};

const DAY_SECONDS = 86_400;
/** Days of which changes wait for the next tick. */
const UNSENT_DAYS = 7;

const variable = variableConfig('message_variable');
const title = stringConfig('title', `Estimated Unique Daily ${variable}`);
const enableDelta = boolConfig('enable_delta');
const enableSketch = boolConfig('enable_sketch');
const rows = uintConfig('rows');
const column = /Fields\[([^\]]+)\]/.exec(variable)?.[1] ?? variable;

setPreservationVersion();
globalThis.active_day = 0;
globalThis.estimator = new HyperLogLog();
globalThis.graph = new CircularBuffer(rows, 1, DAY_SECONDS, enableDelta);
globalThis.graph.set_header(1, column);
globalThis.unsent_registers = new HyperLogLog();
globalThis.unsent_days = [];

export function process_message(): ProcessStatus {
  const ns = messageTime();
  const day = Math.floor(ns / (DAY_SECONDS * 1e9));
  if (day < globalThis.active_day) return 0;
  if (day > globalThis.active_day) {
    closeDay();
    globalThis.active_day = day;
    globalThis.estimator.clear();
  }
  const item: FieldScalar | null = read_message(variable);
  if (item === null || typeof item === 'boolean') return [-1, `${variable} is neither a text nor a number`];
  if (!globalThis.estimator.add(item)) return 0;
  globalThis.graph.set(ns, 1, globalThis.estimator.count());
  if (enableSketch) globalThis.unsent_registers.add(item);
  return 0;
}

/** Sets the changes of the day aside. */
function closeDay(): void {
  const { unsent_registers, unsent_days, active_day } = globalThis;
  if (!enableSketch || unsent_registers.count() === 0) return;
  unsent_days.push({ seconds: active_day * DAY_SECONDS, data: estimatorData(unsent_registers) });
  if (unsent_days.length > UNSENT_DAYS) unsent_days.shift();
  unsent_registers.clear();
}

export function timer_event(): void {
  injectBuffer(title, globalThis.graph);
  if (enableDelta) inject_payload('cbufd', title, globalThis.graph.format('cbufd'));
  if (!enableSketch) return;
  closeDay();
  globalThis.unsent_days.splice(0, injectSketch(title, { sketch: 'unique', rows, column }, globalThis.unsent_days));
}
