import { ALL_HEADERS } from '../api/headers.ts';
import { markdownTable } from '../base/text/markdown.ts';
import { DEFAULT_MAX_MESSAGE_SIZE, frame } from './protobuf/framing.ts';
import { formatMessage } from './json/json-format.ts';
import { encodeMessage } from './protobuf/protobuf.ts';
import { serviceChapter } from './service-docs.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { ValueType, type Message } from './types.ts';
import { parseUuid } from './uuid.ts';
import { VALUE_TYPES } from './value-types.ts';

/** Prints the reference of messages: `node engine/message/docs.ts > docs/messages.md`. */

const TYPES = { uuid: '16 bytes', time: 'int64', text: 'text', int: 'int32' } as const;

/** Every variable but the fields, in the order of the wire format, with the values that matchers and scripts read where it is unset. */
export const VARIABLES = ALL_HEADERS.map(({ name, kind, unset, meaning }) => {
  const matcher = unset === null ? '–' : `\`${JSON.stringify(unset)}\``;
  return { name, type: TYPES[kind], unset: [matcher, kind === 'int' ? '`null`' : matcher] as const, meaning };
});

/** The message of the examples. */
export const EXAMPLE: Message = {
  uuid: parseUuid('00010203-0405-4607-8809-0a0b0c0d0e0f') as Uint8Array,
  timestamp: 1_614_949_679_250_000_000n,
  type: 'demo',
  severity: 6,
  fields: [
    { name: 'status', valueType: ValueType.DOUBLE, values: [200] },
    { name: 'size', valueType: ValueType.INTEGER, representation: 'B', values: [5n, 9_007_199_254_740_993n] },
    { name: 'host', valueType: ValueType.STRING, values: ['a'] },
    { name: 'host', valueType: ValueType.STRING, values: ['b', 'c'] },
    { name: 'ok', valueType: ValueType.BOOL, values: [true] },
  ],
};

/** Texts that `write_message` and the command line take for a time. */
export const TIMES = [
  '2021-03-05T13:07:59Z',
  '2021-03-05T13:07:59.25+01:00',
  'Fri, 05 Mar 2021 13:07:59 +0100',
  'Fri, 05 Mar 2021 13:07:59 UTC',
  'Friday, 05-Mar-21 13:07:59 UTC',
  '05 Mar 21 13:07 +0100',
  'Fri Mar  5 13:07:59 2021',
  'Fri Mar  5 13:07:59 UTC 2021',
  'Fri Mar 05 13:07:59 +0100 2021',
  '1614949679250000000',
  '0x7b',
] as const;

/** The same message, with everything that may be left out left out: each line is read as shown. */
export const SHORT_FORMS: readonly (readonly [given: string, meaning: string])[] = [
  ['{"Payload":"hello"}', 'Uuid and Timestamp are made.'],
  [
    '{"Timestamp":"2021-03-05T13:07:59Z","Fields":{"status":200,"tag":["a","b"]}}',
    'Fields by name; numbers are doubles; integers beyond 2^53 stay integers.',
  ],
  ['{"Fields":{"size":{"value":5,"value_type":2,"representation":"B"}}}', 'A field with its type and its representation.'],
];

/** The reference as Markdown. */
export function messagePage(): string {
  return [
    INTRODUCTION,
    markdownTable([['Variable', 'Type', 'Unset, in matchers', 'Unset, in scripts', 'Meaning'], ...VARIABLES.map(variableRow)]),
    FIELDS,
    markdownTable([
      ['Type', '`value_type`', 'Value', 'In JSON'],
      ...VALUE_TYPES.map(({ type, name, meaning }) => [name.toUpperCase(), String(type), ...meaning]),
    ]),
    JSON_FORM,
    `\`\`\`json\n${formatMessage(EXAMPLE)}\n\`\`\`\n`,
    SHORT,
    markdownTable([['Line', 'Meaning'], ...SHORT_FORMS.map(([given, meaning]) => [`\`${given}\``, meaning])]),
    TIME,
    markdownTable([['Text', 'Time'], ...TIMES.map((time) => [`\`${time}\``, formatTimestamp(parseTimestamp(time) as bigint)])]),
    STREAMS,
    streamExample(),
    SIGNING,
    serviceChapter(),
  ].join('\n');
}

const variableRow = ({ name, type, unset: [matcher, script], meaning }: (typeof VARIABLES)[number]): string[] => [
  `\`${name}\``,
  type,
  matcher,
  script,
  meaning,
];

function streamExample(): string {
  const { uuid, type } = EXAMPLE;
  const message = encodeMessage({ uuid, timestamp: 1_000_000_000n, type, fields: [] });
  const record = frame(message);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const header = record.subarray(2, record.length - message.length - 1);
  return markdownTable([
    ['Bytes', 'Meaning'],
    ['`1e`', 'a record begins'],
    [`\`${hex(record.subarray(1, 2))}\``, 'length of the header'],
    [`\`${hex(header)}\``, `the header: the message has ${message.length} bytes`],
    ['`1f`', 'the header ends'],
    [`\`${hex(message)}\``, 'the message: Uuid, Timestamp, Type'],
  ]);
}

const INTRODUCTION = `# Messages

Inputs and decoders make messages of records. A message has nine variables, which are called headers, and any number of fields. Matchers
([matcher.md](matcher.md)) and scripts (\`read_message\`, \`write_message\`) call them by these names, in these letter cases.
`;

const FIELDS = `
## Fields

A field has a name, a type, a list of values (mostly one, possibly none) and a representation, which says what the values are for display:
a unit such as \`B\`, \`s\` or \`ms\`, or a kind such as \`ipv4\`. The order of the fields counts, and names may repeat: \`Fields[tag]\` is the first
value of the first field \`tag\`, \`Fields[tag][1]\` that of the second one, \`Fields[tag][0][2]\` the third value of the first one.
`;

const JSON_FORM = `
## In JSON

\`sluicebox decode\`, \`filter\`, \`match\` and \`cat\` print a message as one line of JSON (here broken into several). Headers that are unset are left out. The timestamp is a text,
because it has more digits than a JSON number holds everywhere; the values of a field are always a list.
`;

const SHORT = `
Messages that are read may be shorter:
`;

const TIME = `
## Points in time

These texts can be given as a time (to \`write_message\`, as \`"Timestamp"\` in JSON, with \`sluicebox inject --timestamp\`): a number of nanoseconds
(with \`0x\` hexadecimal), and the dates of RFC 3339, 1123, 850 and 822 and of ctime. Dates without a zone are in UTC.
`;

const STREAMS = `
## In streams of protobuf

Between programs, messages are written in the protobuf format of [message.proto](../engine/message/schema/message.proto), each with a frame
around it. \`sluicebox inject\` writes them and \`sluicebox cat\` shows them; an input takes them with \`splitter = "framing"\`, and an output
writes them with \`encoder = "protobuf"\`. A message has at most ${DEFAULT_MAX_MESSAGE_SIZE} bytes unless \`max_message_size\` says otherwise. Bytes that are not part of a record are
skipped. This is a record:
`;

const SIGNING = `
A header may name a signer and carry an HMAC (MD5 or SHA-1) of the message's bytes. An input that has the signer's key
(\`[NAME.signers.SIGNER_VERSION]\`) takes the message, and filters and outputs with that \`message_signer\` receive it; without the right key the
message is dropped and counted. Messages without a signature are taken and have no signer.
`;

if (import.meta.main) process.stdout.write(messagePage());
