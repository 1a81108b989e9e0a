import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ListenAddress } from './address.ts';
import { socketRow, socketTable } from './socket-table.ts';

/**
 * Counts the datagrams that the kernel dropped for the socket of an address, because its receive buffer was full. Only Linux tells: the last column of
 * /proc/net/udp and udp6, see proc_net(5).
 */
export class KernelDrops {
  readonly #address: ListenAddress;
  #before = 0;
  #total = 0;

  /** `address`: of a socket that was opened just now. */
  constructor(address: ListenAddress) {
    this.#address = address;
  }

  /** Datagrams dropped so far, as of the last `read`. */
  get total(): number {
    return this.#total;
  }

  async read(): Promise<void> {
    const table = await readFile(socketTable(this.#address), 'latin1').catch(() => '');
    this.take(dropsIn(table, this.#address));
  }

  /** Takes the kernel's count for the socket, which was read elsewhere; null: it is not known. */
  take(drops: number | null): void {
    if (drops === null) return;
    // The kernel counts in 32 bits.
    this.#total += (drops - this.#before) >>> 0;
    this.#before = drops;
  }
}

/** Asks the system how many datagrams it has dropped for the socket of an address; null: it does not tell. */
export function systemDrops(address: ListenAddress): number | null {
  try {
    return dropsIn(readFileSync(socketTable(address), 'latin1'), address);
  } catch {
    return null;
  }
}

/** The drops of the socket that is bound to an address, from the table of sockets; null when it is not there. */
export function dropsIn(table: string, address: ListenAddress): number | null {
  const row = socketRow(table, address);
  return row === null ? null : Number(row.at(-1));
}
