/**
 * Writes each message as one line of flat JSON for search tools, `jq` and data frames: the headers that are set, then the fields.
 *
 * Fields that have a header's name, and the second and later fields of a name, have a number behind their name (`Type2`, `user2`). Several values
 * become a list, bytes become base64, and NaN and infinities become null. With nested_fields all fields are in one object of that name. For the
 * complete form, from which messages can be read back, use the built-in encoder `json`.
 */
import { stringConfig } from '../modules/config.ts';
import { DateFormat } from '../modules/date_format.ts';
import { messageFields, words, type MessageField } from '../base/fields.ts';
import { injectOutput } from '../base/inject.ts';
import { fieldText, objectText, scalarText } from '../lib/json_text.ts';

export const meta: PluginMeta = {
  name: 'json_lines',
  kind: 'encoder',
  summary: 'Writes each message as a flat line of JSON.',
  parameters: {
    timestamp: {
      type: 'string',
      summary: 'Form of the Timestamp: rfc3339, in UTC, or a number of these units.',
      default: 'rfc3339',
      values: ['rfc3339', 's', 'ms', 'us', 'ns'],
    },
    skip_fields: { type: 'string', summary: 'Headers and fields that are left out, separated by blanks.', default: '' },
    nested_fields: { type: 'string', summary: 'Name of the object that holds the fields; they are beside the headers when it is not set.' },
  },
  examples: [
    {
      title: 'a request',
      in: {
        Timestamp: 1614949679.25e9,
        Type: 'web.access',
        Hostname: 'box1',
        Fields: { status: 200, user: 'alice', tags: ['a', 'b'] },
      },
      out: {
        Payload:
          '{"Timestamp":"2021-03-05T13:07:59.25Z","Type":"web.access","Hostname":"box1","status":200,"user":"alice","tags":["a","b"]}\n',
      },
    },
    {
      title: 'fields apart from headers',
      config: { timestamp: 'ms', nested_fields: 'fields', skip_fields: 'Payload' },
      in: { Timestamp: 1614949679.25e9, Payload: 'GET /', Fields: { status: 200 } },
      out: { Payload: '{"Timestamp":1614949679250,"fields":{"status":200}}\n' },
    },
  ],
};

const HEADERS = ['Type', 'Logger', 'Severity', 'Payload', 'EnvVersion', 'Pid', 'Hostname'];
const TIMESTAMP = 'Timestamp';
const UNITS: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };
const RFC3339 = new DateFormat('%Y-%m-%dT%H:%M:%S');

const timestampForm = stringConfig('timestamp');
const skipped = new Set(words(stringConfig('skip_fields')));
const nested = stringConfig('nested_fields', null);

export function process_message(): ProcessStatus {
  const line = new Map<string, string>();
  if (!skipped.has(TIMESTAMP)) line.set(TIMESTAMP, timestamp(read_message(TIMESTAMP) ?? 0));
  for (const name of HEADERS) {
    const value = skipped.has(name) ? null : read_message(name);
    if (value !== null && value !== '') line.set(name, scalarText(value));
  }
  const fields = nested === null ? line : new Map<string, string>();
  for (const field of messageFields()) if (!skipped.has(field.name)) fields.set(nameOf(field), fieldText(field));
  if (nested !== null) line.set(nested, objectText(fields));
  return injectOutput('json', '', `${objectText(line)}\n`);
}

function timestamp(ns: number): string {
  const unit = UNITS[timestampForm];
  if (unit !== undefined) return String(Number((ns / unit).toPrecision(16)));
  // Doubles hold present-day times to some 200 ns.
  const micros = Math.round(ns / 1e3);
  const seconds = Math.floor(micros / 1e6);
  return `"${RFC3339.text(seconds)}${fractionOf(micros - seconds * 1e6)}Z"`;
}

/** The point and the digits of so many microseconds; nothing without any. */
function fractionOf(micros: number): string {
  if (micros === 0) return '';
  let digits = 6;
  let rest = micros;
  for (; rest % 10 === 0; rest /= 10) digits--;
  return `.${String(rest).padStart(digits, '0')}`;
}

function nameOf({ name, instance }: MessageField): string {
  const taken = nested === null && (HEADERS.includes(name) || name === TIMESTAMP) ? 1 : 0;
  return instance + taken === 0 ? name : `${name}${instance + taken + 1}`;
}
