import { z } from 'zod';
import { CLIENT_AUTH, TLS_VERSIONS } from '../base/net/tls.ts';
import type { Rule } from './section-schema.ts';
import { flag, path, text } from './values.ts';

const version = z.enum(TLS_VERSIONS).optional();
/** Of Node. */
const DEFAULT_MIN_VERSION = 'TLS12';

const common = {
  ciphers: z
    .array(text.min(1))
    .min(1)
    .optional()
    .meta({ shown: 'list of names' })
    .describe('Ciphers that may be used. Default: those of the system.'),
  min_version: version.describe(`Lowest version of the protocol. Default: \`${DEFAULT_MIN_VERSION}\`.`),
  max_version: version.describe('Highest version of the protocol.'),
};

interface Versions {
  readonly min_version?: (typeof TLS_VERSIONS)[number] | undefined;
  readonly max_version?: (typeof TLS_VERSIONS)[number] | undefined;
}

const inOrder = ({ min_version: min = DEFAULT_MIN_VERSION, max_version: max }: Versions): boolean =>
  max === undefined || TLS_VERSIONS.indexOf(min) <= TLS_VERSIONS.indexOf(max);

const IN_ORDER = `max_version is below min_version, which is ${DEFAULT_MIN_VERSION} where it is not set`;

interface Files {
  readonly cert_file?: string | undefined;
  readonly key_file?: string | undefined;
}

const together = ({ cert_file: cert, key_file: key }: Files): boolean => (cert === undefined) === (key === undefined);

/** Encryption of connections to servers. */
export const tls = z
  .strictObject({
    server_name: text.min(1).optional().describe('Name that the certificate of the server must have. Default: the host of the address.'),
    cert_file: path.optional().describe('PEM file with the certificate to show to the server.'),
    key_file: path.optional().describe('PEM file with its key.'),
    root_cafile: path.optional().describe('PEM file with the authorities that are trusted. Default: those of the system.'),
    insecure_skip_verify: flag.default(false).describe('Trust any certificate.'),
    ...common,
  })
  .refine(together, 'needs cert_file and key_file together')
  .refine(inOrder, IN_ORDER)
  .prefault({});

/** Encryption of connections from clients. */
const listenerTls = z
  .strictObject({
    cert_file: path.optional().describe('PEM file with the certificate to show to clients. Needed with `use_tls`.'),
    key_file: path.optional().describe('PEM file with its key. Needed with `use_tls`.'),
    client_auth: z
      .enum(CLIENT_AUTH)
      .default('NoClientCert')
      .describe('Whether clients are asked for a certificate, must show any, or must show one that an authority has signed.'),
    client_cafile: path
      .optional()
      .describe('PEM file with the authorities that sign the certificates of clients. Default: those of the system.'),
    session_tickets_disabled: flag.default(false).describe('Let no client resume a session.'),
    session_ticket_key: text
      .regex(/^[0-9A-Fa-f]{64}$/, { error: 'must be 32 bytes in hex' })
      .optional()
      .describe('32 bytes in hex: sessions may be resumed at other listeners with the same key, and after a start. Default: random.'),
    prefer_server_ciphers: flag.default(true).describe('The order of `ciphers` decides, not that of the client.'),
    ...common,
  })
  .refine(together, 'needs cert_file and key_file together')
  .refine(inOrder, IN_ORDER)
  .prefault({});

/** Parameters of a listener that can take encrypted connections. */
export const encryption = {
  use_tls: flag.default(false).describe('Take encrypted connections only.'),
  tls: listenerTls.describe('For `use_tls`.'),
};

interface EncryptionUse {
  readonly use_tls: boolean;
  readonly tls: { readonly cert_file?: string | undefined };
}

/** A listener that takes encrypted connections needs a certificate. */
export const HAS_CERTIFICATE: Rule<EncryptionUse> = {
  holds: ({ use_tls: encrypted, tls: { cert_file: cert } }) => !encrypted || cert !== undefined,
  error: 'needs cert_file and key_file for use_tls',
  path: ['tls'],
};
