import { createSocket } from 'node:dgram';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, isIPv6, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { UsageError, type CommandContext } from '../command.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { writeToTarget } from '../../outputs/open-target.ts';
import { tlsConnection } from '../../base/net/tls.ts';
import { unwritable } from '../../base/files/unwritable.ts';

/** Receiver of framed messages. */
export interface Target {
  /** Resolves when the system has taken the record. */
  write(record: Uint8Array): Promise<void>;
  /** Closes the target after everything written was sent. */
  close(): Promise<void>;
}

const text = { type: 'string' } as const;

/** Options of commands that send, for `tls://` addresses. */
export const TLS_OPTIONS = {
  'tls-ca': text,
  'tls-cert': text,
  'tls-key': text,
  'tls-name': text,
  'tls-insecure': { type: 'boolean' },
} as const;

export const TLS_HELP = `
      --tls-ca FILE         for tls://: the authorities whose certificates are trusted, PEM (those of the system)
      --tls-cert FILE       and --tls-key FILE: the own certificate
      --tls-name NAME       the name that the other side's certificate must have (HOST)
      --tls-insecure        takes any certificate
`;

export interface TlsFlags {
  readonly 'tls-ca'?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
  readonly 'tls-key'?: string | undefined;
  readonly 'tls-name'?: string | undefined;
  readonly 'tls-insecure'?: boolean | undefined;
}

const CONNECT_MS = 10_000;
/** Longest wait for the receiver to end the connection. */
const CLOSE_MS = 2000;

/**
 * Opens the target of a command: a file (appended to, created when it is missing), `-` for standard output, `tcp://HOST:PORT`,
 * `tls://HOST:PORT` or `udp://HOST:PORT`.
 * @throws {UsageError} for an address that cannot be read, {EngineError} `target.failed` when it cannot be opened
 */
export async function openTarget(target: string, { out, signal }: CommandContext, tls: TlsFlags): Promise<Target> {
  if (target === '-') return { write: (record) => out.write(record), close: () => out.flush() };
  const scheme = /^([a-z]+):\/\/(.*)$/i.exec(target);
  if (scheme?.[1]?.toLowerCase() !== 'tls' && Object.keys(TLS_OPTIONS).some((name) => Object.hasOwn(tls, name))) {
    throw new UsageError(`${target}: the options for TLS are for tls:// addresses.`);
  }
  try {
    if (scheme === null) return await fileTarget(target, signal);
    const [, protocol = '', address = ''] = scheme;
    switch (protocol.toLowerCase()) {
      case 'tcp':
        return await tcpTarget(addressOf(target, address), signal);
      case 'tls':
        return await tlsTarget(addressOf(target, address), tls, signal);
      case 'udp':
        return udpTarget(addressOf(target, address));
      default:
        throw new UsageError(`${target}: messages can be sent to tcp://, tls:// and udp:// addresses.`);
    }
  } catch (error) {
    throw failed(target, error);
  }
}

/** Wraps the error of a target as one to show to the user. */
function failed(target: string, error: unknown): Error {
  if (error instanceof UsageError || error instanceof EngineError) return error;
  return new EngineError('target.failed', `${target}: ${messageOf(error)}`, { cause: error });
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(target: string, text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:[\]/]+)):(\d{1,5})\/?$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port === 0 || port > 65_535)
    throw new UsageError(`${target} is not an address: write tcp://host:port, tls://host:port or udp://host:port.`);
  return { host: match[1] ?? match[2] ?? '', port };
}

async function fileTarget(path: string, signal: AbortSignal): Promise<Target> {
  // A pipe that nobody reads answers ENXIO.
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0));
  const fail = (error: unknown): never => {
    throw new EngineError('target.failed', unwritable(path, error), { cause: error });
  };
  return { write: (record) => writeToTarget(handle, record, signal).catch(fail), close: () => handle.close().catch(fail) };
}

async function tcpTarget(address: Address, signal: AbortSignal): Promise<Target> {
  const socket = connect({ ...address, noDelay: true });
  await connected(socket, 'connect', signal);
  return socketTarget(socket, `tcp://${address.host}:${address.port}`);
}

async function tlsTarget(address: Address, flags: TlsFlags, signal: AbortSignal): Promise<Target> {
  const { 'tls-ca': root, 'tls-cert': cert, 'tls-key': key, 'tls-name': name } = flags;
  const secure = tlsConnection({
    root_cafile: root,
    cert_file: cert,
    key_file: key,
    server_name: name,
    insecure_skip_verify: flags['tls-insecure'] ?? false,
  });
  const socket = connectSecurely({ ...address, ...secure });
  socket.setNoDelay();
  await connected(socket, 'secureConnect', signal);
  return socketTarget(socket, `tls://${address.host}:${address.port}`);
}

function socketTarget(socket: Socket, name: string): Target {
  let broken: Error | null = null;
  socket.on('error', (error) => (broken = error));
  // Discards answers, so that the end of the connection is noticed.
  socket.resume();
  const check = (): void => {
    if (broken !== null) throw failed(name, broken);
  };
  return {
    async write(record) {
      await new Promise<void>((resolve) => socket.write(record, () => resolve()));
      check();
    },
    async close() {
      socket.once('finish', () => setTimeout(() => socket.destroy(), CLOSE_MS).unref());
      await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve()).end()));
      check();
    },
  };
}

async function connected(socket: Socket, event: 'connect' | 'secureConnect', end: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([end, AbortSignal.timeout(CONNECT_MS)]);
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      socket.destroy();
      reject(new Error('it does not answer'));
    };
    signal.addEventListener('abort', abort, { once: true });
    const done = (): void => signal.removeEventListener('abort', abort);
    socket.once(event, () => (done(), resolve()));
    socket.once('error', (error) => (done(), reject(error)));
  });
}

function udpTarget({ host, port }: Address): Target {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  return {
    write: (record) =>
      new Promise((resolve, reject) =>
        socket.send(record, port, host, (error) => (error ? reject(failed(`udp://${host}:${port}`, error)) : resolve())),
      ),
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}
