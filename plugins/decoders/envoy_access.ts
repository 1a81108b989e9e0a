/**
 * Decodes access logs of Envoy, and of meshes and gateways based on it, by their format string. For logs that Envoy writes as JSON use the decoder
 * json_lines.
 *
 * | Operator | Becomes |
 * |---|---|
 * | START_TIME | Timestamp |
 * | REQ(:METHOD), REQ(:PATH), PROTOCOL, REQ(:AUTHORITY) | the fields request_method, request_uri, server_protocol and host |
 * | RESPONSE_CODE | the field status; 0 when there was no response |
 * | BYTES_RECEIVED, BYTES_SENT | the fields request_length and bytes_sent with the representation `B` |
 * | DURATION, RESP(X-ENVOY-UPSTREAM-SERVICE-TIME) | the fields request_time and upstream_response_time with the representation `ms` |
 * | DOWNSTREAM_REMOTE_ADDRESS | the fields remote_addr and remote_port |
 * | UPSTREAM_HOST | the field upstream_addr |
 * | REQ(X), RESP(X), TRAILER(X) | the fields http_x, sent_http_x and sent_trailer_x |
 * | any other | a text of its name in lower case, with that of its argument: `%DYNAMIC_METADATA(a:b)%` is dynamic_metadata_a_b |
 *
 * A `-` sets no field, but for RESPONSE_FLAGS: there are no flags then.
 */
import { accessLogDecoder } from '../lib/access/access_log.ts';
import { stringConfig } from '../modules/config.ts';
import { envoyLogFormat } from '../lib/access/envoy_log_format.ts';
import { ACCESS_LOG } from '../lib/parameters.ts';

export const meta: PluginMeta = {
  name: 'envoy_access',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes access logs of Envoy and Istio by their format string.',
  columns: ['status', 'request_method', 'request_uri', 'host', 'request_time'],
  recordSummary: '[{request_method} {request_uri}|{request_method}] {status}[ {request_time}] · {response_flags}',
  looks: [
    {
      // Details of the response stand behind its flags.
      lines: /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\] "(?:[A-Z]+|-) \S+ (?:HTTP\/[\d.]+|-)" \d+ \S+ \S+ \S+ "[^"]*" \d+ \d+ /,
      config: { log_format: 'istio', type: 'envoy.access' },
    },
    {
      lines: /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\] "(?:[A-Z]+|-) \S+ (?:HTTP\/[\d.]+|-)" \d+ \S+ /,
      // The shorter format reads lines of the longer one too, so the longer one is first.
      config: [
        { log_format: 'istio', type: 'envoy.access' },
        { log_format: 'istio_1_5', type: 'envoy.access' },
        { log_format: 'istio_1_3', type: 'envoy.access' },
        { log_format: 'default', type: 'envoy.access' },
      ],
    },
  ],
  parameters: {
    log_format: {
      type: 'string',
      summary: 'The format string, default, istio, or of its older versions istio_1_5 and istio_1_3.',
      default: 'default',
    },
    ...ACCESS_LOG,
  },
  examples: [
    {
      title: 'the format that Envoy has by itself',
      in: '[2021-03-05T13:07:59.250Z] "POST /api/v1/items?a=b HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "nsq2http" "cc21d9b0-cf5c" "items" "10.0.35.28:80"',
      out: {
        Timestamp: '1614949679250000000',
        Fields: {
          request_method: 'POST',
          request_uri: '/api/v1/items?a=b',
          server_protocol: 'HTTP/2',
          status: 204,
          response_flags: '-',
          request_length: { value: 154, representation: 'B' },
          bytes_sent: { value: 0, representation: 'B' },
          request_time: { value: 226, representation: 'ms' },
          upstream_response_time: { value: 100, representation: 'ms' },
          http_x_forwarded_for: '192.0.2.1',
          http_user_agent: 'nsq2http',
          http_x_request_id: 'cc21d9b0-cf5c',
          host: 'items',
          upstream_addr: '10.0.35.28:80',
        },
      },
    },
    {
      title: 'a format of its own, with a request that failed',
      config: {
        log_format:
          '%START_TIME(%Y/%m/%dT%H:%M:%S%z)% %DOWNSTREAM_REMOTE_ADDRESS% %REQ(:METHOD)% %RESPONSE_CODE% %RESPONSE_FLAGS% %UPSTREAM_HOST%',
        type: 'mesh',
      },
      in: '2021/03/05T14:07:59+0100 [2001:db8::7]:50122 GET 503 UH -',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mesh',
        Fields: {
          remote_addr: { value: '2001:db8::7', representation: 'ipv6' },
          remote_port: 50122,
          request_method: 'GET',
          status: 503,
          response_flags: 'UH',
        },
      },
    },
    {
      title: 'a line of another server',
      in: '192.0.2.1 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 1',
      fails: 'no "[" where the format has it',
    },
  ],
};

const decode = accessLogDecoder(envoyLogFormat(stringConfig('log_format')));

export function process_message(): ProcessStatus {
  return decode();
}
