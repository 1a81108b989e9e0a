import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isTable } from '../../config/document.ts';
import type { ListedSection } from '../../config/sections.ts';
import { plainHost } from '../../inputs/net/address.ts';
import type { SectionFinding } from './findings.ts';

/** Finds outputs that are to send from an address that this machine does not have. Names are not looked up. */
export function wrongLocalAddress({ name, type, table }: ListedSection): SectionFinding[] {
  const ports = [
    { port: { ...table, type }, path: [] as string[] },
    { port: table['target'], path: ['target'] },
  ];
  return ports.flatMap(({ port, path }) => {
    if (!isTable(port) || port['type'] !== 'UdpOutput' || typeof port['local_address'] !== 'string') return [];
    const host = hostOf(port['local_address']);
    if (isIP(host) === 0 || isOwn(host)) return [];
    const text = `${host} is not an address of this machine`;
    return [{ section: name, path: [...path, 'local_address'], code: 'port.bad-address' as const, text, hint: 'use 0.0.0.0 for any' }];
  });
}

const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');

function isOwn(host: string): boolean {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8);
  for (const each of ['0.0.0.0', ...addresses(4)]) own.addAddress(each);
  for (const each of ['::', '::1', ...addresses(6)]) own.addAddress(each, 'ipv6');
  const plain = plainHost(host);
  return own.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

const addresses = (family: 4 | 6): string[] =>
  Object.values(networkInterfaces()).flatMap((list = []) =>
    list.filter((each) => each.family === `IPv${family}`).map(({ address }) => address),
  );
