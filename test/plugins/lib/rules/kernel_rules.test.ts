import { describe, expect, it } from 'vitest';
import { kernelFields } from '../../../../plugins/lib/rules/kernel_rules.ts';

const read = (message: string): Record<string, unknown> =>
  Object.fromEntries(kernelFields(message).map(({ name, value }) => [name, value]));

describe('kernelFields', () => {
  it.each<[message: string, fields: Record<string, unknown>]>([
    [
      'Out of memory: Killed process 812 (java) total-vm:1000kB, anon-rss:900kB, file-rss:4kB, shmem-rss:0kB',
      { event: 'oom_kill', process_pid: 812, process: 'java', total_vm: 1000, anon_rss: 900, file_rss: 4 },
    ],
    ['Memory cgroup out of memory: Kill process 7 (sh) score 1', { event: 'oom_kill', process_pid: 7, process: 'sh' }],
    [
      'shop[812]: segfault at 0 ip 00007f01 sp 00007ffc error 4 in libc.so.6[7f00+1]',
      { event: 'segfault', process: 'shop', process_pid: 812, address: '0', ip: '00007f01', sp: '00007ffc', error: 4, object: 'libc.so.6' },
    ],
    [
      'traps: shop[812] trap divide error ip:4005 sp:7ffc error:0 in shop[400000+1000]',
      { event: 'trap', process: 'shop', process_pid: 812, trap: 'trap divide error', ip: '4005', sp: '7ffc', error: 0, object: 'shop' },
    ],
    ['INFO: task mysqld:812 blocked for more than 120 seconds.', { event: 'hung_task', process: 'mysqld', process_pid: 812, blocked: 120 }],
    ['blk_update_request: I/O error, dev sda, sector 2048', { event: 'io_error', device: 'sda', sector: 2048 }],
    ['EXT4-fs error (device sda1): x', { event: 'filesystem_error', filesystem: 'EXT4-fs', device: 'sda1' }],
    ['e1000: eth0 NIC Link is Up 1000 Mbps', {}],
    ['e1000 0000:00:03.0 eth0: NIC Link is Up', { event: 'link', device: 'eth0', state: 'Up' }],
    ['IPv6: ADDRCONF(NETDEV_CHANGE): wlan0: link becomes ready', { event: 'link', device: 'wlan0', state: 'ready' }],
    [
      'audit: type=1400 audit(1614949679.250:7): apparmor="DENIED" pid=812',
      { event: 'audit', audit_type: 1400, audit_time: '1614949679.250', audit_serial: 7, apparmor: 'DENIED', pid: '812' },
    ],
    [
      '[UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.7 DST=10.0.0.1 LEN=60 PROTO=TCP SPT=50122 DPT=22 SYN',
      {
        event: 'packet',
        prefix: '[UFW BLOCK]',
        IN: 'eth0',
        SRC: '192.0.2.7',
        DST: '10.0.0.1',
        LEN: 60,
        PROTO: 'TCP',
        SPT: 50122,
        DPT: 22,
        SYN: true,
      },
    ],
    ['IN= OUT=eth0 TYPE=3 CODE=1 [SRC=10.0.0.1 DST=192.0.2.7 ]', { event: 'packet', OUT: 'eth0', TYPE: 3, CODE: 1 }],
    ['usb 1-1: new device', {}],
  ])('%s', (message, fields) => expect(read(message)).toEqual(fields));
});
