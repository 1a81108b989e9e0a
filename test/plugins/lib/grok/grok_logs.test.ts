import { expect, test } from 'vitest';
import { GrokPatterns } from '../../../../plugins/lib/grok/grok.ts';
import { decoder, type Decoded } from '../../support/decode.ts';

const WHOLE = { Timestamp: '1614949679000000000' };
const AT = { Timestamp: '1614949679250000000' };
const read = (match: string, line: string, config: Record<string, string | boolean> = {}): Decoded | string =>
  decoder('grok', { match, ...config })(line);

test.each<[string, string, Decoded]>([
  [
    '%{COMMONAPACHELOG}',
    '203.0.113.9 - - [05/Mar/2021:13:07:59 +0000] "GET /a HTTP/1.0" 304 -',
    { ...WHOLE, clientip: '203.0.113.9', verb: 'GET', request: '/a', httpversion: '1.0', response: '304' },
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

test('the class of a frame', () => {
  expect(new GrokPatterns([], false).compile('%{JAVACLASS:it}').match('org.example.Shop$Cart')?.[1]).toBe('org.example.Shop$Cart');
});
