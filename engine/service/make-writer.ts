import type { Writable } from 'node:stream';
import type { TargetConfig } from '../config/schema/outputs.ts';
import type { OutputConfig } from '../config/schema/sections.ts';
import { parseAddress } from '../inputs/net/address.ts';
import { BulkWriter, httpIndex, udpIndex } from '../outputs/bulk-writer.ts';
import { RetriedWriter } from '../outputs/delivery.ts';
import { FileWriter } from '../outputs/file-writer.ts';
import { HttpWriter } from '../outputs/http-writer.ts';
import { MailWriter } from '../outputs/smtp/mail-writer.ts';
import { TcpWriter } from '../outputs/tcp-writer.ts';
import { tlsConnection } from '../tls.ts';
import { UdpWriter } from '../outputs/udp-writer.ts';
import { StreamWriter, type Writer } from '../outputs/writers.ts';

/** Outputs that are no script. */
export type BuiltInOutput = Exclude<OutputConfig, { type: 'SandboxOutput' }>;

/** How to write, from the section of an output or from the target of a script. */
type WriterConfig = TargetConfig & {
  /** Name of the section. */
  readonly name: string;
  /** What is written comes from the disk: it is tried again rather than lost. */
  readonly use_buffering: boolean;
};
type WriterOf<T extends WriterConfig['type']> = Extract<WriterConfig, { readonly type: T }>;

export interface WriterSurroundings {
  /** Where `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Something that the user should know. */
  readonly onProblem: (text: string) => void;
  /** Taken instead of what the section names. */
  readonly writer?: Writer;
}

/**
 * Makes what an output writes to. Files are opened; connections are made when the first message comes.
 * @throws {Error} when that cannot be
 */
export async function makeWriter(config: WriterConfig, { stdout, onProblem, writer }: WriterSurroundings): Promise<Writer> {
  if (writer !== undefined) return writer;
  switch (config.type) {
    case 'LogOutput':
      return new StreamWriter(stdout, { lines: true });
    case 'FileOutput': {
      const writer = await fileWriter(config);
      return config.use_buffering ? new RetriedWriter(writer, { retries: config.retries, onProblem }) : writer;
    }
    case 'TcpOutput':
      return tcpWriter(config, onProblem);
    case 'UdpOutput': {
      const { address, local_address: local, net, max_message_size: maxMessageSize } = config;
      return UdpWriter.open({ ...parseAddress(address), ...localOf(local), net, maxMessageSize, onDropped: onProblem });
    }
    case 'HttpOutput': {
      const { address, method, headers, username, password, http_timeout: timeout, tls, retries } = config;
      const target = { url: new URL(address), method, headers, username, password, timeout, tls: tlsConnection(tls) };
      return new HttpWriter(target, { retries, onProblem });
    }
    case 'SmtpOutput':
      return mailWriter(config, onProblem);
    case 'ElasticSearchOutput':
      return bulkWriter(config, onProblem);
  }
}

async function fileWriter(config: WriterOf<'FileOutput'>): Promise<Writer> {
  const writer = new FileWriter({
    path: config.path,
    perm: parseInt(config.perm, 8),
    folderPerm: parseInt(config.folder_perm, 8),
    flushInterval: config.flush_interval,
    flushCount: config.flush_count,
    flushOperator: config.flush_operator,
    rotationInterval: config.rotation_interval,
  });
  await writer.opened();
  return writer;
}

function tcpWriter(config: WriterOf<'TcpOutput'>, onProblem: (text: string) => void): Writer {
  const { address, local_address: local, use_tls: encrypted, tls, retries, reconnect_after: reconnectAfter } = config;
  const { host, port } = parseAddress(address);
  const own = encrypted ? { ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }), ...tlsConnection(tls) } : null;
  return new TcpWriter({
    ...{ host: host || 'localhost', port, tls: own, reconnectAfter, retries, onProblem },
    ...localOf(local),
    keepAlive: config.keep_alive ? config.keep_alive_period * 1000 : null,
  });
}

function mailWriter(config: WriterOf<'SmtpOutput'>, onProblem: (text: string) => void): Writer {
  const { name, send_from: from, send_to: to, subject = `Svc [${name}]`, auth, user, password, retries } = config;
  const server = { ...parseAddress(config.host), auth, user, password };
  return new MailWriter({ server, from, to, subject, sendInterval: config.send_interval * 1000, retries, onProblem });
}

async function bulkWriter(config: WriterOf<'ElasticSearchOutput'>, onProblem: (text: string) => void): Promise<Writer> {
  const { username, password, http_timeout: timeout, connect_timeout: connectTimeout, tls } = config;
  const options = { flushCount: config.flush_count, flushInterval: config.flush_interval, onProblem };
  const url = new URL(config.server);
  if (url.protocol === 'udp:') {
    const port = Number(url.port || '9700');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return new BulkWriter(
      udpIndex(await UdpWriter.open({ host, port, net: 'udp', maxMessageSize: 65_507, onDropped: onProblem })),
      options,
    );
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}/_bulk`;
  const headers = { Accept: ['application/json'], 'Content-Type': ['application/x-ndjson'] };
  const connection = { connectTimeout, keepAlive: !config.http_disable_keepalives, tls: tlsConnection(tls) };
  return new BulkWriter(httpIndex({ url, method: 'POST', headers, username, password, timeout, ...connection }), options);
}

function localOf(address: string | undefined): { readonly local?: { readonly host: string; readonly port: number } } {
  return address === undefined ? {} : { local: parseAddress(address) };
}
