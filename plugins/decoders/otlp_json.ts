/**
 * Decodes lines of OTLP in JSON, as the file exporter of the OpenTelemetry collector writes them: log records, spans and points of metrics, of which a line
 * holds many. Each becomes a message.
 *
 * | Part | Becomes |
 * |---|---|
 * | time of a record, else the observed one; start of a span; time of a point | Timestamp |
 * | event name | Type; `otlp.log`, `otlp.span` or `otlp.metric` without one |
 * | severity number | Severity: 1 to 8 are 7; 9 is 6; 10 to 12 are 5; 13 to 16 are 4; 17 is 3; 18 is 2; 19 and 20 are 1; 21 to 24 are 0. Without one, the word of the severity text counts. A span that failed has 3 |
 * | body, a text; name of a span | Payload; a body that is JSON, logfmt or a record of a form that is known becomes headers and fields |
 * | body, anything else | the field body, or fields body.… of the members of a map |
 * | attributes | fields of the same names; a field for each member of a map; JSON for lists of several types |
 * | resource: host.name, process.pid | Hostname, Pid |
 * | resource: other attributes | fields resource.… |
 * | scope: name | Logger |
 * | scope: version, attributes | fields scope.… |
 * | attributes log.record.uid, sluicebox.env_version and sluicebox.severity of records | Uuid, EnvVersion, Severity |
 * | of records | the fields trace_id, span_id, trace_flags, severity_text, severity_number where it is not 21, 19, 18, 17, 13, 10, 9 or 5, observed_timestamp, and dropped_attributes_count |
 * | of spans | the fields trace_id, span_id, parent_span_id, trace_state, kind, duration in seconds, status, status_message, and events and links in JSON |
 * | of points | the fields metric, kind, temporality, monotonic, start_timestamp, and value with the unit; of histograms and summaries instead of value: count, sum, min, max, bucket_counts, explicit_bounds, scale, zero_count, positive_offset, positive_counts, negative_offset, negative_counts, quantiles and quantile_values |
 *
 * An attribute whose name is that of another of these fields has the prefix `attributes.`. An OtlpInput makes the same messages of what it receives, but opens no bodies. Of a line that was cut off because it is longer than 1 MiB, what is whole is decoded.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { jsonText, parseExactly, type ExactObject } from '../modules/json.ts';
import { TableWriter, type LogMessage } from '../modules/table_writer.ts';
import { addHead, originOf, type Origin } from '../lib/otlp/otlp_origin.ts';
import { LOGS, METRICS, SPANS, type OtlpSignal } from '../lib/otlp/otlp_signals.ts';
import { objectsIn, objectsOf } from '../lib/otlp/otlp_values.ts';
import { Envelope } from '../lib/envelope.ts';
import { wrapped } from '../lib/wrapped.ts';
import { TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';

export const meta: PluginMeta = {
  name: 'otlp_json',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes OTLP in JSON, as the file exporter of the OpenTelemetry collector writes it.',
  columns: ['resource.service.name', 'metric', 'value', 'duration'],
  recordSummary:
    '[[{resource.service.name}: ]{Payload:error}[ {duration}]|[{resource.service.name}: ]{metric} {value|count}] · {exception.message|error.message:error}',
  looks: [{ lines: /^\s*\{\s*"resource(?:Logs|Spans|Metrics)"\s*:\s*\[/, rank: 2 }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    unwrap: UNWRAP,
    payload_keep: { type: 'bool', summary: 'Keep the JSON of the record, span or point as Payload.', default: false },
  },
  examples: [
    {
      title: 'two log records',
      in: '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"host.name","value":{"stringValue":"box1"}}]},"scopeLogs":[{"scope":{"name":"cart"},"logRecords":[{"timeUnixNano":"1614949679250123456","severityNumber":17,"severityText":"ERROR","body":{"stringValue":"no stock"},"attributes":[{"key":"tries","value":{"doubleValue":3}}],"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174"},{"timeUnixNano":"1614949680000000000","body":{"kvlistValue":{"values":[{"key":"ok","value":{"boolValue":true}}]}},"traceId":"","spanId":""}]}]}]}',
      out: [
        {
          Timestamp: '1614949679250123456',
          Type: 'otlp.log',
          Severity: 3,
          Logger: 'cart',
          Hostname: 'box1',
          Payload: 'no stock',
          Fields: {
            tries: 3,
            severity_text: 'ERROR',
            trace_id: '5b8efff798038103d269b633813fc60c',
            span_id: 'eee19b7ec3c1b174',
            'resource.service.name': 'shop',
          },
        },
        {
          Timestamp: '1614949680000000000',
          Type: 'otlp.log',
          Logger: 'cart',
          Hostname: 'box1',
          Fields: {
            'body.ok': true,
            'resource.service.name': 'shop',
          },
        },
      ],
    },
    {
      title: 'a span that failed',
      config: { type: 'trace' },
      in: '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","parentSpanId":"eee19b7ec3c1b173","name":"GET /","kind":2,"startTimeUnixNano":"1614949679250000000","endTimeUnixNano":"1614949679350000000","status":{"code":2,"message":"no"}}]}]}]}',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'trace',
        Severity: 3,
        Payload: 'GET /',
        Fields: {
          trace_id: '5b8efff798038103d269b633813fc60c',
          span_id: 'eee19b7ec3c1b174',
          parent_span_id: 'eee19b7ec3c1b173',
          kind: 'server',
          duration: { value: 0.1, representation: 's' },
          status: 'error',
          status_message: 'no',
        },
      },
    },
    {
      title: 'a point of a sum',
      in: '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"orders","unit":"1","sum":{"dataPoints":[{"timeUnixNano":"1614949679250000000","asDouble":7.5,"attributes":[{"key":"shop","value":{"stringValue":"a"}}]}],"aggregationTemporality":1,"isMonotonic":true}}]}]}]}',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'otlp.metric',
        Fields: {
          metric: 'orders',
          kind: 'sum',
          temporality: 'delta',
          monotonic: true,
          value: { value: 7.5, representation: '1' },
          shop: 'a',
        },
      },
    },
    { title: 'other JSON', in: '{"msg":"x"}', fails: 'no logs, spans or metrics of OTLP' },
    { title: 'a line that was cut off', in: '{"resourceLogs":[{"resource', fails: 'no JSON object' },
  ],
};

const noObject: ProcessStatus = [-1, 'no JSON object'];
const noSignal: ProcessStatus = [-1, 'no logs, spans or metrics of OTLP'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const writer = new TableWriter();
const envelope = new Envelope();

const SIGNALS: readonly OtlpSignal[] = [LOGS, SPANS, METRICS];

/** Shorter lines were not cut off by a limit. */
const LONG = 1 << 19;
/** Stands before an item, and after one that was not cut off. */
const NEXT_ITEM = /\},\s*\{\s*"(?:timeUnixNano|observedTimeUnixNano|traceId|name)":/g;
const LIST_ENDS = '}]}]}]}';

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = lineOf(text.slice(start, end));
  if (line === null) return noObject;
  if (!SIGNALS.some(({ resources }) => Array.isArray(line[resources]))) return noSignal;
  for (const signal of SIGNALS) for (const resource of objectsOf(line[signal.resources])) injectAll(resource, signal);
  return 0;
}

/** The object of a line, without its last items when it was cut off. */
function lineOf(text: string): ExactObject | null {
  const whole = parseExactly(text);
  if (whole !== null || text.length < LONG) return whole;
  let last = -1;
  for (const { index } of text.matchAll(NEXT_ITEM)) last = index;
  return last < 0 ? null : parseExactly(text.slice(0, last) + LIST_ENDS);
}

function injectAll(ofResource: ExactObject, { scopes, items, messages }: OtlpSignal): void {
  for (const ofScope of objectsIn(ofResource, scopes)) {
    const origin = originOf(ofResource, ofScope);
    for (const item of objectsIn(ofScope, items)) for (const message of messages(item)) inject(item, message, origin);
  }
}

function inject(item: ExactObject, outer: LogMessage, { head, fields }: Origin): void {
  addHead(outer, head);
  outer.Fields = outer.Fields?.concat(fields) ?? fields;
  const inner = item['body'] === undefined || outer.Payload === undefined ? null : envelope.open(outer.Payload, outer.Timestamp);
  const whole = inner === null ? outer : wrapped(outer, inner);
  if (outer.Uuid !== undefined) whole.Uuid = outer.Uuid;
  if (outer.EnvVersion !== undefined) whole.EnvVersion = outer.EnvVersion;
  if (type !== null) whole.Type = type;
  if (keepPayload) whole.Payload = jsonText(item);
  writer.inject(whole);
}
