import { z } from 'zod';
import { restart } from './sandbox.ts';
import { listenerTls } from './tls.ts';
import { address, fileSplitter, flag, path, seconds, splitter, text } from './values.ts';

/** Decoders that need no section. */
export const BUILT_IN_DECODERS = ['protobuf'] as const;

/** Parameters of every input that reads records. */
export const source = {
  decoder: text
    .min(1)
    .optional()
    .describe(
      'Name of a decoder section or of a bundled decoder, or `protobuf` for framed messages. Without one the records stay as they are.',
    ),
  synchronous_decode: flag
    .default(false)
    .describe('Taken for the sake of older configurations; without effect: decoders run beside everything else, and the order is kept.'),
  send_decode_failures: flag
    .default(false)
    .describe('Also route records that the decoder refuses, as they are, with the fields `decode_failure` and `decode_error`.'),
  log_decode_failures: flag.default(true).describe('Log why records were refused.'),
  can_exit: flag.default(false).describe('The service goes on when this input ends.'),
  ...restart,
};

/** Who may send messages. Names end with the version of the key. */
const signers = z
  .record(
    z.string().regex(/^.+_\d+$/, { error: 'must be named like ops_1, the name of the signer and the version of the key' }),
    z.strictObject({ hmac_key: text.min(1) }),
  )
  .meta({ shown: 'table' });

/** Parameters of inputs that can take messages instead of records. */
export const framing = {
  signers: signers
    .prefault({})
    .describe(
      'For `framing`: the keys of the signers whose messages are taken, as `[NAME.signers.SIGNER_VERSION]` with `hmac_key`. Signed messages ' +
        'without a fitting key are dropped and counted; unsigned ones are taken.',
    ),
  skip_authentication: flag.default(false).describe('For `framing`: take signed messages without looking at their signatures.'),
};

/** What all say of that way to cut records. */
export const FRAMING = ' `framing`: framed protobuf messages, which need no decoder and keep their headers.';

export const clock = (usual: 'wall' | 'message', why: string): z.ZodDefault<z.ZodEnum<{ wall: 'wall'; message: 'message' }>> =>
  z
    .enum(['wall', 'message'])
    .default(usual)
    .describe(`What tells filters the time: \`wall\` is the clock of this machine, \`message\` the time of the messages. ${why}`);

export const fileInput = z.strictObject({
  type: z.literal('FileInput'),
  paths: z
    .array(path)
    .min(1)
    .meta({ shown: 'list of paths' })
    .describe('Files to read. `*`, `?`, `[…]` and `{a,b}` stand for names, `**` for any depth of folders.'),
  start: z
    .enum(['resume', 'begin', 'end'])
    .default('resume')
    .describe('Where reading begins: where it stopped the last time (new files at their beginning), at the beginning, or at the end.'),
  encoding: z
    .enum(['auto', 'utf-8', 'utf-16le', 'utf-16be'])
    .default('auto')
    .describe('Encoding of the text; `auto` looks at the first bytes. Compressed files are always found by themselves.'),
  follow: flag.default(true).describe('Wait for more at the end of a file, also when it is renamed and begun anew.'),
  splitter: fileSplitter
    .default('auto')
    .describe(
      `How a file is cut into records: by lines, not at all, or at matches of a regular expression. \`auto\` does what the bundled decoder needs, which is by lines for most and without one.${FRAMING}`,
    ),
  ...framing,
  ...source,
  clock: clock('wall', 'For files that are not followed, `message` gives the same graphs in each run.'),
});

export const udpInput = z.strictObject({
  type: z.literal('UdpInput'),
  net: z
    .enum(['udp', 'udp4', 'udp6'])
    .default('udp')
    .describe('For an address without a host: both kinds of networks, IPv4 only, or IPv6.'),
  address: address.describe('Where to listen.'),
  splitter: splitter.default('none').describe(`How a datagram is cut into records.${FRAMING}`),
  ...framing,
  set_hostname: flag.default(false).describe('Give messages the address of the sender as Hostname.'),
  ...source,
  clock: clock('wall', 'Listeners use `wall`.'),
});

export const anyTcpInput = z.strictObject({
  type: z.literal('TcpInput'),
  net: z
    .enum(['tcp', 'tcp4', 'tcp6'])
    .default('tcp')
    .describe('For an address without a host: both kinds of networks, IPv4 only, or IPv6.'),
  address: address.describe('Where to listen.'),
  splitter: splitter
    .default('line')
    .describe(`How a connection is cut into records. \`line\` also knows the octet counts of syslog (RFC 6587).${FRAMING}`),
  ...framing,
  use_tls: flag.default(false).describe('Take encrypted connections only.'),
  tls: listenerTls.describe('For `use_tls`.'),
  keep_alive: flag.default(true).describe('Let the system test silent connections.'),
  keep_alive_period: seconds.default(0).describe('Silence after which it does so. 0: as the system is set.'),
  ...source,
  clock: clock('wall', 'Listeners use `wall`.'),
});

interface ListenerTlsUse {
  readonly use_tls: boolean;
  readonly tls: { readonly cert_file?: string | undefined };
}

/** A listener that takes encrypted connections needs a certificate. */
export const withCertificate = <S extends z.ZodType<ListenerTlsUse>>(schema: S): S =>
  schema.refine(({ use_tls: encrypted, tls: { cert_file: cert } }) => !encrypted || cert !== undefined, {
    error: 'needs cert_file and key_file for use_tls',
    path: ['tls'],
  });

export const tcpInput = withCertificate(anyTcpInput);
