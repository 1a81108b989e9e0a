/** Logs of a real nginx, in several formats. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decoders } from './support/decode.ts';
import { installed, reachable, sendRaw, ServerFolder } from './support/server.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
const FORMATS = {
  proxied: `${COMBINED} "$http_x_forwarded_for" rt=$request_time urt="$upstream_response_time"`,
  wide: '$time_iso8601 $msec $pid $connection $connection_requests $request_method $scheme $host $server_addr $server_port $remote_port $uri "$args" "$is_args" $request_length $bytes_sent $request_time $pipe $server_protocol $status "$sent_http_content_type" "$http_x_thing" $request_completion',
  /** As ingress-nginx of Kubernetes has it. */
  ingress: `${COMBINED} $request_length $request_time [$http_x_thing] [$arg_none] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $request_id`,
  pipes:
    '$time_iso8601|$remote_addr|$remote_port|$server_name|$request_method|$request_uri|$server_protocol|$https|$status|$upstream_addr|$upstream_cache_status|$http_user_agent|$tcpinfo_rtt',
  named:
    '$remote_addr a="$upstream_addr" s="$upstream_status" t="$upstream_response_time" c="$upstream_connect_time" "$request_completion" $request',
  upstream: '[$time_local] $upstream_addr $upstream_status $upstream_response_time $upstream_response_length "$request"',
};
const JSON_FORMAT = '{"time":"$time_iso8601","status":$status,"request":"$request","agent":"$http_user_agent"}';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}
const SENT: readonly Sent[] = [
  { method: 'GET', path: '/', headers: { 'user-agent': 'plain/1.0' }, status: 200 },
  {
    method: 'POST',
    path: '/a?b=1&c=%20d',
    headers: { referer: 'http://example.org/?q="x"', 'user-agent': 'with "quotes" and \\' },
    status: 200,
  },
  { method: 'PROPFIND', path: '/dav', headers: { 'x-forwarded-for': '198.51.100.7, 2001:db8::1', 'x-thing': 'a b' }, status: 200 },
  { method: 'HEAD', path: '/head', headers: { 'user-agent': '' }, status: 200 },
  { method: 'GET', path: '/files/missing', headers: { authorization: `Basic ${btoa('alice:x')}` }, status: 404 },
  { method: 'GET', path: '/proxied/x', headers: { 'user-agent': 'caf\u00e9' }, status: 204 },
  { method: 'GET', path: '/dead', headers: {}, status: 502 },
];

const server = new ServerFolder();
const decoders = new Decoders();
const started = Date.now();
let port = 0;

const configuration = (behind: number, dead: number): string => `
worker_processes 1; pid ${server.path}/nginx.pid; error_log ${server.path}/error.log info;
events { worker_connections 64; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${server.path}/${name};`).join(' ')}
  ${Object.entries(FORMATS)
    .map(([name, format]) => `log_format ${name} '${format}';`)
    .join('\n  ')}
  log_format json escape=json '${JSON_FORMAT}';
  server {
    listen 127.0.0.1:${port}; listen unix:${server.path}/socket;
    access_log ${server.path}/combined.log;
    ${[...Object.keys(FORMATS), 'json'].map((name) => `access_log ${server.path}/${name}.log ${name};`).join(' ')}
    location / { return 200 "hello\\n"; }
    location /files/ { root ${server.path}; }
    location /proxied/ { proxy_pass http://127.0.0.1:${behind}; }
    location /dead { proxy_pass http://127.0.0.1:${dead}; }
  }
  server { listen 127.0.0.1:${behind}; access_log off; return 204; }
}`;

function send({ method, path, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(method === 'POST' ? 'body' : undefined);
  });
}

beforeAll(async () => {
  port = await freePort();
  const conf = server.file('nginx.conf', configuration(await freePort(), await freePort()));
  const args = ['-p', server.path, '-c', conf, '-e', `${server.path}/error.log`, '-g', 'daemon off;'];
  await server.start(installed('usr/sbin/nginx'), args, () => reachable(port));
  for (const sent of SENT) expect(await send(sent)).toBe(sent.status);
  await sendRaw({ port }, '\x16\x03\x01\x00"garbage\r\n\r\n');
  await sendRaw({ path: `${server.path}/socket` }, 'GET /socket HTTP/1.0\r\n\r\n');
  await until(() => server.read('combined.log').split('\n').length === SENT.length + 3, 'the last line');
});
afterAll(async () => {
  await decoders.close();
  await server.close();
});

const log = (name: string): string => `${server.path}/${name}.log`;
const requests = SENT.map(({ method, path }) => `${method} ${path} HTTP/1.1`);
/** nginx writes quotes, backslashes and what is no ASCII as \xHH. */
const escaped = (text: string): string =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) =>
      byte < 32 || byte > 126 || byte === 34 || byte === 92
        ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

it('decodes the combined format', async () => {
  const { records, failures } = await decoders.decode(log('combined'), 'nginx_access', { log_format: COMBINED });
  expect(failures).toEqual([]);
  expect(records.slice(0, SENT.length).map(({ request: line }) => line)).toEqual(requests);
  expect(records.map(({ status }) => status)).toEqual([...SENT.map(({ status }) => status), 400, 200]);
  for (const [i, { headers }] of SENT.entries()) {
    expect(records[i]).toMatchObject({
      remote_addr: '127.0.0.1',
      remote_user: headers['authorization'] === undefined ? '-' : 'alice',
      http_user_agent: escaped(headers['user-agent'] ?? '-'),
      http_referer: escaped(headers['referer'] ?? '-'),
    });
    expect(Math.abs((records[i]?.['Time'] as number) - started)).toBeLessThan(120_000);
  }
  expect(records[0]).toMatchObject({ body_bytes_sent: 6 });
  expect(records.at(-1)).toMatchObject({ remote_addr: 'unix:', request: 'GET /socket HTTP/1.0' });
});

it.each(['combined', 'proxied'] as const)('finds out the format of the log %s', async (name) => {
  const log_format = name === 'combined' ? COMBINED : FORMATS[name];
  expect(await decoders.detect(server.read(`${name}.log`))).toMatchObject({ name: 'nginx_access', config: { log_format }, confidence: 1 });
});

it('decodes addresses and times of a proxy', async () => {
  const { records, failures } = await decoders.decode(log('proxied'), 'nginx_access', { log_format: FORMATS.proxied });
  expect(failures).toEqual([]);
  expect(records.map(({ http_x_forwarded_for: from }) => from)).toEqual(
    [...SENT, { headers: {} as Record<string, string> }, { headers: {} as Record<string, string> }].map(
      ({ headers }) => headers['x-forwarded-for'] ?? '-',
    ),
  );
  expect(records.every(({ request_time: time }) => typeof time === 'number')).toBe(true);
});

it('decodes variables of the connection and the request', async () => {
  const { records, failures } = await decoders.decode(log('wide'), 'nginx_access', { log_format: FORMATS.wide });
  expect(failures).toEqual([]);
  const [, posted] = records;
  expect(posted).toMatchObject({
    request_method: 'POST',
    scheme: 'http',
    host: '127.0.0.1',
    server_port: port,
    uri: '/a',
    args: 'b=1&c=%20d',
  });
  expect(posted).toMatchObject({ is_args: '?', pipe: '.', server_protocol: 'HTTP/1.1', status: 200, sent_http_content_type: 'text/plain' });
  expect(records[2]).toMatchObject({ request_method: 'PROPFIND', http_x_thing: 'a b', request_completion: 'OK' });
});

it('decodes variables of servers behind', async () => {
  const { records, failures } = await decoders.decode(log('upstream'), 'nginx_access', { log_format: FORMATS.upstream });
  expect(failures).toEqual([]);
  expect(records).toHaveLength(SENT.length + 2);
  const asked = records.filter(({ upstream_status: status }) => status !== 0);
  expect(asked.map(({ upstream_status: status }) => status)).toEqual([204, 502]);
});

it.each(['ingress', 'pipes', 'named'] as const)('decodes every line of the format %s', async (name) => {
  const { records, failures } = await decoders.decode(`${server.path}/${name}.log`, 'nginx_access', { log_format: FORMATS[name] });
  expect(failures).toEqual([]);
  expect(records.length).toBeGreaterThan(SENT.length);
  if (name === 'ingress')
    expect(records.find(({ request: line }) => String(line).startsWith('PROPFIND'))).toMatchObject({ http_x_thing: 'a b' });
  if (name === 'pipes') expect(records.map(({ remote_addr: client }) => client)).toContain('unix:');
  if (name === 'named') expect(records.map(({ upstream_status: status }) => status)).toContain(502);
});

it('decodes JSON', async () => {
  const { records, failures } = await decoders.decode(log('json'), 'json_lines');
  expect(failures.filter((text) => !text.includes('garbage'))).toEqual([]);
  expect(records[1]).toMatchObject({ status: 200, request: requests[1], agent: 'with "quotes" and \\' });
});

it('decodes the error log', async () => {
  const { records, failures } = await decoders.decode(log('error'), 'nginx_error');
  expect(failures).toEqual([]);
  const errors = records.filter(({ Severity }) => Severity === 3);
  expect(errors.map(({ Payload }) => String(Payload).slice(0, 25))).toEqual([
    expect.stringMatching(/^open\(\)/) as string,
    expect.stringMatching(/^connect\(\) failed/) as string,
  ]);
  expect(errors[0]?.['Payload']).toContain('/files/missing" failed (2: No such file or directory)');
  expect(await decoders.detect(server.read('error.log'))).toMatchObject({ name: 'nginx_error', confidence: 1 });
});
