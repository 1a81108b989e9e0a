import { describe, expect, it } from 'vitest';
import { decoder } from '../../support/decode.ts';

/** What a container wrote, behind its name. */
const decode = decoder('prefixed_log');
const inner = (text: string): unknown => decode(`web-1  | ${text}`);

const COMMON = '192.0.2.1 - ann [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 503 12';
const COMBINED = `${COMMON} "-" "curl/8"`;

describe('lines of access logs in formats that need no configuration', () => {
  it.each([
    [
      'common',
      COMMON,
      { remote_addr: ['192.0.2.1', 'ipv4'], remote_user: 'ann', request: 'GET / HTTP/1.1', status: 503, body_bytes_sent: [12, 'B'] },
    ],
    ['of IPv6 in brackets', COMMON.replace('192.0.2.1', '[2001:db8::1]'), { remote_addr: ['2001:db8::1', 'ipv6'], status: 503 }],
    ['combined', COMBINED, { status: 503, http_user_agent: 'curl/8' }],
    ['with the client behind a proxy', `${COMBINED} "192.0.2.9"`, { status: 503, http_x_forwarded_for: '192.0.2.9' }],
    ['with the time of the request', `${COMBINED} 0.250`, { request_time: [0.25, 's'] }],
    [
      'of ingress-nginx',
      `${COMBINED} 380 0.017 [shop-web-80] [] 10.0.0.7:80 612 0.016 200 7f3a9c217f3a9c217f3a9c217f3a9c21`,
      { proxy_upstream_name: 'shop-web-80', upstream_status: 200, req_id: '7f3a9c217f3a9c217f3a9c217f3a9c21' },
    ],
    ['of Traefik', `${COMBINED} 7 "web@docker" "http://10.0.0.7:80" 3ms`, { router_name: 'web@docker', duration: expect.anything() }],
  ])('%s', (_, line, fields) => {
    expect(inner(line)).toMatchObject({ ...fields, Timestamp: '1614949679000000000', container: 'web-1' });
  });

  it.each(['', 'words', COMMON.replace('[05/Mar', '[5/March'), COMMON.replace('503', '5o3')])('not: %s', (line) => {
    expect(inner(line)).toMatchObject({ Payload: line });
  });
});
