import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import { AT, reads, WHOLE } from '../support/reads.ts';

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
