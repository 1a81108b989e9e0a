import { AT, reads, WHOLE } from '../support/reads.ts';

reads('haproxy', {}, [
  [
    'fe80::1:33317 [05/Mar/2021:13:07:59.250] https~ web/<NOSRV> 0/-1/-1/-1/+5 -1 +0 - - CR-- 2/1/0/0/+2 0/0 {a|} "<BADREQ>"',
    {
      ...{
        ...AT,
        frontend: 'https~',
        backend: 'web',
        server: '<NOSRV>',
        time_request: [0, 'ms'],
        time_queue: [-1, 'ms'],
        time_connect: [-1, 'ms'],
      },
      ...{
        time_response: [-1, 'ms'],
        time_total: [5, 'ms'],
        status: -1,
        bytes_read: [0, 'B'],
        termination_state: 'CR--',
        actconn: 2,
        feconn: 1,
      },
      ...{ beconn: 0, srv_conn: 0, retries: 2, srv_queue: 0, backend_queue: 0, captured_request_headers: 'a|', request: '<BADREQ>' },
      ...{ remote_addr: ['fe80::1', 'ipv6'], remote_port: 33317 },
    },
  ],
  [
    '<134>Mar  5 13:07:59 box1 haproxy[7]: Proxy web started.',
    { ...WHOLE, Hostname: 'box1', Pid: 7, programname: 'haproxy', Payload: 'Proxy web started.' },
  ],
  ['haproxy[7]: x', 'refused: no client and date of HAProxy'],
]);
