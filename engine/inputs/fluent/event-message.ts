import { randomUuid } from '../../message/random-uuid.ts';
import { ValueType, type Field, type Message } from '../../message/types.ts';
import { Extension, MsgpackError, type MsgpackValue } from './msgpack.ts';

/** One event: when, and what. */
export interface FluentEvent {
  readonly time: MsgpackValue;
  readonly record: MsgpackValue;
}

/** Type of the messages. */
const EVENT_TYPE = 'fluent';

/** Keys of the text of an event, in the order in which they are looked for; Docker writes `log`. */
const TEXT_KEYS = ['log', 'message', 'msg', 'MESSAGE'] as const;
const EVENT_TIME = 0;
const NS_PER_SECOND = 1_000_000_000n;
/** Fields of an event, and characters of all their names: those of nested maps repeat the names of the maps around them. */
const MAX_FIELDS = 10_000;
const MAX_NAMES = 1 << 20;

/**
 * An event as a message: its text is the payload, all else are fields, those of nested maps with dots between the names.
 * @throws {MsgpackError} for what is no event, and for one of too many or too long names
 */
export function messageOfEvent({ time, record }: FluentEvent, tag: string, hostname: string): Message {
  if (!(record instanceof Map)) throw new MsgpackError('it has an event without a record');
  const textKey = TEXT_KEYS.find((key) => typeof record.get(key) === 'string' || Buffer.isBuffer(record.get(key)));
  return {
    uuid: randomUuid(),
    timestamp: timeOf(time),
    type: EVENT_TYPE,
    logger: tag,
    hostname,
    payload: textKey === undefined ? undefined : textOf(record.get(textKey) as string | Buffer).replace(/\r?\n$/, ''),
    fields: nestedFields(record, textKey),
  };
}

/**
 * The members of a map as fields, those of maps in it with dots between the names.
 * @param without the name of a member that is none of them
 * @throws {MsgpackError} for too many or too long names
 */
export function nestedFields(record: ReadonlyMap<string, MsgpackValue>, without: string | undefined): Field[] {
  const fields: Field[] = [];
  const names = { length: 0 };
  for (const [name, value] of record) if (name !== without) addFields(fields, name, value, names);
  return fields;
}

const textOf = (value: string | Buffer): string => (typeof value === 'string' ? value : value.toString());

/** Nanoseconds: of seconds, or of a time of the protocol. */
function timeOf(time: MsgpackValue): bigint {
  if (time instanceof Extension && time.type === EVENT_TIME && time.bytes.length === 8) {
    return BigInt(time.bytes.readUInt32BE(0)) * NS_PER_SECOND + BigInt(time.bytes.readUInt32BE(4));
  }
  if (typeof time === 'bigint') return BigInt.asIntN(64, time * NS_PER_SECOND);
  if (typeof time === 'number' && Number.isFinite(time * 1e9)) return BigInt.asIntN(64, BigInt(Math.round(time * 1e9)));
  // Since version 2 of its events, Fluent Bit sends a list of the time and metadata.
  if (Array.isArray(time) && !Array.isArray(time[0]) && time[0] !== undefined) return timeOf(time[0]);
  throw new MsgpackError('it has an event without a time');
}

function addFields(fields: Field[], name: string, value: MsgpackValue, names: { length: number }): void {
  if (value instanceof Map) {
    for (const [key, member] of value) addFields(fields, `${name}.${key}`, member, names);
    return;
  }
  names.length += name.length;
  if (names.length > MAX_NAMES) throw new MsgpackError(`an event has names of more than ${MAX_NAMES} characters`);
  if (fields.length >= MAX_FIELDS) throw new MsgpackError(`an event has more than ${MAX_FIELDS} fields`);
  const field = Array.isArray(value) ? listField(name, value) : scalarField(name, value);
  if (field !== null) fields.push(field);
}

function scalarField(name: string, value: Exclude<MsgpackValue, MsgpackValue[] | Map<string, MsgpackValue>>): Field | null {
  if (value === null) return null;
  if (typeof value === 'string') return { name, valueType: ValueType.STRING, values: [value] };
  if (typeof value === 'boolean') return { name, valueType: ValueType.BOOL, values: [value] };
  if (isInteger(value)) {
    const number = BigInt(value);
    if (!fits(number)) return { name, valueType: ValueType.STRING, values: [String(number)] };
    return { name, valueType: ValueType.INTEGER, values: [number] };
  }
  if (typeof value === 'number') return { name, valueType: ValueType.DOUBLE, values: [value] };
  return { name, valueType: ValueType.BYTES, values: [Buffer.from(value instanceof Extension ? value.bytes : value)] };
}

const isInteger = (value: MsgpackValue): value is number | bigint => typeof value === 'bigint' || Number.isSafeInteger(value);

/** Whether an integer has 64 bits with a sign at most. */
const fits = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** A list of texts, of numbers or of truths has several values; any other is written as JSON. */
function listField(name: string, list: readonly MsgpackValue[]): Field | null {
  if (list.length === 0) return null;
  if (list.every((value) => typeof value === 'string')) return { name, valueType: ValueType.STRING, values: list };
  if (list.every((value) => typeof value === 'boolean')) return { name, valueType: ValueType.BOOL, values: list };
  if (list.every((value) => isInteger(value) && fits(BigInt(value))))
    return { name, valueType: ValueType.INTEGER, values: list.map((value) => BigInt(value as number | bigint)) };
  if (list.every((value) => typeof value === 'number')) return { name, valueType: ValueType.DOUBLE, values: list };
  return { name, valueType: ValueType.STRING, representation: 'json', values: [JSON.stringify(list, asJson)] };
}

function asJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Extension) return value.bytes.toString('base64');
  // Buffers come as what their toJSON made of them.
  if (typeof value === 'object' && value !== null && 'data' in value && 'type' in value && value.type === 'Buffer') {
    return Buffer.from(value.data as number[]).toString('base64');
  }
  return value;
}
