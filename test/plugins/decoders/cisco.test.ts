import { reads, WHOLE } from '../support/reads.ts';

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
