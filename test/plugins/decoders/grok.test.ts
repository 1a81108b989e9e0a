import { describe, expect, test } from 'vitest';
import { GrokPatterns } from '../../../plugins/lib/grok/grok.ts';
import { decoder, type Decoded } from '../support/decode.ts';

const WHOLE = { Timestamp: '1614949679000000000' };
const AT = { Timestamp: '1614949679250000000' };
const read = (match: string, line: string, config: Record<string, string | boolean> = {}): Decoded | string =>
  decoder('grok', { match, ...config })(line);

describe('every pattern', () => {
  test.each([false, true])('compiles, ecs %s', (ecs) => {
    const patterns = new GrokPatterns([], ecs);
    expect(patterns.names.length).toBeGreaterThan(180);
    for (const name of patterns.names) expect(() => patterns.compile(`%{${name}}`), name).not.toThrow();
  });
});

describe('parts of lines', () => {
  const patterns = new GrokPatterns([], false);
  const found = (name: string, text: string): string | null => patterns.compile(`%{${name}:it}`).match(text)?.[1] ?? null;

  test.each([
    ['NUMBER', 'took -1.5e ms', '-1.5'],
    ['NUMBER', '.5', '.5'],
    ['INT', 'a+12', '+12'],
    ['BASE16NUM', '= 0xdeadBEEF', '0xdeadBEEF'],
    ['POSINT', '007 12', '12'],
    ['NONNEGINT', '007', '007'],
    ['WORD', '-ab_c-', 'ab_c'],
    ['QS', 'say "a \\"b\\" c" d', '"a \\"b\\" c"'],
    ['QS', "'x'", "'x'"],
    ['QS', '""', '""'],
    ['UUID', 'x 3f06af63-a93c-11e4-9797-00505690773f', '3f06af63-a93c-11e4-9797-00505690773f'],
    ['MAC', '00:1B:44:11:3A:B7', '00:1B:44:11:3A:B7'],
    ['MAC', '001b.4411.3ab7', '001b.4411.3ab7'],
    ['IP', '192.0.2.1:80', '192.0.2.1'],
    ['IPV4', '1192.0.2.1', null],
    ['IP', '[2001:db8::7]:80', '2001:db8::7'],
    ['IPV6', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['IPORHOST', 'www.example.org.', 'www.example.org.'],
    ['HOSTPORT', 'a.example:8080', 'a.example:8080'],
    ['EMAILADDRESS', 'mail bob.b+x@example.org now', 'bob.b+x@example.org'],
    ['PATH', 'in /var/log/a.log ', '/var/log/a.log'],
    ['WINPATH', 'C:\\Windows\\x.exe', 'C:\\Windows\\x.exe'],
    ['URI', 'get https://u:p@example.org:8443/a/b?c=d&e=%20#f now', 'https://u:p@example.org:8443/a/b?c=d&e=%20#f'],
    ['URIPATHPARAM', 'GET /a?b[]=1 HTTP', '/a?b[]=1'],
    ['MONTH', '5 March', 'March'],
    ['SYSLOGTIMESTAMP', 'x Mar  5 13:07:59 y', 'Mar  5 13:07:59'],
    ['TIMESTAMP_ISO8601', 'at 2021-03-05T13:07:59.250+01:00.', '2021-03-05T13:07:59.250+01:00'],
    ['TIMESTAMP_ISO8601', '2021-03-05 13:07', '2021-03-05 13:07'],
    ['HTTPDATE', '[05/Mar/2021:13:07:59 +0100]', '05/Mar/2021:13:07:59 +0100'],
    ['DATE_US', '3/5/2021', '3/5/2021'],
    ['DATE_EU', '5.3.2021', '5.3.2021'],
    ['DATESTAMP_RFC2822', 'Fri, 5 Mar 2021 13:07:59 +0100', 'Fri, 5 Mar 2021 13:07:59 +0100'],
    ['TIME', '13:07:599', null],
    ['LOGLEVEL', '[WARNING]', 'WARNING'],
    ['LOGLEVEL', 'Info:', 'Info'],
    ['JAVACLASS', 'org.example.Shop$Cart', 'org.example.Shop$Cart'],
  ])('%s in %j', (name, text, expected) => {
    expect(found(name, text)).toBe(expected);
  });
});

describe('whole lines', () => {
  test.each<[string, string, Decoded]>([
    [
      '%{COMMONAPACHELOG}',
      '203.0.113.9 - - [05/Mar/2021:13:07:59 +0000] "GET /a HTTP/1.0" 304 -',
      { ...WHOLE, clientip: '203.0.113.9', verb: 'GET', request: '/a', httpversion: '1.0', response: '304' },
    ],
    [
      '%{SYSLOGLINE}',
      'Mar  5 13:07:59 box1 CRON[4411]: (root) CMD (true)',
      { ...WHOLE, Hostname: 'box1', Pid: 4411, program: 'CRON', Payload: '(root) CMD (true)' },
    ],
    [
      '%{CRONLOG}',
      'Mar  5 13:07:59 box1 CRON[4411]: (root) CMD (true)',
      { ...WHOLE, Hostname: 'box1', Pid: 4411, program: 'CRON', user: 'root', action: 'CMD', Payload: 'true' },
    ],
    [
      '%{SYSLOGPAMSESSION}',
      'Mar  5 13:07:59 box1 sshd[9]: pam_unix(sshd:session): session opened for user alice by (uid=0)',
      {
        ...{ ...WHOLE, Hostname: 'box1', Pid: 9, program: 'sshd', pam_module: 'pam_unix', pam_caller: 'sshd:session' },
        ...{ pam_session_state: 'opened', username: 'alice', pam_by: '(uid=0)' },
        Payload: 'pam_unix(sshd:session): session opened for user alice by (uid=0)',
      },
    ],
    [
      '%{SYSLOG5424LINE}',
      '<165>1 2021-03-05T13:07:59.250Z box1 app 4411 ID47 [x@1 a="b"] hi there',
      {
        ...{ ...AT, Hostname: 'box1', Pid: 4411, Payload: 'hi there', syslog5424_pri: '165', syslog5424_ver: '1' },
        ...{ syslog5424_app: 'app', syslog5424_msgid: 'ID47', syslog5424_sd: '[x@1 a="b"]' },
      },
    ],
    [
      '%{JAVASTACKTRACEPART}',
      '\tat org.example.Shop.<init>(Shop.java:7)',
      { Logger: 'org.example.Shop', method: '<init>', file: 'Shop.java', line: '7' },
    ],
    [
      '%{HTTPD_ERRORLOG}',
      '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 4123:tid 139] [client 192.0.2.1:5] AH00126: Invalid URI',
      {
        ...{ ...AT, Severity: 3, Pid: 4123, module: 'core', tid: '139', clientip: '192.0.2.1', clientport: '5' },
        ...{ errorcode: 'AH00126', Payload: 'Invalid URI' },
      },
    ],
    [
      '%{TOMCATLOG}',
      '2021-03-05 13:07:59,250 +0000 | WARN | org.example.Shop - slow',
      { ...AT, Severity: 4, Logger: 'org.example.Shop', Payload: 'slow' },
    ],
    [
      '%{MONGO3_LOG}',
      '2021-03-05T13:07:59.250+0000 I NETWORK  [conn7] end connection',
      { ...AT, Severity: 6, component: 'NETWORK', context: 'conn7', Payload: 'end connection' },
    ],
    [
      '%{REDISMONLOG}',
      '1614949679.250000 [0 192.0.2.1:50123] "set" "k" "v"',
      { ...AT, database: '0', client: '192.0.2.1', port: '50123', command: 'set', params: '"k" "v"' },
    ],
    [
      '%{S3_ACCESS_LOG}',
      'own bkt [05/Mar/2021:13:07:59 +0000] 192.0.2.3 arn 3E57 REST.GET.OBJECT a/b "GET /a/b HTTP/1.1" 200 - 113 4096 7 6 "-" "S3Console/0.4" -',
      {
        ...{
          ...WHOLE,
          owner: 'own',
          bucket: 'bkt',
          clientip: '192.0.2.3',
          requester: 'arn',
          request_id: '3E57',
          operation: 'REST.GET.OBJECT',
        },
        ...{ key: 'a/b', verb: 'GET', request: '/a/b', httpversion: '1.1', response: 200, bytes: 113, object_size: 4096 },
        ...{ request_time_ms: 7, turnaround_time_ms: 6, agent: 'S3Console/0.4' },
      },
    ],
    [
      '%{BIND9}',
      '05-Mar-2021 13:07:59.250 queries: info: client 192.0.2.1#61555 (example.org): query: example.org IN A +E (192.0.2.9)',
      {
        ...{ ...AT, Severity: 6, clientip: '192.0.2.1', clientport: '61555', query: ['example.org', 'example.org'] },
        ...{ querytype: 'A', queryflags: '+E', dns: '192.0.2.9' },
      },
    ],
    [
      '%{SQUID3}',
      '1614949679.250    123 192.0.2.1 TCP_MISS/200 5120 GET http://example.org/ - HIER_DIRECT/198.51.100.7 text/html',
      {
        ...{ ...AT, duration: '123', client_address: '192.0.2.1', cache_result: 'TCP_MISS', http_status_code: '200', bytes: '5120' },
        ...{
          request_method: 'GET',
          url: 'http://example.org/',
          hierarchy_code: 'HIER_DIRECT',
          server: '198.51.100.7',
          content_type: 'text/html',
        },
      },
    ],
    [
      '%{CISCOFW302013_302014_302015_302016}',
      'Teardown TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122 duration 0:00:30 bytes 1420 TCP FINs (alice)',
      {
        ...{ action: 'Teardown', protocol: 'TCP', connection_id: '7', src_interface: 'outside', src_ip: '192.0.2.1', src_port: '443' },
        ...{
          dst_interface: 'inside',
          dst_ip: '10.0.0.5',
          dst_port: '50122',
          duration: '0:00:30',
          bytes: '1420',
          reason: 'TCP FINs',
          user: 'alice',
        },
      },
    ],
    [
      '%{RUBY_LOGGER}',
      'W, [2021-03-05T13:07:59.250000 #4123]  WARN -- shop: slow',
      { ...AT, Severity: 4, Pid: 4123, progname: 'shop', Payload: 'slow' },
    ],
  ])('%s', (match, line, expected) => {
    expect(read(match, line)).toEqual(expected);
  });

  test('the names of the Elastic Common Schema', () => {
    expect(
      read('%{COMBINEDAPACHELOG}', '203.0.113.9 - bob [05/Mar/2021:13:07:59 +0000] "GET /a HTTP/1.1" 200 5120 "-" "curl"', { ecs: true }),
    ).toEqual({
      ...{ ...WHOLE, 'source.address': '203.0.113.9', 'user.name': 'bob', 'http.request.method': 'GET', 'url.original': '/a' },
      ...{ 'http.version': '1.1', 'http.response.status_code': 200, 'http.response.body.bytes': 5120, 'user_agent.original': 'curl' },
    });
  });
});

describe('fields', () => {
  test.each<[string, string, Decoded]>([
    ['%{INT:a:int} %{NUMBER:b:float} %{WORD:c:boolean} %{INT:d:string}', '5 1.5 true 7', { a: 5, b: 1.5, c: true, d: '7' }],
    ['%{NUMBER:a:int} %{WORD:b:int}', '1.9 x', { a: 1, b: 'x' }],
    ['%{WORD:a} %{WORD:a} %{INT:a:int}', 'x y 3', { a: ['x', 'y', '3'] }],
    ['%{INT:a:int} %{INT:a:int}', '1 2', { a: [1, 2] }],
    ['(?<my_id>[0-9A-F]+) (?<n:int>\\d+)', 'BEEF 7', { my_id: 'BEEF', n: 7 }],
    ['%{IP:[source][ip]} %{WORD:[a]} %{WORD:x.y}', '192.0.2.1 b c', { 'source.ip': '192.0.2.1', a: 'b', 'x.y': 'c' }],
    ['(?:%{INT:a}|%{WORD:b})', 'x', { b: 'x' }],
    ['"%{DATA:a}" %{GREEDYDATA:b}', '"" ', {}],
    ['%{WORD} %{WORD:b}', 'x y', { b: 'y' }],
    ['(?<a>x)(y)\\k<a>', 'xyx', { a: 'x' }],
    ['%{WORD:level} %{POSINT:pid} %{GREEDYDATA:message}', 'error 12 hi', { Severity: 3, Pid: 12, Payload: 'hi' }],
    ['%{WORD:level} %{WORD:timestamp}', 'high soon', { level: 'high', timestamp: 'soon' }],
  ])('%s on %j', (match, line, expected) => {
    expect(read(match, line)).toEqual(expected);
  });

  test('the first pattern that matches counts', () => {
    expect(read('^%{INT:a}$\n\n  ^%{WORD:b}$\n%{GREEDYDATA:c}', 'x')).toEqual({ b: 'x' });
  });

  test('own definitions win, and use others', () => {
    const patterns = '# comment\nPOSTFIX_ID [0-9A-F]{10,11}\nWORD [xyz]+\nBOTH %{POSTFIX_ID:queue} %{WORD:w}';
    expect(read('%{BOTH}', 'BEF25A72965 axy', { patterns })).toBe('refused: no pattern matches');
    expect(read('%{BOTH}', 'BEF25A72965 xy', { patterns })).toEqual({ queue: 'BEF25A72965', w: 'xy' });
  });
});

describe('times', () => {
  test.each([
    ['%{GREEDYDATA:timestamp}', '2021-03-05 13:07:59,250', 'yyyy-MM-dd HH:mm:ss,SSS', AT],
    ['%{GREEDYDATA:timestamp}', '05.03.2021 13:07', 'yyyy || dd.MM.yyyy HH:mm', { Timestamp: '1614949620000000000' }],
    ['%{GREEDYDATA:timestamp}', '1614949679.25', 'UNIX', AT],
    ['%{GREEDYDATA:timestamp}', '1614949679250', 'UNIX||UNIX_MS', AT],
    ['%{GREEDYDATA:[@timestamp]}', '2021-03-05T13:07:59.250Z', 'ISO8601', AT],
    ['%{GREEDYDATA:timestamp}', '2021-03-05T13:07:59.250Z', 'UNIX', AT],
  ])('%s of %s by %s', (match, line, date_formats, expected) => {
    expect(read(match, line, { date_formats })).toEqual(expected);
  });
});

describe('refuses to start', () => {
  test.each([
    [{ match: '%{NOPE:x}' }, 'match: there is no pattern NOPE'],
    [{ match: '%{WORD:x:constructor}' }, 'match: constructor is not a type of fields: use int, integer, long, float'],
    [{ match: '%{WORD:x:date}' }, 'match: date is not a type of fields: use int, integer, long, float'],
    [{ match: '%{A}', patterns: 'A %{B}\nB %{A}' }, 'match: the pattern A refers to itself: A → B → A'],
    [{ match: '%{WORD:a' }, 'match: %{WORD:a is not a reference to a pattern'],
    [{ match: '(a' }, 'match: a group that does not end in: (a'],
    [{ match: '\\g<x>' }, 'match: \\g has no counterpart in JavaScript'],
    [{ match: 'a', patterns: 'LONELY' }, 'no name and expression: LONELY'],
    [{ match: 'a', date_formats: 'yyyy-QQ' }, 'date_formats: unknown letter Q'],
    [
      {
        match: '%{P9}',
        patterns: Array.from({ length: 10 }, (_, i) => `P${i} ${i === 0 ? 'aaaaaaaaaa' : `%{P${i - 1}}`.repeat(10)}`).join('\n'),
      },
      'match: the pattern is too long',
    ],
  ])('%j', (config, reason) => {
    expect(() => decoder('grok', config)).toThrow(reason);
  });
});
