/**
 * Documents what messages there are: a hierarchy of Logger, Type and EnvVersion with the fields of each, their types and how often they
 * occur. For exploring a stream, not for production: nothing is ever removed.
 *
 * A field whose value type varies is a `mismatch`, also when it varies between integer and double or between string and bytes. It is `optional`
 * when its count differs from that of the messages, also when it is repeated. Names are in alphabetical order.
 */
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

/** A Logger, Type or EnvVersion, with what is below it. */
class Level<Child> {
  count = 0;
  readonly children = new Map<string, Child>();
}

interface FieldInfo {
  count: number;
  /** The value type of the first instance; null once another was seen. */
  type: number | null;
}

const TYPE_WORDS = ['string', 'string', 'number', 'number', 'bool'];
const HEADING =
  'Logger -> Type -> EnvVersion -> Field Attributes.\n' +
  'The number in brackets is the number of occurrences of each logger/type/attribute.\n\n';

const schema = new Map<string, Level<Level<Level<FieldInfo>>>>();

export function process_message(): ProcessStatus {
  const logger = counted(schema, 'Logger');
  const type = counted(logger.children, 'Type');
  const version = counted(type.children, 'EnvVersion');
  for (;;) {
    const [valueType, name] = read_next_field();
    if (name === null) return 0;
    countField(version.children, name, valueType);
  }
}

/** The level that a header of the current message names, made when it is new. */
function counted<Child>(levels: Map<string, Level<Child>>, header: string): Level<Child> {
  const name = String(read_message(header) ?? '');
  let level = levels.get(name);
  if (level === undefined) levels.set(name, (level = new Level()));
  level.count++;
  return level;
}

function countField(fields: Map<string, FieldInfo>, name: string, type: number | null): void {
  const info = fields.get(name);
  if (info === undefined) {
    fields.set(name, { count: 1, type });
    return;
  }
  info.count++;
  if (info.type !== type) info.type = null;
}

export function timer_event(): void {
  add_to_payload(HEADING);
  for (const [loggerName, logger] of byName(schema)) {
    add_to_payload(`${loggerName || '-no logger-'} [${logger.count}]\n`);
    for (const [typeName, type] of byName(logger.children)) {
      add_to_payload(`    ${typeName || '-no type-'} [${type.count}]\n`);
      for (const [versionName, version] of byName(type.children)) {
        add_to_payload(`         ${versionName || '-no version-'} [${version.count}]\n`);
        for (const [name, info] of byName(version.children)) add_to_payload(`            ${name} (${describe(info, version.count)})\n`);
      }
    }
  }
  inject_payload('txt', 'Message Schema');
}

function describe({ type, count }: FieldInfo, messages: number): string {
  const word = type === null ? 'mismatch' : (TYPE_WORDS[type] as string);
  return count === messages ? word : `${word} - optional [${count}]`;
}

function byName<Value>(map: Map<string, Value>): [name: string, value: Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
