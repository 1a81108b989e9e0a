/**
 * Decodes lines of JSON, one object in each, as logging libraries, containers and `journalctl -o json` write them; also objects over several lines
 * (`records` is objects then), as jq and `journalctl -o json-pretty` write them, lists of objects, exports such as `{"records":[…]}`, and events that a server sends,
 * `data: {…}`, whose name and id are the fields sse_event and sse_id.
 *
 * Some members become headers of the message. The parameters name these members; of several names, separated by commas, the first one whose value
 * fits is used. All others become fields of their names: texts, numbers, booleans, and lists of one of these. Members of nested objects are
 * named with dots, `http.request.method`. null and empty lists are left out; lists of objects or of different types are kept as their JSON text,
 * with the representation `json`.
 *
 * | Header | Taken from |
 * |---|---|
 * | Timestamp | RFC 3339 and its neighbours: a comma before the fraction, a blank for the T, no zone (then it is in the zone of tz); the common log format; RFC 3164; a number of seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by its size; log4j's and Google's objects of seconds and nanoseconds; or what time_format says |
 * | Severity | a word in any case (`warn`, `ERROR`, `Information`), syslog's 0 to 7, and numbers from 10 on, or all, by severity_scale |
 * | Payload, Hostname, Logger, Pid | a text or a number |
 *
 * A name in front of the object, as kubectl, stern and compose write it, is the field prefix. Several objects in one line are as many messages.
 *
 * A value that does not fit its header stays a field. When time_field is set, a record whose time cannot be read is refused. Numbers are doubles. Integers
 * beyond 2^53, of which a double does not hold all digits, are integers, and texts beyond 64 bits.
 */
import { parseExactly, type ExactObject } from '../modules/json.ts';
import { addMembers, knownHeaders } from '../lib/json/json_fields.ts';
import { CUT_LENGTH, cutError, cutObject, withInnerTime } from '../lib/json/cut_object.ts';
import { objectsOf } from '../lib/json/json_sequence.ts';
import { sentEvent, type SentEvent } from '../lib/json/sent_event.ts';
import { linePrefix } from '../lib/json/line_prefix.ts';
import { HOSTS, LOGGERS, MESSAGES, PROCESSES, SEVERITIES, TIMES } from '../lib/json/json_members.ts';
import { COLOURS } from '../lib/colours.ts';
import { Envelope } from '../lib/envelope.ts';
import { NAMED_FIELDS, UNWRAP } from '../lib/parameters.ts';
import { RecordMessage } from '../lib/record_message.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'json_lines',
  kind: 'decoder',
  comments: true,
  stateless: true,
  summary: 'Decodes lines of JSON.',
  split: { by: 'records', cases: { lines: 'line', objects: 'json', events: { between: /\r?\n(?:\r?\n)+/ } } },
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    {
      // MongoDB.
      lines: [/^\s*\{\s*"t":\s*\{\s*"\$date":\s*"/, /"s":\s*"/, /"c":\s*"/, /"ctx":\s*"/, /"msg":\s*"/],
      config: { time_field: 't.$date', severity_field: 's', logger_field: 'c' },
      rank: 3,
    },
    {
      // Serilog's compact form.
      lines: [/^\s*\{/, /"@t":\s*"/, /"@mt?":\s*"/],
      config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' },
      rank: 3,
    },
    {
      // PostgreSQL's jsonlog.
      lines: [/^\s*\{/, /"timestamp":\s*"/, /"pid":\s*\d/, /"error_severity":\s*"/],
      config: { severity_field: 'error_severity' },
      rank: 3,
    },
    {
      // Falco.
      lines: [/^\s*\{/, /"output":\s*"/, /"priority":\s*"/, /"rule":\s*"/],
      config: { severity_field: 'priority', message_field: 'output' },
      rank: 3,
    },
    {
      // Rust's tracing.
      lines: [/^\s*\{/, /"timestamp":"/, /"level":"(?:TRACE|DEBUG|INFO|WARN|ERROR)"/, /"target":"[\w:-]+"/],
      config: { logger_field: 'target' },
      rank: 3,
    },
    {
      // The journal of systemd.
      lines: [/^[^!-~]{0,20}\{/, /"__REALTIME_TIMESTAMP"\s*:\s*"/],
      config: { logger_field: 'SYSLOG_IDENTIFIER, _COMM' },
      rank: 3,
    },
    {
      // log show of macOS.
      lines: [/^\s*\{/, /"eventMessage":/, /"eventType":"/, /"processImagePath":"/],
      config: {
        time_field: 'timestamp',
        message_field: 'eventMessage',
        severity_field: 'messageType',
        logger_field: 'subsystem',
        pid_field: 'processID',
      },
      rank: 3,
    },
    {
      // MySQL's error log.
      lines: [/^\s*\{/, /"err_code":\s*\d/, /"label":\s*"/, /"msg":\s*"/],
      config: { severity_field: 'label', logger_field: 'subsystem' },
      rank: 3,
    },
    {
      // Python's logging, by its own names.
      lines: [/^\s*\{/, /"levelname":\s*"/, /"name":\s*"/, /"asctime":\s*"\d{4}-/],
      config: { time_field: 'asctime', logger_field: 'name' },
      rank: 3,
    },
    {
      // Loguru.
      lines: [/^\s*\{"text":\s*"/, /"record":\s*\{/, /"time":\s*\{[^}]*"timestamp":\s*\d/],
      config: {
        time_field: 'record.time.timestamp',
        severity_field: 'record.level.name',
        message_field: 'record.message',
        logger_field: 'record.name',
        pid_field: 'record.process.id',
      },
      rank: 3,
    },
    {
      // Ruby's Semantic Logger.
      lines: [/^\s*\{/, /"timestamp":\s*"/, /"level_index":\s*\d/, /"name":\s*"/],
      config: { hostname_field: 'host', logger_field: 'name' },
      rank: 3,
    },
    {
      // Datadog, whose status is a level.
      lines: [/^\s*\{/, /"status":\s*"[A-Za-z]+"/, /"service":\s*"/, /"message":\s*"/, /"(?:date|timestamp)":\s*["\d]/],
      config: { time_field: 'timestamp, date', severity_field: 'status', hostname_field: 'host' },
      rank: 3,
    },
    {
      // Syslog as rsyslog's templates and Vector write it.
      lines: [/^\s*\{/, /"host":\s*"/, /"severity":\s*"[a-z]+"/, /"message":\s*"/, /"timestamp":\s*"\d{4}-/],
      config: { hostname_field: 'hostname, host' },
      rank: 3,
    },
    {
      // Loki's logcli and Grafana's exports.
      lines: [/^\s*[[,]?\s*\{/, /"line":\s*"/, /"(?:labels|fields)":\s*\{/, /"timestamp":\s*"\d/],
      config: { message_field: 'line' },
      rank: 3,
    },
    {
      // Records of Windows' event log, as evtx_dump writes them.
      lines: [/^\s*\{"Event":/, /"TimeCreated":/, /"SystemTime":\s*"\d{4}-/],
      config: {
        time_field: 'Event.System.TimeCreated.#attributes.SystemTime',
        severity_field: 'Event.System.Level',
        severity_scale: 'windows',
        hostname_field: 'Event.System.Computer',
        logger_field: 'Event.System.Provider.#attributes.Name',
        pid_field: 'Event.System.Execution.#attributes.ProcessID',
      },
      rank: 3,
    },
    { form: 'json_lines', rank: 3 },
  ],
  parameters: {
    time_field: {
      type: 'string',
      summary: `Members that are the time: ${TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Members that are the severity.', default: SEVERITIES },
    message_field: { type: 'string', summary: 'Members that are the Payload.', default: MESSAGES },
    hostname_field: { type: 'string', summary: 'Members that are the Hostname.', default: HOSTS },
    logger_field: { type: 'string', summary: 'Members that are the Logger.', default: LOGGERS },
    pid_field: { type: 'string', summary: 'Members that are the Pid.', default: PROCESSES },
    records: {
      type: 'string',
      summary:
        'The records: lines, one in each line; objects, one for each object, over several lines or several in one, also in a list or in an export {"records":[…]}; events, one for each of the events that a server sends, with empty lines between them.',
      default: 'lines',
      values: ['lines', 'objects', 'events'],
    },
    unwrap: UNWRAP,
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
    {
      title: 'the last object of a list, over several lines',
      config: { records: 'objects' },
      in: '  {\n    "time": "2021-03-05T13:07:59Z",\n    "msg": "yes"\n  }\n]\n',
      out: { Timestamp: '1614949679000000000', Payload: 'yes', Fields: {} },
    },
    {
      title: 'an event that a server sends',
      config: { records: 'events' },
      in: 'event: log\nid: 7\ndata: {"time":"2021-03-05T13:07:59Z","level":"warn","msg":"slow"}\n',
      out: { Timestamp: '1614949679000000000', Severity: 4, Payload: 'slow', Fields: { sse_event: 'log', sse_id: '7' } },
    },
    { title: 'a line that was cut off', in: '{"time":"2021-03-05T14:07:59Z","msg":"sl', fails: 'no JSON object' },
    {
      title: 'a time in an unknown form',
      config: { time_field: 'at' },
      in: '{"at":"yesterday"}',
      fails: 'at is not a time that can be read',
    },
  ],
};

const noObject: ProcessStatus = [-1, 'no JSON object'];

const tooDeep: ProcessStatus = [-1, 'nested too deeply'];

const message = new RecordMessage({ time: TIMES });
const isTime = (name: string): boolean => message.isTime(name);
const envelope = new Envelope();
const open: Envelope['open'] = (text, time) => envelope.open(text, time);

/** The first and the last line of a list. */
const SHORT = 80;
const BRACKETS = new Set(['[', ']']);
/** Begins each record of a text sequence (RFC 7464). */
const SEPARATOR = '\x1e';
const ESCAPE_CODE = 27;

function withoutList(text: string): string {
  let line = text;
  if (line.startsWith('[')) line = line.slice(1).trimStart();
  if (line.endsWith(']')) line = line.slice(0, -1).trimEnd();
  return line.endsWith(',') ? line.slice(0, -1).trimEnd() : line;
}

/** The first of several objects in a line is injected by itself, and all others. */
function injectAll(objects: readonly string[]): ProcessStatus {
  for (const object of objects) {
    const record = parseExactly(object);
    if (record === null) return noObject;
    const status = injectObject(record, object, null, { text: object, start: 0, end: object.length, units: null });
    if (status !== 0) return status;
  }
  return 0;
}

/** The object of a record, and its text without what a list has around its objects. */
function objectOf(written: string): { readonly line: string; readonly record: ExactObject | null } {
  const whole = written.startsWith(SEPARATOR) ? written.slice(1) : written;
  const record = parseExactly(whole);
  if (record !== null) return { line: whole, record };
  const line = withoutList(whole.trim());
  return { line, record: line.startsWith('{') && line.endsWith('}') ? parseExactly(line) : null };
}

export function process_message(): ProcessStatus {
  const span = payload_span();
  const { text, start, end } = span;
  const whole = text.slice(start, end);
  if (whole.length < SHORT && BRACKETS.has(whole.trim())) return 0;
  const { line, record } = objectOf(whole);
  if (record !== null) return injectObject(record, line, null, span);
  if (whole.charCodeAt(0) === ESCAPE_CODE) return injectPlain(whole.replace(COLOURS, '').trim(), span);
  const event = sentEvent(whole);
  if (event !== null) return injectEvent(event, span);
  const objects = objectsOf(line);
  if (objects !== null) return injectAll(objects);
  const prefix = line.endsWith('}') ? linePrefix(whole) : null;
  const behind = prefix === null ? null : parseExactly(whole.slice(prefix.to));
  if (prefix !== null && behind !== null) return injectObject(behind, whole, prefix.name, span);
  return line.length < CUT_LENGTH || line.endsWith('}') ? noObject : injectCut(line, span);
}

/** Injects an object that was written in colours. */
function injectPlain(line: string, span: PayloadSpan): ProcessStatus {
  const record = parseExactly(line);
  return record === null ? noObject : injectObject(record, line, null, span);
}

function injectEvent({ data, fields }: SentEvent, { text, start, end }: PayloadSpan): ProcessStatus {
  const record = parseExactly(data);
  if (record === null) return noObject;
  message.begin();
  for (const { name, value } of fields) message.add(name, value);
  return addMembers(message, record, data) ? message.inject(text, start, end, knownHeaders(record), open) : tooDeep;
}

/** Injects the members of an object that its input cut off, and that were read to their ends. */
function injectCut(line: string, span: PayloadSpan): ProcessStatus {
  const part = cutObject(line);
  const record = part === null ? null : parseExactly(part);
  if (record === null) return noObject;
  return injectObject({ ...withInnerTime(record, line, isTime), decode_error: cutError(line) }, line, null, span);
}

/** @param prefix the name in front of the object; null: there is none */
function injectObject(record: ExactObject, line: string, prefix: string | null, { text, start, end }: PayloadSpan): ProcessStatus {
  message.begin();
  if (prefix !== null) message.add('prefix', prefix);
  if (!addMembers(message, record, line)) return tooDeep;
  return message.inject(text, start, end, knownHeaders(record), open);
}
