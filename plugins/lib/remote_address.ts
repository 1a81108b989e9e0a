import { hostForm } from './hosts.ts';
import type { LogField } from '../modules/table_writer.ts';

/** An address with a port: `192.0.2.1:80`, `[2001:db8::7]:80`, or without one; more than one colon outside of brackets belongs to the address. */
const ADDRESS = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::(?<port>\d+))?$/;

const PORT = /^\d+$/;

/** Splits an address that always has a port, also behind IPv6 without brackets: `::1:50122`. */
export function remoteFieldsWithPort(address: string, side = 'remote'): LogField[] {
  const colon = address.lastIndexOf(':');
  const bare = address.indexOf(':') < colon && !address.startsWith('[') && PORT.test(address.slice(colon + 1));
  return remoteFields(bare ? `[${address.slice(0, colon)}]${address.slice(colon)}` : address, side);
}

/** The fields remote_addr and remote_port of an address, or those of another `side`; none of an empty one. */
export function remoteFields(address: string, side = 'remote'): LogField[] {
  if (address === '' || address === '-') return [];
  const { bracketed, plain, port } = ADDRESS.exec(address)?.groups ?? {};
  const value = bracketed ?? plain ?? address;
  const fields: LogField[] = [{ name: `${side}_addr`, value, representation: hostForm(value, 0, value.length) }];
  return port === undefined ? fields : [...fields, { name: `${side}_port`, value: Number(port) }];
}
