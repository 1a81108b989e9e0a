/** Spans of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addId, addJson, addText, addWord } from './otlp_fields.ts';
import { objectOf, objectsOf, plainPairs, textOf, timeOf } from './otlp_values.ts';

const SPAN_KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_CODES = ['', 'ok', 'error'];
const ERROR = 3;
const NS_IN_S = 1e9;

export function spanMessage(span: ExactObject): LogMessage {
  const fields: LogField[] = [];
  addAttributes(fields, objectsOf(span['attributes']), 'span');
  addId(fields, 'trace_id', span['traceId'], 32);
  addId(fields, 'span_id', span['spanId'], 16);
  addId(fields, 'parent_span_id', span['parentSpanId'], 16);
  addText(fields, 'trace_state', span['traceState']);
  addWord(fields, 'kind', span['kind'], SPAN_KINDS, 'SPAN_KIND_');
  const [start, end] = [timeOf(span['startTimeUnixNano']), timeOf(span['endTimeUnixNano'])];
  if (start !== null && end !== null) fields.push({ name: 'duration', value: Number(end - start) / NS_IN_S, representation: 's' });
  const status = objectOf(span['status']);
  const code = addWord(fields, 'status', status['code'], STATUS_CODES, 'STATUS_CODE_');
  addText(fields, 'status_message', status['message']);
  addJson(fields, 'events', objectsOf(span['events']).map(plainEvent));
  addJson(fields, 'links', objectsOf(span['links']).map(plainLink));
  const message: LogMessage = { Type: 'otlp.span', Fields: fields };
  if (start !== null) message.Timestamp = start;
  const name = textOf(span['name']);
  if (name !== null) message.Payload = name;
  if (code === 'error') message.Severity = ERROR;
  return message;
}

function plainEvent(event: ExactObject): ExactObject {
  const time = timeOf(event['timeUnixNano']);
  return { ...(time === null ? {} : { timeUnixNano: String(time) }), ...texts(event, ['name']), ...attributesOf(event) };
}

const plainLink = (link: ExactObject): ExactObject => ({ ...texts(link, ['traceId', 'spanId', 'traceState']), ...attributesOf(link) });

const texts = (object: ExactObject, names: readonly string[]): ExactObject =>
  Object.fromEntries(names.flatMap((name): [string, ExactJson][] => (textOf(object[name]) === null ? [] : [[name, object[name] ?? null]])));

function attributesOf(object: ExactObject): ExactObject {
  const pairs = objectsOf(object['attributes']);
  return pairs.length === 0 ? {} : { attributes: plainPairs(pairs) };
}
