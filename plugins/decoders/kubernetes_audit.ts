/**
 * Decodes audit events of Kubernetes' API server (`audit.k8s.io/v1` and its betas): lines of JSON, one event in each, as the log backend writes them, or
 * a list of events (`EventList`), as the webhook backend sends them, which becomes a message for each.
 *
 * | Member | Becomes |
 * |---|---|
 * | stageTimestamp, else requestReceivedTimestamp, else timestamp | Timestamp |
 * | responseStatus.code | Severity: 3 from 500 on, 4 from 400 on, else 6; a panic of the server is 2 |
 * | responseStatus.message | Payload |
 * | requestReceivedTimestamp and stageTimestamp | the field duration with the representation `s` |
 * | requestObject and responseObject | fields of their names with their JSON text |
 * | all others, but for kind and apiVersion | fields of their names, nested ones joined by dots, as json_lines makes them |
 */
import { isObject, parseExactly, type ExactJson } from '../modules/json.ts';
import { auditForm } from '../lib/json/audit_event.ts';
import { JsonEvents } from '../lib/json/json_events.ts';
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';

export const meta: PluginMeta = {
  name: 'kubernetes_audit',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes audit events of Kubernetes' API server.",
  columns: ['verb', 'responseStatus.code', 'user.username', 'objectRef.resource', 'requestURI'],
  recordSummary: '{verb} {requestURI|objectRef.resource|stage}[ {responseStatus.code}][ {duration}] · {user.username} · {Payload}',
  looks: [{ lines: /^\s*\{.{0,80}"apiVersion": ?"audit\.k8s\.io\/v1/, config: { type: 'kubernetes.audit' }, rank: 2 }],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a request that is not allowed',
      in: '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"9b1f","stage":"ResponseComplete","requestURI":"/api/v1/secrets","verb":"list","user":{"username":"alice","groups":["dev","system:authenticated"]},"sourceIPs":["192.0.2.1"],"objectRef":{"resource":"secrets","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure","message":"secrets is forbidden","code":403},"requestReceivedTimestamp":"2021-03-05T13:07:59.250123Z","stageTimestamp":"2021-03-05T13:07:59.252123Z","annotations":{"authorization.k8s.io/decision":"forbid"}}',
      out: {
        Timestamp: '1614949679252123000',
        Severity: 4,
        Payload: 'secrets is forbidden',
        Fields: {
          level: 'Metadata',
          auditID: '9b1f',
          stage: 'ResponseComplete',
          requestURI: '/api/v1/secrets',
          verb: 'list',
          'user.username': 'alice',
          'user.groups': ['dev', 'system:authenticated'],
          sourceIPs: '192.0.2.1',
          'objectRef.resource': 'secrets',
          'objectRef.apiVersion': 'v1',
          'responseStatus.status': 'Failure',
          'responseStatus.code': 403,
          requestReceivedTimestamp: '2021-03-05T13:07:59.250123Z',
          'annotations.authorization.k8s.io/decision': 'forbid',
          duration: { value: 0.002, representation: 's' },
        },
      },
    },
    {
      title: 'a list of a webhook',
      config: { type: 'audit' },
      in: '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{"stage":"RequestReceived","verb":"get","requestReceivedTimestamp":"2021-03-05T13:07:59.250123Z","requestObject":{"a":1}},{"stage":"Panic","verb":"get"}]}',
      out: [
        {
          Timestamp: '1614949679250123000',
          Type: 'audit',
          Severity: 6,
          Fields: { stage: 'RequestReceived', verb: 'get', requestObject: { value: '{"a":1}', representation: 'json' } },
        },
        { Type: 'audit', Severity: 2, Fields: { stage: 'Panic', verb: 'get' } },
      ],
    },
    { title: 'another object', in: '{"kind":"Pod","apiVersion":"v1"}', fails: 'no audit event' },
    { title: 'a line that was cut off', in: '{"kind":"Event","apiVersion":"audit.k', fails: 'no JSON object' },
  ],
};

const noObject: ProcessStatus = [-1, 'no JSON object'];
const noEvent: ProcessStatus = [-1, 'no audit event'];
const audit = auditForm(() => read_message('Timestamp') ?? 0);
const events = new JsonEvents(audit);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const object = parseExactly(text.slice(start, end));
  if (object === null) return noObject;
  if (Array.isArray(object['items']))
    return events.injectAll(object['items'].map((item: ExactJson) => (isObject(item) ? audit.refined(item) : item)));
  return typeof object['stage'] === 'string' ? events.inject(audit.refined(object), text, start, end) : noEvent;
}
