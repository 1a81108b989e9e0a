import { OPTIONAL_HEADERS } from '../../api/headers.ts';
import { parseInteger } from '../integer.ts';
import { randomUuid } from '../random-uuid.ts';
import { nowNs, parseTimestamp } from '../timestamp.ts';
import { messageOf as messageWith, ValueType, type Field, type Message } from '../types.ts';
import { parseUuid } from '../uuid.ts';

/** JSON that is no message. `path` names the member, such as `Fields[2].value[0]`; it is empty for the whole. */
export class MessageFormatError extends Error {
  override readonly name = 'MessageFormatError';
  readonly path: string;

  constructor(path: string, what: string, options?: ErrorOptions) {
    super(path === '' ? what : `${path}: ${what}`, options);
    this.path = path;
  }
}

/**
 * The message in a line of JSON, as `formatMessage` writes it. Also accepted: a timestamp as a number or as a date, a missing one (now) or a missing
 * uuid (a random one), a missing value_type (string, double and bool by the kind of the first value; integer where a double lacks digits), a value that is no list (one value), int64 as decimal
 * strings, Fields as an object of values by name, null for unset headers. Integers are read exactly. Anything else is a MessageFormatError.
 */
export function parseMessage(line: string): Message {
  return messageOf(parseJson(line));
}

/** The time of a tick in a line such as `{"timer":"1614949679000000000"}`. Anything else is a MessageFormatError. */
export function parseTimer(line: string): bigint {
  return timerOf(objectOf(parseJson(line), '').timer);
}

/** The time of a tick: nanoseconds or a date, as in a message's Timestamp. Anything else is a MessageFormatError. */
export function timerOf(value: unknown): bigint {
  return timeOf(value, 'timer');
}

/** The message in JSON that was parsed already; integers above 2^53 may be BigInts. */
export function messageOf(json: unknown): Message {
  const members = objectOf(json, '');
  const uuid = uuidOf(members.Uuid);
  const timestamp = timestampOf(members.Timestamp);
  const fields = fieldsOf(members.Fields);
  const values = OPTIONAL_HEADERS.map(({ kind, name }) => {
    const value = members[name];
    if (!isSet(value)) return undefined;
    return kind === 'text' ? textOf(value, name) : int32Of(value, name);
  });
  return messageWith(uuid, timestamp, values, fields);
}

/** Integers of so many digits may not fit into a double. It also matches within strings, which only costs time. */
const LONG_INTEGER = /[:[,\s]-?\d{16}/;

function parseJson(line: string): unknown {
  try {
    return LONG_INTEGER.test(line)
      ? (JSON.parse(line, reviveIntegers as (key: string, value: unknown) => unknown) as unknown)
      : JSON.parse(line);
  } catch (error) {
    throw new MessageFormatError('', `not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function reviveIntegers(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

type Members = Readonly<Record<string, unknown>>;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function objectOf(json: unknown, path: string): Members {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Members;
  throw new MessageFormatError(path, 'an object is expected');
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new MessageFormatError(path, 'a string is expected');
}

function int32Of(value: unknown, path: string): number {
  if (typeof value === 'number' && (value | 0) === value) return value;
  const parsed = typeof value === 'string' ? parseInteger(value, 32) : null;
  if (parsed !== null) return Number(parsed);
  throw new MessageFormatError(path, 'an integer of 32 bits is expected');
}

function uuidOf(value: unknown): Uint8Array {
  if (!isSet(value)) return randomUuid();
  const uuid = typeof value === 'string' ? parseUuid(value) : null;
  if (uuid !== null) return uuid;
  throw new MessageFormatError('Uuid', 'a UUID in its form of 36 characters is expected');
}

function timestampOf(value: unknown): bigint {
  return isSet(value) ? timeOf(value, 'Timestamp') : nowNs();
}

function timeOf(value: unknown, path: string): bigint {
  const ns = typeof value === 'string' ? (decimalOf(value) ?? parseTimestamp(value)) : integerOf(value);
  if (ns !== null && fitsInt64(ns)) return ns;
  throw new MessageFormatError(path, 'nanoseconds since 1970 or a date are expected');
}

function decimalOf(text: string): bigint | null {
  return text.length <= 20 && /^-?\d+$/.test(text) ? BigInt(text) : null;
}

function integerOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;
}

const fitsInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function fieldsOf(json: unknown): Field[] {
  if (!isSet(json)) return [];
  if (Array.isArray(json)) return json.map((member: unknown, i) => listedField(member, `Fields[${i}]`));
  return Object.entries(objectOf(json, 'Fields')).map(([name, value]) => namedField(name, value));
}

function listedField(json: unknown, path: string): Field {
  const members = objectOf(json, path);
  return fieldOf(textOf(members.name, `${path}.name`), members, path);
}

/** A field of the form name: value, or name: { value, … }. */
function namedField(name: string, json: unknown): Field {
  const path = `Fields[${JSON.stringify(name)}]`;
  const explicit = typeof json === 'object' && json !== null && !Array.isArray(json);
  return fieldOf(name, explicit ? (json as Members) : { value: json }, path);
}

function fieldOf(name: string, members: Members, path: string): Field {
  const { value, value_type: type } = members;
  if (!isSet(value)) throw new MessageFormatError(`${path}.value`, 'a value is missing');
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const unit = members.representation;
  const representation = isSet(unit) ? textOf(unit, `${path}.representation`) : undefined;
  const convert = <V>(to: (value: unknown) => V | null, what: string): V[] =>
    list.map((one, i) => {
      const converted = to(one);
      if (converted === null) throw new MessageFormatError(`${path}.value[${i}]`, `${what} is expected`);
      return converted;
    });
  switch (isSet(type) ? type : typeFor(list, path)) {
    case ValueType.STRING:
      return { name, valueType: ValueType.STRING, representation, values: convert(stringValue, 'a string') };
    case ValueType.BYTES:
      return { name, valueType: ValueType.BYTES, representation, values: convert(bytesValue, 'a string in base64') };
    case ValueType.INTEGER:
      return { name, valueType: ValueType.INTEGER, representation, values: convert(integerValue, 'an integer of 64 bits') };
    case ValueType.DOUBLE:
      return { name, valueType: ValueType.DOUBLE, representation, values: convert(doubleValue, 'a number, "nan", "inf" or "-inf"') };
    case ValueType.BOOL:
      return { name, valueType: ValueType.BOOL, representation, values: convert(boolValue, 'true or false') };
    default:
      throw new MessageFormatError(`${path}.value_type`, 'a number from 0 to 4 is expected');
  }
}

/** The type of a field that does not name one. Integers beyond 2^53, which a double does not hold, are integers. */
function typeFor(list: readonly unknown[], path: string): ValueType {
  const [first] = list;
  if (list.some((value) => typeof value === 'bigint') && list.every((value) => typeof value !== 'string' && integerValue(value) !== null))
    return ValueType.INTEGER;
  switch (typeof first) {
    case 'undefined':
    case 'string':
      return ValueType.STRING;
    case 'number':
    case 'bigint':
      return ValueType.DOUBLE;
    case 'boolean':
      return ValueType.BOOL;
    default:
      throw new MessageFormatError(`${path}.value`, 'strings, numbers or bools are expected');
  }
}

const stringValue = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const boolValue = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

function integerValue(value: unknown): bigint | null {
  const integer = typeof value === 'string' ? decimalOf(value) : integerOf(value);
  return integer !== null && fitsInt64(integer) ? integer : null;
}

const NAMED_DOUBLES: ReadonlyMap<unknown, number> = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
]);

function doubleValue(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return NAMED_DOUBLES.get(value) ?? null;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function bytesValue(value: unknown): Uint8Array | null {
  return typeof value === 'string' && BASE64.test(value) ? new Uint8Array(Buffer.from(value, 'base64')) : null;
}
