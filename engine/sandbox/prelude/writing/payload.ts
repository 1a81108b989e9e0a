import { formatNumber } from '../../../../plugins/base/number_format.ts';
import { kindOf } from '../arguments.ts';
import { charge } from '../counter.ts';
import { outputLimitError } from '../errors.ts';
import { state } from '../state/state.ts';
import { utf8Length } from '../../../message/utf8.ts';

/** Text collected by `add_to_payload`. It is kept between calls until something is injected. */
let buffer = '';
/** Its size in bytes; as if it were ASCII, unless it was counted. */
let bytes = 0;
let counted = true;
/** The same before the current message, for when that is refused. */
let earlier = '';
let earlierBytes = 0;
let earlierCounted = true;

/** `add_to_payload` of the scripts' interface. */
export function add_to_payload(...parts: unknown[]): void {
  if (parts.length === 0) throw new TypeError('add_to_payload: at least one argument');
  appendParts('add_to_payload', parts, 0);
}

export function appendParts(caller: string, parts: readonly unknown[], from: number): void {
  for (let i = from; i < parts.length; i++) append(caller, payloadText(caller, parts[i]));
}

/** The text of a value in a payload. */
export function payloadText(caller: string, part: unknown): string {
  switch (typeof part) {
    case 'string':
      return part;
    case 'number':
      return formatNumber(part);
    case 'boolean':
    case 'bigint':
      return `${part}`;
    case 'undefined':
      return 'nil';
    case 'object':
      return part === null ? 'nil' : objectText(caller, part);
    default:
      throw new TypeError(`${caller}: cannot write a ${kindOf(part)}`);
  }
}

function objectText(caller: string, object: { toPayload?: unknown }): string {
  const text = textOf(object);
  if (text === null) throw new TypeError(`${caller}: cannot write an object`);
  return text;
}

/** The text form of an object that has one, such as a circular buffer; null for others. */
export function textOf(object: { toPayload?: unknown }): string | null {
  if (typeof object.toPayload !== 'function') return null;
  const text: unknown = (object as { toPayload(): unknown }).toPayload();
  if (typeof text !== 'string') throw new TypeError('toPayload must return a string');
  return text;
}

/** A code unit takes at most so many bytes. */
const MOST_BYTES = 3;

/** Texts are only gone through when they may come near to the limit. */
function append(caller: string, text: string): void {
  const limit = state.setup.output;
  if (limit > 0 && bytes + text.length >= limit) refuse(caller, limit);
  charge(text.length >> 6);
  const isClose = limit > 0 && (buffer.length + text.length) * MOST_BYTES >= limit;
  if (isClose) count();
  const size = isClose ? utf8Length(text) : text.length;
  if (limit > 0 && bytes + size >= limit) refuse(caller, limit);
  buffer += text;
  bytes += size;
  counted &&= isClose;
  noteOutput(bytes);
}

function count(): void {
  if (counted) return;
  charge(buffer.length >> 6);
  bytes = utf8Length(buffer);
  counted = true;
}

/** Making an error takes its time; a script that catches it and goes on has to pay for that. */
const REFUSAL_STEPS = 50;

export function refuse(caller: string, limit: number): never {
  charge(REFUSAL_STEPS);
  throw outputLimitError(caller, limit);
}

/** Remembers the size of what is being put out. */
export function noteOutput(size: number): void {
  state.outputLast = size;
  if (size > state.outputMaximum) state.outputMaximum = size;
}

/** The collected text; the buffer is empty afterwards. */
export function takePayload(): string {
  const text = buffer;
  clearPayload();
  return text;
}

/** Remembers the collected text for `restorePayload`. */
export function markPayload(): void {
  earlier = buffer;
  earlierBytes = bytes;
  earlierCounted = counted;
}

/** Goes back to the text that was collected when it was marked. */
export function restorePayload(): void {
  buffer = earlier;
  bytes = earlierBytes;
  counted = earlierCounted;
}

export function clearPayload(): void {
  buffer = '';
  bytes = 0;
  counted = true;
}
