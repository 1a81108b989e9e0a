import { nowNs } from '../../message/timestamp.ts';
import type { Message } from '../../message/types.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import { nestedFields } from '../fluent/event-message.ts';
import type { MsgpackValue } from '../fluent/msgpack.ts';

/** Value that a Beat has sent as an event, and that is none. */
class EventError extends Error {
  override readonly name = 'EventError';
}

/** Levels of objects in objects. */
const MOST_DEPTH = 64;
/** Digits above which an integer may be no double. */
const LONG_NUMBER = /\d{16}/;
/** Characters of an event whose values are few enough to be read, … */
const SHORT = 1 << 20;
/** … and the values that a longer one may have: they take more memory than their text. */
const MOST_VALUES = 1 << 18;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const VALUES = new Set(Buffer.from(',{['));
const NS_PER_MS = 1_000_000n;

/**
 * An event as a message: `@timestamp` is its time, `message` its Payload, `host.name` or `agent.hostname` its Hostname, and all else its fields, with dots
 * between the names of objects.
 * @throws {Error} for what is no event
 */
export function messageOfBeat(json: string, type: string, logger: string, sender: string): Message {
  if (json.length > SHORT) checkValues(json);
  const event = mapOf(JSON.parse(json, LONG_NUMBER.test(json) ? exactly : undefined), 0);
  if (!(event instanceof Map)) throw new EventError('an event is no object');
  const timestamp = timeOf(event.get('@timestamp'));
  event.delete('@timestamp');
  const message = event.get('message');
  const payload = typeof message === 'string' ? message : undefined;
  return {
    uuid: randomUuid(),
    timestamp,
    type,
    logger,
    hostname: textIn(event, 'host', 'name') ?? textIn(event, 'agent', 'hostname') ?? textIn(event, 'beat', 'hostname') ?? sender,
    payload,
    fields: nestedFields(event, payload === undefined ? undefined : 'message'),
  };
}

/** @throws {EventError} for very many values. Texts may be long. */
function checkValues(json: string): void {
  let values = 0;
  for (let at = 0, inText = false; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) inText = !inText;
    else if (!inText && VALUES.has(code) && ++values > MOST_VALUES) throw new EventError(`an event has more than ${MOST_VALUES} values`);
  }
}

/** Keeps the digits of integers that are no doubles. */
function exactly(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? BigInt(source as string) : value;
}

function mapOf(value: unknown, depth: number): MsgpackValue {
  if (depth > MOST_DEPTH) throw new EventError(`an event has more than ${MOST_DEPTH} objects in each other`);
  if (Array.isArray(value)) return value.map((each) => mapOf(each, depth + 1));
  if (typeof value !== 'object' || value === null) return value as MsgpackValue;
  return new Map(Object.entries(value).map(([name, member]) => [name, mapOf(member, depth + 1)]));
}

function textIn(event: ReadonlyMap<string, MsgpackValue>, name: string, member: string): string | undefined {
  const object = event.get(name);
  const text = object instanceof Map ? object.get(member) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function timeOf(value: MsgpackValue | undefined): bigint {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? nowNs() : BigInt(ms) * NS_PER_MS;
}
