/**
 * Collects messages as lines of InfluxDB's line protocol, one for each value of a dynamic field, and outputs them at each tick as one message
 * that is ready to be sent: for InfluxDB 0.9 and later and for all that read its protocol.
 *
 * A number is written with decimal_precision digits, a text in double quotes, a bool as `true` or `false`. Tags are chosen by tag_fields:
 * `all_base` stands for Hostname, Logger, Severity and Type, `all` for these and every field. No other header is a tag: any other name is that of a
 * field. In name_prefix, `%{Payload}` is the Payload. With flush_count a batch is output as soon as it has the lines of that many messages. A batch
 * is also output before it exceeds 60,000 bytes; a message with more than that is refused. A message whose fields are all left out gives an empty
 * line.
 */
import { FLUSH_COUNT, LINES } from '../base/line_parameters.ts';
import { flushCount, lineOptions, messageLines } from '../modules/line_protocol.ts';
import { MAX_BYTES, outputBytes } from '../base/output_size.ts';

declare global {
  /** The lines of the batch, their size in bytes, and how many messages they are of. */
  var batch: { lines: string; bytes: number; messages: number };
}

export const meta: PluginMeta = {
  name: 'influx_batch',
  kind: 'filter',
  summary: 'Collects the fields of messages as lines of the line protocol.',
  parameters: {
    ...LINES,
    flush_count: FLUSH_COUNT,
  },
  examples: [
    {
      title: 'the load of two hosts',
      config: { decimal_precision: '2', tag_fields: 'Hostname', timestamp_precision: 's' },
      in: [
        { Timestamp: 54321e9, Hostname: 'box1', Fields: { load: 0.5 } },
        { Timestamp: 54322e9, Hostname: 'box 2', Fields: { load: 1.25, state: 'up' } },
      ],
      out: {
        Payload:
          'load,Hostname=box1 value=0.50 54321\n' +
          'load,Hostname=box\\ 2 value=1.25 54322\n' +
          'state,Hostname=box\\ 2 value="up" 54322\n',
        Fields: { payload_type: { value: 'txt', representation: 'file-extension' }, payload_name: 'influx_line' },
      },
    },
  ],
};

const options = lineOptions(['Payload']);
const flushAfter = flushCount();
const TOO_LONG = 'the lines of the message are too long';

globalThis.batch = { lines: '', bytes: 0, messages: 0 };

export function process_message(): ProcessStatus {
  const lines = messageLines(options);
  if (lines === '') return 0;
  const bytes = lines === null ? Infinity : outputBytes(lines);
  if (lines === null || bytes > MAX_BYTES) return [-1, TOO_LONG];
  if (globalThis.batch.bytes + bytes > MAX_BYTES) flush();
  const { batch } = globalThis;
  batch.lines += lines;
  batch.bytes += bytes;
  batch.messages++;
  if (flushAfter > 0 && batch.messages >= flushAfter) flush();
  return 0;
}

export function timer_event(): void {
  flush();
}

function flush(): void {
  const { lines } = globalThis.batch;
  globalThis.batch = { lines: '', bytes: 0, messages: 0 };
  inject_payload('txt', 'influx_line', lines);
}
