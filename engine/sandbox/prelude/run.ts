import type { End } from '../../api/ends.ts';
import { Origin, type Delivery, type ProcessHead, type ResultHead } from '../contract/protocol.ts';
import { takeArena } from './arena.ts';
import { placeBlock } from './block.ts';
import { startCounting, stopCounting } from './counter.ts';
import { commitEncoded, dropEncoded, takeEncoded } from './encoded.ts';
import { lookupsAre } from './lookup.ts';
import { beginFlushing, restartInjections } from './writing/inject.ts';
import { batch, type DeliveredText } from './batch.ts';
import { acceptDelivery, closeBatch, openBatch } from './reading/input.ts';
import { cutReason, outputLimitText } from './errors.ts';
import { isArray, millisecondsNow, parseJson, stringify, trunc } from './intrinsics.ts';
import { addFailure, addMessage, addPassed, isWide, output, rollBack, takeOutput } from './writing/output.ts';
import { forgetSlicing, restartFields } from './reading/read.ts';
import { commitHeld, dropHeld, takeHeld } from './hold.ts';
import { scriptVariables } from './script-variables.ts';
import { globalNames } from './state/save.ts';
import { noteEnd, state } from './state/state.ts';
import { markPayload, restorePayload } from './writing/payload.ts';
import { dropUnfinished } from './writing/writer.ts';
import { takeUsed } from './reading/variables.ts';
import { commitWritten, dropWritten, restartWritten, wroteEnough } from './writing/write-output.ts';

/** Functions that a script provides. */
export interface EntryPoints {
  process_message?: unknown;
  timer_event?: unknown;
}

/** Data sent back to the engine: head, arena, and the block, or how many bytes of the shared memory it takes. */
export type Parcel = [head: string, arena: string, block: ArrayBuffer | number];

let entry: EntryPoints = {};
let progress: Int32Array = new Int32Array(1);

export function setEntry(points: EntryPoints): void {
  entry = points;
}

export function setProgress(cell: Int32Array): void {
  progress = cell;
}

/** A row has been going on for this long: let the host look after the others and its clock. */
const SLICE_MS = 50;

/** Begins a batch. */
export function open(head: string, block: ArrayBuffer, ...texts: (DeliveredText | number)[]): void {
  const parsed = parseJson(head) as ProcessHead;
  openBatch(parsed);
  lookupsAre(parsed.lookups);
  if (parsed.clock !== undefined) state.clock = parsed.clock;
  acceptDelivery(parsed.delivery, block, texts);
  position = 0;
}

/** Puts columns into the current batch. */
export function deliver(head: string, block: ArrayBuffer, ...texts: DeliveredText[]): void {
  acceptDelivery(parseJson(head) as Delivery, block, texts);
}

/** The next row. */
let position = 0;
/** Rows that the call has done when it ends before the others, because there is enough output; -1: it does not. */
let stoppedAt = -1;

/**
 * Runs process_message for the rows that are left, for a time slice and at most before row `until`. Returns the end of the
 * sandbox, null when the batch is done, and undefined when rows are left; `asked` says then whether the script wanted to end. Errors of the
 * script go through.
 */
export function resume(until: number): End | null | undefined {
  state.call = 'process_message';
  const { process_message: entered } = entry;
  if (typeof entered !== 'function') return PROCESS_MISSING;
  const call = entered as () => unknown;
  const process = state.setup.kind === 'encoder' ? (): unknown => encode(call) : call;
  const end = until < batch.length ? until : batch.length;
  const deadline = millisecondsNow() + SLICE_MS;
  const budget = state.setup.kind === 'filter' ? state.setup.processInject : -1;
  let checkAt = position + 1;
  let step = 1;
  while (position < end) {
    if (position === checkAt) {
      const late = millisecondsNow() - deadline;
      if (late > 0) return undefined;
      step = late < -SLICE_MS / 2 && step < 256 ? step * 2 : 1;
      checkAt = position + step;
    }
    beginRow(budget);
    startCounting();
    const status = process();
    stopCounting();
    if (status === 0) endRow();
    else {
      const end = handleStatus(status);
      if (end !== null) return end;
    }
    position++;
    if ((wroteEnough() || (state.setup.stateless && isWide())) && position < batch.length) {
      stoppedAt = position;
      break;
    }
  }
  if (stoppedAt < 0 && end < batch.length) return undefined;
  state.row = -1;
  return null;
}

/** Calls an encoder's function. A message whose output exceeds output_limit is refused, also when the script does not catch that. */
function encode(process: () => unknown): unknown {
  try {
    return process();
  } catch (thrown) {
    const reason = state.ended === null ? outputLimitText(thrown) : null;
    if (reason === null) throw thrown;
    return [REFUSED, reason];
  }
}

const REFUSED = -1;

/** Messages and passed rows before the current row: what a failure goes back to. */
let mark = 0;
let passedMark = 0;

function beginRow(budget: number): void {
  state.row = position;
  progress[0] = position;
  state.edited = null;
  state.budget = budget;
  mark = output.injected;
  passedMark = output.passed;
  restartFields();
  restartInjections();
  markPayload();
  dropUnfinished();
}

/** The row succeeded: without an injection a decoder's message goes on, and an encoder's is encoded. */
function endRow(): void {
  const { kind } = state.setup;
  if (kind === 'decoder') {
    if (output.injected !== mark) return;
    if (state.edited === null) addPassed();
    else addMessage(state.edited, Origin.TABLE);
  } else if (kind === 'encoder') {
    if (!commitEncoded()) addPassed();
  } else if (kind === 'output') {
    commitWritten();
    commitHeld();
  }
}

/** The script ended itself with a status above 0. */
let asked = false;

export function askedToEnd(): boolean {
  return asked;
}

/** Status -2 of an encoder: no output, and no failure. */
const NO_OUTPUT = -2;

interface Status {
  readonly status: number;
  readonly text: string;
}

export const PROCESS_MISSING: End = { code: 'script.process-missing', reason: 'process_message is missing' };
export const TIMER_MISSING: End = { code: 'script.timer-missing', reason: 'timer_event is missing' };
const NO_NUMBER: End = { code: 'script.return', reason: 'process_message() must return a number' };
const NO_TEXT: End = { code: 'script.return', reason: 'process_message() must return a text as its second value' };

/** Parses the return value of process_message into a status and a text. Returns the end of the sandbox when the value is not valid. */
function statusOf(returned: unknown): Status | End {
  let code: unknown = returned;
  let text: unknown = null;
  if (isArray(returned)) {
    code = returned[0] as unknown;
    text = returned[1] as unknown;
  }
  if (typeof code !== 'number') return NO_NUMBER;
  if (text !== null && text !== undefined && typeof text !== 'string') return NO_TEXT;
  const whole = trunc(code);
  if (whole !== whole) return NO_NUMBER;
  return { status: whole, text: typeof text === 'string' ? text : '' };
}

function endOf({ status, text }: Status): End {
  if (text === '') return { code: 'script.status', reason: `process_message() returned ${status}` };
  const said = cutReason(text);
  return { code: 'script.status', reason: said, said };
}

/** Any status but a plain 0. Returns the end of the sandbox, or null. */
function handleStatus(returned: unknown): End | null {
  const parsed = statusOf(returned);
  if ('code' in parsed) return parsed;
  const { status: code, text } = parsed;
  if (code === 0) {
    endRow();
    return null;
  }
  asked = code > 0;
  if (asked) return endOf(parsed);
  const { kind } = state.setup;
  // Output that was collected for a message that is left out must not be in the payload of the next one.
  if (kind === 'encoder' || kind === 'decoder') restorePayload();
  if (kind === 'encoder') {
    dropEncoded();
    if (code === NO_OUTPUT) return null;
  }
  if (kind === 'decoder' && output.injected !== mark) rollBack(mark, passedMark);
  dropWritten();
  dropHeld();
  addFailure(text);
  return null;
}

/** Return value of an input's process_message; null until it returns. */
let status: { code: number; text: string } | null = null;

/** Runs process_message of an input, which may go on for as long as it likes. Returns the end of the sandbox, or null. */
export function run(): End | null {
  state.call = 'process_message';
  const process = entry.process_message as () => unknown;
  if (typeof process !== 'function') return PROCESS_MISSING;
  status = null;
  beginFlushing();
  startCounting();
  const returned = process();
  stopCounting();
  const parsed = statusOf(returned);
  if ('code' in parsed) return parsed;
  status = { code: parsed.status, text: parsed.text };
  asked = parsed.status > 0;
  return asked ? endOf(parsed) : null;
}

/** Runs timer_event. Returns the end of the sandbox, or null. */
export function timer(ns: string): End | null {
  state.call = 'timer_event';
  const event = entry.timer_event as (ns: number) => unknown;
  if (typeof event !== 'function') return TIMER_MISSING;
  state.row = -1;
  progress[0] = -1;
  state.edited = null;
  state.budget = state.setup.kind === 'filter' ? state.setup.timerInject : -1;
  state.tick = BigInt(ns);
  startCounting();
  event(Number(ns));
  stopCounting();
  commitWritten();
  commitHeld();
  return null;
}

/** Takes what the call has brought so far, and ends the batch. @param end when the sandbox ends: an `End` as JSON */
export function finish(end: string | null): Parcel {
  if (end !== null) noteEnd(parseJson(end) as End);
  const stopped = stoppedAt < 0 ? {} : { done: stoppedAt };
  const collected = { ...takeOutput(batch.length, takeUsed()), encoded: takeEncoded() };
  const head: ResultHead = { ...collected, globals: globalNames().length + scriptVariables.length, status, ...stopped, ...takeHeld() };
  stoppedAt = -1;
  restartWritten();
  beginFlushing();
  const block = placeBlock();
  const arena = takeArena();
  closeBatch();
  forgetSlicing();
  state.row = -1;
  state.edited = null;
  return [stringify(head), arena, block];
}
