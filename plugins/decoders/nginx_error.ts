/**
 * Decodes error logs of nginx: `2021/03/05 13:07:59 [error] 4123#7: *99 open() "/srv/x" failed (2: No such file or directory)`.
 *
 * | Part | Becomes |
 * |---|---|
 * | date and time, which are in the zone of tz | Timestamp |
 * | level | Severity: emerg 0, alert 1, crit 2, error 3, warn 4, notice 5, info 6, debug 7 |
 * | process | Pid |
 * | thread | the field tid |
 * | connection `*99 ` | the field connection |
 * | the rest, to the end of the record and perhaps over several lines | Payload, or the whole record with payload_keep |
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { NGINX_ERROR_COLUMNS, NginxErrorLine } from '../lib/forms/nginx_error_line.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { TEXT_SUMMARY } from '../lib/summaries.ts';

const LINE = '2021/03/05 13:07:59 [error] 4123#7: *99 open() "/srv/x" failed (2: No such file or directory), client: 192.0.2.1';

const BEGINNING = String.raw`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d \[(?:emerg|alert|crit|error|warn|notice|info|debug)\] \d+#\d+: `;

export const meta: PluginMeta = {
  name: 'nginx_error',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes error logs of nginx.',
  split: {
    by: 'records',
    // Records also begin at lines of the access log and of the start script, which a container writes among the errors.
    cases: {
      lines: 'line',
      dated: { before: /\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[|[\da-f.:]{2,45} - [^\n]{0,200}\[\d\d\/[A-Z]|\/docker-entrypoint|nginx: \[/ },
    },
  },
  columns: [],
  recordSummary: TEXT_SUMMARY,
  looks: [
    // Errors of PHP behind FastCGI have several lines.
    { text: /FastCGI sent in stderr: "[^"\n]*\n/, records: BEGINNING, least: 0.95, config: { records: 'dated' } },
    { lines: BEGINNING },
    { records: BEGINNING, least: 0.95, config: { records: 'dated' } },
  ],
  parameters: {
    type: { type: 'string', summary: "The messages' Type.", default: 'nginx.error' },
    tz: { type: 'string', summary: 'Zone of the times: UTC, an offset such as +02:00, Local, or an IANA name.', default: 'UTC' },
    payload_keep: { type: 'bool', summary: 'Keep the whole record as Payload.', default: false },
    records: {
      type: 'string',
      summary: 'What a record is: lines, each line; dated, a line with a date and those behind it that have none.',
      default: 'lines',
      values: ['lines', 'dated'],
    },
  },
  examples: [
    {
      title: 'an error of a connection',
      in: LINE,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'nginx.error',
        Severity: 3,
        Pid: 4123,
        Payload: 'open() "/srv/x" failed (2: No such file or directory), client: 192.0.2.1',
        Fields: { tid: 7, connection: 99 },
      },
    },
    {
      title: 'a notice of the server itself',
      in: '2021/03/05 13:07:59 [notice] 4123#0: signal process started',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'nginx.error',
        Severity: 5,
        Pid: 4123,
        Payload: 'signal process started',
        Fields: { tid: 0 },
      },
    },
    {
      title: 'a server two hours ahead of UTC, and the whole record kept',
      config: { tz: '+02:00', type: 'web.err', payload_keep: true },
      in: '2021/03/05 13:07:59 [crit] 1#2: *3 boom',
      out: {
        Timestamp: '1614942479000000000',
        Type: 'web.err',
        Severity: 2,
        Pid: 1,
        Payload: '2021/03/05 13:07:59 [crit] 1#2: *3 boom',
        Fields: { tid: 2, connection: 3 },
      },
    },
    { title: 'a level that nginx does not have', in: '2021/03/05 13:07:59 [fatal] 4123#0: x', fails: 'no level where it belongs' },
    { title: 'a date of another log', in: '2021-03-05 13:07:59 [error] 4123#0: x', fails: 'no date at the start' },
  ],
};

const noDate: ProcessStatus = [-1, 'no date at the start'];
const noLevel: ProcessStatus = [-1, 'no level where it belongs'];
const noProcess: ProcessStatus = [-1, 'no process and thread where they belong'];
const REFUSALS = { date: noDate, level: noLevel, process: noProcess };

const type = stringConfig('type');
const keepPayload = boolConfig('payload_keep');
const line = new NginxErrorLine(configuredClock());
const writer = message_writer(NGINX_ERROR_COLUMNS);

export function process_message(): ProcessStatus {
  const { text, start, end: to } = payload_span();
  const end = endOf(text, start, to);
  const missing = line.read(writer, text, start, end);
  if (missing !== null) return REFUSALS[missing];
  writer.type(type);
  if (keepPayload) writer.payloadSlice(start, end);
  return injectWritten(writer);
}

/** The end of a record: the line end of a record of one line, the last of a file, does not belong to it. */
function endOf(text: string, start: number, to: number): number {
  const end = withoutLineEnd(text, start, to);
  return end < to && text.lastIndexOf('\n', end - 1) < start ? end : to;
}
