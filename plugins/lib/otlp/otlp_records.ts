/** Log records and spans of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addInteger, addJson, addPairs, addTexts, addValue, addWord } from './otlp_fields.ts';
import { integerOf, objectIn, objectsIn, textIn, timeOf } from './otlp_values.ts';
import { PINO, SeverityScale } from '../header/severity.ts';

/** The headers and fields that all messages of one resource and scope share. */
export interface Origin {
  readonly head: LogMessage;
  readonly fields: readonly LogField[];
}

const MOST_PID = 2_147_483_647n;

export function originOf(resource: ExactObject, scope: ExactObject): Origin {
  const head: LogMessage = {};
  const [logger, version] = [textIn(scope, 'name'), textIn(scope, 'version')];
  if (logger !== null) head.Logger = logger;
  const fields: LogField[] = version === null ? [] : [{ name: 'scope.version', value: version }];
  addPairs(fields, 'scope.', objectsIn(scope, 'attributes'));
  const others = objectsIn(resource, 'attributes').filter((pair) => !takeHeader(head, pair));
  addPairs(fields, 'resource.', others);
  return { head, fields };
}

/** Whether an attribute of a resource is a header of the messages. */
function takeHeader(head: LogMessage, pair: ExactObject): boolean {
  const { stringValue, intValue } = objectIn(pair, 'value');
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
  const body = objectIn(record, 'body');
  addAttributes(fields, record, RECORD_FIELDS);
  if (typeof body['stringValue'] !== 'string') addValue(fields, 'body', body);
  addTexts(fields, record, { severity_text: 'severityText', trace_id: 'traceId', span_id: 'spanId' });
  const number = severityNumber(record['severityNumber']);
  const severity = severityOf(number, textIn(record, 'severityText'));
  if (number !== 0 && number !== USUAL_NUMBERS[severity]) addInteger(fields, 'severity_number', number);
  addInteger(fields, 'trace_flags', record['flags']);
  const observed = timeOf(record['observedTimeUnixNano']);
  if (observed !== null) fields.push({ name: 'observed_timestamp', value: observed, representation: 'ns' });
  const message: LogMessage = { Type: textIn(record, 'eventName') ?? 'otlp.log', Fields: fields };
  const time = timeOf(record['timeUnixNano']) ?? observed;
  if (time !== null) message.Timestamp = time;
  if (typeof body['stringValue'] === 'string') message.Payload = body['stringValue'];
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
  addTexts(fields, span, { trace_id: 'traceId', span_id: 'spanId', parent_span_id: 'parentSpanId', trace_state: 'traceState' });
  addWord(fields, 'kind', span['kind'], SPAN_KINDS, 'SPAN_KIND_');
  const [start, end] = [timeOf(span['startTimeUnixNano']), timeOf(span['endTimeUnixNano'])];
  if (start !== null && end !== null) fields.push({ name: 'duration', value: Number(end - start) / NS_IN_S, representation: 's' });
  const status = objectIn(span, 'status');
  const code = addWord(fields, 'status', status['code'], STATUS_CODES, 'STATUS_CODE_');
  addTexts(fields, status, { status_message: 'message' });
  for (const name of ['events', 'links']) addJson(fields, name, span[name]);
  const message: LogMessage = { Type: 'otlp.span', Fields: fields };
  if (start !== null) message.Timestamp = start;
  const name = textIn(span, 'name');
  if (name !== null) message.Payload = name;
  if (code === 'error') message.Severity = ERROR;
  return message;
}
