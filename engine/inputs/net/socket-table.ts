import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv6, SocketAddress } from 'node:net';
import { endianness } from 'node:os';
import { plainHost, type ListenAddress } from './address.ts';

/** Columns of a row of the table, see proc_net(5). */
const LOCAL_ADDRESS = 1;
const INODE = 9;

/** The file in which Linux lists the UDP sockets of the kind of a host. */
export function socketTable({ host }: ListenAddress): string {
  return isIPv6(host) ? '/proc/net/udp6' : '/proc/net/udp';
}

/** The columns of the socket that is bound to an address, from the table of sockets; null when it is not there. */
export function socketRow(table: string, { host, port }: ListenAddress): readonly string[] | null {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/);
    const local = columns[LOCAL_ADDRESS] ?? '';
    if (local.endsWith(end) && hostOf(local.slice(0, -end.length)) === plainHost(host)) return columns;
  }
  return null;
}

/** The descriptor of this process for the socket that is bound to an address; null where the system does not tell, which Linux does. */
export function descriptorOf(address: ListenAddress): number | null {
  try {
    const inode = socketRow(readFileSync(socketTable(address), 'latin1'), address)?.[INODE];
    const found = readdirSync('/proc/self/fd').find((name) => linkOf(name) === `socket:[${inode}]`);
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}

/** Target of a descriptor's link; null when the descriptor was closed meanwhile, as is the one by which the folder was read. */
function linkOf(name: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    return null;
  }
}

/** An address as the kernel writes it: words of 32 bits, hexadecimal, each in the byte order of the machine. */
export function hostOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => {
    const parts = Array.from(word.match(/../g) ?? [], (part) => parseInt(part, 16));
    return endianness() === 'LE' ? parts.reverse() : parts;
  });
  if (bytes.length === 4) return bytes.join('.');
  const address = bytes.map((byte, i) => byte.toString(16).padStart(2, '0') + (i % 2 === 1 && i < 15 ? ':' : '')).join('');
  return plainHost(new SocketAddress({ address, family: 'ipv6' }).address);
}
