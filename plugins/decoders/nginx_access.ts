/**
 * Decodes access logs of nginx by their `log_format`.
 *
 * Every variable of the format becomes a field of its name: numbers for counts, sizes (representation `B`), durations (`s`) and statuses, arrays
 * for the upstream variables, hosts with the representation `ipv4`, `ipv6` or `hostname`, text for the rest. `$time_local`, `$time_iso8601` and
 * `$msec` set the message's Timestamp instead. A text field ends at the next quote when the literal before it ends in a quote, at white space when
 * it follows white space, and else at the next occurrence of the last character of the literal before it.
 *
 * `\t`, `\r` and `\n` in a format stand for the white space that nginx writes for them or, as all other backslashes do, for themselves.
 *
 * A line that these rules refuse is read a second time, with looser rules for what servers really write. A field then ends where the next literal
 * of the format begins, so that formats such as `$a|$b`, `[$a] [$b]` and `addr="$upstream_addr"` can be read. A number, a name or a protocol that a
 * request does not have is empty or `-` and sets no field. A byte count of `-` is 0; a client on a Unix socket, which nginx logs as `unix:`, is a
 * remote_addr with the representation `unix`; any method in capitals and any version of HTTP is accepted.
 */
import { ACCESS_COLUMNS } from '../lib/columns.ts';
import { accessLogDecoder } from '../lib/access/access_log.ts';
import { stringConfig } from '../modules/config.ts';
import { hasTwoReadings, nginxLogFormat } from '../lib/access/nginx_log_format.ts';
import { ACCESS_LOG } from '../lib/parameters.ts';
import { ACCESS_SUMMARY } from '../lib/summaries.ts';

const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

export const meta: PluginMeta = {
  name: 'nginx_access',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes access logs of nginx by their log_format.',
  columns: ACCESS_COLUMNS,
  recordSummary: ACCESS_SUMMARY,
  looks: [{ form: 'nginx_access', config: { type: 'nginx.access' } }],
  parameters: {
    log_format: {
      type: 'string',
      summary: "The format, the whole log_format directive of the server's configuration, or combined.",
      required: true,
    },
    ...ACCESS_LOG,
  },
  examples: [
    {
      title: 'the combined format, with the user agent told apart',
      config: { log_format: COMBINED, type: 'web.combined', user_agent_transform: true },
      in: '203.0.113.9 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.190 Safari/537.36"',
      out: {
        Timestamp: '1614946079000000000',
        Type: 'web.combined',
        Fields: {
          remote_addr: { value: '203.0.113.9', representation: 'ipv4' },
          remote_user: 'alice',
          request: 'GET /a?b=1 HTTP/1.1',
          status: 200,
          body_bytes_sent: { value: 5120, representation: 'B' },
          http_referer: 'https://example.org/',
          user_agent_os: 'Windows 10',
          user_agent_browser: 'Chrome',
          user_agent_version: 88,
        },
      },
    },
    {
      title: 'upstreams that were tried one after the other',
      config: { log_format: '$time_iso8601 $upstream_addr $upstream_response_time $upstream_status $request_time' },
      in: '2021-03-05T13:07:59+01:00 10.0.0.1:80, 10.0.0.2:80 0.010, 0.200 502, 200 0.210',
      out: {
        Timestamp: '1614946079000000000',
        Fields: {
          upstream_addr: ['10.0.0.1:80', '10.0.0.2:80'],
          upstream_response_time: { value: [0.01, 0.2], representation: 's' },
          upstream_status: [502, 200],
          request_time: { value: 0.21, representation: 's' },
        },
      },
    },
    {
      title: 'a client on a Unix socket and a method of WebDAV',
      config: { log_format: '$remote_addr [$time_local] "$request_method $uri $server_protocol" $status $bytes_sent', payload_keep: true },
      in: 'unix: [05/Mar/2021:12:07:59 +0000] "PROPFIND /dav HTTP/2.0" 207 -',
      out: {
        Timestamp: '1614946079000000000',
        Payload: 'unix: [05/Mar/2021:12:07:59 +0000] "PROPFIND /dav HTTP/2.0" 207 -',
        Fields: {
          remote_addr: { value: 'unix:', representation: 'unix' },
          request_method: 'PROPFIND',
          uri: '/dav',
          server_protocol: 'HTTP/2.0',
          status: 207,
          bytes_sent: { value: 0, representation: 'B' },
        },
      },
    },
    {
      title: 'a time without its zone',
      config: { log_format: COMBINED },
      in: '203.0.113.9 - - [05/Mar/2021:00:00:00] "GET / HTTP/1.1" 200 12 "-" "x"',
      fails: 'no time_local where the format has it',
    },
    {
      title: 'a line of another log',
      config: { log_format: COMBINED },
      in: '2021/03/05 13:07:59 [notice] 4123#0: signal process started',
      fails: 'no " - " where the format has it',
    },
  ],
};

const format = stringConfig('log_format');
const decode = accessLogDecoder(nginxLogFormat(format));
const decodeAsWritten = hasTwoReadings(format) ? accessLogDecoder(nginxLogFormat(format, true)) : null;

export function process_message(): ProcessStatus {
  const status = decode();
  if (status === 0 || decodeAsWritten === null) return status;
  return decodeAsWritten() === 0 ? 0 : status;
}
