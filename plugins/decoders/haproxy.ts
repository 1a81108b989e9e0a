/**
 * Decodes logs of HAProxy: those of `option httplog`, `httpslog` and `tcplog`, and lines about failed connections, with or without a syslog header.
 *
 * | Part | Becomes |
 * |---|---|
 * | host and process of syslog's header | Hostname and Pid, and the field programname |
 * | client | the fields remote_addr and remote_port |
 * | date of the connection, which is in the zone of tz | Timestamp |
 * | names | the fields frontend, backend and server; frontend keeps the `~` that stands for TLS |
 * | timers TR, Tw, Tc, Tr and Ta, or Tw, Tc and Tt | the fields time_request, time_queue, time_connect, time_response and time_total, with the representation `ms`; -1 for what did not come to pass |
 * | status, bytes | the fields status and bytes_read (`B`); a status of -1 stands for none |
 * | termination state | the field termination_state |
 * | connections | the fields actconn, feconn, beconn, srv_conn and retries |
 * | queues | the fields srv_queue and backend_queue |
 * | captured headers and cookies | the fields captured_request_headers, captured_response_headers, captured_request_cookie and captured_response_cookie |
 * | TLS, of httpslog | the fields ssl_sni, ssl_protocol and ssl_cipher, and ssl_errors |
 * | request, or what went wrong | the field request, or Payload |
 *
 * Other lines of HAProxy with a syslog header, such as `Proxy http-in started.`, keep their text as Payload and take the Timestamp from the header.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { haproxyLines } from '../lib/access/haproxy_line.ts';
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { remoteFieldsWithPort } from '../lib/remote_address.ts';

export const meta: PluginMeta = {
  name: 'haproxy',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of HAProxy.',
  columns: ['status', 'request', 'frontend', 'server', 'time_total'],
  recordSummary: '[{request:request}|{frontend} → {server|backend}] {status}[ {time_total}] · {Payload}',
  looks: [
    {
      lines: /(?:^|: +)\S+:\d+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d{3}\] [^\s/]+(?: [^\s/]+\/\S+ [-+\d/]+ |\/[^\s:]+: )/,
    },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a request',
      in: 'Mar  5 13:07:59 box1 haproxy[14389]: 192.0.2.1:33317 [05/Mar/2021:13:07:59.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.org} {} "GET /index.html HTTP/1.1"',
      out: {
        Timestamp: '1614949679655000000',
        Hostname: 'box1',
        Pid: 14389,
        Fields: {
          programname: 'haproxy',
          frontend: 'http-in',
          backend: 'static',
          server: 'srv1',
          time_request: { value: 10, representation: 'ms' },
          time_queue: { value: 0, representation: 'ms' },
          time_connect: { value: 30, representation: 'ms' },
          time_response: { value: 69, representation: 'ms' },
          time_total: { value: 109, representation: 'ms' },
          status: 200,
          bytes_read: { value: 2750, representation: 'B' },
          termination_state: '----',
          actconn: 1,
          feconn: 1,
          beconn: 1,
          srv_conn: 1,
          retries: 0,
          srv_queue: 0,
          backend_queue: 0,
          captured_request_headers: 'example.org',
          request: 'GET /index.html HTTP/1.1',
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          remote_port: 33317,
        },
      },
    },
    {
      title: 'a connection',
      config: { type: 'haproxy' },
      in: 'haproxy[14385]: 192.0.2.1:33313 [05/Mar/2021:13:07:59.443] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
      out: {
        Timestamp: '1614949679443000000',
        Type: 'haproxy',
        Pid: 14385,
        Fields: {
          programname: 'haproxy',
          frontend: 'fnt',
          backend: 'bck',
          server: 'srv1',
          time_queue: { value: 0, representation: 'ms' },
          time_connect: { value: 0, representation: 'ms' },
          time_total: { value: 5007, representation: 'ms' },
          bytes_read: { value: 212, representation: 'B' },
          termination_state: '--',
          actconn: 0,
          feconn: 0,
          beconn: 0,
          srv_conn: 0,
          retries: 3,
          srv_queue: 0,
          backend_queue: 0,
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          remote_port: 33313,
        },
      },
    },
    {
      title: 'a connection that failed',
      in: '192.0.2.1:34549 [05/Mar/2021:13:07:59.200] fe1/1: SSL handshake failure',
      out: {
        Timestamp: '1614949679200000000',
        Payload: 'SSL handshake failure',
        Fields: { frontend: 'fe1', listener: '1', remote_addr: { value: '192.0.2.1', representation: 'ipv4' }, remote_port: 34549 },
      },
    },
    { title: 'a line without any date', in: 'haproxy[1]: Proxy http-in started.', fails: 'no client and date of HAProxy' },
  ],
};

const SYSLOG_TIME = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+`;
const HEAD = String.raw`^(?:<\d{1,3}>)?(?:(?:${SYSLOG_TIME}) (?<hostname>\S+) )?(?:(?<programname>[^\s:[]+)(?:\[(?<process>\d+)\])?: +)?(?<_client>[^\s[]*|\[[^\]]*\]:\d+|unix:\d+) \[(?<time>\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?)\] `;
const NAMES = String.raw`(?<frontend>\S+) (?<backend>[^\s/]+)\/(?<server>\S+) `;
const CONNECTIONS = String.raw`(?<actconn>\d+)\/(?<feconn>\d+)\/(?<beconn>\d+)\/(?<srv_conn>\d+)\/\+?(?<retries>\d+) (?<srv_queue>\d+)\/(?<backend_queue>\d+)`;
const TLS = String.raw`(?: (?<ssl_errors>[\d-]+(?:\/[\da-fA-Fx-]+){3,4}) (?<ssl_sni>[^\s/]*)\/(?<ssl_protocol>[^\s/]*)\/(?<ssl_cipher>\S*))?`;
const TIMES = ['time_request', 'time_queue', 'time_connect', 'time_response', 'time_total'];
const COUNTS = ['status', 'actconn', 'feconn', 'beconn', 'srv_conn', 'retries', 'srv_queue', 'backend_queue'];

const injectPlain = haproxyLines({ clock: configuredClock(), type: stringConfig('type', null), keepPayload: boolConfig('payload_keep') });
const decodeAny = patternDecoder({
  patterns: [
    new RegExp(
      [
        HEAD + NAMES,
        String.raw`(?<time_request>-?\d+)\/(?<time_queue>-?\d+)\/(?<time_connect>-?\d+)\/(?<time_response>-?\d+)\/(?<time_total>\+?-?\d+) `,
        String.raw`(?<status>-?\d+) (?<bytes_read>\+?\d+) (?<captured_request_cookie>\S+) (?<captured_response_cookie>\S+) (?<termination_state>\S{4}) `,
        CONNECTIONS,
        String.raw`(?: \{(?<captured_request_headers>[^}]*)\})?(?: \{(?<captured_response_headers>[^}]*)\})? "(?<request>.*?)"?${TLS}$`,
      ].join(''),
      's',
    ),
    new RegExp(
      [
        HEAD + NAMES,
        String.raw`(?<time_queue>-?\d+)\/(?<time_connect>-?\d+)\/(?<time_total>\+?-?\d+) (?<bytes_read>\+?\d+) (?<termination_state>\S\S) `,
        CONNECTIONS,
      ].join(''),
    ),
    new RegExp(String.raw`${HEAD}(?<frontend>[^\s/]+)\/(?<listener>[^\s:]+): (?<message>.*)$`, 's'),
    new RegExp(
      String.raw`^(?:<\d{1,3}>)?(?<time>${SYSLOG_TIME}) (?<hostname>\S+) (?<programname>[^\s:[]+)(?:\[(?<process>\d+)\])?: (?<message>.*)$`,
      's',
    ),
  ],
  numbers: {
    ...Object.fromEntries(TIMES.map((name) => [name, 'ms'])),
    ...Object.fromEntries(COUNTS.map((name) => [name, ''])),
    bytes_read: 'B',
  },
  hosts: [],
  refusal: 'no client and date of HAProxy',
  further: ({ _client: client = '' }) => remoteFieldsWithPort(client),
});

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  return injectPlain(text, start, withoutLineEnd(text, start, end)) ?? decodeAny();
}
