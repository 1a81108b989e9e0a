import { readFile } from 'node:fs/promises';

/**
 * Datagrams that the kernel dropped because the receive buffers of the sockets bound to a local port were full, since these sockets were opened;
 * null where this cannot be known. Source: /proc/net/udp and udp6, see proc_net(5); the last column is `drops`.
 */
export async function kernelDrops(port: number): Promise<number | null> {
  let drops: number | null = null;
  for (const path of ['/proc/net/udp', '/proc/net/udp6']) {
    const table = await readFile(path, 'latin1').catch(() => '');
    for (const line of table.split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (parseInt(columns[1]?.split(':')[1] ?? '', 16) !== port) continue;
      drops = (drops ?? 0) + Number(columns.at(-1));
    }
  }
  return drops;
}
