/**
 * Decodes access logs of Squid in its own format: `1614949679.250    123 192.0.2.1 TCP_MISS/200 5120 GET http://example.org/ alice HIER_DIRECT/198.51.100.7
 * text/html`.
 *
 * | Part | Becomes |
 * |---|---|
 * | time | Timestamp |
 * | duration | the field request_time with the representation `ms` |
 * | client | the field remote_addr |
 * | result and status | the fields cache_status and status |
 * | size | the field bytes_sent with the representation `B` |
 * | method, address, user | the fields request_method, request_uri and remote_user |
 * | way to the server | the fields hierarchy and upstream_addr |
 * | type of the content, of the answer | the field sent_http_content_type |
 */
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';

export const meta: PluginMeta = {
  name: 'squid_access',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes access logs of Squid.',
  columns: ['status', 'cache_status', 'request_method', 'request_uri', 'remote_addr'],
  recordSummary: '{request_method} {request_uri} {status}[ {request_time}] · {cache_status}',
  looks: [{ lines: /^\d{9,10}\.\d{3} +-?\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z_-]+ \S+ \S+ [A-Z_]+\/\S+ \S+/ }],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a page that was not in the cache',
      in: '1614949679.250    123 192.0.2.1 TCP_MISS/200 5120 GET http://example.org/ alice HIER_DIRECT/198.51.100.7 text/html',
      out: {
        Timestamp: '1614949679250000000',
        Fields: {
          request_time: { value: 123, representation: 'ms' },
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          cache_status: 'TCP_MISS',
          status: 200,
          bytes_sent: { value: 5120, representation: 'B' },
          request_method: 'GET',
          request_uri: 'http://example.org/',
          remote_user: 'alice',
          hierarchy: 'HIER_DIRECT',
          upstream_addr: '198.51.100.7',
          sent_http_content_type: 'text/html',
        },
      },
    },
    {
      title: 'a tunnel that was refused',
      config: { type: 'squid.access' },
      in: '1614949679.001      0 2001:db8::7 TCP_DENIED/407 3900 CONNECT example.org:443 - HIER_NONE/- -',
      out: {
        Timestamp: '1614949679001000000',
        Type: 'squid.access',
        Fields: {
          request_time: { value: 0, representation: 'ms' },
          remote_addr: { value: '2001:db8::7', representation: 'ipv6' },
          cache_status: 'TCP_DENIED',
          status: 407,
          bytes_sent: { value: 3900, representation: 'B' },
          request_method: 'CONNECT',
          request_uri: 'example.org:443',
          hierarchy: 'HIER_NONE',
        },
      },
    },
    { title: 'a line of another log', in: '192.0.2.1 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 1', fails: 'no line of Squid' },
  ],
};

const decode = patternDecoder({
  patterns: [
    /^(?<time>\d+\.\d{3}) +(?<request_time>-?\d+) (?<remote_addr>\S+) (?<cache_status>[A-Z_]+)\/(?<status>\d{3}) (?<bytes_sent>\d+) (?<request_method>\S+) (?<request_uri>\S+) (?<remote_user>\S+) (?<hierarchy>[A-Z_]+)\/(?<upstream_addr>\S+) (?<sent_http_content_type>\S+)/,
  ],
  numbers: { request_time: 'ms', status: '', bytes_sent: 'B' },
  hosts: ['remote_addr'],
  refusal: 'no line of Squid',
});

export function process_message(): ProcessStatus {
  return decode();
}
