import { basename } from 'node:path';
import type { PlainInputConfig } from '../../service/inputs.ts';
import { COMMAND_PREFIX } from '../file/command-section.ts';
import type { SourceKind } from '../../api/types.ts';
import { WORKSTATION_PREFIX } from '../file/workstation.ts';

/** What the window calls a source. */
export interface SourceFacts {
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
}

/** What the window calls the source of a section. */
export function sourceFacts(input: PlainInputConfig): SourceFacts {
  switch (input.type) {
    case 'FileInput':
      return { kind: 'file', label: fileLabel(input.name, input.paths), location: input.paths.join(', ') };
    case 'UdpInput':
      return listening('udp', input.address);
    case 'TcpInput':
      return listening('tcp', input.address);
    case 'HttpListenInput':
      return { ...listening('tcp', input.address), label: `http:${portOf(input.address)}` };
    case 'HttpInput': {
      const urls = input.urls ?? [input.url ?? ''];
      return { kind: 'poll', label: urls.map((url) => new URL(url).host).join(', '), location: urls.join(', ') };
    }
    case 'StatsdInput':
      return { ...listening('udp', input.address), label: `statsd:${portOf(input.address)}` };
    case 'StatAccumInput':
      return { kind: 'stats', label: input.name, location: `stats of ${input.name}` };
    case 'FilePollingInput':
      return { kind: 'poll', label: basename(input.file_path), location: input.file_path };
    case 'ProcessInput':
      return { kind: 'command', label: commandLabel(input.name, commandLine(input.command)), location: commandLine(input.command) };
  }
}

/** What the window calls the source of the sections that watch this machine. */
export function workstationFacts(inputs: readonly PlainInputConfig[]): SourceFacts {
  const paths = inputs.map((input) => (input.type === 'FilePollingInput' ? input.file_path : input.name));
  return { kind: 'workstation', label: 'This workstation', location: paths.join(', ') };
}

/** Names that were given by hand say most. */
function fileLabel(name: string, paths: readonly string[]): string {
  return name.startsWith(WORKSTATION_PREFIX) ? basename(paths[0] as string) : name;
}

function commandLabel(name: string, line: string): string {
  return name.startsWith(COMMAND_PREFIX)
    ? shortened(line)
    : name.startsWith(WORKSTATION_PREFIX)
      ? name.slice(WORKSTATION_PREFIX.length)
      : name;
}

const LONGEST_LABEL = 40;
const shortened = (line: string): string => (line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line);

const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);

const listening = (kind: 'udp' | 'tcp', address: string): SourceFacts => ({ kind, label: `${kind}:${portOf(address)}`, location: address });

/** A chain of commands as one would type it. A line that was given to a shell is that line. */
export function commandLine(commands: readonly { readonly bin: string; readonly args: readonly string[] }[]): string {
  return commands.map(({ bin, args }) => shellLine(bin, args) ?? [bin, ...args].map(quoted).join(' ')).join(' | ');
}

function shellLine(bin: string, args: readonly string[]): string | null {
  const [flag, line, ...more] = args;
  return /(?:^|\/)sh$/.test(bin) && flag === '-c' && line !== undefined && more.length === 0 ? line : null;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
