/**
 * Writes each message as lines of InfluxDB's line protocol, one for each value of a dynamic field, for InfluxDB 0.9 and later and other programs
 * that read it.
 *
 * A number is written with decimal_precision digits, a text in double quotes, a bool as `true` or `false`. Tags are chosen by tag_fields:
 * `all_base` stands for Hostname, Logger, Severity and Type, `all` for these and every field. A message whose fields are all left out gives an
 * empty line; a message without fields gives no output.
 */
import { LINES } from '../base/line_parameters.ts';
import { injectOutput } from '../base/inject.ts';
import { lineOptions, messageLines } from '../modules/line_protocol.ts';

export const meta: PluginMeta = {
  name: 'schema_influx_line',
  kind: 'encoder',
  summary: 'Writes the fields of messages as lines of the line protocol.',
  parameters: {
    ...LINES,
  },
  examples: [
    {
      title: 'two measurements of a host',
      config: {
        decimal_precision: '2',
        name_prefix: '%{Hostname}',
        name_prefix_delimiter: '.',
        tag_fields: 'Type rack',
        skip_fields: 'rack',
      },
      in: { Timestamp: 54321e9, Type: 'stats.load', Hostname: 'box1', Fields: { load: 0.5, rack: 'r 7', busy: true } },
      out: {
        Payload: 'box1.load,Type=stats.load,rack=r\\ 7 value=0.50 54321000\nbox1.busy,Type=stats.load,rack=r\\ 7 value=true 54321000\n',
      },
    },
  ],
};

const NO_OUTPUT = -2;
const options = lineOptions();

export function process_message(): ProcessStatus {
  const lines = messageLines(options);
  if (lines === null) return [-1, 'the lines of the message are too long'];
  return lines === '' ? NO_OUTPUT : injectOutput('txt', 'influx_line', lines);
}
