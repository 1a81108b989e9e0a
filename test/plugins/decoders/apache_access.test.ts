import { describe, expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';

const COMBINED = '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"';

/** Fields and, when the line sets it, Timestamp; null when the line is refused. */
function fields(log_format: string, line: string): Record<string, unknown> | null {
  const { rc, injected } = startPlugin('decoders/apache_access.ts', { log_format }).process({ Timestamp: 0n, Payload: line, Fields: [] });
  if (rc !== 0) return null;
  const time = injected[0]?.Timestamp === undefined ? {} : { Timestamp: String(injected[0].Timestamp) };
  return { ...time, ...Object.fromEntries(injected[0]?.Fields.map(({ name, value }) => [name, value[0]]) ?? []) };
}

test.each([
  [
    COMBINED,
    '192.0.2.44 ident - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.0" 304 - "-" "-"',
    {
      Timestamp: '1614946079000000000',
      remote_addr: '192.0.2.44',
      remote_user: '-',
      request: 'GET / HTTP/1.0',
      status: 304,
      body_bytes_sent: 0,
      http_referer: '-',
      http_user_agent: '-',
    },
  ],
  [COMBINED, 'bad', null],
  [
    '"%{Referer}i" "%{User-Agent}i" %{ms}T',
    '"a \\"b\\" \\\\" "c \\\\\\" d \\\\" 17',
    { http_referer: 'a \\"b\\" \\\\', http_user_agent: 'c \\\\\\" d \\\\', request_time: 17 },
  ],
  // The text behind the format does not matter, so the first reading of the quote fits.
  ['"%{User-Agent}i"', '"a\\\\" "b"', { http_user_agent: 'a\\\\" ' }],
  [
    '%{%Y-%m-%d %H:%M:%S}t %D %{remote}p %X %{hextid}P %{X-Foo-Bar}i %{sess}C %{VAR}e %{note}n %{Set-Cookie}o',
    '2021-03-05 13:07:59 1234 4711 + ff a b c d e',
    {
      Timestamp: '1614949679000000000',
      request_time: 1234,
      remote_port: 4711,
      connection_status: '+',
      tid: 255,
      http_x_foo_bar: 'a',
      cookie_sess: 'b',
      env_VAR: 'c',
      module_note: 'd',
      sent_http_set_cookie: 'e',
    },
  ],
  ['%{sec}t.%{msec_frac}t %r', '1614946079.250 GET', { Timestamp: '1614946079000000000', sec_frac: 0.25, request: 'GET' }],
  [
    '%{sec}t %{usec_frac}t %%%k %!200,304{Referer}i',
    '1614946079 000250 %5 http://r/',
    { Timestamp: '1614946079000000000', sec_frac: 0.00025, connection_requests: 5, http_referer: 'http://r/' },
  ],
  [
    '%B %b %T %I %S %A %L %{begin:msec}t %R %f %P %{tid}P',
    '12 - 3 4 5 10.0.0.1 - 1614949679250 - /srv/x 12 13',
    {
      Timestamp: '1614949679250000000',
      body_bytes_sent: 0,
      request_time: 3,
      request_length: 4,
      total_length: 5,
      server_addr: '10.0.0.1',
      request_log_id: '-',
      request_handler: '-',
      request_filename: '/srv/x',
      pid: 12,
      tid: 13,
    },
  ],
  [
    '%h [%{%d/%b/%Y %T %z}t] %m %U%q %H',
    '10.1.1.1 [05/Mar/2021 13:07:59 +0100] GET /a?b HTTP/1.1',
    {
      Timestamp: '1614946079000000000',
      remote_addr: '10.1.1.1',
      request_method: 'GET',
      uri: '/a?b',
      query_string: '',
      server_protocol: 'HTTP/1.1',
    },
  ],
  ['\\"%r\\"\\t%s', '"GET /"\t200', { request: 'GET /', status: 200 }],
  ['%s\\t%r\\t%u', '200\tGET / HTTP/1.1\tbob', { status: 200, request: 'GET / HTTP/1.1', remote_user: 'bob' }],
  ['%^FB %s', '1500 200', { first_byte_time: 1500, status: 200 }],
  ['%^FB %s', '- 200', { status: 200 }],
  [
    '%h %{c}h %{SSL_PROTOCOL}x %{version}c',
    'web-1 192.0.2.1 TLSv1.3 -',
    { remote_addr: '192.0.2.1', ssl_protocol: 'TLSv1.3', ssl_version: '-' },
  ],
  [
    '%!200,304s %>{X-Id}i %{X-Sum}^ti %{X-Sum}^to',
    '404 7 a b',
    { status: 404, http_x_id: '7', trailer_x_sum: 'a', sent_trailer_x_sum: 'b' },
  ],
  ['%{begin:%Y-%m-%d %T}t %s', '2021-03-05 13:07:59 200', { Timestamp: '1614949679000000000', status: 200 }],
  [
    '%h %l %u %t %r %>s',
    '192.0.2.1 - - [05/Mar/2021:13:07:59 +0100] GET / HTTP/1.1 200',
    {
      ...{ Timestamp: '1614946079000000000', remote_addr: '192.0.2.1', remote_user: '-' },
      ...{ request: 'GET / HTTP/1.1', status: 200 },
    },
  ],
  ['%m %H %s', '- - 408', { request_method: '-', status: 408 }],
  ['%s\\065\\\\', '200A\\', { status: 200 }],
  ['\\195\\169\\9%s\\226\\130\\172', 'é\t200€', { status: 200 }],
  ['\\233\\300%s', 'éĬ200', { status: 200 }],
  [
    '[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] %s',
    '[05/Mar/2021 14:07:59.250 +0100] 200',
    { Timestamp: '1614949679000000000', sec_frac: 0.25, status: 200 },
  ],
  ['%{%d/%b/%Y %T}t %{end:%z}t', '05/Mar/2021 12:07:59 -0100', { Timestamp: '1614949679000000000' }],
  ['%{%d/%b/%Y %T}t %{%z}t', '05/Mar/2021 12:07:59 0100', null],
  ['%{%z}t %{%d/%b/%Y %T}t', '+0100 05/Mar/2021 12:07:59', null],
  ['%b', '5', { body_bytes_sent: 5 }],
  ['%D %T %k', '- - -', {}],
  ['%s %>s %<s', '200 404 301', { status: 301 }],
  ['%m %f', 'Get_Script2 /', { request_method: 'Get_Script2', request_filename: '/' }],
  ['%{Referer}i -> %U', '- -> /', { http_referer: '-', uri: '/' }],
  ['a%%b%', 'a%b%', {}],
  ['\\9%s\\n', '\t200\n', { status: 200 }],
  ['%{Test-item}C %{Test-item}e %{Test-item}n', 'a b c', { 'cookie_Test-item': 'a', 'env_Test-item': 'b', 'module_Test-item': 'c' }],
  ['%{begin:sec}t', '1614949679', { Timestamp: '1614949679000000000' }],
  ['%{end:usec}t', '1614949679000000', { Timestamp: '1614949679000000000' }],
  ['%{%s}t', '1614949679', { Timestamp: '1614949679000000000' }],
  ['%{hextid}P', 'fF0', { tid: 4080 }],
  ['%{canonical}p %{local}p %{remote}p', '80 443 9', { server_port: 443, remote_port: 9 }],
  ['%U%q', '/a?b', { uri: '/a?b', query_string: '' }],
  ['%X', 'x', null],
  ['%t', '05/Mar/2021:13:07:59 +0100', null],
  ['%{%H:%M}t', '13:07', null],
  ['%p', 'x', null],
  ['%b', '', null],
])('%s on %s', (format, line, expected) => {
  expect(fields(format, line)).toEqual(expected);
});

describe('does not start', () => {
  test.each(['%Z', '%{x}Q', '%{bogus}p', '%{bogus}P', '%{x}%', '%{%Q}t', ''])('with the format %j', (log_format) => {
    expect(() => startPlugin('decoders/apache_access.ts', { log_format })).toThrow();
  });
});

test.each([
  ['%{%Y-%m-%d %H:%M:%S}t', '2021-03-05 05:07:59', '1614949679000000000'],
  ['%{%Y-%m-%d %H:%M:%S %z}t', '2021-03-05 13:07:59 +0000', '1614949679000000000'],
  ['%t', '[05/Mar/2021:14:07:59 +0100]', '1614949679000000000'],
  ['%{sec}t', '1614949679', '1614949679000000000'],
])('%s in Los Angeles', (log_format, line, expected) => {
  const plugin = startPlugin('decoders/apache_access.ts', { log_format, tz: 'America/Los_Angeles' });
  expect(String(plugin.process({ Timestamp: 0n, Payload: line, Fields: [] }).injected[0]?.Timestamp)).toBe(expected);
});

test.each([
  ['combined', '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 - "-" "x"'],
  ['common', '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 7'],
  ['combinedio', '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 7 "-" "x" 8 9'],
  ['vhost_combined', 'www.example.org:80 192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 7 "-" "x"'],
  ['LogFormat "%h %l %u %t \\"%r\\" %>s %b" common', '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 7'],
])('the format as %j', (format, line) => {
  expect(fields(format, line)).toMatchObject({ remote_addr: '192.0.2.1', request: 'GET /', status: 200 });
});
