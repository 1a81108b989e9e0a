/**
 * Decodes lines of JSON, one object in each, as logging libraries, containers and `journalctl -o json` write them.
 *
 * Some members become headers of the message. The parameters name these members; of several names, separated by commas, the first one that the
 * record has is used. All others become fields of their names: texts, numbers, booleans, and lists of one of these. Members of nested objects are
 * named with dots, `http.request.method`. null and empty lists are left out; lists of objects or of different types are kept as their JSON text,
 * with the representation `json`.
 *
 * | Header | Taken from |
 * |---|---|
 * | Timestamp | RFC 3339 and its neighbours: a comma before the fraction, a blank for the T, no zone (then it is in the zone of tz); the common log format; RFC 3164; a number of seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by its size; or what time_format says |
 * | Severity | a word in any case (`warn`, `ERROR`, `Information`), syslog's 0 to 7, and numbers from 10 on by severity_scale |
 * | Payload, Hostname, Logger, Pid | a text or a number |
 *
 * A value that does not fit its header stays a field. When time_field is set, a record whose time cannot be read is refused. Numbers are doubles. Integers
 * beyond 2^53, of which a double does not hold all digits, are integers, and texts beyond 64 bits.
 */
import { flatten, numberText, parseExactly } from '../modules/json.ts';
import { NAMED_FIELDS } from '../lib/parameters.ts';
import { RecordMessage } from '../lib/record_message.ts';

const TIMES = 'time, timestamp, @timestamp, ts, datetime, __REALTIME_TIMESTAMP';

export const meta: PluginMeta = {
  name: 'json_lines',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes lines of JSON.',
  looks: [
    {
      // MongoDB.
      lines: [/^\s*\{\s*"t":\s*\{\s*"\$date":\s*"/, /"s":\s*"/, /"c":\s*"/, /"ctx":\s*"/, /"msg":\s*"/],
      config: { time_field: 't.$date', severity_field: 's', logger_field: 'c' },
      rank: 3,
    },
    {
      // Serilog's compact form.
      lines: [/^\s*\{/, /"@t":\s*"/, /"@mt":\s*"/],
      config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' },
      rank: 3,
    },
    {
      // PostgreSQL's jsonlog.
      lines: [/^\s*\{/, /"timestamp":\s*"/, /"pid":\s*\d/, /"error_severity":\s*"/],
      config: { severity_field: 'error_severity' },
      rank: 3,
    },
    { form: 'json_lines', rank: 3 },
  ],
  parameters: {
    time_field: {
      type: 'string',
      summary: `Members that are the time: ${TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Members that are the severity.', default: 'level, severity, lvl, log.level, PRIORITY' },
    message_field: { type: 'string', summary: 'Members that are the Payload.', default: 'message, msg, log, MESSAGE' },
    hostname_field: { type: 'string', summary: 'Members that are the Hostname.', default: 'hostname, host.name, _HOSTNAME' },
    logger_field: { type: 'string', summary: 'Members that are the Logger.', default: 'logger, logger_name, log.logger' },
    pid_field: { type: 'string', summary: 'Members that are the Pid.', default: 'pid, process.pid, _PID' },
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'a request, with nested members',
      in: '{"time":"2021-03-05T14:07:59.123456789+01:00","level":"warn","msg":"slow","http":{"method":"GET","status":200},"tags":["a","b"],"user":null}',
      out: {
        Timestamp: '1614949679123456789',
        Severity: 4,
        Payload: 'slow',
        Fields: { 'http.method': 'GET', 'http.status': 200, tags: ['a', 'b'] },
      },
    },
    {
      title: 'pino',
      config: { type: 'app' },
      in: '{"level":30,"time":1614949679123,"pid":657,"hostname":"box1","msg":"hello","cached":true}',
      out: {
        Timestamp: '1614949679123000000',
        Type: 'app',
        Severity: 6,
        Hostname: 'box1',
        Pid: 657,
        Payload: 'hello',
        Fields: { cached: true },
      },
    },
    {
      title: 'names of its own, and lists that are no field',
      config: { time_field: 't.$date', severity_field: 's', message_field: 'text', logger_field: 'c', payload_keep: false },
      in: '{"t":{"$date":"2021-03-05T13:07:59.250Z"},"s":"I","c":"NETWORK","id":22943,"text":"accepted","attr":[{"remote":"192.0.2.1"}]}',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Logger: 'NETWORK',
        Payload: 'accepted',
        Fields: { id: 22943, attr: { value: '[{"remote":"192.0.2.1"}]', representation: 'json' } },
      },
    },
    { title: 'a line that was cut off', in: '{"time":"2021-03-05T14:07:59Z","msg":"sl', fails: 'no JSON object' },
    { title: 'a time in an unknown form', config: { time_field: 'at' }, in: '{"at":"yesterday"}', fails: 'at is no time that can be read' },
  ],
};

const noObject: ProcessStatus = [-1, 'no JSON object'];

const tooDeep: ProcessStatus = [-1, 'nested too deeply'];

const message = new RecordMessage({ time: TIMES });

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, end);
  const record = parseExactly(line);
  if (record === null) return noObject;
  message.begin();
  try {
    flatten(record, (name, value, isJson) => {
      const isNumber = typeof value === 'number' && message.isTime(name);
      message.add(name, value, isJson ? 'json' : undefined, isNumber ? numberText(line, name, value) : undefined);
    });
  } catch {
    return tooDeep;
  }
  return message.inject(text, start, end);
}
