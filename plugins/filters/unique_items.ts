/**
 * Estimates the number of different values of a message variable for each day (in UTC), and graphs a year of them, or the number of days in rows.
 *
 * Only the newest day is counted: messages of an earlier day are ignored. The estimate needs 16 KiB for any number of values, and is exact to about
 * one percent. The number 1 and the text "1" are different values. With enable_delta the changes are output, too, so that the counts of several
 * filters, each with its own share of the values, can be added up.
 */
import { CircularBuffer } from '../modules/circular_buffer.ts';
import { boolConfig, stringConfig, uintConfig, variableConfig } from '../modules/config.ts';
import type { FieldScalar } from '../base/fields.ts';
import { injectBuffer, messageTime, setPreservationVersion } from '../modules/graph.ts';
import { HyperLogLog } from '../modules/hyperloglog.ts';

declare global {
  var graph: CircularBuffer;
  var estimator: HyperLogLog;
  /** The day that is counted, from 1970-01-01 on. */
  var active_day: number;
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

const variable = variableConfig('message_variable');
const title = stringConfig('title', `Estimated Unique Daily ${variable}`);
const enableDelta = boolConfig('enable_delta');

setPreservationVersion();
globalThis.active_day = 0;
globalThis.estimator = new HyperLogLog();
globalThis.graph = new CircularBuffer(uintConfig('rows'), 1, DAY_SECONDS, enableDelta);
globalThis.graph.set_header(1, /Fields\[([^\]]+)\]/.exec(variable)?.[1] ?? variable);

export function process_message(): ProcessStatus {
  const ns = messageTime();
  const day = Math.floor(ns / (DAY_SECONDS * 1e9));
  if (day < globalThis.active_day) return 0;
  if (day > globalThis.active_day) {
    globalThis.active_day = day;
    globalThis.estimator.clear();
  }
  const item: FieldScalar | null = read_message(variable);
  if (item === null || typeof item === 'boolean') return [-1, `${variable} is neither a text nor a number`];
  if (globalThis.estimator.add(item)) globalThis.graph.set(ns, 1, globalThis.estimator.count());
  return 0;
}

export function timer_event(): void {
  injectBuffer(title, globalThis.graph);
  if (enableDelta) inject_payload('cbufd', title, globalThis.graph.format('cbufd'));
}
