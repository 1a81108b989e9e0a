/**
 * Writes the numbers in the fields of each message as lines of Graphite's plaintext protocol, `NAME VALUE SECONDS`, for Carbon and other programs
 * that read it.
 *
 * In the names of fields everything but letters and digits becomes an underscore; further values of an array are named `NAME_vidx_1` and so on,
 * further fields of a name `NAME_fidx_1`. Values that are not numbers, negative, or so large or small that they need an exponent are left out. A
 * message without any other values gives no output.
 */
import { LINE_NAMES } from '../base/line_parameters.ts';
import { fieldsConfig, stringConfig } from '../modules/config.ts';
import { plainNumber } from '../base/fields.ts';
import { injectOutput } from '../base/inject.ts';
import { messageSeconds, systemSeconds, Template } from '../modules/interpolate.ts';
import { areTooLong, messageValues } from '../modules/line_protocol.ts';
import { remembered } from '../base/remembered.ts';

export const meta: PluginMeta = {
  name: 'schema_carbon_line',
  kind: 'encoder',
  summary: 'Writes numbers in fields as lines for Graphite.',
  parameters: {
    ...LINE_NAMES,
    name_prefix_delimiter: { type: 'string', summary: 'Between name_prefix and name.', default: '.' },
  },
  examples: [
    {
      title: 'the load of a host',
      config: { name_prefix: 'stats.%{Hostname}' },
      in: { Timestamp: 1614949679.9e9, Hostname: 'box1', Fields: { '1MinAvg': 0.25, 'cpu.idle': 97, state: 'up', delta: -1 } },
      out: { Payload: 'stats.box1.1MinAvg 0.25 1614949679\nstats.box1.cpu_idle 97 1614949679\n' },
    },
  ],
};

const NO_OUTPUT = -2;

const configured = stringConfig('name_prefix', null);
const prefix = configured === null ? null : new Template(configured);
const delimiter = prefix === null ? '' : stringConfig('name_prefix_delimiter');
const skipped = new Set(fieldsConfig('skip_fields', null));
const source = stringConfig('source_value_field', null);

const cleanName = remembered((name) => name.replace(/[^a-z\d]/gi, '_'));

export function process_message(): ProcessStatus {
  const start = prefix?.text(systemSeconds()) ?? '';
  const values = messageValues();
  if (areTooLong(values, start.length)) return [-1, 'the lines of the message are too long'];
  const lines = new Map<string, string>();
  for (const { name, field, value } of values) {
    const text = typeof value === 'number' ? plainNumber(value) : '';
    if (!/^[\d.]+$/.test(text) || (source === null ? skipped.has(field.name) : field.name !== source)) continue;
    lines.set(source === null ? start + delimiter + cleanName(name) : start, text);
  }
  if (lines.size === 0) return NO_OUTPUT;
  const seconds = messageSeconds();
  return injectOutput('txt', 'carbon_line', Array.from(lines, ([name, value]) => `${name} ${value} ${seconds}\n`).join(''));
}
