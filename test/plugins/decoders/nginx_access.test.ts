import { describe, expect, test } from 'vitest';
import { startPlugin, type Outcome } from '../support/sandbox.ts';

type Config = Record<string, string | boolean>;

const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

function decode(log_format: string, line: string, config: Config = {}): Outcome {
  return startPlugin('decoders/nginx_access.ts', { log_format, ...config }).process({ Timestamp: 0n, Payload: line, Fields: [] });
}

/** Fields as `value` or `value [representation]`, the time as Timestamp; null when the line is refused. */
function fields(log_format: string, line: string, config?: Config): Record<string, unknown> | null {
  const { rc, injected } = decode(log_format, line, config);
  if (rc !== 0) return null;
  const [message] = injected;
  const result: Record<string, unknown> = {};
  if (message?.Timestamp !== undefined) result['Timestamp'] = String(message.Timestamp);
  for (const { name, value, representation } of message?.Fields ?? []) {
    const plain = value.length === 1 ? value[0] : value;
    result[name] = representation === undefined ? plain : [plain, representation];
  }
  return result;
}

describe('how far text reaches', () => {
  test.each([
    ['"$a"', '"x \\" y"', { a: 'x \\" y' }],
    ['"$a"', '"a\\"', null],
    ['$a "$b" $c', 'a "b c" d', { a: 'a', b: 'b c', c: 'd' }],
    ['$a "$b" $c', 'a b', null],
    ['$x|$y|$z', '1|2|3', { x: '1', y: '2', z: '3' }],
    ['$x|$y|$z', '1|2', null],
    ['$a;$b', '1;2', { a: '1', b: '2' }],
    ['$a[$b]', 'x[y]', { a: 'x', b: 'y' }],
    ['[$a] [$b] $c', '[x y] [] z', { a: 'x y', b: '', c: 'z' }],
    ['$a $b [$status]', 'x y z [200]', { a: 'x', b: 'y z', status: 200 }],
    ['$request $status', 'GET / HTTP/1.1 200', { request: 'GET / HTTP/1.1', status: 200 }],
    ['"$a" $status', '"C:\\\\" 200', { a: 'C:\\\\', status: 200 }],
    ['"$a" $status', '"GET /1.2.3.4 "GET / HTTP/2.0" 200', null],
    [
      'a="$upstream_addr" s="$upstream_status"',
      'a="10.0.0.1:80, 10.0.0.2:80" s="502, 200"',
      { upstream_addr: ['10.0.0.1:80', '10.0.0.2:80'], upstream_status: [502, 200] },
    ],
    ['{"a":"$a","s":$status}', '{"a":"say \\"hi\\"","s":200}', { a: 'say \\"hi\\"', status: 200 }],
    ['$status|$y|$z', '200|2|3', { status: 200, y: '2', z: '3' }],
    ['$a$b', 'one two', { a: 'one', b: '' }],
    ['"$a', '"open', { a: 'open' }],
    ['$a', '', { a: '' }],
    ['$', '$', {}],
    ['$status', '', null],
    ['$status', '-', {}],
    ['cost $5 $$x', 'cost 1 $7', { 5: '1', x: '7' }],
    ['\\"$request\\" $status', '"GET /" 200', null],
    ['$status\\t$pid', '200\\t7', { status: 200, pid: 7 }],
    ['$status\\t$pid', '200\t7', { status: 200, pid: 7 }],
    ['$status\\t$pid', '200t7', null],
    ['$status\\r\\n', '200\\r\\n', { status: 200 }],
    ["log_format x '$status\\t$pid';", '200\t7', { status: 200, pid: 7 }],
    ["log_format x '$status\\t$pid';", '200\\t7', null],
  ])('%s on %s', (format, line, expected) => {
    expect(fields(format, line)).toEqual(expected);
  });
});

describe('variables', () => {
  const UPSTREAM = '$msec $upstream_addr $upstream_response_time $upstream_status $request_time';
  const CACHE = '$upstream_response_length $upstream_cache_status $time_iso8601 $host';
  const SHORT = '$remote_addr [$time_local] $body_bytes_sent';
  const WORDS = '$scheme $server_protocol $request_method $https$is_args $pipe $request_completion $connection';
  const upstream = {
    Timestamp: '1614949679123000000',
    upstream_addr: ['10.0.0.1:80', '10.0.0.2:80'],
    upstream_response_time: [[0.01, 0.2], 's'],
    upstream_status: [502, 200],
    request_time: [0.21, 's'],
  };

  test.each([
    [UPSTREAM, '1614949679.123 10.0.0.1:80, 10.0.0.2:80 0.010, 0.200 502, 200 0.210', upstream],
    [UPSTREAM, '1614949679.123 10.0.0.1:80 : 10.0.0.2:80 0.010 : 0.200 502 : 200 0.210', upstream],
    [
      UPSTREAM,
      '1614949679.123 - - - 0.210',
      {
        Timestamp: '1614949679123000000',
        upstream_addr: '-',
        upstream_response_time: [0, 's'],
        upstream_status: 0,
        request_time: [0.21, 's'],
      },
    ],
    [
      CACHE,
      '10, 20 HIT 2021-03-05T13:07:59+01:00 example.org',
      {
        Timestamp: '1614946079000000000',
        upstream_response_length: [[10, 20], 'B'],
        upstream_cache_status: 'HIT',
        host: ['example.org', 'hostname'],
      },
    ],
    [
      CACHE,
      '- - 2021-03-05T13:07:59Z 198.51.100.7',
      {
        Timestamp: '1614949679000000000',
        upstream_response_length: '-',
        upstream_cache_status: '-',
        host: ['198.51.100.7', 'ipv4'],
      },
    ],
    [
      WORDS,
      'https HTTP/1.1 GET on? p OK 77',
      {
        scheme: 'https',
        server_protocol: 'HTTP/1.1',
        request_method: 'GET',
        https: 'on',
        is_args: '?',
        pipe: 'p',
        request_completion: 'OK',
        connection: 77,
      },
    ],
    [
      WORDS,
      'http HTTP/2.0 POST  .  8',
      {
        ...{ scheme: 'http', server_protocol: 'HTTP/2.0', request_method: 'POST', https: '', is_args: '' },
        ...{ pipe: '.', request_completion: '', connection: 8 },
      },
    ],
    [
      '$request_method|$server_protocol|$server_name|$remote_port|$tcpinfo_rtt|$status|$connection',
      '-|-|||-|400|7',
      { request_method: '-', status: 400, connection: 7 },
    ],
    ['$request_method|$status', '\\x16\\x03"garbage|400', { request_method: '\\x16\\x03"garbage', status: 400 }],
    ['$server_addr:$server_port $status', 'unix:/run/x.sock: 200', { server_addr: ['unix:/run/x.sock', 'unix'], status: 200 }],
    [
      SHORT,
      '1.2.3.4  [05/Mar/2021:13:07:59 +0100]   12',
      { Timestamp: '1614946079000000000', remote_addr: ['1.2.3.4', 'ipv4'], body_bytes_sent: [12, 'B'] },
    ],
    [
      SHORT,
      '::ffff:1.2.3.4 [05/Mar/2021:13:07:59 +0100] 12',
      { Timestamp: '1614946079000000000', remote_addr: ['::ffff:1.2.3.4', 'ipv6'], body_bytes_sent: [12, 'B'] },
    ],
    [
      SHORT,
      'unix: [05/Mar/2021:13:07:59 +0100] -',
      { Timestamp: '1614946079000000000', remote_addr: ['unix:', 'unix'], body_bytes_sent: [0, 'B'] },
    ],
    [
      SHORT,
      '1.2.3.4 [31/Feb/2021:00:00:00 +0000] 1',
      { Timestamp: '1614729600000000000', remote_addr: ['1.2.3.4', 'ipv4'], body_bytes_sent: [1, 'B'] },
    ],
    [SHORT, '1.2.3.4 [05/Mar/2021:00:00:00] 1', null],
    [
      SHORT,
      '1.2.3.4.example.com [05/Mar/2021:00:00:00 +0000] 1',
      { Timestamp: '1614902400000000000', remote_addr: ['1.2.3.4.example.com', 'hostname'], body_bytes_sent: [1, 'B'] },
    ],
    [
      SHORT,
      'fe80::1%eth0 [05/Mar/2021:00:00:00 +0000] 1',
      { Timestamp: '1614902400000000000', remote_addr: ['fe80::1%eth0', 'ipv6'], body_bytes_sent: [1, 'B'] },
    ],
    [SHORT, '1.2.3.4 [] 1', null],
    [SHORT, 'a/b [05/Mar/2021:00:00:00 +0000] 1', null],
    ['$upstream_cache_last_modified', 'Fri, 05 Mar 2021 13:07:59 GMT', { upstream_cache_last_modified: 1614949679e9 }],
    ['$upstream_cache_last_modified', '-', { upstream_cache_last_modified: '-' }],
    ['$binary_remote_addr$nginx_version', '\x7f\0\0\x011.19.0', { binary_remote_addr: '\x7f\0\0\x01', nginx_version: '1.19.0' }],
    ['$msec $time_local $msec', '1.5 [x] 2.5', null],
    ['$msec $pid $msec', '1.5 3 2.5', { Timestamp: '2500000000', pid: 3 }],
    ['$server_protocol', 'HTTP/3', { server_protocol: 'HTTP/3' }],
    ['$connection', '12345678901234567890', { connection: 12345678901234567000 }],
  ])('%s on %s', (format, line, expected) => {
    expect(fields(format, line)).toEqual(expected);
  });
});

describe('a variable alone', () => {
  test.each<[name: string, text: string, value: unknown]>([
    ['body_bytes_sent', '23', [23, 'B']],
    ['bytes_sent', '24', [24, 'B']],
    ['content_length', '-', [0, 'B']],
    ['request_length', '5x', [5, 'B']],
    ['connection', '3', 3],
    ['connection_requests', '0', 0],
    ['pid', '99', 99],
    ['server_port', '443', 443],
    ['tcpinfo_rttvar', '1', 1],
    ['tcpinfo_snd_cwnd', '2', 2],
    ['tcpinfo_rcv_space', '3', 3],
    ['hostname', '::FFFF:1.2.3.4', ['::FFFF:1.2.3.4', 'ipv6']],
    ['proxy_protocol_addr', '1.2.3.4', ['1.2.3.4', 'ipv4']],
    ['server_name', '256.1.1.1', ['256.1.1.1', 'hostname']],
    ['host', '-', ['-', 'hostname']],
    ['host', 'a!$&()*+,;=%20b', ['a!$&()*+,;=%20b', 'hostname']],
    ['host', 'a@b', ['a', 'hostname']],
    ['https', 'off', ''],
    ['is_args', '??', '?'],
    ['pipe', 'x', null],
    ['nginx_version', '1.2', null],
    ['nginx_version', '1.19.0 (Ubuntu)', '1.19.0'],
    ['request_completion', 'NO', ''],
    ['request_method', 'CONNECT', 'CONNECT'],
    ['request_method', 'get', null],
    ['request_time', '1.123', [1.123, 's']],
    ['request_time', '5', null],
    ['request_time', '.5', null],
    ['scheme', 'httpsx', 'https'],
    ['scheme', 'ftp', null],
    ['server_protocol', 'http/1.1', null],
    ['status', '20', null],
    ['status', '2000', 200],
    ['upstream_addr', '-', '-'],
    ['upstream_addr', 'unix:/tmp/s : 10.0.0.1:80', ['unix:/tmp/s', '10.0.0.1:80']],
    ['upstream_cache_status', 'FOO', null],
    ['upstream_cache_status', 'REVALIDATED', 'REVALIDATED'],
    ['upstream_status', '200,404', 200],
    ['upstream_status', '-, 200 : -', [0, 200, 0]],
    ['upstream_response_time', '0.5, -', [[0.5, 0], 's']],
    ['upstream_response_time', '5', null],
    ['upstream_response_length', '-, 5', '-'],
    ['upstream_cache_last_modified', 'Fri, 5 Mar 2021 13:07:59 GMT', null],
    ['arg_generic', 'a b', 'a'],
    ['sent_http_x', '', ''],
  ])('%s in %j', (name, text, value) => {
    const found = fields(`$${name}`, text);
    expect(found === null ? null : found[name]).toEqual(value);
  });

  test.each([
    ['$time_iso8601', '2021-03-05T13:07:60Z', '1614949680000000000'],
    ['$time_iso8601', '2021-03-05T13:07:61Z', null],
    ['$time_iso8601', '2021-03-05t13:07:59Z', null],
    ['$time_local', '5/Mar/2021:13:07:59 +0100', null],
    ['$msec', '1614949679', null],
    ['$msec', '1614949679.', null],
  ])('%s in %j', (format, text, time) => {
    expect(fields(format, text)?.['Timestamp'] ?? null).toBe(time);
  });
});

describe('white space and repeated variables', () => {
  test.each([
    ['$a\n$b', 'x \t y', { a: 'x', b: 'y' }],
    ['$a  $b', 'x y', { a: 'x', b: 'y' }],
    [' $a', '  x', { a: 'x' }],
    [' $a', 'x', null],
    ['$status $status', '200 404', { status: 404 }],
    ['$host $host', '1.2.3.4 example.org', { host: ['example.org', 'hostname'] }],
    ['$upstream_status : $status', '200 : 404 : 500', { upstream_status: 200, status: 404 }],
    ['text', 'texts', {}],
    ['text', 'tex', null],
    ['${status}', '${status}', {}],
  ])('%j on %j', (format, line, expected) => {
    expect(fields(format, line)).toEqual(expected);
  });
});

describe('the user agent', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:86.0) Gecko/20100101 Firefox/86.0';
  const transformed = { user_agent_browser: 'Firefox', user_agent_version: 86, user_agent_os: 'Windows 10' };

  test.each([
    [{}, FIREFOX, { http_user_agent: FIREFOX }],
    [{ user_agent_transform: true }, FIREFOX, transformed],
    [{ user_agent_transform: true }, 'curl/7.74.0', {}],
    [{ user_agent_transform: true, user_agent_keep: true }, FIREFOX, { ...transformed, http_user_agent: FIREFOX }],
    [{ user_agent_transform: true, user_agent_conditional: true }, FIREFOX, transformed],
    [{ user_agent_transform: true, user_agent_conditional: true }, 'curl/7.74.0', { http_user_agent: 'curl/7.74.0' }],
    [
      { user_agent_transform: true, user_agent_conditional: true },
      'Windows NT 6.1',
      { user_agent_os: 'Windows 7', http_user_agent: 'Windows NT 6.1' },
    ],
    [
      { user_agent_transform: true, user_agent_keep: true, user_agent_conditional: true },
      FIREFOX,
      { ...transformed, http_user_agent: FIREFOX },
    ],
    [{ user_agent_keep: false, user_agent_conditional: true }, 'curl', { http_user_agent: 'curl' }],
    [{ user_agent_transform: true }, '-', {}],
    [{ user_agent_transform: true }, '', {}],
  ])('%o on %s', (config, agent, expected) => {
    expect(fields('"$http_user_agent"', `"${agent}"`, config)).toEqual(expected);
  });

  test('is told apart the same way again and again', () => {
    const plugin = startPlugin('decoders/nginx_access.ts', { log_format: '$pid "$http_user_agent"', user_agent_transform: true });
    const browsers = Array.from({ length: 10_000 }, (_, i) => {
      const line = `${i} "Mozilla/5.0 (X11; Linux x86_64) Firefox/${i % 5000}"`;
      return plugin.process({ Timestamp: 0n, Payload: line, Fields: [] }).injected[0]?.Fields.at(-1)?.value[0];
    });
    expect(browsers).toEqual(Array.from({ length: 10_000 }, (_, i) => i % 5000));
  });
});

test('says which item a line lacks', () => {
  expect(decode(COMBINED, '1.2.3.4 - - [05/Mar/2021:00:00:00 +0000] "-" 4 0 "-" "-"').reason).toBe('no status where the format has it');
  expect(decode(COMBINED, '').reason).toBe('no remote_addr where the format has it');
});

test.each(['', undefined])('does not start with the format %j', (log_format) => {
  expect(() => startPlugin('decoders/nginx_access.ts', log_format === undefined ? {} : { log_format })).toThrow(
    'missing parameter: log_format',
  );
});

test.each([
  ['combined', { request: 'GET /', status: 200 }],
  [
    `log_format main '$remote_addr - $remote_user [$time_local] "$request" '\n    '$status $body_bytes_sent "$http_referer" "$http_user_agent"';`,
    { status: 200 },
  ],
  [`log_format  m escape=json "$remote_addr - $remote_user [$time_local] \\"$request\\" $status";`, { request: 'GET /', status: 200 }],
  ['$remote_addr - $remote_user [$time_local] "$request" $status 5 "-" "x"\n', { status: 200 }],
])('the format as %j', (format, expected) => {
  expect(fields(format, '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET /" 200 5 "-" "x"')).toMatchObject(expected);
});

test.each([
  ['[2001:db8::1] - - [05/Mar/2021:13:07:59:250 +0000] "GET / HTTP/1.1" 200 12', 'time_local', ['2001:db8::1', 'ipv6']],
  ['192.0.2.1 - - [2021-03-05T14:07:59.250+01:00] "GET / HTTP/1.1" 200 12', 'time_iso8601', ['192.0.2.1', 'ipv4']],
])('%s', (line, time, remote_addr) => {
  const format = `$remote_addr - $remote_user [$${time}] "$request" $status $body_bytes_sent`;
  expect(fields(format, line)).toMatchObject({ Timestamp: '1614949679250000000', remote_addr, status: 200 });
});
