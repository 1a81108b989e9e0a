import { readTextSync } from '../../base/files/regular-file.ts';
import type { ListedSection } from '../../config/sections.ts';
import { hostOf } from '../../inputs/net/socket-table.ts';
import { listenerPorts, overlap } from './check-ports.ts';
import type { SectionFinding } from './findings.ts';

/** Tables of open sockets, and the state of those that listen; other systems than Linux have none. */
const TABLES = [
  ['tcp', 'TCP', '0A'],
  ['tcp6', 'TCP', '0A'],
  ['udp', 'UDP', '07'],
  ['udp6', 'UDP', '07'],
] as const;

/** A socket that listens. */
interface OpenPort {
  readonly protocol: 'UDP' | 'TCP';
  readonly host: string;
  readonly port: number;
}

/** Finds listeners whose port another program has, or the service itself while it runs. No port is opened. */
export function busyPorts(sections: readonly ListedSection[], open: readonly OpenPort[] = openPorts()): SectionFinding[] {
  return listenerPorts(sections).ports.flatMap((own) => {
    if (own.port === 0 || !open.some((other) => overlap(own, other))) return [];
    const text = `${own.protocol} port ${own.port} is in use now, perhaps by this service itself`;
    return [{ section: own.section.name, path: own.path, code: 'config.port', text, hint: '' }];
  });
}

/** The sockets of this machine that listen. */
function openPorts(): OpenPort[] {
  return TABLES.flatMap(([name, protocol, state]) =>
    linesOf(`/proc/net/${name}`).flatMap((line) => {
      const [, address = '', , found] = line.trim().split(/\s+/);
      const [host = '', port = ''] = address.split(':');
      return found === state ? [{ protocol, host: hostOf(host), port: Number.parseInt(port, 16) }] : [];
    }),
  );
}

function linesOf(path: string): string[] {
  try {
    return readTextSync(path, MOST_BYTES).split('\n').slice(1);
  } catch {
    return [];
  }
}

const MOST_BYTES = 64 << 20;
