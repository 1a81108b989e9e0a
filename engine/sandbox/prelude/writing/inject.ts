import type { HeaderValues } from '../../../message/types.ts';
import { Origin } from '../../contract/protocol.ts';
import { kindOf } from '../arguments.ts';
import { copyRow } from './copy-row.ts';
import { outputLimitError } from '../errors.ts';
import { charge } from '../counter.ts';
import { millisecondsNow } from '../intrinsics.ts';
import { hint } from '../hints.ts';
import { addMessage, output } from './output.ts';
import { appendParts, clearPayload, noteOutput, takePayload } from './payload.ts';
import { decodeRow } from '../protobuf.ts';
import { inheritHeaders, newRowMessage, PAYLOAD, STRING, type RowField, type RowMessage } from '../reading/row-message.ts';
import { sizeBelow } from '../size.ts';
import { endSandboxHere, state, waitForEnd } from '../state/state.ts';
import { messageOf, now } from '../table.ts';
import { bytesOfBinary } from '../binary.ts';
import { copyOfBytes, isBytes, randomUuid } from '../uuid.ts';
import { addEncoded } from '../encoded.ts';

/** Message made by the first injection of this row. Later payloads of a decoder take their headers from it. */
let first: RowMessage | null = null;

export function restartInjections(): void {
  first = null;
}

/** Counts an injection of a filter; one too many ends the sandbox, whatever the script catches. */
function countInjection(caller: string): void {
  if (state.budget < 0) return;
  if (state.budget === 0) {
    const timer = state.row < 0;
    const limit = timer ? state.setup.timerInject : state.setup.processInject;
    const code = timer ? 'limit.timer-inject' : 'limit.process-inject';
    endSandboxHere(code, `${caller}: exceeded ${timer ? 'max_timer_inject' : 'max_process_inject'} of ${limit}`, limit);
  }
  state.budget--;
}

/** `inject_message` of the scripts' interface. */
export function inject_message(message: unknown): void {
  if (arguments.length !== 1) throw new TypeError(`inject_message: one argument, not ${arguments.length}`);
  if (!state.loaded) throw new Error('inject_message: not while the script is loading');
  if (typeof message === 'string' || isBytes(message)) {
    const bytes = typeof message === 'string' ? bytesOfBinary(message) : copyOfBytes(message);
    if (bytes === null) throw new TypeError('inject_message: a string must hold bytes');
    if (bytes.length > 0) injectBytes(bytes);
    return;
  }
  if (typeof message !== 'object' || message === null) throw new TypeError(`inject_message: cannot inject a ${kindOf(message)}`);
  inject(messageOf(message as Record<string, unknown>));
}

function injectBytes(bytes: Uint8Array): void {
  checkSize(bytes.length);
  if (state.setup.kind === 'encoder') {
    clearPayload();
    addEncoded(bytes);
    return;
  }
  inject(decodeRow(bytes, 'inject_message'));
}

function checkSize(size: number): void {
  const limit = state.setup.output;
  const tooLarge = limit > 0 && size >= limit;
  charge(8 + ((tooLarge ? limit : size) >> 6));
  if (tooLarge) throw outputLimitError('inject_message', limit);
  noteOutput(size);
}

function inject(message: RowMessage): void {
  checkSize(sizeBelow(message, state.setup.output || Infinity));
  clearPayload();
  if (state.setup.kind === 'encoder') {
    // Others get theirs from the engine.
    message.uuid ??= randomUuid();
    addEncoded(message);
    return;
  }
  countInjection('inject_message');
  if (state.setup.kind === 'decoder') {
    if (state.edited !== null) inheritHeaders(message.headers, state.edited.headers);
    first ??= message;
  }
  addMessage(message, Origin.TABLE);
  if (state.setup.kind === 'input') flushWhenDue();
}

/** An input's messages are sent on when there are so many, … */
const FLUSH_COUNT = 512;
/** … or when the first of them is so old; the clock is looked at every so many messages. */
const FLUSH_MS = 20;
const LOOK_EVERY = 8;

let flushedAt = 0;

/** Nothing waits to be sent on. */
export function beginFlushing(): void {
  flushedAt = millisecondsNow();
}

function flushWhenDue(): void {
  const { injected } = output;
  if (injected < FLUSH_COUNT && (injected % LOOK_EVERY !== 1 || millisecondsNow() - flushedAt < FLUSH_MS)) return;
  state.host.flush();
  if (state.ended !== null) waitForEnd();
}

/** `inject_payload` of the scripts' interface: null stands for an argument that is not given. */
export function inject_payload(givenType?: unknown, givenName?: unknown, ...parts: unknown[]): void {
  const type = givenType ?? 'txt';
  const name = givenName ?? '';
  if (typeof type !== 'string') throw new TypeError(`inject_payload: the payload type must be a string, not ${kindOf(type)}`);
  if (typeof name !== 'string') throw new TypeError(`inject_payload: the payload name must be a string, not ${kindOf(name)}`);
  if (!state.loaded) throw new Error('inject_payload: not while the script is loading');
  appendParts('inject_payload', parts, 0);
  const payload = takePayload();
  if (payload === '') {
    if (state.setup.hints) hint('inject_payload: the payload is empty, so nothing is injected');
    return;
  }
  if (state.setup.kind === 'encoder') {
    addEncoded(payload);
    return;
  }
  countInjection('inject_payload');
  if (state.setup.kind === 'decoder') injectDecoded(payload, type || 'txt', name);
  else addMessage(payloadMessage(newRowMessage(now()), payload, type || 'txt', name), Origin.PAYLOAD);
}

function payloadMessage(message: RowMessage, payload: string, type: string, name: string): RowMessage {
  message.headers[PAYLOAD] = payload;
  message.fields.push({ name: 'payload_type', representation: 'file-extension', type: STRING, values: [type] });
  message.fields.push({ name: 'payload_name', representation: '', type: STRING, values: [name] });
  return message;
}

/** The first payload goes into the message itself, later ones become messages with its headers. */
function injectDecoded(payload: string, type: string, name: string): void {
  const source = state.edited ?? copyRow(state.row);
  if (first === null) {
    first = payloadMessage(cloneOf(source), payload, type, name);
    addMessage(first, Origin.TABLE);
    return;
  }
  const message = newRowMessage(first.timestamp);
  inheritHeaders(message.headers, first.headers);
  inheritHeaders(message.headers, source.headers);
  addMessage(payloadMessage(message, payload, type, name), Origin.TABLE);
}

function cloneOf(message: RowMessage): RowMessage {
  const fields: RowField[] = [];
  for (let i = 0; i < message.fields.length; i++) fields.push(message.fields[i] as RowField);
  const headers: HeaderValues = [];
  for (let i = 0; i < message.headers.length; i++) headers.push(message.headers[i]);
  return { ...message, headers, fields };
}
