/**
 * The table of the headers: how each is called, read, written, compared, shown and stored. Codecs, matchers, exports, queries, scripts and the window visit it.
 * It imports nothing.
 */

interface HeaderFacts {
  /** Name in JSON, matchers, scripts, queries and Parquet. */
  readonly name: string;
  readonly kind: 'uuid' | 'time' | 'text' | 'int';
  /** Number in protobuf, as in message.proto. */
  readonly tag: number;
  /** Value that matchers and people read where it is unset; null: it never is. */
  readonly unset: string | number | null;
  /** Option of `sluicebox inject`. */
  readonly option: string;
  /** Attribute of OTLP that holds it; absent: records have a place for it. */
  readonly attribute?: { readonly of: 'resource' | 'record'; readonly key: string };
  /** A message that a decoder makes without it takes that of its record. */
  readonly inherited?: true;
  /** It can be a column of the record table. */
  readonly column?: true;
  /** Place in the form for people, and among the variables of the window. */
  readonly places: readonly [text: number, window: number];
  /** Short and long description. */
  readonly about: string;
  readonly meaning: string;
}

/** By the names of the members of a message, in ascending order of the tags. */
export const HEADERS = {
  uuid: {
    name: 'Uuid',
    kind: 'uuid',
    tag: 1,
    unset: null,
    option: 'uuid',
    attribute: { of: 'record', key: 'log.record.uid' },
    places: [5, 9],
    about: 'text',
    meaning:
      'Never unset: a random one (version 4) is made where none is given. Matchers and `read_message` see 36 characters in lower case.',
  },
  timestamp: {
    name: 'Timestamp',
    kind: 'time',
    tag: 2,
    unset: null,
    option: 'timestamp',
    places: [1, 8],
    about: 'nanoseconds',
    meaning: 'Nanoseconds since 1970-01-01 UTC, from 1677 to 2262. Never unset: now, where none is given.',
  },
  type: {
    name: 'Type',
    kind: 'text',
    tag: 3,
    unset: '',
    option: 'type',
    inherited: true,
    places: [2, 1],
    about: 'kind of record',
    meaning:
      'What kind of message it is, such as `nginx.access`. That of messages from filters begins with `svc.sandbox.`, or is `svc.sandbox-output`.',
  },
  logger: {
    name: 'Logger',
    kind: 'text',
    tag: 4,
    unset: '',
    option: 'logger',
    inherited: true,
    column: true,
    places: [6, 2],
    about: 'who logged it',
    meaning: 'Where it comes from: the name of the input, of a filter for what it injects, or of the program.',
  },
  severity: {
    name: 'Severity',
    kind: 'int',
    tag: 5,
    unset: 7,
    option: 'severity',
    attribute: { of: 'record', key: 'sluicebox.severity' },
    inherited: true,
    places: [9, 3],
    about: '0 to 7',
    meaning: 'As in syslog: 0 emergency, 1 alert, 2 critical, 3 error, 4 warning, 5 notice, 6 informational, 7 debug.',
  },
  payload: {
    name: 'Payload',
    kind: 'text',
    tag: 6,
    unset: '',
    option: 'payload',
    places: [7, 4],
    about: 'text',
    meaning: 'The text: the record as it was read, or what an output is to write.',
  },
  envVersion: {
    name: 'EnvVersion',
    kind: 'text',
    tag: 7,
    unset: '',
    option: 'env-version',
    attribute: { of: 'record', key: 'sluicebox.env_version' },
    places: [8, 7],
    about: 'text',
    meaning: 'Version of the form that the sender gives its messages.',
  },
  pid: {
    name: 'Pid',
    kind: 'int',
    tag: 8,
    unset: 0,
    option: 'pid',
    attribute: { of: 'resource', key: 'process.pid' },
    inherited: true,
    column: true,
    places: [4, 6],
    about: 'number',
    meaning: 'Number of the process that it comes from.',
  },
  hostname: {
    name: 'Hostname',
    kind: 'text',
    tag: 9,
    unset: '',
    option: 'hostname',
    attribute: { of: 'resource', key: 'host.name' },
    inherited: true,
    column: true,
    places: [3, 5],
    about: 'text',
    meaning: 'Machine that it comes from.',
  },
} as const satisfies Readonly<Record<string, HeaderFacts>>;

type Kind = HeaderFacts['kind'];
type Table = typeof HEADERS;
type Members<K extends Kind> = { [M in keyof Table]: Table[M]['kind'] extends K ? M : never }[keyof Table];

/** A row of the table, and the member of a message that it is about. */
interface Row<K extends Kind, Unset extends HeaderFacts['unset']> extends HeaderFacts {
  readonly member: Members<K>;
  readonly name: Table[Members<K>]['name'];
  readonly kind: K;
  readonly unset: Unset;
}
export type TextRow = Row<'text', string>;
export type IntRow = Row<'int', number>;
/** A header that messages can be without. */
export type OptionalHeader = TextRow | IntRow;
export type Header = Row<'uuid', null> | Row<'time', null> | OptionalHeader;

/** Members of a message that are headers with a text, and with an integer of 32 bits. */
export type TextHeader = TextRow['member'];
export type IntHeader = IntRow['member'];
export type HeaderName = Header['name'];

/** All headers, in ascending order of the tags. */
export const ALL_HEADERS = Object.entries(HEADERS).map(([member, facts]) => ({ member, ...facts })) as readonly Header[];

const isOf =
  <K extends Kind>(...kinds: readonly K[]) =>
  (header: Header): header is Extract<Header, { kind: K }> =>
    (kinds as readonly Kind[]).includes(header.kind);

/** Headers that messages can be without. */
export const OPTIONAL_HEADERS: readonly OptionalHeader[] = ALL_HEADERS.filter(isOf('text', 'int'));
export const TEXTS = ALL_HEADERS.filter(isOf('text'));
export const INTS = ALL_HEADERS.filter(isOf('int'));
/** The same in the order of their columns. */
export const COLUMN_ORDER: readonly OptionalHeader[] = [...TEXTS, ...INTS];

const byName = new Map<string, Header>(ALL_HEADERS.map((header) => [header.name, header]));

/** The header of a name; undefined: there is none. */
export const headerNamed = (name: string): Header | undefined => byName.get(name);

/** All headers in the order of their places: 0 in the form for people, 1 in the window. */
export const headersInPlace = (form: 0 | 1): readonly Header[] => ALL_HEADERS.toSorted((a, b) => a.places[form] - b.places[form]);
