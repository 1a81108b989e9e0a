/**
 * Lists the kinds of messages in a stream: a hierarchy of Logger, Type and EnvVersion with the fields of each, their types and their counts. For
 * exploring a stream, not for production: nothing is ever removed. There is room for 10,000 names, of which each 100 characters count as one more; the last
 * line tells whether there were more, or not all of them fitted into the output.
 *
 * A field whose value type varies is a `mismatch`, also when it varies between integer and double or between string and bytes. It is `optional`
 * when its count differs from that of the messages, also when it is repeated. Names are in alphabetical order.
 */
import { fittingOutput, injectWithin } from '../base/output_size.ts';
import { keyOf } from '../modules/weights.ts';

/** A Logger, Type or EnvVersion, with what is below it. */
interface Level<Child> {
  count: number;
  readonly children: Map<string, Child>;
}

interface FieldInfo {
  count: number;
  /** The value type of the first instance; null once another was seen. */
  type: number | null;
}

type Version = Level<FieldInfo>;

declare global {
  /** Loggers by name. */
  var schema: Map<string, Level<Level<Version>>>;
  /** Number of names on all levels; long ones count more than once. */
  var names: number;
}

export const meta: PluginMeta = {
  name: 'message_schema',
  kind: 'filter',
  summary: 'Lists the kinds of messages in a stream with their fields.',
  parameters: {},
  examples: [
    {
      title: 'messages of two loggers',
      in: [
        { Logger: 'web', Type: 'access', Fields: { status: 200, user: 'alice' } },
        { Logger: 'web', Type: 'access', Fields: { status: '-' } },
        { Type: 'boot' },
      ],
      out: {
        Payload:
          'Logger -> Type -> EnvVersion -> Field Attributes.\n' +
          'The number in brackets is the number of occurrences of each logger/type/attribute.\n' +
          '\n' +
          '-no logger- [1]\n' +
          '    boot [1]\n' +
          '         -no version- [1]\n' +
          'web [2]\n' +
          '    access [2]\n' +
          '         -no version- [2]\n' +
          '            status (mismatch)\n' +
          '            user (string - optional [1])\n',
        Fields: { payload_type: { value: 'txt', representation: 'file-extension' }, payload_name: 'Message Schema' },
      },
    },
  ],
};

const TYPE_WORDS = ['string', 'string', 'number', 'number', 'bool'];
const HEADING =
  'Logger -> Type -> EnvVersion -> Field Attributes.\n' +
  'The number in brackets is the number of occurrences of each logger/type/attribute.\n\n';

const MAX_NAMES = 10_000;
const LONG_NAME = 100;
const MORE = '(there are more names than these)\n';

globalThis.schema = new Map();
globalThis.names = 0;

export function process_message(): ProcessStatus {
  const logger = counted(globalThis.schema, 'Logger');
  const type = logger && counted(logger.children, 'Type');
  const version = type && counted(type.children, 'EnvVersion');
  if (version) countFields(version);
  return 0;
}

/** The level that a header of the current message names, made when it is new; null when there are too many names. */
function counted<Child>(levels: Map<string, Level<Child>>, header: string): Level<Child> | null {
  const level = entry(levels, String(read_message(header) ?? ''), () => ({ count: 0, children: new Map<string, Child>() }));
  if (level !== null) level.count++;
  return level;
}

function countFields({ children }: Version): void {
  for (;;) {
    const [type, name] = read_next_field();
    if (name === null) return;
    const info = entry(children, name, () => ({ count: 0, type }));
    if (info === null) continue;
    info.count++;
    if (info.type !== type) info.type = null;
  }
}

function entry<Value>(map: Map<string, Value>, name: string, make: () => Value): Value | null {
  const key = keyOf(name);
  const known = map.get(key);
  if (known !== undefined) return known;
  globalThis.names += 1 + Math.floor(key.length / LONG_NAME);
  if (globalThis.names > MAX_NAMES) return null;
  const value = make();
  map.set(key, value);
  return value;
}

export function timer_event(): void {
  const lines = [...schemaLines()];
  const end = globalThis.names > MAX_NAMES ? MORE : '';
  injectWithin('txt', 'Message Schema', HEADING + lines.join('') + end, () => HEADING + fittingOutput(lines).join('') + MORE);
}

function* schemaLines(): Generator<string> {
  for (const [loggerName, logger] of byName(globalThis.schema)) {
    yield `${loggerName || '-no logger-'} [${logger.count}]\n`;
    for (const [typeName, type] of byName(logger.children)) {
      yield `    ${typeName || '-no type-'} [${type.count}]\n`;
      for (const [versionName, version] of byName(type.children)) {
        yield `         ${versionName || '-no version-'} [${version.count}]\n`;
        for (const [name, info] of byName(version.children)) yield `            ${name} (${describe(info, version.count)})\n`;
      }
    }
  }
}

function describe({ type, count }: FieldInfo, messages: number): string {
  const word = type === null ? 'mismatch' : (TYPE_WORDS[type] as string);
  return count === messages ? word : `${word} - optional [${count}]`;
}

function byName<Value>(map: Map<string, Value>): [name: string, value: Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
