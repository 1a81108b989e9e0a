import { takeRows } from '../../message/batch/gather.ts';
import { composeDecoded, composeFiltered, composeInput, type Composed } from './compose.ts';
import { encodedResult, writtenRecords, type OutputFrame } from './encoded.ts';
import { ForgedResultError } from '../contract/errors.ts';
import type { Frame } from './frames.ts';
import { readOwnResult, readResult, type ReceivedResult } from './inbound.ts';
import type { OwnResult } from './script-context.ts';
import type { PastCall } from './journal.ts';
import type { OutboundBatch } from './outbound.ts';
import { bytesOf } from './scratch.ts';
import type { ResultHead } from '../contract/protocol.ts';
import { textPiece } from './texts.ts';
import { NO_RESULT, keepsNothing, type CallTimes, type SandboxResult, type SandboxSpec } from '../contract/types.ts';

/** Checks a result frame and converts it for callers. `head` is null when the result is forged; the sandbox must then be stopped. */
export function resultOf(
  spec: SandboxSpec,
  call: PastCall,
  frame: Frame,
  sent: OutboundBatch | undefined,
): { readonly result: SandboxResult; readonly head: ResultHead | null } {
  try {
    const received = readResult(frame, sent?.length ?? 0, sent?.texts ?? []);
    checkCounts(spec, call, received);
    return { result: complete(spec, call, received, frame, sent?.length ?? 0), head: received.head };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = error instanceof ForgedResultError ? text : `the result of the sandbox is forged: ${text}`;
    return { result: { ...NO_RESULT, terminated: { code: 'sandbox.protocol', reason, said: reason, row: -1 } }, head: null };
  }
}

/** Converts a result that a script of the engine has brought in the engine's process: it is not checked one value after the other. */
export function trustedResultOf(
  spec: SandboxSpec,
  call: PastCall,
  { head, arena, block }: OwnResult,
  sent: OutboundBatch | null,
): { readonly result: SandboxResult; readonly head: ResultHead } {
  const rows = sent?.length ?? 0;
  const received = readOwnResult({ head, block, texts: arena }, rows, sent?.texts ?? []);
  if (spec.kind !== 'encoder') return { result: complete(spec, call, received, NO_OUTPUT, rows), head: received.head };
  const piece = textPiece(arena);
  const own = { ...received, head: { ...received.head, wide: piece.wide } };
  const texts = bytesOf(piece);
  return {
    result: complete(spec, call, own, { block, texts: Buffer.from(texts.buffer, texts.byteOffset, texts.length) }, rows),
    head: own.head,
  };
}

const NO_OUTPUT: OutputFrame = { block: new ArrayBuffer(0), texts: Buffer.alloc(0) };

function complete(spec: SandboxSpec, call: PastCall, received: ReceivedResult, frame: OutputFrame, rows: number): SandboxResult {
  const { injected, origins, unchanged } = compose(spec, call, received);
  const { failures, ended, times } = received.head;
  const selection = call.kind === 'process' ? call.selection : null;
  const rowOf = (row: number): number => (row < 0 || selection === null ? row : (selection[row] as number));
  return {
    ...(spec.kind === 'encoder' ? encodedResult(frame, received, rows, selection) : {}),
    ...(spec.writes === true ? writtenResult(spec, frame, received, rowOf) : {}),
    ...doneResult(spec, received, rows),
    ...(spec.kind === 'output' ? heldResult(received, rows) : {}),
    unchanged,
    injected,
    origins: injected === null || call.kind === 'timer' ? null : originsOf(origins, injected.length, selection),
    failures: failures.map(([row, reason]) => ({ row: rowOf(row), reason })),
    terminated: ended === null ? null : { ...ended, row: rowOf(Math.min(ended.row, rows - 1)) },
    times: times === undefined || spec.sampling === undefined ? undefined : callTimes(times.samples, times.nanoseconds),
  };
}

function writtenResult(
  { limits }: SandboxSpec,
  frame: OutputFrame,
  { head }: ReceivedResult,
  rowOf: (row: number) => number,
): Partial<SandboxResult> {
  const { written, writtenRows } = writtenRecords(frame, head, limits.output);
  return { written, writtenRows: writtenRows.map(rowOf) };
}

function doneResult(spec: SandboxSpec, { head: { done } }: ReceivedResult, rows: number): Partial<SandboxResult> {
  if (done === undefined) return {};
  const isAllowed = spec.writes === true || keepsNothing(spec);
  if (!(isAllowed && Number.isInteger(done) && done > 0 && done < rows))
    throw new ForgedResultError('a script has done no number of messages');
  return { done };
}

function heldResult({ head }: ReceivedResult, rows: number): Partial<SandboxResult> {
  const { held, released, done = rows } = head;
  if (held === undefined && released !== true) return {};
  if (held !== undefined && !(Number.isInteger(held) && held >= 0 && held < done)) {
    throw new ForgedResultError('an output holds a message that it was not given');
  }
  return { held: { released: released === true, kept: held === undefined ? 0 : done - held } };
}

export const callTimes = (samples: number, nanoseconds: number): CallTimes => ({
  samples,
  averageNs: samples === 0 ? 0 : Math.trunc(nanoseconds / samples),
});

function compose(spec: SandboxSpec, call: PastCall, received: ReceivedResult): Composed {
  if (spec.kind === 'decoder' && call.kind === 'process') {
    return composeDecoded(received, call.selection === null ? call.batch : takeRows(call.batch, call.selection));
  }
  if (spec.kind === 'filter') return composeFiltered(received, spec);
  if (spec.kind === 'encoder') return { injected: null, origins: null };
  if (spec.kind === 'input') return composeInput(received, spec);
  return { injected: received.injected, origins: received.origins };
}

/** The input row of each message; null when they are the same. */
function originsOf(origins: Uint32Array | null, length: number, selection: Uint32Array | null): Uint32Array | null {
  if (selection === null) return origins;
  const rows = new Uint32Array(length);
  for (let i = 0; i < length; i++) rows[i] = selection[origins === null ? i : (origins[i] as number)] as number;
  return rows;
}

/** The prelude counts injections; what that is worth depends on the script, so they are counted here again. */
function checkCounts({ kind, limits }: SandboxSpec, call: PastCall, { head, origins }: ReceivedResult): void {
  if ((kind === 'output' || kind === 'encoder') && head.injected > 0) throw new ForgedResultError(`an ${kind} injected a message`);
  if (kind !== 'decoder' && kind !== 'encoder' && head.passed > 0) throw new ForgedResultError(`a ${kind} passed a message on`);
  if (kind !== 'filter') return;
  if (call.kind === 'timer') {
    if (head.injected > limits.timerInject)
      throw new ForgedResultError(`a filter injected more than max_timer_inject of ${limits.timerInject}`);
    return;
  }
  let row = -1;
  let count = 0;
  for (const origin of origins ?? []) {
    count = origin === row ? count + 1 : 1;
    row = origin;
    if (count > limits.processInject)
      throw new ForgedResultError(`a filter injected more than max_process_inject of ${limits.processInject}`);
  }
}
