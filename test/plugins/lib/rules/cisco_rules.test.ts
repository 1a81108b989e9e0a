import { describe, expect, it } from 'vitest';
import { ciscoRules } from '../../../../plugins/lib/rules/cisco_rules.ts';

const read = (message: string): Record<string, unknown> =>
  Object.fromEntries(ciscoRules.fieldsOf(message).map(({ name, value }) => [name, value]));

const SIDES = {
  src_interface: 'outside',
  src_addr: '192.0.2.7',
  src_port: 50122,
  dst_interface: 'inside',
  dst_addr: '10.0.0.1',
  dst_port: 443,
};
const FROM_TO = 'outside:192.0.2.7/50122 (192.0.2.7/50122) to inside:10.0.0.1/443 (10.0.0.1/443)';

describe('ciscoRules', () => {
  it.each<[message: string, fields: Record<string, unknown>]>([
    [
      `Built inbound TCP connection 4711 for ${FROM_TO}`,
      { event: 'connection_built', direction: 'inbound', protocol: 'TCP', connection: '4711', ...SIDES },
    ],
    [
      `Teardown TCP connection 4711 for ${FROM_TO} duration 0:00:30 bytes 1234 TCP FINs`,
      { event: 'connection_ended', protocol: 'TCP', connection: '4711', ...SIDES, duration: '0:00:30', bytes: 1234, reason: 'TCP FINs' },
    ],
    [
      'Deny icmp src outside:192.0.2.7 dst inside:10.0.0.1 (type 8, code 0) by access-group "acl_in" [0x0, 0x0]',
      {
        event: 'denied',
        protocol: 'icmp',
        src_interface: 'outside',
        src_addr: '192.0.2.7',
        dst_interface: 'inside',
        dst_addr: '10.0.0.1',
        icmp_type: 8,
        icmp_code: 0,
        access_list: 'acl_in',
      },
    ],
    [
      'Deny TCP (no connection) from 192.0.2.7/50122 to 10.0.0.1/443 flags RST ACK  on interface outside',
      {
        event: 'denied',
        protocol: 'TCP',
        reason: 'no connection',
        src_addr: '192.0.2.7',
        src_port: 50122,
        dst_addr: '10.0.0.1',
        dst_port: 443,
        flags: 'RST ACK',
        interface: 'outside',
      },
    ],
    [
      'access-list acl_in permitted tcp outside/192.0.2.7(50122) -> inside/10.0.0.1(443) hit-cnt 3 first hit',
      { event: 'access_list', access_list: 'acl_in', action: 'permitted', protocol: 'tcp', ...SIDES, hits: 3 },
    ],
    ["User 'bob' executed the 'show run' command.", { event: 'command', user: 'bob', command: 'show run' }],
    ['Interface GigabitEthernet0/1, changed state to down', { event: 'link', interface: 'GigabitEthernet0/1', state: 'down' }],
    [
      'Configured from console by bob on vty0 (192.0.2.7)',
      { event: 'configured', origin: 'console', user: 'bob', tty: 'vty0', src_addr: '192.0.2.7' },
    ],
    ['Something else', {}],
  ])('%s', (message, fields) => expect(read(message)).toEqual(fields));

  it('gives numbers of bytes their unit', () => {
    const fields = ciscoRules.fieldsOf(`Teardown UDP connection 1 for ${FROM_TO} duration 0:00:01 bytes 7`);
    expect(fields).toContainEqual({ name: 'bytes', value: 7, representation: 'B' });
  });
});
