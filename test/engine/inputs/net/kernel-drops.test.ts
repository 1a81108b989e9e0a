import { endianness } from 'node:os';
import { describe, expect, it } from 'vitest';
import { dropsIn, KernelDrops } from '../../../../engine/inputs/net/kernel-drops.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n';
const row = (local: string, drops: number): string =>
  `  106: ${local} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 22333 2 00000000ed3c4b1a ${drops}\n`;
const V6 = '0000000000000000';

describe.runIf(endianness() === 'LE')("the kernel's table of sockets", () => {
  const table = [
    HEAD,
    row('0100007F:15DE', 7),
    row('00000000:15DE', 8),
    row('0200007F:15DE', 4294967295),
    row(`${V6}${V6}:15DE`, 10),
    row(`${V6}0000000001000000:15DE`, 11),
    row('B80D0120000000000000000001000000:0202', 12),
  ].join('');

  it.each<[string, number, number | null]>([
    ['127.0.0.1', 5598, 7],
    ['0.0.0.0', 5598, 8],
    ['127.0.0.2', 5598, 4294967295],
    ['::', 5598, 10],
    ['::1', 5598, 11],
    ['2001:db8::1', 514, 12],
    ['127.0.0.1', 5599, null],
    ['127.0.0.3', 5598, null],
  ])('has of %s, port %i, the drops %j', (host, port, drops) => expect(dropsIn(table, { host, port })).toBe(drops));
});

it('counts nothing where the table has no such socket', async () => {
  const drops = new KernelDrops({ host: '192.0.2.1', port: 9 });
  await drops.read();
  expect(drops.total).toBe(0);
});
