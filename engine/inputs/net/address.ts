import { isIPv6 } from 'node:net';
import type { InputFacts } from '../shared/input-type.ts';
import { InputError } from '../notices.ts';

/** An address to listen on; an empty host stands for all networks. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port`, `[IPv6]:port` or `:port`. Throws an InputError (`port.bad-address`). */
export function parseAddress(text: string): ListenAddress {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[3]);
  if (match === null || port > 65535) {
    throw new InputError(
      'port.bad-address',
      `"${text}" is not an address to listen on. Write host:port, for example 127.0.0.1:5514 or [::1]:5514.`,
    );
  }
  return { host: match[1] ?? match[2] ?? '', port };
}

/** Field of the records of connections: the port of the sender, whose address is their Hostname. */
export const REMOTE_PORT = 'remote_port';

/** The hosts to try in turn. */
export function hostsToTry(host: string): readonly string[] {
  return host === '' ? ['::', '0.0.0.0'] : [host];
}

export function formatAddress({ host, port }: ListenAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** An address as people write it: an IPv4 address that came through an IPv6 socket without its prefix, and without a zone. */
export function plainHost(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address.replace(/%.*$/, '');
}

/** The address to listen on by a kind of network, such as `udp6`: an address without a host stands for all networks of that kind. */
export function addressOn(net: string, address: string): string {
  if (!address.startsWith(':') || !/[46]$/.test(net)) return address;
  return `${net.endsWith('4') ? '0.0.0.0' : '[::]'}${address}`;
}

export const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);

/** A listener's facts for the window. */
export const listenerFacts = (kind: 'udp' | 'tcp', address: string): InputFacts => ({
  kind,
  label: `${kind}:${portOf(address)}`,
  location: address,
});
