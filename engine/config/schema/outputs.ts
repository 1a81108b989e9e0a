import { z } from 'zod';
import { tls } from './tls.ts';
import { buffering, matching, receiver, remoteReceiver, restart } from './sandbox.ts';
import { address, count, flag, path, seconds, text, typeIsMissing, url } from './values.ts';

/** Encoders that need no section. */
export const BUILT_IN_ENCODERS = ['json', 'protobuf', 'text'] as const;

const encoder = (usual: (typeof BUILT_IN_ENCODERS)[number]): z.ZodDefault<z.ZodString> =>
  text.min(1).default(usual).describe('`json`, `protobuf`, `text`, or the name of an encoder section or of a bundled encoder.');

const exit = { can_exit: flag.default(false).describe('The service goes on when this output ends.') };

export const logOutput = z.strictObject({
  type: z.literal('LogOutput'),
  ...matching,
  encoder: encoder('text'),
  ...receiver,
  ...restart,
  ...exit,
});

const octal = text.regex(/^[0-7]{3,4}$/, { error: 'must be an octal mode such as 644' }).meta({ shown: 'octal mode' });

export const fileOutput = z.strictObject({
  type: z.literal('FileOutput'),
  ...matching,
  path: path.describe(
    'File to write to. It is opened for appending and created when it is missing. With `rotation_interval`, a pattern with the specifiers of ' +
      '`strftime`, such as `/var/log/out/%Y-%m-%d.log`, in UTC.',
  ),
  rotation_interval: z
    .union([z.literal(0), z.literal(1), z.literal(4), z.literal(12), z.literal(24)])
    .default(0)
    .meta({ shown: 'hours: `0`, `1`, `4`, `12` or `24`' })
    .describe(
      'A new file is begun at the full hours of UTC that are multiples of this, with that hour as the time in its name. The first name has the time ' +
        'of the start. 0: there is one file.',
    ),
  encoder: encoder('json'),
  use_framing: flag.optional().describe('Put a framing header before each message. Default: only with the `protobuf` encoder.'),
  perm: octal.default('644').describe('Mode of a file that is created.'),
  folder_perm: octal.default('700').describe('Mode of folders that are created.'),
  flush_interval: count.default(1000).meta({ shown: 'milliseconds' }).describe('Longest time between two writes. 0: not bounded by time.'),
  flush_count: z.int().min(1).default(1).describe('Messages between two writes.'),
  flush_operator: z.enum(['AND', 'OR']).default('AND').describe('Whether both bounds must be reached for a write, or one.'),
  ...receiver,
  ...restart,
  ...exit,
});

const milliseconds = count.meta({ shown: 'milliseconds' });
const needed = text.min(1).describe('`json`, `protobuf`, `text`, or the name of an encoder section or of a bundled encoder.');
const framing = {
  use_framing: flag.default(false).describe('Put a framing header before each message.'),
};
const localAddress = address.optional().describe('Address to send from; port 0 stands for any.');

const anyTcpOutput = z.strictObject({
  type: z.literal('TcpOutput'),
  ...matching,
  address: address.default('localhost:9125').describe('Where to connect to.'),
  local_address: localAddress,
  encoder: encoder('protobuf'),
  use_framing: flag.optional().describe('Put a framing header before each message. Default: only with the `protobuf` encoder.'),
  use_tls: flag.default(false).describe('Encrypt the connection.'),
  tls: tls.describe('For `use_tls`.'),
  keep_alive: flag.default(false).describe('Let the system test silent connections.'),
  keep_alive_period: seconds.default(0).describe('Silence after which it does so. 0: as the system is set.'),
  reconnect_after: count.default(0).describe('The connection is closed and made anew after so many messages. 0: never.'),
  ...remoteReceiver,
  buffering: buffering({ maxFileSize: 134_217_728, cursorUpdateCount: 50 }).prefault({}).describe('Limits of the disk buffer.'),
  ...restart,
  ...exit,
});

const plainOrAnyAddress = ({ use_tls: encrypted, local_address: local }: { use_tls: boolean; local_address?: string | undefined }) =>
  !encrypted || local === undefined;
const PLAIN_OR_ANY_ADDRESS = 'local_address cannot be used together with use_tls';

export const tcpOutput = anyTcpOutput.refine(plainOrAnyAddress, PLAIN_OR_ANY_ADDRESS);

export const udpOutput = z.strictObject({
  type: z.literal('UdpOutput'),
  ...matching,
  net: z.enum(['udp', 'udp4', 'udp6']).default('udp').describe('`udp6` sends by IPv6, `udp` does so when the address is one of IPv6.'),
  address: address.describe('Where to send datagrams to, each of which holds one message.'),
  local_address: localAddress,
  encoder: needed,
  ...framing,
  max_message_size: z
    .int()
    .min(512)
    .default(65_507)
    .meta({ shown: 'bytes' })
    .describe('Larger messages are dropped, with a line in the log.'),
  ...receiver,
  ...restart,
  ...exit,
});

const login = {
  username: text.optional().describe('For a server that asks for a password.'),
  password: text.optional().describe('For a server that asks for a password.'),
};

export const httpOutput = z.strictObject({
  type: z.literal('HttpOutput'),
  ...matching,
  address: url.describe('Where to send requests to, one for each message.'),
  method: text
    .transform((value) => value.toUpperCase())
    .refine((value) => ['GET', 'POST', 'PUT'].includes(value), { error: 'must be GET, POST or PUT' })
    .prefault('POST')
    .meta({ shown: '`GET`, `POST`, `PUT`' })
    .describe('The message is the body; with `GET` there is none.'),
  headers: z
    .record(z.string(), z.array(text))
    .prefault({})
    .meta({ shown: 'table of lists' })
    .describe('Headers of the requests, as `[NAME.headers]` with lists of texts.'),
  ...login,
  encoder: needed,
  ...framing,
  http_timeout: milliseconds.default(0).describe('How long a request may take. 0: any time.'),
  tls: tls.describe('For `https`.'),
  ...receiver,
  ...restart,
  ...exit,
});

export const smtpOutput = z.strictObject({
  type: z.literal('SmtpOutput'),
  ...matching,
  send_from: text.min(1).default('svc@localhost.localdomain').describe('Sender of the mails.'),
  send_to: z.array(text.min(1)).min(1).meta({ shown: 'list of addresses' }).describe('Receivers of the mails.'),
  subject: text.optional().describe('Default: `Svc [NAME]`, with the name of this section.'),
  host: address
    .default('127.0.0.1:25')
    .describe('Mail server. The connection is encrypted when the server offers STARTTLS and is another machine.'),
  auth: z.enum(['none', 'Plain', 'CRAMMD5']).default('none').describe('How to log in.'),
  user: text.default('').describe('Name to log in by.'),
  password: text.default('').describe('Password to log in by.'),
  send_interval: seconds
    .default(0)
    .describe('Least time between two mails; what comes meanwhile goes into one. 0: each message is a mail.'),
  encoder: needed,
  ...framing,
  ...receiver,
  ...restart,
  ...exit,
});

const indexUrl = text
  .refine((value) => URL.canParse(value) && ['http:', 'https:', 'udp:'].includes(new URL(value).protocol), {
    error: 'must be a URL that begins with http://, https:// or udp://',
  })
  .meta({ shown: 'URL' });

const anySearchIndexOutput = z.strictObject({
  type: z.literal('ElasticSearchOutput'),
  ...matching,
  server: indexUrl
    .default('http://localhost:9200')
    .describe('Address of the index; `/_bulk` is added. With `udp://host:port`, datagrams are sent.'),
  encoder: needed.default('es_payload'),
  flush_interval: milliseconds.default(1000).describe('How long messages wait for others. 0: not at all.'),
  flush_count: z.int().min(1).default(10).describe('Messages in one request.'),
  ...login,
  http_timeout: milliseconds.default(0).describe('How long a request may take. 0: any time.'),
  http_disable_keepalives: flag.default(false).describe('Make a connection for each request.'),
  connect_timeout: milliseconds.default(0).describe('How long making a connection may take. 0: any time.'),
  tls: tls.describe('For `https`.'),
  ...framing,
  ...remoteReceiver,
  ...restart,
  ...exit,
});

const bothOrNone = ({ username, password }: { username?: string | undefined; password?: string | undefined }) =>
  (username === undefined) === (password === undefined);
const BOTH_OR_NONE = 'needs username and password together';

export const searchIndexOutput = anySearchIndexOutput.refine(bothOrNone, BOTH_OR_NONE);

/** What an output has for the choice of messages, their form and its disk buffer: a script does that, or its own section. */
const SECTION_ONLY = {
  message_matcher: true,
  message_signer: true,
  encoder: true,
  use_buffering: true,
  buffering: true,
  can_exit: true,
} as const;
const ENCODED = { ...SECTION_ONLY, use_framing: true } as const;

/** Where the script of an output may write to: as the outputs of these types do. */
export const outputTarget = z
  .discriminatedUnion(
    'type',
    [
      logOutput.omit(SECTION_ONLY),
      fileOutput.omit(ENCODED),
      anyTcpOutput.omit(ENCODED).refine(plainOrAnyAddress, PLAIN_OR_ANY_ADDRESS),
      udpOutput.omit(ENCODED),
      httpOutput.omit(ENCODED),
      smtpOutput.omit(ENCODED),
      anySearchIndexOutput.omit(ENCODED).refine(bothOrNone, BOTH_OR_NONE),
    ],
    { error: typeIsMissing('LogOutput, FileOutput, TcpOutput, UdpOutput, HttpOutput, SmtpOutput or ElasticSearchOutput') },
  )
  .meta({ shown: 'table' });

export type TargetConfig = z.output<typeof outputTarget>;
