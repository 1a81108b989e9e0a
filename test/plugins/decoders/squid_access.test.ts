import { AT, reads } from '../support/reads.ts';

reads('squid_access', {}, [
  [
    '1614949679.250 -1 192.0.2.1 NONE/400 0 - error:invalid-request - HIER_NONE/- text/html',
    {
      ...{ ...AT, request_time: [-1, 'ms'], remote_addr: ['192.0.2.1', 'ipv4'], cache_status: 'NONE', status: 400, bytes_sent: [0, 'B'] },
      ...{ request_uri: 'error:invalid-request', hierarchy: 'HIER_NONE', sent_http_content_type: 'text/html' },
    },
  ],
]);
