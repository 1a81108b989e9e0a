/** Log records of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addId, addInteger, addText, addValue } from './otlp_fields.ts';
import { takeHeader } from './otlp_headers.ts';
import { RECORD_TYPE } from './otlp_names.ts';
import { int32Of, objectOf, objectsOf, textOf, timeOf } from './otlp_values.ts';
import { PINO, SeverityScale } from '../header/severity.ts';

export function recordMessage(record: ExactObject): LogMessage {
  const fields: LogField[] = [];
  const body = objectOf(record['body']);
  const words = body['stringValue'];
  const hasText = typeof words === 'string';
  const eventName = textOf(record['eventName']);
  const message: LogMessage = { Type: eventName ?? RECORD_TYPE, Fields: fields };
  const attributes = objectsOf(record['attributes']);
  const isHeld = attributes.some(({ key }) => HELD.has(key));
  addAttributes(fields, isHeld ? attributes.filter((pair) => !takeOfRecord(message, pair)) : attributes, 'record', hasText);
  if (!hasText) addValue(fields, 'body', body);
  addText(fields, 'severity_text', record['severityText']);
  addId(fields, 'trace_id', record['traceId'], 32);
  addId(fields, 'span_id', record['spanId'], 16);
  const number = severityNumber(record['severityNumber']);
  const severity = severityOf(number, textOf(record['severityText']));
  if (number !== 0 && number !== USUAL_NUMBERS[severity]) addInteger(fields, 'severity_number', number);
  addInteger(fields, 'trace_flags', record['flags']);
  const observed = timeOf(record['observedTimeUnixNano']);
  if (observed !== null) fields.push({ name: 'observed_timestamp', value: observed, representation: 'ns' });
  if (eventName === RECORD_TYPE) addText(fields, 'event_name', eventName);
  addInteger(fields, 'dropped_attributes_count', record['droppedAttributesCount']);
  const time = timeOf(record['timeUnixNano']) ?? observed;
  if (time !== null) message.Timestamp = time;
  if (hasText) message.Payload = words;
  if (severity >= 0 && message.Severity === undefined) message.Severity = severity;
  return message;
}

/** Attributes for headers that records have no place for. */
const HELD: ReadonlySet<unknown> = new Set(['log.record.uid', 'sluicebox.severity', 'sluicebox.env_version']);
/** In the form that is written again for it. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether an attribute of a record is a header of its message. */
function takeOfRecord(message: LogMessage, { key, value }: ExactObject): boolean {
  const { stringValue, intValue } = objectOf(value);
  const text = typeof stringValue === 'string' ? stringValue : null;
  if (key === 'log.record.uid') return takeHeader(message, 'Uuid', text !== null && UUID.test(text) ? text : null);
  if (key === 'sluicebox.severity') return takeHeader(message, 'Severity', int32Of(intValue));
  return key === 'sluicebox.env_version' && takeHeader(message, 'EnvVersion', text);
}

const scale = new SeverityScale(PINO);
/** Severity numbers from which on 0 to 7 begin, and those that stand for them. */
const FIRST_NUMBERS = [21, 19, 18, 17, 13, 10, 9, 1];
const USUAL_NUMBERS = [21, 19, 18, 17, 13, 10, 9, 5];
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const STEPS = 4;

/** A severity number, which may be written as its name, such as `SEVERITY_NUMBER_INFO2`. 0: there is none. */
function severityNumber(value: ExactJson | undefined): number {
  if (value === undefined) return 0;
  const [, level = '', step = '1'] = /^SEVERITY_NUMBER_([A-Z]+)([2-4])?$/.exec(typeof value === 'string' ? value : '') ?? [];
  const at = LEVELS.indexOf(level);
  const number = at < 0 ? Number(value) : at * STEPS + Number(step);
  return Number.isInteger(number) ? number : 0;
}

function severityOf(number: number, text: string | null): number {
  if (number > 0 && number <= LEVELS.length * STEPS) return FIRST_NUMBERS.findIndex((first) => first <= number);
  return text === null ? -1 : scale.severityOf(text);
}
