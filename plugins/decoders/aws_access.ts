/**
 * Decodes access logs of Amazon Web Services by the order of values in their documentation: classic load balancers (`elb`), application load
 * balancers (`alb`), network load balancers (`nlb`, of their TLS listeners) and S3 (`s3`, its server access log).
 *
 * | Value | Becomes |
 * |---|---|
 * | time | Timestamp |
 * | client, and the target or backend | the fields remote_addr, remote_port, upstream_addr and upstream_port |
 * | status of the load balancer, or of S3, and of the target | the fields status and upstream_status |
 * | bytes received and sent, size of the object | the fields request_length, bytes_sent and object_size, with the representation `B` |
 * | request, referer, user agent, host | the fields request, http_referer, http_user_agent and host |
 * | processing times of elb and alb | the fields request_processing_time, target_processing_time and response_processing_time (`s`); -1 for what did not come to pass |
 * | times of nlb and S3 | the fields connection_time, tls_handshake_time, request_time and turn_around_time (`ms`) |
 * | cipher and version of TLS | the fields ssl_cipher and ssl_protocol |
 * | any other | a field of the name that the documentation has, in lower case with underscores |
 *
 * A `-` sets no field. Lines of older versions have fewer values; values behind the last known one are ignored. Flow logs are read by csv,
 * CloudTrail by aws_cloudtrail, and CloudFront by w3c_extended.
 */
import { ACCESS_COLUMNS } from '../lib/columns.ts';
import { AWS_FORMATS, type AwsService } from '../lib/access/aws_formats.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { valueLineDecoder } from '../lib/access/value_line.ts';
import { ACCESS_SUMMARY } from '../lib/summaries.ts';

const ISO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`;
const ENDPOINTS = String.raw`\S+:\d+ (?:\S+:\d+|-)`;
const DURATIONS = String.raw`-?[\d.]+ -?[\d.]+ -?[\d.]+ (?:\d{3}|-) `;

export const meta: PluginMeta = {
  name: 'aws_access',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes access logs of load balancers of Amazon and of S3.',
  columns: ACCESS_COLUMNS,
  recordSummary: ACCESS_SUMMARY,
  looks: [
    { lines: String.raw`^${ISO} \S+ ${ENDPOINTS} ${DURATIONS}`, config: { format: 'elb', type: 'elb.access' } },
    {
      lines: String.raw`^(?:https?|h2|grpcs?|wss?) ${ISO} \S+ ${ENDPOINTS} (?:${DURATIONS}|-1 -1 -1 )`,
      config: { format: 'alb', type: 'alb.access' },
    },
    {
      lines: String.raw`^tls \d\.\d \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \S+ \S+ ${ENDPOINTS} `,
      config: { format: 'nlb', type: 'nlb.access' },
    },
    {
      lines: /^\S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] \S+ \S+ \S+ (?:REST|SOAP|WEBSITE|BATCH|S3)\.[A-Z_.]+ /,
      config: { format: 's3', type: 's3.access' },
    },
  ],
  parameters: {
    format: { type: 'string', summary: 'The service that wrote the lines.', required: true, values: ['elb', 'alb', 'nlb', 's3'] },
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'an application load balancer',
      config: { format: 'alb' },
      in: 'https 2021-03-05T13:07:59.250000Z app/shop/50dc6c495c0c9188 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://example.org:443/ HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337262" "example.org" "-" 0 2021-03-05T13:07:59.249000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-" TID_1234',
      out: {
        Timestamp: '1614949679250000000',
        Fields: {
          type: 'https',
          elb: 'app/shop/50dc6c495c0c9188',
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          remote_port: 2817,
          upstream_addr: { value: '10.0.0.1', representation: 'ipv4' },
          upstream_port: 80,
          request_processing_time: { value: 0, representation: 's' },
          target_processing_time: { value: 0.001, representation: 's' },
          response_processing_time: { value: 0, representation: 's' },
          status: 200,
          upstream_status: 200,
          request_length: { value: 34, representation: 'B' },
          bytes_sent: { value: 366, representation: 'B' },
          request: 'GET https://example.org:443/ HTTP/1.1',
          http_user_agent: 'curl/7.46.0',
          ssl_cipher: 'ECDHE-RSA-AES128-GCM-SHA256',
          ssl_protocol: 'TLSv1.2',
          target_group_arn: 'arn:aws:x',
          trace_id: 'Root=1-58337262',
          domain_name: 'example.org',
          matched_rule_priority: 0,
          request_creation_time: '2021-03-05T13:07:59.249000Z',
          actions_executed: 'forward',
          target_port_list: '10.0.0.1:80',
          target_status_code_list: '200',
          conn_trace_id: 'TID_1234',
        },
      },
    },
    {
      title: 'S3',
      config: { format: 's3', type: 's3.access' },
      in: '79a59df9 shop-images [05/Mar/2021:13:07:59 +0000] 2001:db8::7 - 3E57427F3EXAMPLE REST.GET.OBJECT a/b.png "GET /a/b.png HTTP/1.1" 404 NoSuchKey 297 - 38 - "-" "aws-cli "2"" - s9lz SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader shop-images.s3.amazonaws.com TLSv1.2 - -',
      out: {
        Timestamp: '1614949679000000000',
        Type: 's3.access',
        Fields: {
          bucket_owner: '79a59df9',
          bucket: 'shop-images',
          remote_addr: { value: '2001:db8::7', representation: 'ipv6' },
          request_id: '3E57427F3EXAMPLE',
          operation: 'REST.GET.OBJECT',
          key: 'a/b.png',
          request: 'GET /a/b.png HTTP/1.1',
          status: 404,
          error_code: 'NoSuchKey',
          bytes_sent: { value: 297, representation: 'B' },
          request_time: { value: 38, representation: 'ms' },
          http_user_agent: 'aws-cli "2"',
          host_id: 's9lz',
          signature_version: 'SigV4',
          ssl_cipher: 'ECDHE-RSA-AES128-GCM-SHA256',
          authentication_type: 'AuthHeader',
          host: 'shop-images.s3.amazonaws.com',
          ssl_protocol: 'TLSv1.2',
        },
      },
    },
    {
      title: 'a line of another service',
      config: { format: 'elb' },
      in: '192.0.2.1 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 1',
      fails: 'fewer than 12 values',
    },
  ],
};

const format = AWS_FORMATS[stringConfig('format') as AwsService];

const decode = valueLineDecoder(format.places(), format.needed, {
  type: stringConfig('type', null),
  keepPayload: boolConfig('payload_keep'),
});

export function process_message(): ProcessStatus {
  return decode();
}
