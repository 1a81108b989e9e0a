/**
 * Decodes error logs of Apache's httpd in its default forms: that of 2.4, `[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 4123:tid 139]
 * [client 192.0.2.1:50122] AH00126: Invalid URI in request`, and that of 2.2, without module, process and port. log_format is the server's
 * `ErrorLogFormat`, when it sets one; several formats, such as those for connections and requests, are written on a line each.
 *
 * | Part | Becomes |
 * |---|---|
 * | date, which is in the zone of tz | Timestamp |
 * | level | Severity: emerg 0, alert 1, crit 2, error 3, warn 4, notice 5, info 6, debug and trace1 to trace8 7 |
 * | pid | Pid |
 * | module, tid | the fields module and tid |
 * | client, or remote: the server behind a proxy | the fields remote_addr and remote_port |
 * | source file and its line, from debug on | the fields source and source_line |
 * | error of the system `(13)Permission denied:` | the fields error_code and error |
 * | code `AH00126:`, which stays in the message too | the field code |
 * | `, referer: …` | the field http_referer |
 * | the rest | Payload, or the whole record with payload_keep |
 *
 * Formats set by `ErrorLogFormat` can have further fields: server_addr and server_port (`%A`), peer_addr and peer_port (`%{c}a`), request_log_id
 * (`%L`), connection_log_id (`%{c}L`), connection_requests (`%k`), server_name (`%v`), and the prefixes http_ (`%{…}i`), env_ (`%{…}e`) and module_
 * (`%{…}n`) before the name in braces.
 */
import { stringConfig } from '../modules/config.ts';
import { errorLogForms, namedGroups } from '../lib/access/error_log_format.ts';
import { KEEP_RECORD, ZONE } from '../lib/parameters.ts';
import { APACHE_ERRORS, withoutReferer } from '../lib/forms/apache_errors.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { remoteFieldsWithPort } from '../lib/remote_address.ts';

const LEVELS = '(?:emerg|alert|crit|error|warn|notice|info|debug|trace[1-8])';

export const meta: PluginMeta = {
  name: 'apache_error',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes error logs of Apache's httpd.",
  columns: ['module', 'code', 'remote_addr'],
  recordSummary: '{Payload} · {error}',
  looks: [
    { lines: String.raw`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4}\] \[(?:[\w-]*:)?${LEVELS}\] ` },
    {
      // With the marks of requests and connections that Apache's documentation shows.
      lines: String.raw`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\] \[[\w-]+:${LEVELS}\] `,
      config: { log_format: '[%{uc}t] [%-m:%-l] [R:%L] [C:%{C}L] %7F: %E: %M' },
    },
  ],
  parameters: {
    log_format: {
      type: 'string',
      summary: "The server's ErrorLogFormat, or several, one in each line; the server's own forms when it is empty.",
      default: '',
    },
    type: { type: 'string', summary: "The messages' Type.", default: 'apache.error' },
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'an error of a client',
      in: '[Fri Mar 05 13:07:59.250000 2021] [authz_core:error] [pid 4123:tid 139] [client 192.0.2.1:50122] AH01630: client denied by server configuration: /srv/x, referer: http://example.org/',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'apache.error',
        Severity: 3,
        Pid: 4123,
        Payload: 'AH01630: client denied by server configuration: /srv/x',
        Fields: {
          module: 'authz_core',
          tid: 139,
          code: 'AH01630',
          http_referer: 'http://example.org/',
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          remote_port: 50122,
        },
      },
    },
    {
      title: 'an error of the system, in a server behind a proxy',
      in: '[Fri Mar 05 13:07:59.250000 2021] [proxy:error] [pid 4123:tid 139] (111)Connection refused: AH00957: HTTP: attempt to connect to 127.0.0.1:8080 failed',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'apache.error',
        Severity: 3,
        Pid: 4123,
        Payload: 'AH00957: HTTP: attempt to connect to 127.0.0.1:8080 failed',
        Fields: { module: 'proxy', tid: 139, error_code: 111, error: 'Connection refused', code: 'AH00957' },
      },
    },
    {
      title: 'Apache 2.2, two hours ahead of UTC',
      config: { tz: '+02:00', type: 'web' },
      in: '[Fri Mar 05 15:07:59 2021] [error] [client 2001:db8::7] File does not exist: /srv/x',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'web',
        Severity: 3,
        Payload: 'File does not exist: /srv/x',
        Fields: { remote_addr: { value: '2001:db8::7', representation: 'ipv6' } },
      },
    },
    {
      title: 'a format of its own',
      config: { log_format: '[%{uc}t] [%-m:%-l] [R:%L] [C:%{C}L] %7F: %E: %M% ,\\ referer\\ %{Referer}i' },
      in: '[2021-03-05 13:07:59.250000] [core:error] [R:YEIqvwAAAQ8] (36)File name too long: AH00036: access to /x failed',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'apache.error',
        Severity: 3,
        Payload: 'AH00036: access to /x failed',
        Fields: { module: 'core', request_log_id: 'YEIqvwAAAQ8', error_code: 36, error: 'File name too long', code: 'AH00036' },
      },
    },
    { title: 'an error of nginx', in: '2021/03/05 13:07:59 [error] 4123#0: x', fails: 'no date and level of an error log of Apache' },
  ],
};

const forms = errorLogForms(stringConfig('log_format'));

const decode = patternDecoder(
  forms.length === 0
    ? APACHE_ERRORS
    : {
        ...APACHE_ERRORS,
        patterns: forms,
        refine: (groups) => withoutReferer(namedGroups(groups)),
        refusal: 'no line of this log_format',
        further: ({ _client: client = '', _server: server = '', _peer: peer = '' }) => [
          ...remoteFieldsWithPort(client),
          ...remoteFieldsWithPort(server, 'server'),
          ...remoteFieldsWithPort(peer, 'peer'),
        ],
      },
);

export function process_message(): ProcessStatus {
  return decode();
}
