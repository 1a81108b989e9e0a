/**
 * Decodes lines of logfmt: `ts=2021-03-05T13:07:59Z level=info msg="request done" status=200 cached`.
 *
 * Some pairs become headers of the message; the parameters name them, with commas between several names, of which the first one that
 * is there counts. All others become fields of their names. A value in quotes is a text, with backslashes as in JSON. Else plain numbers
 * are numbers (but not identifiers with leading zeros or more than 15 digits), `true` and `false` are booleans, and an empty value is left out. A
 * name without a value is `true`. Times and severities are read as json_lines reads them.
 *
 * A value that does not fit its header stays a field, but a time that cannot be read makes the record fail when time_field is set. A line
 * without any pair is no logfmt.
 */
import { pairDecoder } from '../modules/pair_decoder.ts';

export const meta: PluginMeta = {
  name: 'logfmt',
  kind: 'decoder',
  summary: 'Decodes lines of logfmt: names and values with an equals sign between them.',
  parameters: {
    time_field: { type: 'string', summary: 'Names of the time.', default: 'time, ts, timestamp, t, datetime' },
    time_format: { type: 'string', summary: "Form of the time, in strftime's specifiers; all usual forms when it is empty.", default: '' },
    tz: { type: 'string', summary: 'Zone of times without one: UTC, an offset such as +02:00, Local, or an IANA name.', default: 'UTC' },
    severity_field: { type: 'string', summary: 'Names of the severity.', default: 'level, lvl, severity' },
    severity_scale: {
      type: 'string',
      summary: 'What severities from 10 on mean: pino (and bunyan; 30 is info) or python (20 is info).',
      default: 'pino',
    },
    message_field: { type: 'string', summary: 'Names of the Payload.', default: 'msg, message' },
    hostname_field: { type: 'string', summary: 'Names of the Hostname.', default: 'hostname' },
    logger_field: { type: 'string', summary: 'Names of the Logger.', default: 'logger' },
    pid_field: { type: 'string', summary: 'Names of the Pid.', default: 'pid' },
    number_fields: {
      type: 'string',
      summary: 'Which values are numbers, with commas between the names, and their units: status, bytes:B. * stands for all plain numbers.',
      default: '*',
    },
    type: { type: 'string', summary: "The messages' Type." },
    payload_keep: { type: 'bool', summary: 'Keep the line as Payload; the message is a field then.', default: false },
  },
  examples: [
    {
      title: 'a request of a service in Go',
      in: 'ts=2021-03-05T13:07:59.123456789Z level=warn msg="took \\"long\\"" method=GET status=200 dur=1.5s cached id=007 err=',
      out: {
        Timestamp: '1614949679123456789',
        Severity: 4,
        Payload: 'took "long"',
        Fields: { method: 'GET', status: 200, dur: '1.5s', cached: true, id: '007' },
      },
    },
    {
      title: 'numbers with units',
      config: { number_fields: 'status, size:B', type: 'app' },
      in: 't=1614949679.5 lvl=eror status=500 size=12 retries=3 ok=false',
      out: {
        Timestamp: '1614949679500000000',
        Type: 'app',
        Severity: 3,
        Fields: { status: 500, size: { value: 12, representation: 'B' }, retries: '3', ok: false },
      },
    },
    { title: 'a line of plain text', in: 'Server started on port 80', fails: 'no pair of a name and a value' },
    { title: 'a line that was cut off', in: 'level=info msg="took lo', fails: 'a quote that does not end' },
  ],
};

const decode = pairDecoder(
  { separator: ' ', assignment: '=' },
  {
    time: 'time, ts, timestamp, t, datetime',
    severity: 'level, lvl, severity',
    message: 'msg, message',
    hostname: 'hostname',
    logger: 'logger',
    pid: 'pid',
  },
);

export function process_message(): ProcessStatus {
  return decode();
}
