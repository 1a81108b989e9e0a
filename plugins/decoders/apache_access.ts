/**
 * Decodes access logs of Apache's httpd by their `LogFormat`.
 *
 * Directives become fields under the names that nginx has for the same thing: `%h` is remote_addr, `%{Referer}i` http_referer, `%>s`
 * status. Sizes have the representation `B`, times `s` or `us`, hosts `ipv4`, `ipv6` or `hostname`. `%t` and `%{…}t` set the message's Timestamp;
 * `%{msec_frac}t` and `%{usec_frac}t` are the field sec_frac and are not added to it. When two directives have the same name (`%l`
 * and `%u` are both remote_user), the last one counts. Text reaches to the next quote after a quote, to white space after white
 * space, and else up to the last character of the literal before it.
 *
 * A text in quotes may end in a backslash, which Apache writes as two of them. A byte count of `-` is 0; any method in capitals and any version of HTTP is taken.
 */
import { accessLogDecoder } from '../modules/access_log.ts';
import { apacheLogFormat } from '../modules/apache_log_format.ts';
import { requiredString } from '../modules/config.ts';

const COMBINED = '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"';

export const meta: PluginMeta = {
  name: 'apache_access',
  kind: 'decoder',
  summary: "Decodes access logs of Apache's httpd by their LogFormat.",
  parameters: {
    log_format: { type: 'string', summary: "The LogFormat directive of the server's configuration.", required: true },
    type: { type: 'string', summary: "The messages' Type." },
    user_agent_transform: {
      type: 'bool',
      summary: 'Turn http_user_agent into user_agent_os, user_agent_browser and user_agent_version.',
      default: false,
    },
    user_agent_keep: { type: 'bool', summary: 'Keep http_user_agent also when it is transformed.', default: false },
    user_agent_conditional: { type: 'bool', summary: 'Keep http_user_agent when no browser was found in it.', default: false },
    payload_keep: { type: 'bool', summary: 'Keep the line as Payload.', default: false },
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

const decode = accessLogDecoder(apacheLogFormat(requiredString('log_format')));

export function process_message(): ProcessStatus {
  return decode();
}
