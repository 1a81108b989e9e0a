import { AT, reads } from '../support/reads.ts';

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
      ...{
        response_flags: '-',
        response_code_details: 'via_upstream',
        request_length: [0, 'B'],
        bytes_sent: [135, 'B'],
        request_time: [5, 'ms'],
      },
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
