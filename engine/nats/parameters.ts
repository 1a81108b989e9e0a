import { readTextSync } from '../base/files/regular-file.ts';
import { z } from 'zod';
import { EngineError, messageOf } from '../base/errors.ts';
import type { Rule } from '../section/section-schema.ts';
import { tls } from '../section/tls.ts';
import { flag, path, text } from '../section/values.ts';
import { tlsConnection, type TlsConfig } from '../base/net/tls.ts';
import type { NatsServers } from './connection.ts';

/** Parameters of connections to NATS. */
export const natsServers = {
  servers: z
    .array(
      text.regex(/^(?:(?:nats|tls):\/\/)?(?:[^\s:/@[\]]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/, {
        error: 'must be host:port, such as 127.0.0.1:4222',
      }),
    )
    .min(1)
    .default(['127.0.0.1:4222'])
    .meta({ shown: 'list of `host:port`' })
    .describe('Servers of one cluster; the first one that answers is used.'),
  username: text.optional().describe('For servers that ask for a user and password.'),
  password: text.optional().describe('For servers that ask for a user and password.'),
  nkey_file: path.optional().describe('File with the seed of an nkey, for servers that ask for one.'),
  credentials_file: path.optional().describe('File with credentials (`.creds`), for servers that ask for them.'),
  use_tls: flag.default(false).describe('Take encrypted connections only. Servers that ask for encryption get it in any case.'),
  tls: tls.describe('For encrypted connections.'),
};

interface ServersConfig {
  readonly servers: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly nkey_file?: string | undefined;
  readonly credentials_file?: string | undefined;
  readonly use_tls: boolean;
  readonly tls: TlsConfig;
}

/** There is one way to log in at most. */
export const ONE_LOGIN: Rule<ServersConfig> = {
  holds: (config) => [config.username, config.nkey_file, config.credentials_file].filter((each) => each !== undefined).length < 2,
  error: 'needs one of username, nkey_file and credentials_file',
  path: ['servers'],
};

/** Name of a stream, or of a consumer. */
export const natsName = text.regex(/^[^\s.*>/\\\p{Cc}]*$/u, { error: 'must be a name without dots and blanks' });

/** Texts in the places of fields: a part of a subject. */
export const subject = text
  .regex(/^[^\s.\p{Cc}]+(?:\.[^\s.\p{Cc}]+)*$/u, { error: 'must be names with dots between them' })
  .meta({ shown: 'subject' });

/**
 * The servers that a section names.
 * @throws {EngineError} `nats.credentials` for a file that cannot be read
 */
export function serversOf(config: ServersConfig): NatsServers {
  const { nkey_file: nkey, credentials_file: credentials, username, password } = config;
  return {
    addresses: config.servers,
    user: username === undefined ? undefined : { name: username, password: password ?? '' },
    nkey: nkey === undefined ? undefined : secretIn(nkey),
    credentials: credentials === undefined ? undefined : secretIn(credentials),
    tls: tlsConnection(config.tls),
    needsTls: config.use_tls,
  };
}

/**
 * The servers that somebody types.
 * @throws {EngineError} `fleet.away` for addresses that are none, `nats.credentials` for a file that cannot be read
 */
export function givenServers(addresses: readonly string[], credentials: string | undefined): NatsServers {
  const given = z.object(natsServers).safeParse({ servers: addresses, credentials_file: credentials });
  if (given.success) return serversOf(given.data);
  throw new EngineError('fleet.away', `${addresses.join(',')}: ${given.error.issues[0]?.message ?? 'no servers'}`);
}

/** Bytes of a file of credentials. */
const MOST_BYTES = 1 << 20;

function secretIn(file: string): Uint8Array {
  try {
    return Buffer.from(readTextSync(file, MOST_BYTES).trim());
  } catch (error) {
    throw new EngineError('nats.credentials', `the file ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
