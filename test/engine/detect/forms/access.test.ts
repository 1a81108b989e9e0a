import { describe, expect, it } from 'vitest';
import { apacheAccess, nginxAccess } from '../../../../engine/detect/forms/access.ts';
import { Head } from '../../../../engine/detect/forms/head.ts';

const TIME = '[20/Nov/2026:10:00:00 +0000]';
const formats = (line: string) => {
  const head = new Head(`${line}\n`.repeat(3));
  return {
    nginx: nginxAccess(head).map(({ config }) => config['log_format']),
    apache: apacheAccess(head).map(({ config }) => config['log_format']),
  };
};
const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;

describe('nginx', () => {
  it.each([
    [`192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12`, [COMMON]],
    [`192.0.2.7 - ann ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl"`, [COMBINED, COMMON]],
    [`[2001:db8::1] - - ${TIME} "GET / HTTP/1.1" 200 12`, [COMMON]],
    ['192.0.2.7 - - [20/Nov/2026:10:00:00:250 +0000] "GET / HTTP/1.1" 200 12', [COMMON]],
    ['192.0.2.7 - - [2026-11-20T10:00:00+01:00] "GET / HTTP/1.1" 200 12', [COMMON.replace('time_local', 'time_iso8601')]],
    ['192.0.2.7 - - [2026-11-20T10:00:00.250Z] "GET / HTTP/1.1" 200 12', [COMMON.replace('time_local', 'time_iso8601')]],
    [
      `192.0.2.7:5 - - ${TIME} "GET / HTTP/1.1" 200 12`,
      ['$remote_addr:$remote_port - $remote_user [$time_local] "$request" $status $body_bytes_sent'],
    ],
    [
      `[2001:db8::1]:5 - - ${TIME} "GET / HTTP/1.1" 200 12`,
      ['[$remote_addr]:$remote_port - $remote_user [$time_local] "$request" $status $body_bytes_sent'],
    ],
    [
      `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" rt=0.001 urt="0.002" x`,
      [`${COMBINED} rt=$request_time urt="$upstream_response_time"`, COMBINED, COMMON],
    ],
    [
      `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" "198.51.100.1, 192.0.2.9"`,
      [`${COMBINED} "$http_x_forwarded_for"`, COMBINED, COMMON],
    ],
    [
      `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" 0.001 0.002 a.example`,
      [`${COMBINED} $request_time $upstream_response_time $host`, COMBINED, COMMON],
    ],
    [`192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" 1.5`, [`${COMBINED} $request_time`, COMBINED, COMMON]],
    [`192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" 192.0.2.80`, [`${COMBINED} $host`, COMBINED, COMMON]],
    [
      `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" 7 "web@docker" "http://10.0.0.1:80" 12ms`,
      [`${COMBINED} $request_number "$router_name" "$upstream_url" $duration`],
    ],
  ])('%s', (line, expected) => expect(formats(line)).toEqual({ nginx: expected, apache: [] }));

  it('knows the format of ingress-nginx', () => {
    const line = `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl" 90 0.001 [default-web-80] [] 10.0.0.1:80 12 0.001 200 ${'0a'.repeat(16)}`;
    const end = '$request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name]';
    const first = `${COMBINED} ${end} $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id`;
    expect(formats(line).nginx[0]).toBe(first);
  });
});

describe('Apache', () => {
  it.each([
    [`192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 304 -`, ['%h %l %u %t "%r" %>s %b']],
    [`192.0.2.7 id ann ${TIME} "GET / HTTP/1.1" 200 12`, ['%h %l %u %t "%r" %>s %b']],
    [
      `www.example:80 192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12 "-" "curl"`,
      ['%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"', '%v:%p %h %l %u %t "%r" %>s %O'],
    ],
    [`www.example 192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12`, ['%v %h %l %u %t "%r" %>s %b']],
    ['192.0.2.7 - - [20/Nov/2026 10:00:00] "GET / HTTP/1.1" 200 -', ['%h %l %u [%{%d/%b/%Y %T}t] "%r" %>s %b']],
  ])('%s', (line, expected) => {
    const { nginx, apache } = formats(line);
    expect(nginx).toEqual([]);
    expect(apache).toEqual(expected);
  });
});

it.each(['', 'x', `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" OK 12`])('other lines are none: %j', (line) => {
  expect(formats(line)).toEqual({ nginx: [], apache: [] });
});

it('lines of another shape do not count when they are few', () => {
  const line = `192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 12`;
  expect(nginxAccess(new Head(`${line}\n${line}\n${line} "-" "curl"\nx\n`)).map(({ config }) => config)).toEqual([{ log_format: COMMON }]);
});

it.each([
  ['192.0.2.7 - - [2026-11-20 10:00:00 +0000] "GET / HTTP/1.1" 200 12', '[%{%Y-%m-%d %T %z}t]'],
  ['192.0.2.7 - - [2026-11-20T10:00:00+0100] "GET / HTTP/1.1" 200 -', '[%{%Y-%m-%dT%T%z}t]'],
])('dates of ISO 8601 in formats of Apache: %s', (line, time) => {
  expect(formats(line)).toEqual({ nginx: [], apache: [`%h %l %u ${time} "%r" %>s %b`] });
});
