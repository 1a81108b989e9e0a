/**
 * Decodes events of AWS CloudTrail: the files that it delivers, which are one list `{"Records":[…]}`, lines with one event in each, what `aws cloudtrail
 * lookup-events` prints, and the envelopes of EventBridge.
 *
 * | Member | Becomes |
 * |---|---|
 * | eventTime | Timestamp |
 * | errorCode | Severity: 3 when the service failed, 4 when it refused the request or the login failed; 6 without one |
 * | errorMessage | Payload |
 * | requestParameters, responseElements, serviceEventDetails, additionalEventData | fields of their names with their JSON text |
 * | all others | fields of their names, nested ones joined by dots, as json_lines makes them |
 *
 * Files are cut between the events, so that one of any size can be read: a record then begins or ends with a part of the list, which is left out.
 */
import { isObject, parseExactly, type ExactJson, type ExactObject } from '../modules/json.ts';
import { CLOUDTRAIL } from '../lib/json/cloudtrail_event.ts';
import { JsonEvents } from '../lib/json/json_events.ts';
import { KEEP_RECORD, TYPE } from '../lib/parameters.ts';

export const meta: PluginMeta = {
  name: 'aws_cloudtrail',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes events of AWS CloudTrail.',
  split: { between: /(\})(?:\s*,?\s*\{\s*"eventVersion"|\r?\n\{)/ },
  columns: ['eventName', 'eventSource', 'userIdentity.arn', 'sourceIPAddress', 'errorCode'],
  recordSummary: '{eventName} · {userIdentity.userName|userIdentity.arn|userIdentity.type} · {errorCode} · {Payload|errorMessage}',
  looks: [
    {
      text: /^\s*\{\s*"Records"\s*:\s*\[\s*\{[\s\S]{0,900}"(?:eventVersion|eventSource)"\s*:/,
      config: { type: 'aws.cloudtrail' },
      rank: 2,
    },
    { lines: [/^\s*\{/, /"eventTime":\s*"/, /"eventSource":\s*"/, /"eventName":\s*"/], config: { type: 'aws.cloudtrail' }, rank: 2 },
  ],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a list, with one request that is not allowed',
      in: '{"Records":[{"eventVersion":"1.08","userIdentity":{"type":"IAMUser","userName":"alice"},"eventTime":"2021-03-05T13:07:59Z","eventSource":"s3.amazonaws.com","eventName":"GetObject","sourceIPAddress":"192.0.2.1","errorCode":"AccessDenied","errorMessage":"Access Denied","requestParameters":{"key":"a"},"responseElements":null},{"eventVersion":"1.08","eventTime":"2021-03-05T13:08:00Z","eventName":"ListBuckets"}]}',
      out: [
        {
          Timestamp: '1614949679000000000',
          Severity: 4,
          Payload: 'Access Denied',
          Fields: {
            eventVersion: '1.08',
            'userIdentity.type': 'IAMUser',
            'userIdentity.userName': 'alice',
            eventSource: 's3.amazonaws.com',
            eventName: 'GetObject',
            sourceIPAddress: '192.0.2.1',
            errorCode: 'AccessDenied',
            requestParameters: { value: '{"key":"a"}', representation: 'json' },
          },
        },
        { Timestamp: '1614949680000000000', Severity: 6, Fields: { eventVersion: '1.08', eventName: 'ListBuckets' } },
      ],
    },
    {
      title: 'the last event of a file that was cut between its events',
      config: { type: 'aws' },
      in: ':"1.08","eventTime":"2021-03-05T13:07:59Z","eventName":"ListBuckets"}]}',
      out: { Timestamp: '1614949679000000000', Type: 'aws', Severity: 6, Fields: { eventVersion: '1.08', eventName: 'ListBuckets' } },
    },
    { title: 'another object', in: '{"Records":5}', fails: 'no event of CloudTrail' },
    { title: 'an event that was cut off', in: '{"Records":[{"eventVersion":"1.0', fails: 'no JSON object' },
  ],
};

/** Beginning of an event, which the splitter drops between two events. */
const DROPPED = '{"eventVersion"';
/** The ends of the list that stand around the first and the last event. */
const LIST_START = /^\s*\{\s*"Records"\s*:\s*\[\s*(?=\{)/;
const LIST_END = /(?<=\})\s*\]\s*\}\s*$/;

const noObject: ProcessStatus = [-1, 'no JSON object'];
const noEvent: ProcessStatus = [-1, 'no event of CloudTrail'];
const events = new JsonEvents(CLOUDTRAIL);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const written = text.slice(start, end);
  // The last event of a list can end like the list itself.
  for (const record of [written, completed(written), completed(written.replace(LIST_END, ''))]) {
    const object = parseExactly(record);
    if (object !== null) return inject(object, record);
  }
  return noObject;
}

function inject(object: ExactObject, record: string): ProcessStatus {
  const list = object['Records'] ?? object['Events'];
  if (Array.isArray(list)) return events.injectAll(list.map((item: ExactJson) => (isObject(item) ? inner(item) : item)));
  const event = inner(object);
  return typeof event['eventTime'] === 'string' ? events.inject(event, record, 0, record.length) : noEvent;
}

/** The event without the start of its list and with what the splitter dropped. */
function completed(record: string): string {
  const body = record.replace(LIST_START, '');
  if (body.startsWith(':') || body.startsWith(' :')) return DROPPED + body;
  return body.startsWith('"') ? `{${body}` : body;
}

/** The event inside of what `lookup-events` prints and of an envelope. */
function inner(object: ExactObject): ExactObject {
  const { CloudTrailEvent: printed, detail } = object;
  if (typeof printed === 'string') return parseExactly(printed) ?? object;
  return isEvent(detail) ? detail : object;
}

function isEvent(value: ExactJson | undefined): value is ExactObject {
  return value !== undefined && isObject(value) && typeof value['eventTime'] === 'string';
}
