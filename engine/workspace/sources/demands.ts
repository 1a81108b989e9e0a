import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Demand } from '../../api/wire.ts';
import type { PlainInputConfig } from '../../config/schema/sections.ts';
import { inputTypeOf } from '../../inputs/built-in.ts';
import { addressOn, parseAddress } from '../../inputs/net/address.ts';
import { shownCommands } from '../../inputs/process/commands.ts';

/** The content of a demand: what is shown, what its key is made of, and whether only this machine is concerned. */
interface Content {
  readonly kind: Demand['kind'];
  readonly text: string;
  readonly all: unknown;
  readonly local?: boolean;
}

/** The demands of an input: what it starts that has to be confirmed. None: it only reads files. */
export function demandsOf(input: PlainInputConfig, by: Demand['by']): Demand[] {
  const content = contentOf(input);
  return content === null ? [] : [demand(input.name, by, content)];
}

/** Reading a file that a parameter of a script names. */
export const fileDemand = (path: string): Demand => demand('', 'window', { kind: 'file', text: path, all: path });

/** Opening a path that was typed in the window. */
export const openDemand = (path: string): Demand => demand('', 'window', { kind: 'open', text: path, all: path });

/** A script that a workspace brings. @param about a few words on it */
export const scriptDemand = (name: string, text: string, about: string): Demand =>
  demand(name, 'workspace', { kind: 'script', text: about, all: [name, text] });

/** The same, as a workspace asks for it that is opened. */
export const ofWorkspace = (asked: Demand): Demand => ({ ...asked, by: 'workspace' });

function demand(section: string, by: Demand['by'], { kind, text, all, local = false }: Content): Demand {
  const key = createHash('sha256')
    .update(JSON.stringify([kind, all]))
    .digest('hex');
  return { key, by, kind, section, text, local };
}

function contentOf(input: PlainInputConfig): Content | null {
  switch (input.type) {
    case 'FileInput':
    case 'FilePollingInput':
    case 'StatAccumInput':
      return null;
    case 'ProcessInput':
      return { kind: 'command', text: shownCommands(input.command), all: input.command };
    case 'UdpInput':
    case 'TcpInput':
      return listener(input.type, addressOn(input.net, input.address));
    case 'StatsdInput':
    case 'HttpListenInput':
    case 'OtlpInput':
    case 'FluentForwardInput':
    case 'BeatsInput':
    case 'RelpInput':
      return listener(input.type, input.address);
    case 'NatsInput': {
      const { type, servers, stream, subject, durable, username, password, nkey_file: nkey, credentials_file: credentials } = input;
      const login = [username, password, nkey, credentials];
      // An input that only watches takes no messages away from others, whatever the stream.
      if (stream !== undefined && durable === '') {
        const shown = credentials === undefined ? '' : `\n(with the credentials in ${credentials})`;
        return { kind: 'client', text: `${type} ${servers.join(', ')}${shown}`, all: [type, servers, ...login] };
      }
      const all = [type, servers, stream, subject, durable, ...login];
      return { kind: 'client', text: `${type} ${inputTypeOf(type).facts(input).location}`, all };
    }
    case 'HttpInput': {
      const { type, method, headers, username, password, body } = input;
      const { location } = inputTypeOf(type).facts(input);
      const all = [location, method, headers, username, password, body];
      return { kind: 'client', text: `${method} ${location}${shownRequest(input)}`, all };
    }
  }
}

/** The lines about what a request sends beside its method and address: everything but the password. */
function shownRequest({ headers, username, body }: PlainInputConfig & { readonly type: 'HttpInput' }): string {
  const sent = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `(with the header ${name}: ${value})`));
  if (username !== undefined) sent.push(`(as the user ${username})`);
  if (body !== undefined) sent.push(`(with the body ${body})`);
  return sent.map((line) => `\n${line}`).join('');
}

const listener = (type: string, address: string): Content => ({
  kind: 'listener',
  text: `${type} ${address}`,
  all: [type, address],
  local: isLocal(address),
});

/** Tells whether only this machine reaches an address. Names other than localhost are asked for elsewhere, so they count as the network. */
function isLocal(address: string): boolean {
  try {
    const { host } = parseAddress(address);
    return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  } catch {
    return false;
  }
}
