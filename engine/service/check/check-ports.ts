import { isIPv4 } from 'node:net';
import type { ListedSection } from '../../config/sections.ts';
import { isTable, type Table } from '../../config/document.ts';
import { addressOn, parseAddress, type ListenAddress } from '../../inputs/net/address.ts';
import { inputTypeOf, INPUT_TYPES } from '../../inputs/built-in.ts';
import { messageOf } from '../../base/errors.ts';
import { findingOf, type SectionFinding } from './findings.ts';

/** Types of inputs that listen on a port, with the protocol of it. */
const LISTENERS: Readonly<Record<string, 'UDP' | 'TCP'>> = {
  UdpInput: 'UDP',
  StatsdInput: 'UDP',
  TcpInput: 'TCP',
  HttpListenInput: 'TCP',
  OtlpInput: 'TCP',
  FluentForwardInput: 'TCP',
  BeatsInput: 'TCP',
  RelpInput: 'TCP',
};

/** An address of a protocol. */
interface Port extends ListenAddress {
  readonly protocol: 'UDP' | 'TCP';
}

interface ListenerPort extends Port {
  readonly section: ListedSection;
  /** Path of the address in its section. */
  readonly path: readonly string[];
}

/** Finds addresses that are none, and inputs that would listen on the same port. No port is opened. */
export const wrongPorts = (sections: readonly ListedSection[]): SectionFinding[] => listenerPorts(sections).findings;

/** The ports of the inputs that listen, but for the second of two that are the same, and what is wrong with them. */
export function listenerPorts(sections: readonly ListedSection[]): { readonly ports: ListenerPort[]; readonly findings: SectionFinding[] } {
  const findings: SectionFinding[] = [];
  const ports: ListenerPort[] = [];
  for (const section of sections) {
    for (const { table, path } of inputTables(section)) {
      const protocol = LISTENERS[String(table['type'])];
      if (protocol === undefined || section.wrong.some(([first, second]) => (path.length === 0 ? first : second) === 'address')) continue;
      try {
        const { host, port } = parseAddress(addressOf(table));
        const own = { protocol, host, port, section, path: [...path, 'address'] };
        const other = port === 0 ? undefined : ports.find((before) => overlap(before, own));
        if (other === undefined) ports.push(own);
        else findings.push(taken(own, other));
      } catch (error) {
        findings.push({ ...findingOf(error, section.name, [...path, 'address']), text: messageOf(error) });
      }
    }
  }
  return { ports, findings };
}

/** The tables of a section that describe an input: the section itself, or the source of a script. */
function inputTables({ type, table, kind }: ListedSection): { readonly table: Table; readonly path: readonly string[] }[] {
  if (kind !== 'input') return [];
  if (type !== 'SandboxInput') return [{ table: { ...table, type }, path: [] }];
  return isTable(table['source']) ? [{ table: table['source'], path: ['source'] }] : [];
}

/** The address of an input, with its default and its kind of network. */
function addressOf(table: Table): string {
  const { net, address } = table;
  const { shape } = inputTypeOf(String(table['type']), INPUT_TYPES).schema;
  const usual: unknown = 'address' in shape ? shape.address.safeParse(undefined).data : undefined;
  const text = address ?? usual;
  return addressOn(typeof net === 'string' ? net : '', typeof text === 'string' ? text : '');
}

function taken({ protocol, port, section, path }: ListenerPort, other: ListenerPort): SectionFinding {
  const { name, origin } = other.section;
  return {
    section: section.name,
    path,
    code: 'config.port',
    text: `${protocol} port ${port} is that of [${name}] already, in line ${origin.line}`,
    hint: 'give one of them another port',
  };
}

/** Tells whether two listeners cannot be open at once: one of the hosts stands for the other one, too. */
export function overlap(a: Port, b: Port): boolean {
  if (a.protocol !== b.protocol || a.port !== b.port) return false;
  const [one, two] = [hostOf(a), hostOf(b)];
  return one === two || covers(one, two) || covers(two, one);
}

const hostOf = ({ host }: ListenAddress): string => (host === 'localhost' ? '127.0.0.1' : host.toLowerCase());

function covers(wide: string, host: string): boolean {
  if (wide === '' || wide === '::') return true;
  return wide === '0.0.0.0' && isIPv4(host);
}
