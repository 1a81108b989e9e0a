import { z } from 'zod';
import { restart } from './sandbox.ts';
import { address, flag, path, splitter, text } from './values.ts';

/** Decoders that need no section. */
export const BUILT_IN_DECODERS = ['protobuf'] as const;

/** Parameters of every input that reads records. */
const source = {
  decoder: text
    .min(1)
    .optional()
    .describe(
      'Name of a decoder section or of a bundled decoder, or `protobuf` for framed messages. Without one the records stay as they are.',
    ),
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
const framing = {
  signers: signers
    .prefault({})
    .describe(
      'For `framing`: the keys of the signers whose messages are taken, as `[NAME.signers.SIGNER_VERSION]` with `hmac_key`. Signed messages ' +
        'without a fitting key are dropped and counted; unsigned ones are taken.',
    ),
  skip_authentication: flag.default(false).describe('For `framing`: take signed messages without looking at their signatures.'),
};

const FRAMING = ' `framing`: framed protobuf messages, which need no decoder and keep their headers.';

const clock = (usual: 'wall' | 'message', why: string): z.ZodDefault<z.ZodEnum<{ wall: 'wall'; message: 'message' }>> =>
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
  splitter: splitter
    .default('line')
    .describe(`How a file is cut into records: by lines, not at all, or at matches of a regular expression.${FRAMING}`),
  ...framing,
  ...source,
  clock: clock('wall', 'For files that are not followed, `message` gives the same graphs in each run.'),
});

export const udpInput = z.strictObject({
  type: z.literal('UdpInput'),
  address: address.describe('Where to listen.'),
  splitter: splitter.default('none').describe(`How a datagram is cut into records.${FRAMING}`),
  ...framing,
  set_hostname: flag.default(false).describe('Give messages the address of the sender as Hostname.'),
  ...source,
  clock: clock('wall', 'Listeners use `wall`.'),
});

export const tcpInput = z.strictObject({
  type: z.literal('TcpInput'),
  address: address.describe('Where to listen.'),
  splitter: splitter
    .default('line')
    .describe(`How a connection is cut into records. \`line\` also knows the octet counts of syslog (RFC 6587).${FRAMING}`),
  ...framing,
  ...source,
  clock: clock('wall', 'Listeners use `wall`.'),
});
