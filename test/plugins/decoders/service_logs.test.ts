/** Decoders of logs of services and devices, with the forms that their documentation shows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };
const WHOLE = { Timestamp: '1614949679000000000' };

function reads(
  name: string,
  config: Record<string, string>,
  rows: readonly (readonly [record: string, expected: Decoded | string])[],
): void {
  describe(`${name} ${Object.values(config).join(' ')}`, () => {
    const decode = decoder(name, config);
    test.each(rows)('%j', (record, expected) => {
      expect(decode(record)).toEqual(expected);
    });
  });
}

const BALANCED = {
  ...{ remote_addr: ['192.0.2.1', 'ipv4'], remote_port: 2817, elb: 'my-elb' },
  ...{ request_processing_time: [0.000073, 's'], target_processing_time: [0.001048, 's'], response_processing_time: [0.000057, 's'] },
};
const NO_TARGET = {
  ...{ request_processing_time: [-1, 's'], target_processing_time: [-1, 's'], response_processing_time: [-1, 's'] },
};

reads('aws_access', { format: 'elb' }, [
  [
    '2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.example.org:80/ HTTP/1.1" "curl/7.38.0" - -',
    {
      ...{ ...AT, ...BALANCED, upstream_addr: ['10.0.0.1', 'ipv4'], upstream_port: 80, status: 200, upstream_status: 200 },
      ...{
        request_length: [0, 'B'],
        bytes_sent: [29, 'B'],
        request: 'GET http://www.example.org:80/ HTTP/1.1',
        http_user_agent: 'curl/7.38.0',
      },
    },
  ],
  [
    '2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 - - 82 305 "- - - "  "curl/7.38.0" - -',
    {
      ...{ ...AT, ...BALANCED, upstream_addr: ['10.0.0.1', 'ipv4'], upstream_port: 80, request_length: [82, 'B'], bytes_sent: [305, 'B'] },
      ...{ request: '- - - ', http_user_agent: 'curl/7.38.0' },
    },
  ],
  [
    '2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 - - 82 305 "- - - " "-" - -\n',
    {
      ...AT,
      ...BALANCED,
      upstream_addr: ['10.0.0.1', 'ipv4'],
      upstream_port: 80,
      request_length: [82, 'B'],
      bytes_sent: [305, 'B'],
      request: '- - - ',
    },
  ],
  [
    '2021-03-05T13:07:59.250000Z my-elb 2001:db8::7:2817 - -1 -1 -1 504 0 0 0 "GET http://e.org:80/\\"a\\" HTTP/1.1"',
    {
      ...{ ...AT, elb: 'my-elb', remote_addr: ['2001:db8::7', 'ipv6'], remote_port: 2817, ...NO_TARGET, status: 504, upstream_status: 0 },
      ...{ request_length: [0, 'B'], bytes_sent: [0, 'B'], request: 'GET http://e.org:80/\\"a\\" HTTP/1.1' },
    },
  ],
  ['2021-03-05T13:07:59.250000Z my-elb 192.0.2.1 - -1 -1 -1 504 0 0 0 "GET / HTTP/1.1"', 'refused: no remote where the format has it'],
  ['2021-13-05T13:07:59.250000Z my-elb 192.0.2.1:1 - -1 -1 -1 504 0 0 0 "GET / HTTP/1.1"', 'refused: no time where the format has it'],
  ['2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:1 - -1 -1 -1 504 0 0 0 "GET', 'refused: a quote or bracket that does not end'],
  ['', 'refused: fewer than 12 values'],
]);

reads('aws_access', { format: 'alb' }, [
  [
    'wss 2021-03-05T13:07:59.250000Z app/a/b 192.0.2.1:40914 10.0.1.192:8010 0.001 0.003 0.000 101 101 218 587 "GET https://10.0.0.30:443/ HTTP/1.1" "-" ECDHE TLSv1.2 arn:t "Root=1" "-" "-" 1 2021-03-05T13:07:59.245000Z "forward" "-" "-" "10.0.1.192:8010" "101" "-" "-" TID_1 "x" "y" "z" more of later days',
    {
      ...{
        ...AT,
        type: 'wss',
        elb: 'app/a/b',
        remote_addr: ['192.0.2.1', 'ipv4'],
        remote_port: 40914,
        upstream_addr: ['10.0.1.192', 'ipv4'],
      },
      ...{
        upstream_port: 8010,
        request_processing_time: [0.001, 's'],
        target_processing_time: [0.003, 's'],
        response_processing_time: [0, 's'],
      },
      ...{
        status: 101,
        upstream_status: 101,
        request_length: [218, 'B'],
        bytes_sent: [587, 'B'],
        request: 'GET https://10.0.0.30:443/ HTTP/1.1',
      },
      ...{ ssl_cipher: 'ECDHE', ssl_protocol: 'TLSv1.2', target_group_arn: 'arn:t', trace_id: 'Root=1', matched_rule_priority: 1 },
      ...{ request_creation_time: '2021-03-05T13:07:59.245000Z', actions_executed: 'forward', target_port_list: '10.0.1.192:8010' },
      ...{
        target_status_code_list: '101',
        conn_trace_id: 'TID_1',
        transformed_host: 'x',
        transformed_uri: 'y',
        request_transform_status: 'z',
      },
    },
  ],
]);

reads('aws_access', { format: 'nlb' }, [
  [
    'tls 2.0 2021-03-05T13:07:59 net/a/c6e7 g3d4 72.21.0.42:51341 10.0.0.1:443 5 2 98 246 - arn:aws:acm:x - ECDHE-RSA-AES128-SHA tlsv12 - my.example.org h2 h2 "h2","http/1.1" 2021-03-05T13:07:58',
    {
      ...{
        ...WHOLE,
        type: 'tls',
        version: '2.0',
        elb: 'net/a/c6e7',
        listener: 'g3d4',
        remote_addr: ['72.21.0.42', 'ipv4'],
        remote_port: 51341,
      },
      ...{ upstream_addr: ['10.0.0.1', 'ipv4'], upstream_port: 443, connection_time: [5, 'ms'], tls_handshake_time: [2, 'ms'] },
      ...{ request_length: [98, 'B'], bytes_sent: [246, 'B'], chosen_cert_arn: 'arn:aws:acm:x', ssl_cipher: 'ECDHE-RSA-AES128-SHA' },
      ...{ ssl_protocol: 'tlsv12', domain_name: 'my.example.org', alpn_fe_protocol: 'h2', alpn_be_protocol: 'h2' },
      ...{ alpn_client_preference_list: 'h2","http/1.1', tls_connection_creation_time: '2021-03-05T13:07:58' },
    },
  ],
]);

reads('aws_access', { format: 's3', type: 's3' }, [
  [
    '79a5 b [05/Mar/2021:13:07:59 +0000] 192.0.2.3 arn:aws:iam::1:user/x 3E57 S3.EXPIRE.OBJECT a%20b - - - - 4096 - - - - - - - - - - - -',
    {
      ...{
        ...WHOLE,
        Type: 's3',
        bucket_owner: '79a5',
        bucket: 'b',
        remote_addr: ['192.0.2.3', 'ipv4'],
        requester: 'arn:aws:iam::1:user/x',
      },
      ...{ request_id: '3E57', operation: 'S3.EXPIRE.OBJECT', key: 'a%20b', object_size: [4096, 'B'] },
    },
  ],
]);

test('aws_access knows its formats', () => {
  expect(() => decoder('aws_access', { format: 'ec2' })).toThrow('format must be one of elb, alb, nlb, s3');
});

reads('envoy_access', {}, [
  [
    '[2021-03-05T13:07:59.250Z] "- - -" 0 UH 0 0 1 - "-" "-" "-" "-" "-"',
    {
      ...{ ...AT, status: 0, response_flags: 'UH', request_length: [0, 'B'], bytes_sent: [0, 'B'], request_time: [1, 'ms'] },
    },
  ],
  ['[yesterday] "GET / HTTP/1.1" 200 - 0 0 1 - "-" "-" "-" "-" "-"', 'refused: no time where the format has it'],
]);

reads('envoy_access', { log_format: 'istio', type: 'mesh' }, [
  [
    '[2021-03-05T13:07:59.250Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 5 2 "-" "curl/7.60.0" "84961386" "httpbin:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.6:41854 10.44.1.27:80 10.44.1.23:37652 outbound_.8000 default\n',
    {
      ...{ ...AT, Type: 'mesh', request_method: 'GET', request_uri: '/status/418', server_protocol: 'HTTP/1.1', status: 418 },
      ...{ response_code_details: 'via_upstream', request_length: [0, 'B'], bytes_sent: [135, 'B'], request_time: [5, 'ms'] },
      ...{ upstream_response_time: [2, 'ms'], http_user_agent: 'curl/7.60.0', http_x_request_id: '84961386', host: 'httpbin:8000' },
      ...{ upstream_addr: '127.0.0.1:80', upstream_cluster: 'inbound|8000||', upstream_local_address: '127.0.0.6:41854' },
      ...{ downstream_local_address: '10.44.1.27:80', remote_addr: ['10.44.1.23', 'ipv4'], remote_port: 37652 },
      ...{ ssl_server_name: 'outbound_.8000', route_name: 'default' },
    },
  ],
]);

reads('envoy_access', { log_format: '%START_TIME(%s.%3f)% 100%% [%REQ(X-Trace?Y):8%] %DYNAMIC_METADATA(a:b)% "%TRAILER(GRPC-STATUS)%"' }, [
  ['1614949679.250 100% [t 1] x "0"', { ...AT, http_x_trace: 't 1', dynamic_metadata_a_b: 'x', sent_trailer_grpc_status: '0' }],
  ['1614949679.250 100% [-] - "-"', AT],
]);

reads('android_logcat', { tz: '+01:00' }, [
  [
    '03-05 14:07:59.250  1000  1234  5678 E Tag with blanks  : a: b',
    { ...AT, Severity: 3, uid: '1000', Pid: 1234, tid: 5678, Logger: 'Tag with blanks', Payload: 'a: b' },
  ],
  ['03-05 14:07:59.250  root  1234  5678 V T: ', { ...AT, Severity: 7, uid: 'root', Pid: 1234, tid: 5678, Logger: 'T', Payload: '' }],
  ['03-05 13:07:59.250 +0000  1234  5678 F T: x', { ...AT, Severity: 2, Pid: 1234, tid: 5678, Logger: 'T', Payload: 'x' }],
  [
    '2021-03-05 14:07:59.250123  1  2 I T: x\r\n',
    { Timestamp: '1614949679250123000', Severity: 6, Pid: 1, tid: 2, Logger: 'T', Payload: 'x' },
  ],
  ['  1614949679.250  1  2 I T: x', { ...AT, Severity: 6, Pid: 1, tid: 2, Logger: 'T', Payload: 'x' }],
  [
    '03-05 14:07:59.250 D/Headset( 1785): Disconnected: 10',
    { ...AT, Severity: 7, Pid: 1785, Logger: 'Headset', Payload: 'Disconnected: 10' },
  ],
  [
    '[ 03-05 14:07:59.250  1785: 1832 A/libc ]\nFatal signal 11\n\n\n',
    { ...AT, Severity: 2, Pid: 1785, tid: 1832, Logger: 'libc', Payload: 'Fatal signal 11' },
  ],
  ['I(  596: 604) Starting  (ActivityManager)', { Severity: 6, Pid: 596, tid: 604, Payload: 'Starting  (ActivityManager)' }],
  ['D/dalvikvm: GC freed', { Severity: 7, Logger: 'dalvikvm', Payload: 'GC freed' }],
  ['--------- beginning of crash', { buffer: 'crash' }],
  ['13-05 14:07:59.250  1  2 I T: x', 'refused: no date that there is'],
  ['03-05 14:07:59.250 x', 'refused: no level of logcat'],
]);

const FROM = { src_interface: 'outside', src_addr: ['192.0.2.1', 'ipv4'], src_port: 443 };
const TO = { dst_interface: 'inside', dst_addr: ['10.0.0.5', 'ipv4'], dst_port: 50122 };
const ASA = { ...WHOLE, Hostname: 'fw1', facility: 'ASA' };
const asa = (text: string): string => `Mar  5 2021 13:07:59 fw1 : %ASA-${text}`;

const CONFIGURED = { Payload: 'Configured', Timestamp: '1614949679000000000', facility: 'ASA', mnemonic: '111007' };

reads('cisco', {}, [
  ['Mar  5 2021 13:07:59 fw1: %ASA-5-111007: Configured', { ...CONFIGURED, Severity: 5, Hostname: 'fw1' }],
  ['Mar  5 2021 13:07:59 000123: %ASA-5-111007: Configured', { ...CONFIGURED, Severity: 5 }],
  ['Mar  5 2021 13:07:59 fw1 : %ASA-config-5-111007: Configured', { ...CONFIGURED, Severity: 5, Hostname: 'fw1' }],
  [
    asa(
      '6-302014: Teardown TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122 duration 0:00:30 bytes 1420 TCP FINs (alice)',
    ),
    {
      ...{
        ...ASA,
        Severity: 6,
        mnemonic: '302014',
        event: 'connection_ended',
        protocol: 'TCP',
        connection: '7',
        ...FROM,
        ...TO,
        duration: '0:00:30',
        bytes: [1420, 'B'],
        reason: 'TCP FINs',
      },
      Payload: 'Teardown TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122 duration 0:00:30 bytes 1420 TCP FINs (alice)',
    },
  ],
  [
    asa('4-106023: Deny tcp src outside:192.0.2.1/443 dst inside:10.0.0.5/50122 by access-group "out" [0x0, 0x0]'),
    {
      ...{ ...ASA, Severity: 4, mnemonic: '106023', event: 'denied', protocol: 'tcp', ...FROM, ...TO, access_list: 'out' },
      Payload: 'Deny tcp src outside:192.0.2.1/443 dst inside:10.0.0.5/50122 by access-group "out" [0x0, 0x0]',
    },
  ],
  [
    asa('2-106001: Inbound TCP connection denied from 192.0.2.1/443 to 10.0.0.5/50122 flags SYN  on interface outside'),
    {
      ...{
        ...ASA,
        Severity: 2,
        mnemonic: '106001',
        event: 'denied',
        direction: 'Inbound',
        protocol: 'TCP',
        flags: 'SYN',
        interface: 'outside',
      },
      ...{ src_addr: ['192.0.2.1', 'ipv4'], src_port: 443, dst_addr: ['10.0.0.5', 'ipv4'], dst_port: 50122 },
      Payload: 'Inbound TCP connection denied from 192.0.2.1/443 to 10.0.0.5/50122 flags SYN  on interface outside',
    },
  ],
  [
    asa("5-111008: User 'enable_15' executed the 'write memory' command."),
    {
      ...{ ...ASA, Severity: 5, mnemonic: '111008', event: 'command', user: 'enable_15', command: 'write memory' },
      Payload: "User 'enable_15' executed the 'write memory' command.",
    },
  ],
  [
    'Mar  5 13:07:59 192.0.2.9 123: *Mar  1 00:00:07.250 UTC: %SYS-5-CONFIG_I: Configured from console by alice on vty0 (192.0.2.7)',
    {
      ...{ ...WHOLE, Hostname: '192.0.2.9', Severity: 5, facility: 'SYS', mnemonic: 'CONFIG_I', event: 'configured', origin: 'console' },
      ...{ user: 'alice', tty: 'vty0', src_addr: ['192.0.2.7', 'ipv4'], Payload: 'Configured from console by alice on vty0 (192.0.2.7)' },
    },
  ],
  [
    '<189>45: router1: .Mar  5 2021 13:07:59.250 CET: %LINK-3-UPDOWN: Interface Gi0/1, changed state to up\n',
    {
      ...{ Timestamp: '1614946079250000000', Hostname: 'router1', Severity: 3, syslogfacility: 23, facility: 'LINK', mnemonic: 'UPDOWN' },
      ...{ event: 'link', interface: 'Gi0/1', state: 'up', Payload: 'Interface Gi0/1, changed state to up' },
    },
  ],
  ['%FTD-1-430002: x', { Severity: 1, facility: 'FTD', mnemonic: '430002', Payload: 'x' }],
  ['Mar  5 13:07:59 box1 app: 100%-sure', 'refused: no message of Cisco'],
]);

describe('zeek', () => {
  test('takes all from the head of the log, and new names from then on', () => {
    const decode = decoder('zeek');
    expect(decode('1614949679.25|C1')).toBe('refused: no line #fields before it');
    const head = [
      '#separator \\x7c',
      '#set_separator|;',
      '#empty_field|EMPTY',
      '#unset_field|NONE',
      '#path|dns',
      '#open|2021-03-05-13-07-59',
    ];
    for (const line of [...head, '#fields|ts|q|n|b|set', '#types|time|string|vector[count]|bool|set[addr]'])
      expect(decode(line)).toBe('passed on');
    expect(decode('1614949679.250000|é\\xc3\\xa9|1;NONE;2|F|EMPTY\r\n')).toEqual({ ...AT, Type: 'zeek.dns', q: 'éé', n: [1, 2], b: false });
    expect(decode('NONE|EMPTY|x;1|NONE|NONE')).toEqual({ Type: 'zeek.dns', q: '', n: ['x', '1'] });
    expect(decode('#fields|ts|t')).toBe('passed on');
    expect(decode('#types|time|time')).toBe('passed on');
    expect(decode('1614949679.25|1614949680.5')).toEqual({ ...AT, Type: 'zeek.dns', t: 1614949680.5 });
    expect(decode('later|1')).toBe('refused: no time that can be read');
    expect(decode('1614949679.25')).toBe('refused: 1 values for 2 fields');
    expect(decode('#close|2021-03-05-14-00-00')).toBe('passed on');
  });
});

test.each(['aws_access', 'envoy_access', 'android_logcat', 'cisco', 'zeek'])('%s takes any text', (name) => {
  const decode = decoder(
    name,
    name === 'aws_access' ? { format: 's3' } : name === 'zeek' ? { fields: 'ts a', types: 'time set[count]' } : {},
  );
  const samples = [
    '79a5 b [05/Mar/2021:13:07:59 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT k "GET / HTTP/1.1" 200 - 1 1 1 1 "-" "x"',
    '[2021-03-05T13:07:59.250Z] "GET / HTTP/2" 204 - 154 0 226 100 "-" "u" "i" "h" "10.0.35.28:80"',
    '03-05 13:07:59.250  1234  5678 W T: x',
    asa('6-302013: Built outbound TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122'),
    '1614949679.25\t1,2',
  ];
  const damaged = fc.tuple(fc.constantFrom(...samples), fc.nat(150), fc.nat(9), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        damaged.map(([text, at, cut, more]) => text.slice(0, at) + more + text.slice(at + cut)),
      ),
      (text) => {
        const read = decode(text);
        expect(typeof read === 'string' ? /^refused: .|^passed on$/.test(read) : typeof read).toBe(
          typeof read === 'string' ? true : 'object',
        );
      },
    ),
  );
});
