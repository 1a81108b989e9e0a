/** Log records and spans of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addInteger, addJson, addPairs, addText, addValue, addWord } from './otlp_fields.ts';
import { integerOf, objectOf, objectsOf, textOf, timeOf } from './otlp_values.ts';
import { PINO, SeverityScale } from '../header/severity.ts';

/** The headers and fields that all messages of one resource and scope share. */
export interface Origin {
  readonly head: LogMessage;
  readonly fields: readonly LogField[];
}

const MOST_PID = 2_147_483_647n;

export function originOf(resource: ExactObject, scope: ExactObject): Origin {
  const head: LogMessage = {};
  const logger = textOf(scope['name']);
  if (logger !== null) head.Logger = logger;
  const fields: LogField[] = [];
  addText(fields, 'scope.version', scope['version']);
  addPairs(fields, 'scope.', objectsOf(scope['attributes']));
  const others = objectsOf(resource['attributes']).filter((pair) => !takeHeader(head, pair));
  addPairs(fields, 'resource.', others);
  return { head, fields };
}

/** Whether an attribute of a resource is a header of the messages. */
function takeHeader(head: LogMessage, pair: ExactObject): boolean {
  const { stringValue, intValue } = objectOf(pair['value']);
  if (pair['key'] === 'host.name' && typeof stringValue === 'string') {
    head.Hostname = stringValue;
    return true;
  }
  const pid = pair['key'] === 'process.pid' ? integerOf(intValue) : null;
  if (pid === null || pid < 0n || pid > MOST_PID) return false;
  head.Pid = Number(pid);
  return true;
}

const RECORD_FIELDS = new Set(['body', 'severity_text', 'severity_number', 'trace_id', 'span_id', 'trace_flags', 'observed_timestamp']);

export function recordMessage(record: ExactObject): LogMessage {
  const fields: LogField[] = [];
  const body = objectOf(record['body']);
  addAttributes(fields, record, RECORD_FIELDS);
  const words = body['stringValue'];
  if (typeof words !== 'string') addValue(fields, 'body', body);
  addText(fields, 'severity_text', record['severityText']);
  addText(fields, 'trace_id', record['traceId']);
  addText(fields, 'span_id', record['spanId']);
  const number = severityNumber(record['severityNumber']);
  const severity = severityOf(number, textOf(record['severityText']));
  if (number !== 0 && number !== USUAL_NUMBERS[severity]) addInteger(fields, 'severity_number', number);
  addInteger(fields, 'trace_flags', record['flags']);
  const observed = timeOf(record['observedTimeUnixNano']);
  if (observed !== null) fields.push({ name: 'observed_timestamp', value: observed, representation: 'ns' });
  const message: LogMessage = { Type: textOf(record['eventName']) ?? 'otlp.log', Fields: fields };
  const time = timeOf(record['timeUnixNano']) ?? observed;
  if (time !== null) message.Timestamp = time;
  if (typeof words === 'string') message.Payload = words;
  if (severity >= 0) message.Severity = severity;
  return message;
}

const scale = new SeverityScale(PINO);
/** Severity numbers from which on 0 to 7 begin, and those that stand for them. */
const FIRST_NUMBERS = [21, 19, 18, 17, 13, 10, 9, 1];
const USUAL_NUMBERS = [21, 19, 18, 17, 13, 10, 9, 5];
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const STEPS = 4;

/** A severity number, 1 to 24, which may be written as its name, such as `SEVERITY_NUMBER_INFO2`. 0: there is none. */
function severityNumber(value: ExactJson | undefined): number {
  if (value === undefined) return 0;
  const [, level = '', step = '1'] = /^SEVERITY_NUMBER_([A-Z]+)([2-4])?$/.exec(typeof value === 'string' ? value : '') ?? [];
  const at = LEVELS.indexOf(level);
  const number = at < 0 ? Number(value) : at * STEPS + Number(step);
  return Number.isInteger(number) && number >= 1 && number <= LEVELS.length * STEPS ? number : 0;
}

function severityOf(number: number, text: string | null): number {
  if (number > 0) return FIRST_NUMBERS.findIndex((first) => first <= number);
  return text === null ? -1 : scale.severityOf(text);
}

const SPAN_FIELDS = new Set(
  ['trace_id', 'span_id', 'parent_span_id', 'trace_state', 'kind', 'duration'].concat('status', 'status_message', 'events', 'links'),
);
const SPAN_KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_CODES = ['', 'ok', 'error'];
const ERROR = 3;
const NS_IN_S = 1e9;

export function spanMessage(span: ExactObject): LogMessage {
  const fields: LogField[] = [];
  addAttributes(fields, span, SPAN_FIELDS);
  addText(fields, 'trace_id', span['traceId']);
  addText(fields, 'span_id', span['spanId']);
  addText(fields, 'parent_span_id', span['parentSpanId']);
  addText(fields, 'trace_state', span['traceState']);
  addWord(fields, 'kind', span['kind'], SPAN_KINDS, 'SPAN_KIND_');
  const [start, end] = [timeOf(span['startTimeUnixNano']), timeOf(span['endTimeUnixNano'])];
  if (start !== null && end !== null) fields.push({ name: 'duration', value: Number(end - start) / NS_IN_S, representation: 's' });
  const status = objectOf(span['status']);
  const code = addWord(fields, 'status', status['code'], STATUS_CODES, 'STATUS_CODE_');
  addText(fields, 'status_message', status['message']);
  for (const name of ['events', 'links']) addJson(fields, name, span[name]);
  const message: LogMessage = { Type: 'otlp.span', Fields: fields };
  if (start !== null) message.Timestamp = start;
  const name = textOf(span['name']);
  if (name !== null) message.Payload = name;
  if (code === 'error') message.Severity = ERROR;
  return message;
}
