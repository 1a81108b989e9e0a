import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeWith, decoder, type Decoded } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const v4 = (address: string): [string, string] => [address, 'ipv4'];

/** The fields that a message of the kernel brings. */
function fields(message: string): Decoded {
  const decoded = decoder('linux_kern')(`[    1.5] ${message}`) as Decoded;
  const { Payload, uptime, ...rest } = decoded;
  expect({ Payload, uptime }).toEqual({ Payload: message, uptime: [1.5, 's'] });
  return rest;
}

test.each([
  [
    'IN=eth0 OUT= MAC=02:00:5e SRC=192.0.2.7 DST=192.0.2.5 LEN=60 TTL=118 ID=1 DF PROTO=UDP SPT=5 DPT=53',
    {
      ...{ event: 'packet', IN: 'eth0', MAC: '02:00:5e', SRC: v4('192.0.2.7'), DST: v4('192.0.2.5') },
      ...{ LEN: 60, TTL: 118, ID: 1, DF: true, PROTO: 'UDP', SPT: 5, DPT: 53 },
    },
  ],
  ['[WAN_LOCAL-D]IN=eth0 OUT= SRC=192.0.2.7', { event: 'packet', prefix: '[WAN_LOCAL-D]', IN: 'eth0', SRC: v4('192.0.2.7') }],
  [
    'drop: IN= OUT=eth0 SRC=2001:db8::1 PROTO=ICMPv6 TYPE=1 CODE=4 [SRC=2001:db8::2 DPT=9 ]',
    {
      ...{ event: 'packet', prefix: 'drop:', OUT: 'eth0', SRC: ['2001:db8::1', 'ipv6'], PROTO: 'ICMPv6', TYPE: 1, CODE: 4 },
    },
  ],
  [
    'audit: type=1400 audit(1614949679.250:12): apparmor="DENIED" operation="open" profile="/usr/sbin/x y" name="/etc/a" pid=7 comm="x"',
    {
      ...{ event: 'audit', audit_type: 1400, audit_time: '1614949679.250', audit_serial: 12 },
      ...{ apparmor: 'DENIED', operation: 'open', profile: '/usr/sbin/x y', name: '/etc/a', pid: '7', comm: 'x' },
    },
  ],
  ['Out of memory: Kill process 12 (a b) score 9 or sacrifice child', { event: 'oom_kill', process_pid: 12, process: 'a b' }],
  [
    'Memory cgroup out of memory: Killed process 12 (a), UID 5, total-vm:1kB, anon-rss:2kB, file-rss:3kB, shmem-rss:4kB',
    {
      ...{ event: 'oom_kill', process_pid: 12, process: 'a', total_vm: [1, 'kB'], anon_rss: [2, 'kB'], file_rss: [3, 'kB'] },
    },
  ],
  [
    'app[12]: segfault at 0 ip 00007f1 sp 00007ff error 4 in libc.so.6[7f0+1b0]',
    {
      ...{ event: 'segfault', process: 'app', process_pid: 12, address: '0', ip: '00007f1', sp: '00007ff', error: 4, object: 'libc.so.6' },
    },
  ],
  [
    'traps: app[12] general protection fault ip:7f1 sp:7ff error:0 in x.so[7f0+1b0]',
    {
      ...{
        event: 'trap',
        process: 'app',
        process_pid: 12,
        trap: 'general protection fault',
        ip: '7f1',
        sp: '7ff',
        error: 0,
        object: 'x.so',
      },
    },
  ],
  [
    'INFO: task kworker/u8:2:91 blocked for more than 120 seconds.',
    { event: 'hung_task', process: 'kworker/u8:2', process_pid: 91, blocked: [120, 's'] },
  ],
  ['blk_update_request: I/O error, dev sdb, sector 2048 op 0x0:(READ)', { event: 'io_error', device: 'sdb', sector: 2048 }],
  ['critical medium error, dev sdb, sector 9', { event: 'io_error', device: 'sdb', sector: 9 }],
  ['EXT4-fs error (device sda1): ext4_lookup:1', { event: 'filesystem_error', filesystem: 'EXT4-fs', device: 'sda1' }],
  ['e1000e 0000:00:19.0 eth0: NIC Link is Up 1000 Mbps Full Duplex', { event: 'link', device: 'eth0', state: 'Up' }],
  ['IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready', { event: 'link', device: 'eth0', state: 'ready' }],
  ['usb 1-1: new high-speed USB device number 2', {}],
  ['x IN=1', {}],
  ['', {}],
])('%s', (message, expected) => {
  expect(fields(message)).toEqual(expected);
});

const uptime = [12.5, 's'];
const at = { Timestamp: '1614949679000000000' };

test.each([
  ['Mar  5 13:07:59 box1 kernel: [   12.5] x', { ...at, Hostname: 'box1', programname: 'kernel', uptime, Payload: 'x' }],
  ['Mar  5 13:07:59 box1 kernel: x', { ...at, Hostname: 'box1', programname: 'kernel', Payload: 'x' }],
  ['Mar  5 13:07:59 box1 cron[7]: [   12.5] x', { ...at, Hostname: 'box1', Pid: 7, programname: 'cron', Payload: '[   12.5] x' }],
  ['<4>[   12.5] x', { Severity: 4, syslogfacility: 0, uptime, Payload: 'x' }],
  ['<4>[   12.5][    T1] x', { Severity: 4, syslogfacility: 0, uptime, Payload: 'x' }],
  ['[   12.5] x\n', { uptime, Payload: 'x' }],
  ['[12.5]', { uptime, Payload: '' }],
  ['[Fri Mar  5 13:07:59 2021] x', { ...at, Payload: 'x' }],
  ['30,7,12500000,-,caller=T1;x\n SUBSYSTEM=pci\n', { Severity: 6, syslogfacility: 3, uptime, sequence: 7, Payload: 'x\n SUBSYSTEM=pci' }],
])('%j', (record, expected) => {
  expect(decoder('linux_kern')(record)).toEqual(expected);
});

test('parameters', () => {
  const decode = decoder('linux_kern', { type: 'k', tz: '+01:00' });
  expect(decode('[Fri Mar  5 14:07:59 2021] x')).toEqual({ ...at, Type: 'k', Payload: 'x' });
  expect(decode('Mar  5 14:07:59 box1 kernel: x')).toMatchObject({ ...at, Type: 'k' });
});

test.each(['', 'x', '[x] y', '[12] y', '[Fri Mar 35 13:07:59 2021] x', '[Fry Mar  5 13:07:59 2021] x', '6,339;x'])(
  'refuses %j',
  (record) => {
    expect(decoder('linux_kern')(record)).toBe('refused: neither a line of syslog nor a time since the start');
  },
);

test('the packets of the sample', () => {
  const plugin = startPlugin('decoders/linux_kern.ts');
  const sample = readFileSync(new URL('../../../resources/samples/syslog.log', import.meta.url), 'utf8');
  const packets = sample.split('\n').filter((line) => line.includes(' IN='));
  expect(packets.length).toBeGreaterThan(0);
  for (const line of packets) expect(decodeWith(plugin, line)).toMatchObject({ event: 'packet', prefix: '[UFW BLOCK]' });
});

test.each([
  ['kern  :warn  : [    1.250000] hot', { Severity: 4, syslogfacility: 0, uptime: [1.25, 's'], Payload: 'hot' }],
  ['daemon:info  : [    1.250000] x', { Severity: 6, syslogfacility: 3, uptime: [1.25, 's'], Payload: 'x' }],
  ['2021-03-05T14:07:59,250000+01:00 x', { Timestamp: '1614949679250000000', Payload: 'x' }],
])('what dmesg writes as %j', (line, expected) => {
  expect(decoder('linux_kern')(line)).toEqual(expected);
});
