import { describe, expect, it } from 'vitest';
import { decodeWith, type Decoded } from '../support/decode.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';
import type { Value } from '../support/message.ts';

interface Form {
  readonly name: string;
  readonly decoder: string;
  readonly config?: Record<string, Value>;
  readonly text: string;
}

const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
const COMBINED_LINE =
  '192.0.2.7 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (X11)"';

const FORMS: readonly Form[] = [
  {
    name: 'JSON',
    decoder: 'json_lines',
    text: '{"time":"2021-03-05T13:07:59.123456789Z","level":"warn","msg":"slow \\"x\\"","n":3,"ok":true,"r":1.5,"id":"007","tags":["a","b"],"http":{"status":200},"big":12345678901234567890}',
  },
  { name: 'JSON without a message', decoder: 'json_lines', text: '{"ts":1614949679.25,"level":"error","n":3}' },
  {
    name: 'JSON of pino',
    decoder: 'json_lines',
    text: '{"level":50,"time":1614949679123,"pid":657,"hostname":"box7","msg":"no","c":1,"s":2}',
  },
  {
    name: 'JSON with another time',
    decoder: 'json_lines',
    config: { time_field: 'when' },
    text: '{"when":"2021-03-05T13:07:59Z","level":"info","msg":"x"}',
  },
  {
    name: 'MongoDB',
    decoder: 'json_lines',
    config: { time_field: 't.$date', severity_field: 's', logger_field: 'c' },
    text: '{"t":{"$date":"2021-03-05T13:07:59.250Z"},"s":"W","c":"NETWORK","id":22943,"ctx":"listener","msg":"accepted","attr":{"remote":"192.0.2.1:5"}}',
  },
  {
    name: 'Serilog',
    decoder: 'json_lines',
    config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' },
    text: '{"@t":"2021-03-05T13:07:59.2500000Z","@mt":"took {Ms}","Ms":7}',
  },
  {
    name: 'audit of Kubernetes',
    decoder: 'kubernetes_audit',
    text: '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"9b1f","stage":"ResponseComplete","verb":"list","responseStatus":{"message":"forbidden","code":403},"requestReceivedTimestamp":"2021-03-05T13:07:59.250123Z","stageTimestamp":"2021-03-05T13:07:59.252123Z","requestObject":{"a":1}}',
  },
  {
    name: 'CloudTrail',
    decoder: 'aws_cloudtrail',
    text: '{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z","eventSource":"s3.amazonaws.com","eventName":"GetObject","errorCode":"AccessDenied","errorMessage":"Access Denied","requestParameters":{"key":"a"}}',
  },
  {
    name: 'Suricata',
    decoder: 'suricata_eve',
    text: '{"timestamp":"2021-03-05T14:07:59.250123+0100","flow_id":586497171462735,"event_type":"alert","src_ip":"192.0.2.1","alert":{"signature":"EXAMPLE","severity":2}}',
  },
  {
    name: 'logfmt',
    decoder: 'logfmt',
    text: 'ts=2021-03-05T13:07:59.5Z level=warn msg="took \\"long\\"" status=200 dur=1.5s cached id=007 n=1.10 ok=true',
  },
  { name: 'logfmt with a level first', decoder: 'logfmt', text: 'level=info ts=2021-03-05T13:07:59Z caller=main.go:7 msg=up logger=tsdb' },
  {
    name: 'klog',
    decoder: 'glog',
    text: 'W0305 13:07:59.250123       1 reflector.go:324] failed to list *v1.Pod: Get "https://10.96.0.1:443"',
  },
  { name: 'klog, structured', decoder: 'glog', text: 'I0305 13:07:59.250123       1 main.go:12] "Started" pod="shop/web" n=3' },
  { name: 'combined access log', decoder: 'nginx_access', config: { log_format: COMBINED }, text: COMBINED_LINE },
  {
    name: 'common access log',
    decoder: 'nginx_access',
    config: { log_format: '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent' },
    text: '2001:db8::7 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 404 0',
  },
  {
    name: 'access log of nginx in a container',
    decoder: 'nginx_access',
    config: { log_format: `${COMBINED} "$http_x_forwarded_for"` },
    text: `${COMBINED_LINE} "198.51.100.3"`,
  },
  {
    name: 'access log with virtual hosts',
    decoder: 'apache_access',
    config: { log_format: 'vhost_combined' },
    text: `www.example.org:443 ${COMBINED_LINE}`,
  },
  {
    name: 'ingress-nginx',
    decoder: 'nginx_access',
    config: {
      log_format: `${COMBINED} $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id`,
    },
    text: `${COMBINED_LINE} 321 0.005 [shop-web-80] [] 10.0.0.7:80 12 0.004 200 0123456789abcdef0123456789abcdef`,
  },
  {
    name: 'errors of nginx',
    decoder: 'nginx_error',
    text: '2021/03/05 13:07:59 [error] 4123#7: *99 open() "/srv/x" failed (2: No such file), client: 192.0.2.1',
  },
  {
    name: "errors of Apache's httpd",
    decoder: 'apache_error',
    text: '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 4123:tid 139] [client 192.0.2.1:50122] AH00126: Invalid URI in request, referer: http://x/',
  },
  { name: 'PHP', decoder: 'php_error', text: '[05-Mar-2021 13:07:59 UTC] PHP Warning:  Undefined variable $x in /srv/a.php on line 7' },
  { name: 'Redis', decoder: 'redis', text: '1:M 05 Mar 2021 13:07:59.250 # Server initialized' },
  {
    name: 'PostgreSQL',
    decoder: 'postgresql',
    text: '2021-03-05 13:07:59.250 UTC [71] app@shop ERROR:  relation "cart" does not exist at character 15',
  },
  { name: 'Python', decoder: 'program_log', text: '2021-03-05 13:07:59,250 - shop.db - ERROR - no connection' },
  { name: 'log4j', decoder: 'program_log', text: '2021-03-05 13:07:59,250 INFO  [main] org.example.Shop - open' },
  {
    name: 'Spring Boot',
    decoder: 'program_log',
    text: '2021-03-05T13:07:59.250Z  WARN 4123 --- [           main] o.e.shop.Checkout                        : slow',
  },
  { name: 'Ruby', decoder: 'program_log', text: 'W, [2021-03-05T13:07:59.250123 #4123]  WARN -- shop: slow' },
  {
    name: 'MySQL',
    decoder: 'program_log',
    text: '2021-03-05T13:07:59.250123Z 0 [Warning] [MY-010068] [Server] CA certificate ca.pem is self signed.',
  },
  { name: 'a level and a date', decoder: 'program_log', text: 'ERROR 2021-03-05 13:07:59,250 [main] shop.Db - no connection' },
  { name: 'a date and words', decoder: 'program_log', text: '2021-03-05 13:07:59 server started' },
  { name: 'an unusual date', decoder: 'generic', text: '05.03.2021 13:07:59,250 [worker-3] ERROR shop.Checkout: no connection' },
  { name: 'a time of day', decoder: 'generic', text: '13:07:59.250 [main] ERROR c.e.App - boom' },
  { name: 'npm', decoder: 'npm', text: 'npm ERR! code ENOENT' },
  { name: 'syslog', decoder: 'syslog', text: '<34>1 2021-03-05T13:07:59.003Z h.example.org evntslog 812 ID47 [x@1 iut="3"] An event' },
  { name: 'syslog of a file', decoder: 'syslog', text: 'Mar  5 13:07:59 box7 sshd[4411]: Accepted publickey for root' },
];

interface Wrap {
  readonly name: string;
  readonly decoder: string;
  readonly config?: Record<string, Value>;
  readonly wrap: (text: string) => string;
}

/** Not long after the times of the forms, so that dates without a year or a day are those of the forms. */
const TIME = '2021-03-05T13:08:00.250Z';
const NS = '1614949680250000000';
const json = (text: string): string => JSON.stringify(text);

const ENVELOPES: readonly Wrap[] = [
  { name: 'docker json-file', decoder: 'container_log', wrap: (text) => `{"log":${json(`${text}\n`)},"stream":"stdout","time":"${TIME}"}` },
  { name: 'CRI', decoder: 'container_log', wrap: (text) => `${TIME} stdout F ${text}` },
  { name: 'docker compose', decoder: 'prefixed_log', wrap: (text) => `web-1  | ${text}` },
  { name: 'docker compose with colours', decoder: 'prefixed_log', wrap: (text) => `\u001b[36mweb-1  | \u001b[0m${text}` },
  { name: 'docker compose with times', decoder: 'prefixed_log', wrap: (text) => `web-1  | ${TIME} ${text}` },
  { name: 'docker service', decoder: 'prefixed_log', wrap: (text) => `web.1.k3xyzabcdefgh@node2    | ${text}` },
  { name: 'kubectl', decoder: 'prefixed_log', wrap: (text) => `[pod/web-7cfd/nginx] ${text}` },
  { name: 'kubectl with times', decoder: 'prefixed_log', wrap: (text) => `[pod/web-7cfd/nginx] ${TIME} ${text}` },
  { name: 'stern', decoder: 'prefixed_log', wrap: (text) => `web-7cfd8b6c9d-x2x4k nginx ${text}` },
  {
    name: 'stern in JSON',
    decoder: 'json_lines',
    wrap: (text) => `{"message":${json(`${text}\n`)},"nodeName":"n1","namespace":"shop","podName":"web","containerName":"nginx"}`,
  },
  { name: 'RFC 3164', decoder: 'syslog', wrap: (text) => `<13>Mar  5 13:08:00 box1 app[7]: ${text}` },
  { name: 'RFC 5424', decoder: 'rfc5424', wrap: (text) => `<13>1 ${TIME} box1 app 7 - [m@1 seq="2"] ${text}` },
  { name: 'RFC 5425', decoder: 'syslog', wrap: (text) => `${Buffer.byteLength(text) + 40} <13>1 ${TIME} box1 app 7 - - ${text}` },
  { name: 'a file of syslog', decoder: 'syslog', wrap: (text) => `2021-03-05T13:08:00.250+00:00 box1 app[7]: ${text}` },
  {
    name: 'rsyslog',
    decoder: 'rsyslog',
    config: { template: 'RSYSLOG_FileFormat' },
    wrap: (text) => `2021-03-05T13:08:00.250001+00:00 box1 app[7]: ${text}`,
  },
  {
    name: 'journal export',
    decoder: 'journal_export',
    wrap: (text) => `__REALTIME_TIMESTAMP=1614949680250000\nPRIORITY=6\nSYSLOG_IDENTIFIER=app\n_HOSTNAME=box1\n_PID=7\nMESSAGE=${text}\n`,
  },
  {
    name: 'journal JSON',
    decoder: 'json_lines',
    wrap: (text) => `{"__REALTIME_TIMESTAMP":"1614949680250000","PRIORITY":"6","_HOSTNAME":"box1","MESSAGE":${json(text)}}`,
  },
  {
    name: 'journal JSON with bytes',
    decoder: 'json_lines',
    wrap: (text) => `{"__REALTIME_TIMESTAMP":"1614949680250000","PRIORITY":"6","MESSAGE":[${[...Buffer.from(text)].join()}]}`,
  },
  { name: 'journalctl -o short', decoder: 'journal_short', wrap: (text) => `Mar 05 13:08:00.250000 box1 app[7]: ${text}` },
  { name: 'CloudWatch export', decoder: 'aws_cloudwatch', wrap: (text) => `{"timestamp":1614949680250,"message":${json(text)}}` },
  {
    name: 'CloudWatch subscription',
    decoder: 'aws_cloudwatch',
    wrap: (text) =>
      `{"messageType":"DATA_MESSAGE","owner":"1","logGroup":"g","logStream":"s","logEvents":[{"id":"36","timestamp":1614949680250,"message":${json(text)}}]}`,
  },
  {
    name: 'aws logs --output text',
    decoder: 'aws_cloudwatch',
    config: { records: 'events' },
    wrap: (text) => `EVENTS\t1614949681000\t${text}\t1614949680250`,
  },
  {
    name: 'aws logs tail',
    decoder: 'aws_cloudwatch',
    config: { records: 'events' },
    wrap: (text) => `2021-03-05T13:08:00.250000+00:00 web/7f9c2d3e4a5b ${text}`,
  },
  {
    name: 'GELF',
    decoder: 'graylog_extended',
    wrap: (text) => `{"version":"1.1","host":"h1","short_message":${json(text)},"timestamp":1614949680.25,"level":6,"_user_id":42}`,
  },
  {
    name: 'GELF, long',
    decoder: 'graylog_extended',
    wrap: (text) => `{"version":"1.1","host":"h1","short_message":"s","full_message":${json(text)},"timestamp":1614949680.25}`,
  },
  {
    name: 'OTLP',
    decoder: 'otlp_json',
    wrap: (text) =>
      `{"resourceLogs":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"box1"}}]},"scopeLogs":[{"scope":{"name":"cart"},"logRecords":[{"timeUnixNano":"${NS}","severityNumber":9,"body":{"stringValue":${json(text)}}}]}]}]}`,
  },
  { name: 'JSON', decoder: 'json_lines', wrap: (text) => `{"@timestamp":"${TIME}","message":${json(text)},"kubernetes":{"pod":"web"}}` },
];

/** Headers that an envelope gives a record that has none of its own. */
const GIVEN = new Set(['Timestamp', 'Severity', 'Hostname', 'Pid', 'Logger', 'undated']);

const plugins = new Map<string, RunningPlugin>();
function pluginOf({ decoder, config = {} }: Pick<Form, 'decoder' | 'config'>): RunningPlugin {
  const key = JSON.stringify([decoder, config]);
  const plugin = plugins.get(key) ?? startPlugin(`decoders/${decoder}.ts`, config);
  plugins.set(key, plugin);
  return plugin;
}

function decoded(form: Pick<Form, 'decoder' | 'config'>, record: string): Decoded {
  const message = decodeWith(pluginOf(form), record);
  if (typeof message === 'string') throw new Error(`${form.decoder}: ${message}: ${record}`);
  const { Type: _, ...others } = message;
  return others;
}

describe.each(ENVELOPES)('$name', ({ wrap, ...envelope }) => {
  const words = decoded(envelope, wrap('words'));

  it.each(FORMS)('$name', ({ text, ...form }) => {
    const alone = decoded(form, text);
    const { undated: _, ...opened } = decoded(envelope, wrap(text));
    const { undated: __, ...expected } = alone;
    expect(opened).toMatchObject(expected);
    const added = Object.keys(opened).filter((name) => !Object.hasOwn(alone, name) && !name.startsWith('envelope_'));
    expect(added.filter((name) => !Object.hasOwn(words, name) && !GIVEN.has(name))).toEqual([]);
    if (!Object.hasOwn(alone, 'Payload')) expect(opened).not.toHaveProperty('Payload');
  });

  it('words', () => {
    const texts = Object.values(decoded(envelope, wrap('a plain sentence: 3 = 3'))).map((value) => String(value).trimEnd());
    expect(texts).toContain('a plain sentence: 3 = 3');
  });
});

describe('a text that cannot be opened stays the message', () => {
  const wrap = (text: string): string => `{"log":${json(`${text}\n`)},"stream":"stdout","time":"${TIME}"}`;
  const docker = { decoder: 'container_log' };

  it.each([
    ['an object that is cut', '{"level":"error","msg":"no'],
    ['a quote that does not end', 'ts=2021-03-05T13:07:59Z msg="no'],
    ['a date that there is not', '2021-13-05 13:07:59 ERROR no'],
    ['an access log without a status', '192.0.2.7 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1"'],
    ['a sentence about another day', '2020-01-01 00:00:00 is when it ends'],
    ['a time of day in a sentence', '13:07:59 it was'],
    ['an equals sign', 'size=3 of 5'],
    ['brackets without an end', '['.repeat(100_000)],
    ['objects without an end', '{"a":'.repeat(20_000)],
    ['more members than memory', `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['more pairs than memory', 'level=info '.repeat(20_000).trim()],
  ])('%s', (_, text) => {
    expect(decoded(docker, wrap(text))).toMatchObject({ Timestamp: NS, stream: 'stdout', Payload: text });
  });

  it('is opened when it is long', () => {
    const text = 'x'.repeat(1 << 20);
    expect(decoded(docker, wrap(`{"msg":"${text}","n":1}`))).toMatchObject({ Payload: text, n: 1 });
  });
});

it('opens two envelopes within another one at most', () => {
  const inner = (depth: number): string => (depth === 0 ? 'level=error msg=x' : `{"d${depth}":1,"msg":${json(inner(depth - 1))}}`);
  const message = decoded({ decoder: 'container_log' }, `${TIME} stdout F ${inner(3)}`);
  expect(message).toMatchObject({ d3: 1, d2: 1, Payload: inner(1) });
  expect(message).not.toHaveProperty('d1');
});

it.each(ENVELOPES.filter(({ decoder }) => decoder !== 'graylog_extended'))(
  'opens nothing when it is told so: $name',
  ({ wrap, decoder, config }) => {
    const text = '{"level":"error","msg":"x","n":1}';
    const message = decoded({ decoder, config: { ...config, unwrap: false } }, wrap(text));
    expect(String(message['Payload']).trimEnd()).toBe(text);
    expect(message).not.toHaveProperty('n');
  },
);

it.each(
  ENVELOPES.filter(({ name }) =>
    ['CRI', 'docker compose', 'kubectl', 'stern', 'RFC 3164', 'RFC 5424', 'RFC 5425', 'aws logs tail'].includes(name),
  ),
)('keeps what stands in front of the text: $name', ({ wrap, decoder, config }) => {
  const keeping = { decoder, config: { ...config, prefix_keep: true } };
  expect(decoded(keeping, wrap('{"level":"error","msg":"x","n":1}'))).toMatchObject({ Payload: wrap('x').replace(/^\d+ </, '73 <'), n: 1 });
  expect(decoded(keeping, wrap('words'))).toMatchObject({ Payload: wrap('words') });
});
