import { readFile } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import { endianness } from 'node:os';
import { plainHost, type ListenAddress } from './address.ts';

/**
 * Counts the datagrams that the kernel dropped for the socket of an address, because its receive buffer was full. Only Linux tells: the last column of
 * /proc/net/udp and udp6, see proc_net(5).
 */
export class KernelDrops {
  readonly #path: string;
  readonly #address: ListenAddress;
  #before = 0;
  #total = 0;

  /** `address`: of a socket that was opened just now. */
  constructor(address: ListenAddress) {
    this.#path = isIPv6(address.host) ? '/proc/net/udp6' : '/proc/net/udp';
    this.#address = { ...address, host: plainHost(address.host) };
  }

  /** Datagrams dropped so far, as of the last `read`. */
  get total(): number {
    return this.#total;
  }

  async read(): Promise<void> {
    const drops = dropsIn(await readFile(this.#path, 'latin1').catch(() => ''), this.#address);
    if (drops === null) return;
    // The kernel counts in 32 bits.
    this.#total += (drops - this.#before) >>> 0;
    this.#before = drops;
  }
}

/** The drops of the socket that is bound to an address, from the table of sockets; null when it is not there. */
export function dropsIn(table: string, { host, port }: ListenAddress): number | null {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/);
    const [, local = ''] = columns;
    if (local.endsWith(end) && hostOf(local.slice(0, -end.length)) === host) return Number(columns.at(-1));
  }
  return null;
}

/** An address as the kernel writes it: words of 32 bits, hexadecimal, each in the byte order of the machine. */
function hostOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => {
    const parts = Array.from(word.match(/../g) ?? [], (part) => parseInt(part, 16));
    return endianness() === 'LE' ? parts.reverse() : parts;
  });
  if (bytes.length === 4) return bytes.join('.');
  const address = bytes.map((byte, i) => byte.toString(16).padStart(2, '0') + (i % 2 === 1 && i < 15 ? ':' : '')).join('');
  return plainHost(new SocketAddress({ address, family: 'ipv6' }).address);
}
