import { constants, createHash } from 'node:crypto';
import type { ConnectionOptions, SecureContextOptions, SecureVersion, TLSSocket, TlsOptions } from 'node:tls';
import { readTextSync } from '../files/regular-file.ts';
import { EngineError, messageOf } from '../errors.ts';

/** Settings that the `tls` tables of all sections have. */
interface CommonTlsConfig {
  readonly cert_file?: string | undefined;
  readonly key_file?: string | undefined;
  readonly ciphers?: readonly string[] | undefined;
  readonly min_version?: TlsVersion | undefined;
  readonly max_version?: TlsVersion | undefined;
}

/** The `tls` table of an output. */
export interface TlsConfig extends CommonTlsConfig {
  readonly server_name?: string | undefined;
  readonly insecure_skip_verify: boolean;
  readonly root_cafile?: string | undefined;
}

/** The `tls` table of a listener. */
export interface TlsListenerConfig extends CommonTlsConfig {
  readonly client_auth: ClientAuth;
  readonly client_cafile?: string | undefined;
  readonly prefer_server_ciphers: boolean;
  readonly session_tickets_disabled: boolean;
  /** 32 bytes in hex. */
  readonly session_ticket_key?: string | undefined;
}

/** Whether clients are asked for certificates, must show any, or must show one that an authority has signed. */
export const CLIENT_AUTH = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;
export type ClientAuth = (typeof CLIENT_AUTH)[number];

export const TLS_VERSIONS = ['TLS10', 'TLS11', 'TLS12', 'TLS13'] as const;
type TlsVersion = (typeof TLS_VERSIONS)[number];

const VERSIONS: Readonly<Record<TlsVersion, SecureVersion>> = { TLS10: 'TLSv1', TLS11: 'TLSv1.1', TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' };

/**
 * The options of TLS connections to a server.
 * @throws {EngineError} `tls.file` for a file that cannot be read
 */
export function tlsConnection(config: TlsConfig): ConnectionOptions {
  const { server_name: servername, root_cafile: authorities } = config;
  return {
    ...common(config),
    ...(servername === undefined ? {} : { servername }),
    ...(authorities === undefined ? {} : { ca: pem(authorities) }),
    rejectUnauthorized: !config.insecure_skip_verify,
  };
}

/** The TLS options of a listener, and its check of clients. */
export interface TlsListener {
  readonly options: TlsOptions;
  /** The reason to refuse a client after the handshake; null: it is accepted. */
  refuses(socket: TLSSocket): string | null;
}

/**
 * The TLS options of a listener, from its `tls` table.
 * @throws {EngineError} `tls.file` for a file that cannot be read
 */
export function tlsListener(config: TlsListenerConfig): TlsListener {
  const { client_auth: auth, client_cafile: authorities, prefer_server_ciphers: honorCipherOrder, session_ticket_key: key } = config;
  const options = {
    ...common(config),
    ...(authorities === undefined ? {} : { ca: pem(authorities) }),
    honorCipherOrder,
    ...(config.session_tickets_disabled ? { secureOptions: constants.SSL_OP_NO_TICKET } : {}),
    // The library wants 48 bytes.
    ...(key === undefined ? {} : { ticketKeys: createHash('sha384').update(Buffer.from(key, 'hex')).digest() }),
    requestCert: auth !== 'NoClientCert',
    rejectUnauthorized: auth === 'RequireAndVerifyClientCert',
  };
  return { options, refuses: (socket) => refusal(auth, socket) };
}

function refusal(auth: ClientAuth, socket: TLSSocket): string | null {
  if (auth !== 'RequireAnyClientCert' && auth !== 'VerifyClientCertIfGiven') return null;
  const given = socket.getPeerX509Certificate() !== undefined;
  if (auth === 'RequireAnyClientCert') return given ? null : 'it shows no certificate';
  return given && !socket.authorized ? `its certificate is not trusted: ${String(socket.authorizationError)}` : null;
}

function common(config: CommonTlsConfig): SecureContextOptions {
  const { ciphers, min_version: min, max_version: max } = config;
  return {
    ...(config.cert_file === undefined ? {} : { cert: pem(config.cert_file) }),
    ...(config.key_file === undefined ? {} : { key: pem(config.key_file) }),
    ...(ciphers === undefined ? {} : { ciphers: ciphers.join(':') }),
    ...(min === undefined ? {} : { minVersion: VERSIONS[min] }),
    ...(max === undefined ? {} : { maxVersion: VERSIONS[max] }),
  };
}

/** A parameter of a `tls` table that cannot be used. */
export interface WrongTls {
  readonly parameter: string;
  readonly text: string;
}

/** Finds what is wrong with the files and ciphers of a `tls` table, without a connection. */
export async function wrongTls(table: Readonly<Record<string, unknown>>): Promise<WrongTls[]> {
  const wrong: WrongTls[] = [];
  const texts: Record<string, string> = {};
  for (const parameter of ['cert_file', 'key_file', 'root_cafile', 'client_cafile']) {
    const path = table[parameter];
    if (typeof path !== 'string' || path === '') continue;
    try {
      texts[parameter] = pem(path);
    } catch (error) {
      wrong.push({ parameter, text: messageOf(error) });
    }
  }
  const { createSecureContext } = await import('node:tls');
  const attempt = (parameter: string, said: string, options: SecureContextOptions): void => {
    try {
      createSecureContext(options);
    } catch (error) {
      wrong.push({ parameter, text: `${said}: ${messageOf(error)}` });
    }
  };
  const { cert_file: cert, key_file: key } = texts;
  if (cert !== undefined && key !== undefined) attempt('cert_file', 'it and key_file cannot be used together', { cert, key });
  const { ciphers } = table;
  if (Array.isArray(ciphers) && ciphers.length > 0) attempt('ciphers', 'cannot be used', { ciphers: ciphers.join(':') });
  return wrong;
}

/** Bytes of a file of certificates: those of all authorities are a quarter of a MiB. */
const MOST_BYTES = 16 << 20;

function pem(path: string): string {
  let text: string;
  try {
    text = readTextSync(path, MOST_BYTES);
  } catch (error) {
    throw new EngineError('tls.file', `the file ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (!text.includes('-----BEGIN ')) throw new EngineError('tls.file', `${path} is not a PEM file`);
  return text;
}
