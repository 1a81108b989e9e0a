import type { End } from '../../api/ends.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { ClockKind } from '../../message/types.ts';
import { concatBatches } from '../../message/batch/gather.ts';
import { encodedBytes } from '../../message/protobuf/message-size.ts';
import type { ProcessCall } from '../calls/calls.ts';
import type { PastCall } from '../wire/journal.ts';
import type { SavedScript } from '../wire/preservation.ts';
import { NO_RESULT, type EncodedRows, type SandboxResult, type TimedProcessor } from '../contract/types.ts';
import { joinedUnchanged, processWhole } from '../calls/whole-call.ts';

/** A call whose rows were processed in part when its sandbox ended, and what they had brought was gone with it. */
export interface LostCall {
  /** Saved state that the script started from, before the calls in `before`; null: none. */
  readonly checkpoint: SavedScript | null;
  readonly before: readonly PastCall[];
  readonly batch: MessageBatch;
  /** The clock that the sandbox had changed to; undefined: that of its specification. */
  readonly clock: ClockKind | undefined;
  /** Rows of the call. */
  readonly rows: Uint32Array;
  /** Number of rows that were completed; null: not known. */
  readonly done: number | null;
  readonly end: End;
}

/** @param done how many rows of the call were through; null: not known */
export function lostCall(
  { batch, selection }: ProcessCall,
  done: number | null,
  more: Pick<LostCall, 'checkpoint' | 'before' | 'clock' | 'end'>,
): LostCall {
  const rows = selection ?? Uint32Array.from({ length: batch.length }, (_, row) => row);
  return { ...more, batch, rows, done: rows.length === 1 ? 0 : done };
}

/** The end alone, without what the call had brought before it. */
export function withoutResults({ rows, done, end }: LostCall): SandboxResult {
  return { ...NO_RESULT, terminated: { ...end, row: done === null ? -1 : (rows[done] ?? -1) } };
}

/** Rows came before the one that ended the script. */
export const isWorthRepeating = ({ rows, done }: LostCall): boolean => done !== 0 && rows.length > 1;

/** No further row is repeated after this time, and so much more for each row: a machine that is busy with other things is slow with each of them. */
const REPEAT_MS = 5_000;
const REPEAT_ROW_MS = 50;
/** Most bytes of results of repeated rows: about as many as a host holds for a call. A call that makes more ends by that. */
const REPEAT_BYTES = 64 << 20;

/**
 * Runs the rows of a lost call again in another sandbox that begins with the same state, so that the messages of the rows before the one that ended
 * the script are not lost. If that row is not known, it fails again here; when none does, it is the one with which the results are too many, or the last one.
 * The new host runs no other sandbox, so none is affected.
 */
export async function repeatRows(sandbox: TimedProcessor, lost: LostCall): Promise<SandboxResult> {
  const { batch, rows, done, end } = lost;
  const results: SandboxResult[] = [];
  const ended = (row: number): SandboxResult => joined(results, { ...end, row: rows[row] ?? -1 });
  const count = lost.before.reduce((sum, call) => sum + rowsOf(call), rows.length);
  const until = performance.now() + REPEAT_MS + REPEAT_ROW_MS * count;
  for (const call of lost.before) {
    if ((await again(sandbox, call)).terminated !== null || performance.now() > until) return ended(done ?? 0);
  }
  if (done !== null) {
    const result = await processWhole(sandbox, batch, rows.subarray(0, done));
    results.push(result);
    // Memory is not used alike each time: it may end sooner.
    return result.terminated === null ? ended(done) : joined(results, { ...end, row: result.terminated.row });
  }
  let bytes = 0;
  for (let row = 0; row < rows.length - 1; row++) {
    const result = await sandbox.process(batch, rows.subarray(row, row + 1));
    bytes += bytesOf(result);
    if (result.terminated !== null || performance.now() > until || bytes > REPEAT_BYTES) return ended(row);
    results.push(result);
  }
  return ended(rows.length - 1);
}

const rowsOf = (call: PastCall): number => (call.kind === 'timer' ? 1 : (call.selection ?? call.batch).length);

/** Bytes that the results of a call take in the engine, roughly. */
function bytesOf({ injected, encoded, written = [] }: SandboxResult): number {
  const output = (encoded?.bytes.length ?? 0) + written.reduce((sum, { length }) => sum + length, 0);
  return output + (injected === null ? 0 : encodedBytes(injected));
}

function again(sandbox: TimedProcessor, call: PastCall): Promise<SandboxResult> {
  return call.kind === 'timer' ? sandbox.timer(call.ns) : sandbox.process(call.batch, call.selection);
}

/** The results of parts of a selection, in order, as one. */
function joined(results: readonly SandboxResult[], terminated: NonNullable<SandboxResult['terminated']>): SandboxResult {
  const batches = results.flatMap(({ injected }) => injected ?? []);
  const outputs = results.flatMap(({ encoded }) => encoded ?? []);
  const passed = results.flatMap((result) => [...(result.passed ?? [])]);
  return {
    ...NO_RESULT,
    ...joinedUnchanged(results),
    ...(results.some((result) => result.passed !== undefined)
      ? { encoded: outputs.length === 0 ? null : joinedOutputs(outputs), passed: Uint32Array.from(passed) }
      : {}),
    written: results.some(({ written }) => written !== undefined) ? results.flatMap(({ written }) => written ?? []) : undefined,
    injected: batches.length === 0 ? null : concatBatches(batches),
    origins: batches.length === 0 ? null : Uint32Array.from(results.flatMap(({ origins }) => [...(origins ?? [])])),
    failures: results.flatMap(({ failures }) => failures),
    terminated,
  };
}

function joinedOutputs(outputs: readonly EncodedRows[]): EncodedRows {
  const bytes = Buffer.concat(outputs.map((output) => output.bytes));
  const ends: number[] = [];
  let at = 0;
  for (const output of outputs) {
    for (const end of output.ends) ends.push(at + end);
    at += output.bytes.length;
  }
  return { rows: Uint32Array.from(outputs.flatMap(({ rows }) => [...rows])), ends: Uint32Array.from(ends), bytes };
}
