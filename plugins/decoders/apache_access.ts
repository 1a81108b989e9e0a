/**
 * Decodes access logs of Apache's httpd by their `LogFormat`.
 *
 * Directives become fields with the names of nginx's equivalent variables: `%h` is remote_addr, `%{Referer}i` http_referer, `%>s` status. Sizes
 * have the representation `B`, times `s` or `us`, hosts `ipv4`, `ipv6` or `hostname`. `%t` and `%{…}t` set the message's Timestamp; `%{msec_frac}t`
 * and `%{usec_frac}t` are the field sec_frac and are not added to it; `%{%z}t` alone is the zone of the date before it. When two directives have
 * the same name (`%l` and `%u` are both remote_user), the last one counts. A text field ends at the next quote when the literal before it ends in a
 * quote, at white space when it follows white space, and else at the next occurrence of the last character of the literal before it.
 *
 * A line that these rules refuse is read a second time, with looser rules for what the server really writes. A field then ends where the next
 * literal of the format begins, so that formats such as `%a|%U|%u` and `%h %r %>s` can be read, and a text in quotes may end in a backslash, which
 * Apache writes as two of them. A value that a request does not have is empty or `-` and sets no field. A byte count of `-` is 0; any method in
 * capitals and any version of HTTP is accepted. `%^FB` is first_byte_time, `%{SSL_PROTOCOL}x` ssl_protocol, `%{Name}^ti` trailer_name and
 * `%{Name}^to` sent_trailer_name.
 */
import { ACCESS_COLUMNS } from '../lib/columns.ts';
import { accessLogDecoder } from '../lib/access/access_log.ts';
import { apacheLogFormat } from '../lib/access/apache_log_format.ts';
import { stringConfig } from '../modules/config.ts';
import { ACCESS_LOG } from '../lib/parameters.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { ACCESS_SUMMARY } from '../lib/summaries.ts';

const COMBINED = '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"';

export const meta: PluginMeta = {
  name: 'apache_access',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes access logs of Apache's httpd by their LogFormat.",
  columns: ACCESS_COLUMNS,
  recordSummary: ACCESS_SUMMARY,
  looks: [{ form: 'apache_access', config: { type: 'apache.access' } }],
  parameters: {
    log_format: {
      type: 'string',
      summary: 'The format, the whole LogFormat directive, or one of common, combined, combinedio, vhost_combined.',
      required: true,
    },
    tz: {
      type: 'string',
      summary: 'Zone of times in a format of their own that has none: UTC, an offset such as +02:00, Local, or an IANA name.',
      default: 'UTC',
    },
    ...ACCESS_LOG,
  },
  examples: [
    {
      title: 'the combined format',
      config: { log_format: COMBINED },
      in: '192.0.2.44 - bob [05/Mar/2021:13:07:59 +0100] "GET /i.html HTTP/1.0" 200 2326 "http://example.com/s" "Mozilla/4.08 [en]"',
      out: {
        Timestamp: '1614946079000000000',
        Fields: {
          remote_addr: { value: '192.0.2.44', representation: 'ipv4' },
          remote_user: 'bob',
          request: 'GET /i.html HTTP/1.0',
          status: 200,
          body_bytes_sent: { value: 2326, representation: 'B' },
          http_referer: 'http://example.com/s',
          http_user_agent: 'Mozilla/4.08 [en]',
        },
      },
    },
    {
      title: 'virtual hosts, with the user agent told apart',
      config: { log_format: '%v:%p %h %t \\"%r\\" %>s %O \\"%{User-Agent}i\\"', type: 'web.vhost', user_agent_transform: true },
      in: 'www.example.com:443 192.0.2.44 [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.0" 200 99 "Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.0.3 Mobile/15E148 Safari/604.1"',
      out: {
        Timestamp: '1614946079000000000',
        Type: 'web.vhost',
        Fields: {
          server_name: { value: 'www.example.com', representation: 'hostname' },
          server_port: 443,
          remote_addr: { value: '192.0.2.44', representation: 'ipv4' },
          request: 'GET / HTTP/1.0',
          status: 200,
          response_length: { value: 99, representation: 'B' },
          user_agent_os: 'iPhone',
          user_agent_browser: 'Safari',
          user_agent_version: 604,
        },
      },
    },
    {
      title: 'a time format of its own',
      config: { log_format: '%{%Y-%m-%d %H:%M:%S}t %D %m %{X-Request-Id}i' },
      in: '2021-03-05 13:07:59 1234 PATCH 7f9c',
      out: {
        Timestamp: '1614949679000000000',
        Fields: { request_time: { value: 1234, representation: 'us' }, request_method: 'PATCH', http_x_request_id: '7f9c' },
      },
    },
    {
      title: 'a line of another log',
      config: { log_format: COMBINED },
      in: '[Fri Mar 05 13:07:59 2021] [core:notice] AH00094: Command line',
      fails: 'no remote_addr where the format has it',
    },
  ],
};

const decode = accessLogDecoder(apacheLogFormat(stringConfig('log_format'), configuredClock()));

export function process_message(): ProcessStatus {
  return decode();
}
