/** Logs of a real Apache httpd, in several formats. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decoders } from './support/decode.ts';
import { installed, reachable, sendRaw, ServerFolder } from './support/server.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

/** The first four are Debian's. */
const FORMATS = {
  vhost_combined: '%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
  combined: '%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
  common: '%h %l %u %t \\"%r\\" %>s %O',
  agent: '%t \\"%{User-Agent}i\\" %a',
  bytes: '%h %l %u %t \\"%r\\" %>s %b',
  wide: '%{%Y-%m-%dT%H:%M:%S%z}t %{usec_frac}t %A %B %D %{ms}T %H %I %k %m %p %P \\"%q\\" %s %S %T %U %v %V %X \\"%{X-Thing}i\\" \\"%{Content-Type}o\\"',
  pipes: '%h|%l|%u|%t|%m|%r|%H|%>s|%b|%{c}h|%{X-Thing}i|%{User-Agent}i',
  plain: '%h %l %u %t %r %>s %b',
  first: '%{begin:%d/%m/%Y %T}t %^FB %{pid}P %!200,404{X-Thing}i',
  millis: '[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] %a \\"%r\\" %s',
  epoch: '%{usec}t %a %{remote}p \\"%f\\" \\"%R\\"',
} as const;
/** Error logs of a host of its own. */
const ERROR_FORMATS = [
  'ErrorLogFormat "[%{uc}t] [%-m:%-l] [R:%L] [C:%{C}L] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i"',
  'ErrorLogFormat request "[%{uc}t] [R:%L] Request %k on C:%{c}L pid:%P tid:%T"',
  `ErrorLogFormat request "[%{uc}t] [R:%L] UA:'%+{User-Agent}i'"`,
  'ErrorLogFormat connection "[%{uc}t] [C:%{c}L] local\\ %a remote\\ %A"',
].join('\n');
const MODULES = ['mpm_event', 'authz_core', 'dir', 'alias', 'headers'];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}
const SENT: readonly Sent[] = [
  { method: 'GET', path: '/', headers: { 'user-agent': 'plain/1.0' }, status: 200 },
  {
    method: 'GET',
    path: '/index.txt?b=1&c=%20d',
    headers: { referer: 'http://example.org/?q="x"', 'user-agent': 'with "quotes" and \\' },
    status: 200,
  },
  { method: 'HEAD', path: '/index.txt', headers: { 'x-thing': 'a b' }, status: 200 },
  { method: 'GET', path: '/missing', headers: { host: 'www.example.org' }, status: 404 },
  { method: 'PROPFIND', path: '/index.txt', headers: { 'user-agent': 'caf\u00e9' }, status: 405 },
  { method: 'GET', path: '/old', headers: {}, status: 301 },
  { method: 'GET', path: '/index.txt', headers: { 'if-none-match': '*' }, status: 304 },
];

const server = new ServerFolder();
const decoders = new Decoders();
const started = Date.now();
let port = 0;

const configuration = (): string => `
ServerRoot ${server.path}
ServerName box1.example.org:${port}
Listen 127.0.0.1:${port}
PidFile ${server.path}/apache.pid
DefaultRuntimeDir ${server.path}
Mutex file:${server.path} default
ErrorLog ${server.path}/error.log
LogLevel debug
LogIOTrackTTFB ON
${MODULES.map((name) => `LoadModule ${name}_module ${installed(`usr/lib/apache2/modules/mod_${name}.so`)}`).join('\n')}
StartServers 1
DocumentRoot ${server.path}/www
DirectoryIndex index.txt
Redirect permanent /old /new
Header set Content-Type text/x-log
${Object.entries(FORMATS)
  .map(([name, format]) => `LogFormat "${format}" ${name}\nCustomLog ${server.path}/${name}.log ${name}`)
  .join('\n')}
<VirtualHost *:${port}>
</VirtualHost>
<VirtualHost *:${port}>
ServerName errors.example.org
ErrorLog ${server.path}/marked.log
${ERROR_FORMATS}
CustomLog /dev/null common
<Location /secret>
Require all denied
</Location>
</VirtualHost>
`;

function send({ method, path, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });
}

const linesOf = (name: string): number => server.read(`${name}.log`).split('\n').length - 1;

beforeAll(async () => {
  port = await freePort();
  server.folder('www');
  server.file('www/index.txt', 'hello\n');
  const conf = server.file('apache.conf', configuration());
  await server.start(installed('usr/sbin/apache2'), ['-f', conf, '-DFOREGROUND'], () => reachable(port));
  for (const [i, sent] of SENT.entries()) {
    expect(await send(sent)).toBe(sent.status);
    // The threads write when their answer is sent: in order only when they get time for it.
    await until(() => linesOf('epoch') > i, 'the line');
  }
  const headers = { host: 'errors.example.org', 'user-agent': 'an agent', referer: 'http://example.org/' };
  expect(await send({ method: 'GET', path: '/secret', headers, status: 403 })).toBe(403);
  await sendRaw({ port }, '\x16\x03\x01"garbage\r\n\r\n');
  await until(() => linesOf('epoch') > SENT.length, 'the last line');
});
afterAll(async () => {
  await decoders.close();
  await server.close();
});

/** The requests that were sent, in order: a connection that only looked whether the server is there may stand in front of them. */
async function decode(name: keyof typeof FORMATS) {
  const { records, failures } = await decoders.decode(`${server.path}/${name}.log`, 'apache_access', { log_format: FORMATS[name] });
  return { records: records.filter(({ status, request: line }) => status !== 408 && line !== '-'), failures };
}

const requests = SENT.map(({ method, path }) => `${method} ${path} HTTP/1.1`);
/** Apache writes quotes and backslashes with a backslash in front, and what is no ASCII as \xhh. */
const escaped = (text: string): string =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) => (byte > 126 ? `\\x${byte.toString(16)}` : String.fromCharCode(byte).replace(/["\\]/, '\\$&')))
    .join('');

it.each(['vhost_combined', 'combined', 'common', 'bytes'] as const)('decodes the format %s', async (name) => {
  const { records, failures } = await decode(name);
  expect(failures).toEqual([]);
  expect(records.slice(0, SENT.length).map(({ request: line }) => line)).toEqual(requests);
  expect(records.map(({ status }) => status)).toEqual([...SENT.map(({ status }) => status), 400]);
  expect(records.every(({ remote_addr: client }) => client === '127.0.0.1')).toBe(true);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  if (name === 'vhost_combined') expect(records[0]).toMatchObject({ server_name: 'box1.example.org', server_port: port });
  if (name === 'bytes') expect(records.slice(0, 3).map(({ body_bytes_sent: bytes }) => bytes)).toEqual([6, 6, 0]);
  if (!name.endsWith('combined')) return;
  for (const [i, { headers }] of SENT.entries()) {
    const fields = { http_user_agent: escaped(headers['user-agent'] ?? '-'), http_referer: escaped(headers['referer'] ?? '-') };
    expect(records[i]).toMatchObject(fields);
  }
});

it('decodes a time, an agent and an address', async () => {
  const { records, failures } = await decode('agent');
  expect(failures).toEqual([]);
  expect(records[1]).toMatchObject({ http_user_agent: escaped('with "quotes" and \\'), remote_addr: '127.0.0.1' });
});

it('decodes the directives of a wide format', async () => {
  const { records, failures } = await decode('wide');
  expect(failures).toEqual([]);
  const asked = records.filter(({ uri }) => uri === '/index.txt');
  expect(asked[0]).toMatchObject({ server_addr: '127.0.0.1', body_bytes_sent: 6, server_protocol: 'HTTP/1.1', request_method: 'GET' });
  expect(asked[1]).toMatchObject({
    server_port: port,
    query_string: '?b=1&c=%20d',
    status: 200,
    connection_status: expect.any(String) as string,
  });
});

it('decodes a time in microseconds', async () => {
  const { records, failures } = await decode('epoch');
  expect(failures).toEqual([]);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  expect(records.every(({ remote_port: from }) => Number(from) > 0)).toBe(true);
});

it.each([
  ['vhost_combined', 'apache_access', '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"'],
  [
    'combined',
    'nginx_access',
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
  ],
  ['bytes', 'apache_access', '%h %l %u %t "%r" %>s %b'],
])('finds out the format of the log %s', async (file, name, log_format) => {
  expect(await decoders.detect(server.read(`${file}.log`))).toMatchObject({ name, config: { log_format }, confidence: 1 });
});

it.each(['pipes', 'plain'] as const)('decodes the format %s, whose fields end at what stands behind them', async (name) => {
  const { records, failures } = await decode(name);
  expect(failures).toEqual([]);
  expect(records.slice(0, SENT.length).map(({ request: line }) => line)).toEqual(requests);
  expect(records.slice(0, 3).map(({ body_bytes_sent: bytes }) => bytes)).toEqual([6, 6, 0]);
  if (name === 'pipes') expect(records[2]).toMatchObject({ http_x_thing: 'a b', server_protocol: 'HTTP/1.1', request_method: 'HEAD' });
});

it('decodes the time to the first byte', async () => {
  const { records, failures } = await decode('first');
  expect(failures).toEqual([]);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  expect(records.some(({ first_byte_time: time }) => typeof time === 'number')).toBe(true);
});

it('decodes the error log', async () => {
  expect(await decoders.detect(server.read('error.log'))).toMatchObject({ name: 'apache_error', confidence: 1 });
  const { records, failures } = await decoders.decode(`${server.path}/error.log`, 'apache_error');
  expect(failures).toEqual([]);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  expect(records).toContainEqual(
    expect.objectContaining({
      module: 'mpm_event',
      Severity: 5,
      code: 'AH00489',
      Payload: expect.stringMatching(/^AH00489: Apache\//) as string,
    }),
  );
  expect(records).toContainEqual(expect.objectContaining({ remote_addr: '127.0.0.1', remote_port: expect.any(Number) as number }));
});

it('decodes a time with milliseconds and a zone', async () => {
  const { records, failures } = await decode('millis');
  expect(failures).toEqual([]);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  expect(records.every(({ sec_frac: fraction }) => typeof fraction === 'number' && fraction < 1)).toBe(true);
});

it('decodes an error log of its own formats', async () => {
  await until(() => server.read('marked.log').includes('AH01630'), 'the error');
  const { records, failures } = await decoders.decode(`${server.path}/marked.log`, 'apache_error', { log_format: ERROR_FORMATS });
  expect(failures).toEqual([]);
  expect(records.every(({ Time }) => Math.abs((Time as number) - started) < 120_000)).toBe(true);
  const some = expect.any(String) as string;
  const number = expect.any(Number) as number;
  expect(records).toContainEqual(
    expect.objectContaining({
      module: 'authz_core',
      Severity: 3,
      code: 'AH01630',
      request_log_id: some,
      remote_addr: '127.0.0.1',
      remote_port: number,
      http_referer: 'http://example.org/',
      Payload: expect.stringMatching(/^AH01630: client denied .*secret$/) as string,
    }),
  );
  expect(records).toContainEqual(expect.objectContaining({ http_user_agent: 'an agent', request_log_id: some }));
  expect(records).toContainEqual(expect.objectContaining({ connection_log_id: some, connection_requests: 0, tid: number }));
});
