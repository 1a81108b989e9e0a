import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };
const WHOLE = { Timestamp: '1614949679000000000' };

describe('the forms of its own', () => {
  const decode = decoder('apache_error');
  test.each<[record: string, expected: Decoded | string]>([
    [
      '[Fri Mar 05 13:07:59.250000 2021] [mpm_event:notice] [pid 1:tid 140] AH00489: Apache/2.4.57 (Debian) configured -- resuming normal operations\n',
      {
        ...{ ...AT, Type: 'apache.error', Severity: 5, Pid: 1, module: 'mpm_event', tid: 140, code: 'AH00489' },
        Payload: 'AH00489: Apache/2.4.57 (Debian) configured -- resuming normal operations',
      },
    ],
    [
      '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 7] (13)Permission denied: [client [2001:db8::7]:50122] AH00035: access to / denied',
      {
        ...{
          ...AT,
          Type: 'apache.error',
          Severity: 3,
          Pid: 7,
          module: 'core',
          error_code: 13,
          error: 'Permission denied',
          code: 'AH00035',
        },
        ...{ Payload: 'AH00035: access to / denied', remote_addr: ['2001:db8::7', 'ipv6'], remote_port: 50122 },
      },
    ],
    [
      '[Fri Mar 05 13:07:59.250000 2021] [ssl:trace3] [pid 7:tid 8] ssl_engine_kernel.c(2213): [remote 192.0.2.1:443] OpenSSL: Loop',
      {
        ...{ ...AT, Type: 'apache.error', Severity: 7, Pid: 7, tid: 8, module: 'ssl', source: 'ssl_engine_kernel.c', source_line: 2213 },
        ...{ Payload: 'OpenSSL: Loop', remote_addr: ['192.0.2.1', 'ipv4'], remote_port: 443 },
      },
    ],
    [
      '[Fri Mar 05 13:07:59.250000 2021] [:error] [pid 7] [client 192.0.2.1:1] PHP Notice:  x in /srv/a.php on line 3, referer: http://e.org/?a=b',
      {
        ...{ ...AT, Type: 'apache.error', Severity: 3, Pid: 7, http_referer: 'http://e.org/?a=b' },
        ...{ Payload: 'PHP Notice:  x in /srv/a.php on line 3', remote_addr: ['192.0.2.1', 'ipv4'], remote_port: 1 },
      },
    ],
    [
      '[Fri Mar  5 13:07:59 2021] [notice] caught SIGTERM, shutting down',
      { ...WHOLE, Type: 'apache.error', Severity: 5, Payload: 'caught SIGTERM, shutting down' },
    ],
    [
      '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 7:tid 8] [client ::1:58619] x',
      {
        ...AT,
        Type: 'apache.error',
        Severity: 3,
        Pid: 7,
        tid: 8,
        module: 'core',
        Payload: 'x',
        remote_addr: ['::1', 'ipv6'],
        remote_port: 58619,
      },
    ],
    ['[Fri Mar 35 13:07:59 2021] [notice] x', 'refused: no date that there is'],
    ['[Fri Mar 05 13:07:59 2021] [loud] x', 'refused: no date and level of an error log of Apache'],
    ['', 'refused: no date and level of an error log of Apache'],
  ])('%j', (record, expected) => {
    expect(decode(record)).toEqual(expected);
  });
});

const SOME = String.raw`[%t] [%l] [pid %P] %F: %E: [client %a] %M`;
const IDS = String.raw`[%{uc}t] [%-m:%-l] [R:%L] [C:%{C}L] %7F: %E: %M`;
const REQUESTS = [
  String.raw`ErrorLogFormat "[%{uc}t] [%-m:%l] [R:%L] %M"`,
  String.raw`ErrorLogFormat request "[%{uc}t] [R:%L] Request %k on C:%{c}L pid:%P tid:%T"`,
  String.raw`ErrorLogFormat request "[%{uc}t] [R:%L] UA:'%+{User-Agent}i'"`,
  String.raw`ErrorLogFormat connection "[%{uc}t] [C:%{c}L] local\ %a remote\ %A"`,
].join('\n');
const AT_ERROR = { ...AT, Type: 'apache.error', Severity: 3 };
const NONE = 'refused: no line of this log_format';

test.each<[format: string, record: string, expected: Decoded | string]>([
  [
    SOME,
    '[Fri Mar 05 13:07:59 2021] [error] [pid 7] a.c(12): (2)No such file or directory: [client 192.0.2.1:80] gone',
    {
      ...{ ...AT_ERROR, ...WHOLE, Pid: 7, source: 'a.c', source_line: 12, error_code: 2, error: 'No such file or directory' },
      ...{ remote_addr: ['192.0.2.1', 'ipv4'], remote_port: 80, Payload: 'gone' },
    },
  ],
  // A blank ends a part also within brackets.
  [SOME, '[Fri Mar 05 13:07:59 2021] [error] [pid 7] [client gone', { ...AT_ERROR, ...WHOLE, Pid: 7, Payload: 'gone' }],
  [SOME, '[Fri Mar 05 13:07:59 2021] [error] [pid 7] gone', NONE],
  [SOME, '[2021-03-05 13:07:59] [error] [pid 7] [client gone', NONE],
  [IDS, '[2021-03-05 13:07:59.250000] [-:error] gone', { ...AT_ERROR, Payload: 'gone' }],
  [
    IDS,
    '[2021-03-05 13:07:59.250000] [core:debug] [C:+a/b@9] core.c(5): AH00001: x\ny',
    {
      ...{ ...AT_ERROR, Severity: 7, module: 'core', connection_log_id: '+a/b@9', source: 'core.c', source_line: 5, code: 'AH00001' },
      Payload: 'AH00001: x\ny',
    },
  ],
  [
    REQUESTS,
    '[2021-03-05 13:07:59.250000] [http:error] [R:a1] gone',
    { ...AT_ERROR, module: 'http', request_log_id: 'a1', Payload: 'gone' },
  ],
  [
    REQUESTS,
    '[2021-03-05 13:07:59.250000] [R:a1] Request 3 on C:c1 pid:7 tid:9',
    { ...AT, Type: 'apache.error', Pid: 7, tid: 9, request_log_id: 'a1', connection_requests: 3, connection_log_id: 'c1' },
  ],
  [
    REQUESTS,
    "[2021-03-05 13:07:59.250000] [R:a1] UA:'it's [a] browser'",
    { ...AT, Type: 'apache.error', request_log_id: 'a1', http_user_agent: "it's [a] browser" },
  ],
  [
    REQUESTS,
    '[2021-03-05 13:07:59.250000] [C:c1] local 2001:db8::7:50122 remote 192.0.2.1:443',
    {
      ...{ ...AT, Type: 'apache.error', connection_log_id: 'c1', remote_addr: ['2001:db8::7', 'ipv6'], remote_port: 50122 },
      ...{ server_addr: ['192.0.2.1', 'ipv4'], server_port: 443 },
    },
  ],
  ['%{u}t %l %M', 'Fri Mar 05 13:07:59.250000 2021 error a', { ...AT_ERROR, Payload: 'a' }],
  ['%{uz}t %l %M', 'Fri Mar 05 14:07:59.250000 2021 +0100 error a', { ...AT_ERROR, Payload: 'a' }],
  ['%{cuz}t %l %M', '2021-03-05 12:07:59.250000 -0100 error a', { ...AT_ERROR, Payload: 'a' }],
  [
    '%{g}T %v %V %{c}a %{X-Id.1}i %{A.B}e %{n-1}n %l%% %M',
    '12 www.example.org other 192.0.2.7:1 a b c warn% m',
    {
      ...{ Type: 'apache.error', Severity: 4, tid: 12, server_name: ['www.example.org', 'hostname'], peer_addr: ['192.0.2.7', 'ipv4'] },
      ...{ peer_port: 1, 'http_x_id.1': 'a', 'env_A.B': 'b', 'module_n-1': 'c', Payload: 'm' },
    },
  ],
  ['%-{Referer}i %4{User-Agent}i %l %M', '- error m', { ...AT_ERROR, Timestamp: undefined, Payload: 'm' }],
  [
    '%-{Referer}i %4{User-Agent}i %l %M',
    'http://e.org/ curl error m',
    { ...AT_ERROR, Timestamp: undefined, http_referer: 'http://e.org/', http_user_agent: 'curl', Payload: 'm' },
  ],
  ['%l %E:\\t%M', 'errorm', { ...AT_ERROR, Timestamp: undefined, Payload: 'm' }],
  ['%l %E:\\t%M', 'error (OS 64)Gone.:\tm', { ...AT_ERROR, Timestamp: undefined, error_code: 64, error: 'Gone.', Payload: 'm' }],
  ['%l (%M', 'error (m', { ...AT_ERROR, Timestamp: undefined, Payload: 'm' }],
])('the format %j reads %j', (log_format, record, expected) => {
  expect(decoder('apache_error', { log_format })(record)).toEqual(expected);
});

test.each(['%Z', '%{x}t', '%{d}a', '%{x}T', '%{x}P', '%{x}L', '%q %M'])('does not start with the format %j', (log_format) => {
  expect(() => decoder('apache_error', { log_format })).toThrow(/unknown directive/);
});

/** The server's own formats, as its documentation has them. */
const THREADED = String.raw`[%{u}t] [%-m:%l] [pid %P:tid %T] %7F: %E: [client\ %a] %M% ,\ referer\ %{Referer}i`;
const OLD = String.raw`[%t] [%l] %7F: %E: [client\ %a] %M% ,\ referer\ %{Referer}i`;

test.each([
  [
    THREADED,
    '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 7:tid 8] (13)Permission denied: [client ::1:50122] AH00035: no, referer: http://e.org/',
  ],
  [
    THREADED,
    '[Fri Mar 05 13:07:59.250000 2021] [ssl:debug] [pid 7:tid 8] ssl_engine_kernel.c(2213): [client 192.0.2.1:443] AH02041: Protocol: TLSv1.3',
  ],
  [THREADED, '[Fri Mar 05 13:07:59.250000 2021] [mpm_event:notice] [pid 7:tid 8] AH00489: Apache/2.4.57 (Debian) configured'],
  [
    THREADED,
    "[Fri Mar 05 13:07:59.250000 2021] [proxy_fcgi:error] [pid 7:tid 8] [client 192.0.2.1:9] AH01071: Got error 'PHP message: x\n'",
  ],
  [OLD, '[Fri Mar 05 13:07:59 2021] [notice] caught SIGTERM, shutting down'],
])('the format %s, given or not, reads %j', (log_format, record) => {
  expect(decoder('apache_error', { log_format })(record)).toEqual(decoder('apache_error')(record));
});
