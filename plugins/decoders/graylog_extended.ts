/**
 * Decodes messages in the Graylog Extended Log Format (GELF 1.1), one JSON object in each record.
 *
 * | Member | Becomes |
 * |---|---|
 * | timestamp, a number of seconds, which must be there unless `mapped` is set | Timestamp |
 * | version | EnvVersion |
 * | host | Hostname |
 * | level, a number or a numeric text | Severity |
 * | short_message | a field of its unchanged name; with `mapped` the Payload |
 * | any other: full_message, `_anything` | a field of its unchanged name; with `mapped` without the underscore in front |
 * | full_message, else short_message, when it is JSON, logfmt or a record of a form that is known | headers and fields, as the decoder of that form makes them; the time and the level are the fields envelope_time and envelope_severity then |
 *
 * Texts, numbers, booleans and lists of one of these are fields; null is left out. A record with a nested object, an empty list or a list
 * of different types is refused.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { injectTable } from '../base/inject.ts';
import { decimalTime } from '../base/instant.ts';
import { fieldValue, numberText, parseExactly, type ExactJson, type ExactObject } from '../modules/json.ts';
import { Envelope } from '../lib/envelope.ts';
import { TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { wrapped } from '../lib/wrapped.ts';
import type { LogField, LogMessage } from '../modules/table_writer.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'graylog_extended',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes messages in the Graylog Extended Log Format (GELF).',
  columns: ['short_message'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [{ lines: [/^\s*\{/, /"short_message":\s*"/, /"timestamp":\s*\d/], least: 0.95, config: { type: 'gelf' }, rank: 1 }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    unwrap: UNWRAP,
    payload_keep: { type: 'bool', summary: 'Keep the JSON text as Payload.', default: false },
    mapped: {
      type: 'bool',
      summary:
        'The short message becomes the Payload, unless that is the JSON text, and names of fields lose the underscore in front. A timestamp may be missing or a text.',
      default: false,
    },
  },
  examples: [
    {
      title: 'an error with two lines of detail',
      config: { type: 'gelf' },
      in: '{"version":"1.1","host":"h1","short_message":"hi","full_message":"long\\ntext","timestamp":1614949679.5,"level":3,"_user_id":42,"_ok":true}',
      out: {
        Timestamp: '1614949679500000000',
        Type: 'gelf',
        EnvVersion: '1.1',
        Hostname: 'h1',
        Severity: 3,
        Fields: { short_message: 'hi', full_message: 'long\ntext', _user_id: 42, _ok: true },
      },
    },
    {
      title: 'a list, and the text kept',
      config: { payload_keep: true },
      in: '{"timestamp":1,"_a":[1,2],"_n":null}',
      out: { Timestamp: '1000000000', Payload: '{"timestamp":1,"_a":[1,2],"_n":null}', Fields: { _a: [1, 2] } },
    },
    {
      title: 'a short message that becomes the Payload',
      config: { mapped: true },
      in: '{"version":"1.1","host":"h1","short_message":"hi","timestamp":"1614949679.5","level":6,"_user_id":42}',
      out: { Timestamp: '1614949679500000000', EnvVersion: '1.1', Hostname: 'h1', Severity: 6, Payload: 'hi', Fields: { user_id: 42 } },
    },
    {
      title: 'a timestamp that is not a number',
      in: '{"version":"1.1","host":"h1","short_message":"hi","timestamp":"1614949679"}',
      fails: 'no timestamp that is a number',
    },
    { title: 'a nested object', in: '{"timestamp":1,"_o":{"a":1}}', fails: '_o is neither a scalar nor a list of one type' },
    { title: 'a line of another log', in: 'Mar  5 13:07:59 box1 cron: x', fails: 'no JSON object' },
  ],
};

/** Members that become headers. */
const HEADERS = new Set(['timestamp', 'version', 'host', 'level']);

const MAX_SEVERITY = 2_147_483_647;

const noObject: ProcessStatus = [-1, 'no JSON object'];
const noTime: ProcessStatus = [-1, 'no timestamp that is a number'];

/** Members that may be records; the long one is the whole text. */
const SHORT = 'short_message';
const TEXTS = ['full_message', SHORT];
const envelope = new Envelope();

const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const mapped = boolConfig('mapped');

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, end);
  const record = parseExactly(line);
  if (record === null) return noObject;
  const { timestamp = null, version = null, host = null, level = null } = record;
  const time = timeOf(line, timestamp);
  if (time === null && !(mapped && timestamp === null)) return noTime;

  const message: InjectMessage = time === null ? {} : { Timestamp: time };
  if (type !== null) message.Type = type;
  if (isText(version)) message.EnvVersion = String(version);
  if (isText(host)) message.Hostname = String(host);
  if (isText(level) && isSeverity(level)) message.Severity = Number(level);
  if (keepPayload) message.Payload = line;
  const fields = fieldsOf(record);
  if (typeof fields === 'string') return [-1, `${fields} is neither a scalar nor a list of one type`];
  message.Fields = fields;
  return injectTable(opened(message, fields) ?? (mapped ? withPayload(message, fields) : message));
}

/** The message with its short text as Payload. */
function withPayload(message: InjectMessage, fields: readonly LogField[]): InjectMessage {
  const text = fields.find(({ name }) => name === SHORT)?.value;
  if (keepPayload || typeof text !== 'string') return message;
  return { ...message, Payload: text, Fields: fields.filter(({ name }) => name !== SHORT) };
}

/** The message with the record that its long or its short text is; null: both are words. */
function opened(message: InjectMessage, fields: readonly LogField[]): InjectMessage | null {
  if (!envelope.opens) return null;
  for (const name of TEXTS) {
    const words = fields.find((field) => field.name === name)?.value;
    const inner = typeof words === 'string' ? envelope.open(words, message.Timestamp) : null;
    if (inner === null) continue;
    const { Fields: _, EnvVersion, Payload, ...headers } = message;
    const whole: InjectMessage = wrapped({ ...(headers as LogMessage), Fields: fields.filter((field) => field.name !== name) }, inner);
    if (EnvVersion !== undefined) whole.EnvVersion = EnvVersion;
    if (keepPayload && Payload !== undefined) whole.Payload = Payload;
    return whole;
  }
  return null;
}

/** Nanoseconds since 1970, by the digits that the line has; null: it is no time. */
function timeOf(line: string, timestamp: ExactJson): number | bigint | null {
  if (mapped && typeof timestamp === 'string') return decimalTime(timestamp);
  const seconds = typeof timestamp === 'bigint' ? Number(timestamp) : timestamp;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return null;
  return decimalTime(numberText(line, 'timestamp', seconds)) ?? Math.round(seconds * 1e9);
}

function isText(value: ExactJson): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a level is a number that the header can hold. */
function isSeverity(level: string | number | bigint): boolean {
  return String(level).trim() !== '' && Math.abs(Number(level)) <= MAX_SEVERITY;
}

/** The fields, or the name of a member that cannot be one. */
function fieldsOf(record: ExactObject): LogField[] | string {
  const fields: LogField[] = [];
  for (const name of Object.keys(record)) {
    const member = record[name] as ExactJson;
    if (member === null || HEADERS.has(name)) continue;
    const value = fieldValue(member);
    if (value === null) return name;
    fields.push({ name: mapped && name.startsWith('_') ? name.slice(1) : name, value });
  }
  return fields;
}
