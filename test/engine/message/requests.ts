import type { Message } from '../../../engine/message/types.ts';

/** A message such as a decoder makes of a line of an access log. */
export const request = (i: number): Message => ({
  uuid: Uint8Array.from({ length: 16 }, (_, k) => (i * 7 + k) & 0xff),
  timestamp: 1_614_949_679_000_000_000n + BigInt(i) * 1_000_001n,
  type: 'web',
  logger: 'nginx',
  severity: 6,
  payload: `GET /p/${i % 97} "HTTP/1.1"`,
  pid: 1000 + (i % 3),
  hostname: 'box',
  fields: [
    { name: 'request', valueType: 0, values: [`GET /p/${i % 97}`] },
    { name: 'remote_addr', valueType: 0, representation: 'ipv4', values: [`192.0.2.${i % 251}`] },
    { name: 'body_bytes_sent', valueType: 3, representation: 'B', values: [i * 1000] },
    { name: 'request_time', valueType: 3, values: [i / 1000] },
    { name: 'id', valueType: 2, values: [BigInt(i) - 5n] },
    { name: 'sizes', valueType: 2, values: [BigInt(i) << 40n, 0n] },
    { name: 'cached', valueType: 4, values: [i % 2 === 0] },
  ],
});
