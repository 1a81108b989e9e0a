/**
 * Decodes logs of Amazon CloudWatch Logs: what `aws logs filter-log-events`, `get-log-events` and `tail` print, as JSON or as text, lines of exports, and records
 * of subscriptions (Kinesis, Firehose, Lambda) with their list logEvents. Each event becomes a message.
 *
 * | Part | Becomes |
 * |---|---|
 * | timestamp, milliseconds since 1970 or a date | Timestamp, or the field envelope_time when the message has one of its own |
 * | logStreamName, logStream | the field log_stream |
 * | logGroupName, logGroup | the field log_group |
 * | eventId, id | the field event_id |
 * | owner, ingestionTime (milliseconds since 1970) | the fields owner and ingestion_time (`ms`) |
 * | message | Payload |
 * | the same when it is JSON, such as audit events of Kubernetes and events of CloudTrail, logfmt, a line of an access log or a record with a date in the form of a program's log | headers and fields, as the decoder of that form makes them |
 * | a level at its beginning | Severity |
 *
 * Tabs and line ends in what `--output text` prints are not told from those of the message. Control messages of subscriptions are passed on undecoded.
 */
import { AnyDate, epochTime } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { isObject, parseExactly, type ExactJson, type ExactObject } from '../modules/json.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { WallClock } from '../modules/time_zone.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { Envelope } from '../lib/envelope.ts';
import { severityInText } from '../lib/header/level_in_text.ts';
import { KEEP_PREFIX, KEEP_RECORD, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { wrapped } from '../lib/wrapped.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const TAIL = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6}\+00:00)? [\w./-]*(?:/\[?[\w.$-]+\]?)?[\w./-]*[\da-f]{8,32} `;

export const meta: PluginMeta = {
  name: 'aws_cloudwatch',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes events of Amazon CloudWatch Logs, with the records in them.',
  split: {
    by: 'records',
    cases: {
      lines: 'line',
      // As `aws logs` indents them.
      objects: { before: /^ {8}\{/, preamble: /^\{$|^ {4}"events": \[$/ },
      events: { before: `EVENTS\t|${TAIL}` },
    },
  },
  columns: ['log_group', 'log_stream'],
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    { lines: [/^\s*\{/, /"logEvents":\s*\[/, /"logStream":\s*"/], config: { type: 'aws.cloudwatch' }, rank: 2 },
    { text: /^\s*\{\s*\n {4}"events": \[\s*\n {8}\{\s*\n/, config: { type: 'aws.cloudwatch', records: 'objects' }, rank: 2 },
    { text: /^\s*\{\s*"events":\s*\[\s*\{[^{}]*"(?:timestamp|ingestionTime)":\s*\d{13}/, config: { type: 'aws.cloudwatch' }, rank: 2 },
    {
      lines: [/^\s*\{/, /"timestamp":\s*"?\d{13}\b/, /"message":\s*"/, /"(?:ingestionTime|logStreamName|eventId)":/],
      config: { type: 'aws.cloudwatch' },
      rank: 2,
    },
    {
      lines: [/^\s*\{/, /^\s*\{\s*(?:"id":\s*"\d{50,60}",\s*)?"timestamp":\s*\d{13},\s*"message":\s*"(?:[^"\\]|\\.)*"\s*\}$/],
      config: { type: 'aws.cloudwatch' },
      rank: 2,
    },
    { records: /^EVENTS\t(?:\d{13}|\d{50,60})\t/, config: { type: 'aws.cloudwatch', records: 'events' }, rank: 2 },
    { records: `^${TAIL}`, least: 0.95, config: { type: 'aws.cloudwatch', records: 'events' }, rank: 5 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    records: {
      type: 'string',
      summary:
        'Where records begin: lines, at each line; objects, at those of a list that is indented; events, at the events of --output text and of tail.',
      default: 'lines',
      values: ['lines', 'objects', 'events'],
    },
    unwrap: UNWRAP,
    prefix_keep: KEEP_PREFIX,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a subscription',
      in: '{"messageType":"DATA_MESSAGE","owner":"123456789012","logGroup":"/aws/lambda/shop","logStream":"2021/03/05/[1]7f","subscriptionFilters":["all"],"logEvents":[{"id":"36","timestamp":1614949679250,"message":"{\\"level\\":\\"error\\",\\"msg\\":\\"no\\",\\"tries\\":3}"},{"id":"37","timestamp":1614949679251,"message":"END RequestId: 7f9c\\n"}]}',
      out: [
        {
          Timestamp: '1614949679250000000',
          Severity: 3,
          Payload: 'no',
          Fields: { log_group: '/aws/lambda/shop', log_stream: '2021/03/05/[1]7f', event_id: '36', owner: '123456789012', tries: 3 },
        },
        {
          Timestamp: '1614949679251000000',
          Payload: 'END RequestId: 7f9c',
          Fields: { log_group: '/aws/lambda/shop', log_stream: '2021/03/05/[1]7f', event_id: '37', owner: '123456789012' },
        },
      ],
    },
    {
      title: 'a line of an export',
      config: { type: 'cloud' },
      in: '{"timestamp":1614949680000,"message":"2021-03-05 13:07:59,250 - shop - WARNING - slow","logStreamName":"web"}',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'cloud',
        Severity: 4,
        Logger: 'shop',
        Payload: 'slow',
        Fields: { log_stream: 'web', envelope_time: '1614949680000' },
      },
    },
    {
      title: 'aws logs tail',
      config: { records: 'events', prefix_keep: true },
      in: '2021-03-05T13:07:59.250000+00:00 web/7f9c2d3e4a5b slow',
      out: {
        Timestamp: '1614949679250000000',
        Payload: '2021-03-05T13:07:59.250000+00:00 web/7f9c2d3e4a5b slow',
        Fields: { log_stream: 'web/7f9c2d3e4a5b' },
      },
    },
    { title: 'another object', in: '{"level":"info"}', fails: 'no event of CloudWatch Logs' },
  ],
};

const TAIL_LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?) (\S+) /;
/** The identifier of filter-log-events, the time of arrival, the stream, the text and the time. */
const EVENT = /^EVENTS\t(?:(\d{50,60})\t)?(\d{13})\t(?:([^\t\n]{1,512})\t(?=[^]*\t\d{13}\s*$))?([^]*)\t(\d{13})\s*$/;
const LINE_ENDS = /[\r\n]+$/;
/** The brackets behind the last event of an indented list. */
const LIST_END = /,?\s*(?:\]\s*(?:,[^]*)?\}?\s*)?$/;
const OBJECT = /^\s*(\{[^]*\n {8}\})/;
const CONTROL = 'CONTROL_MESSAGE';

const refusal: ProcessStatus = [-1, 'no event of CloudWatch Logs'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const keepPrefix = boolConfig('prefix_keep');
const envelope = new Envelope();
const writer = new TableWriter();
const date = new AnyDate(() => 0, new WallClock('UTC'));

/** An event, and what all events of its record have. */
interface Event {
  readonly time: string;
  readonly words: string;
  readonly fields: readonly LogField[];
  /** The time and the names in front of the text in a line. */
  readonly prefix: string;
}

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const written = text.slice(start, withoutLineEnd(text, start, end));
  const events = eventsOf(written);
  if (events === null) return refusal;
  for (const event of events) {
    const status = inject(event, written);
    if (status !== 0) return status;
  }
  return 0;
}

function eventsOf(written: string): readonly Event[] | null {
  const line = lineEvent(written);
  if (line !== null) return [line];
  const object = parseExactly(written) ?? parseExactly(OBJECT.exec(written)?.[1] ?? written.replace(LIST_END, ''));
  if (object === null) return null;
  const { logEvents, events, messageType } = object;
  if (messageType === CONTROL) return [];
  const list: ExactJson | undefined = logEvents ?? events;
  if (Array.isArray(list)) return list.flatMap((item: ExactJson) => (isObject(item) ? (objectEvent(item, object) ?? []) : []));
  const event = objectEvent(object, {});
  return event === null ? null : [event];
}

/** An event of `tail` or of `--output text`. */
function lineEvent(written: string): Event | null {
  const [head, time, stream] = TAIL_LINE.exec(written) ?? [];
  if (head !== undefined && time !== undefined && stream !== undefined)
    return { time, words: written.slice(head.length), fields: [{ name: 'log_stream', value: stream }], prefix: head };
  const [whole, id, arrival, of, words = '', at] = EVENT.exec(written) ?? [];
  if (whole === undefined || at === undefined) return null;
  const fields = [...textField('log_stream', of), ...textField('event_id', id), ...arrivalField(Number(arrival))];
  return { time: at, words, fields, prefix: '' };
}

/** The event that an object is, in a record with these members. */
function objectEvent(event: ExactObject, record: ExactObject): Event | null {
  const { timestamp, message, ingestionTime } = event;
  if (typeof message !== 'string' || (typeof timestamp !== 'number' && typeof timestamp !== 'string')) return null;
  const { logGroup = event['logGroupName'], logStream = event['logStreamName'], owner } = { ...event, ...record };
  const fields = [
    ...textField('log_group', logGroup),
    ...textField('log_stream', logStream),
    ...textField('event_id', event['eventId'] ?? event['id']),
    ...textField('owner', owner),
    ...(typeof ingestionTime === 'number' ? arrivalField(ingestionTime) : []),
  ];
  return { time: String(timestamp), words: message, fields, prefix: '' };
}

const textField = (name: string, value: ExactJson | undefined): LogField[] => (typeof value === 'string' ? [{ name, value }] : []);
const arrivalField = (value: number): LogField[] => [{ name: 'ingestion_time', value, representation: 'ms' }];

function inject({ time, words: written, fields, prefix }: Event, record: string): ProcessStatus {
  const words = written.replace(LINE_ENDS, '');
  const ns = /^\d+$/.test(time) ? epochTime(Number(time)) : date.parse(time);
  const message: LogMessage = { Payload: words, Fields: fields };
  if (ns !== null) message.Timestamp = ns;
  const inner = envelope.open(words, message.Timestamp);
  const severity = inner === null ? severityInText(words, 0, words.length) : -1;
  const whole = inner === null ? message : wrapped(message, inner, { time });
  if (severity >= 0) whole.Severity = severity;
  if (keepPrefix && whole.Payload !== undefined) whole.Payload = prefix + whole.Payload;
  if (keepPayload) whole.Payload = record;
  if (type !== null) whole.Type = type;
  return writer.inject(whole);
}
