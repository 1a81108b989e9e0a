import type { InputForm, InputHead } from '../../contract/protocol.ts';
import { kindOf } from '../arguments.ts';
import { inHeap } from '../heap-text.ts';
import { parseJson } from '../intrinsics.ts';
import { lookupsAre } from '../lookup.ts';
import { output } from '../writing/output.ts';
import { globalNames } from '../state/save.ts';
import { state, waitForEnd } from '../state/state.ts';
import { copyOfBytes, isBytes } from '../uuid.ts';

/** Maximum length of the rest that a script gives back, in code units or bytes. */
const MAX_REST = 4 << 20;

/** The data received last. */
let head: InputHead = { kind: 'end', count: 0, name: '', ended: false, texts: [] };
let text = '';
let bytes: Uint8Array = new Uint8Array(0);
/** Ends of the received records in `text`, and the index of the next record to read. */
let ends: Uint32Array = new Uint32Array(0);
let next = 0;
/** Whether the source has ended. */
let atEnd = false;
/** Length of the last read piece, whose end may be given back; -1: it was a record or a whole, or nothing was read. */
let givable = -1;

/** Takes data that the host has received. */
export function takeInput(received: string, block: ArrayBuffer, receivedText = ''): void {
  head = parseJson(received) as InputHead;
  lookupsAre(undefined);
  text = inHeap(receivedText);
  bytes = head.kind === 'bytes' ? new Uint8Array(block) : new Uint8Array(0);
  ends = head.kind === 'records' ? new Uint32Array(block, 0, head.count) : new Uint32Array(0);
  next = 0;
  atEnd = head.kind === 'end';
}

/** `read_input` of the scripts' interface. */
export function read_input(rest: string = ''): string | null {
  if (typeof rest !== 'string') throw new TypeError(`read_input: the rest must be a text, not ${kindOf(rest)}`);
  check('read_input', rest.length);
  if (rest !== '' && !text.endsWith(rest)) throw new RangeError('read_input: the rest must be the end of what was read last');
  if (state.setup.reads === 'records' && next < ends.length) return nextRecord();
  if (!receive('text', rest.length)) return null;
  if (state.setup.reads === 'records') return nextRecord();
  givable = state.setup.reads === 'chunks' ? text.length : -1;
  return text;
}

/** `read_bytes` of the scripts' interface. */
export function read_bytes(rest?: Uint8Array): Uint8Array | null {
  if (rest !== undefined && !isBytes(rest)) throw new TypeError(`read_bytes: the rest must be bytes, not ${kindOf(rest)}`);
  const length = rest === undefined ? 0 : copyOfBytes(rest).length;
  if (state.setup.reads === 'records') throw new Error('read_bytes: a source with a splitter has records, for read_input');
  check('read_bytes', length);
  if (!receive('bytes', length)) return null;
  givable = state.setup.reads === 'chunks' ? bytes.length : -1;
  return bytes;
}

/** `input_source` of the scripts' interface. */
export function input_source(): { name: string; ended: boolean } {
  const { name, ended } = head;
  return { name, ended };
}

function check(caller: string, rest: number): void {
  if (!state.loaded) throw new Error(`${caller}: not while the script is loading`);
  const { reads, name } = state.setup;
  if (reads === '') throw new Error(`${caller}: there is no source; give the section a table [${name}.source]`);
  if (rest === 0) return;
  if (givable < 0) throw new Error(`${caller}: only the end of a piece of a stream can be given back`);
  if (rest > givable) throw new RangeError(`${caller}: the rest must be the end of what was read last`);
  if (rest > MAX_REST) throw new RangeError(`${caller}: the rest is longer than ${MAX_REST}`);
}

/** Sends the injected messages, then requests data and waits for it; false: the source has ended. */
function receive(form: InputForm, rest: number): boolean {
  givable = -1;
  if (atEnd) return false;
  if (output.injected > 0) state.host.flush();
  if (state.ended !== null) waitForEnd();
  state.host.read(form, rest, globalNames().length);
  if (state.ended !== null) waitForEnd();
  return !atEnd;
}

function nextRecord(): string {
  const record = text.slice(next === 0 ? 0 : ends[next - 1], ends[next]);
  next++;
  return record;
}
