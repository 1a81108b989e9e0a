import type { End } from '../../api/ends.ts';
import type { ProcessCall } from '../calls/calls.ts';
import type { Session } from '../calls/session.ts';
import type { SandboxResult } from '../contract/types.ts';
import { isWorthRepeating, lostCall, withoutResults, type LostCall } from './repeat.ts';

/** Has the results of a call once more; null: they stay lost. */
export type Repeat = ((lost: LostCall) => Promise<SandboxResult>) | null;

/**
 * The first open call gets the end of its session as its result, with what it had brought before: that was lost with the sandbox, and is had once more where
 * that is possible.
 * @param done how many of its rows were through; null: not known
 */
export async function answerFirst(session: Session, repeat: Repeat, end: End, done: number | null): Promise<void> {
  const { calls } = session;
  const [call] = calls.open;
  if (call?.kind === 'process' && calls.take('process', call.id)) await answerLost(session, repeat, call, { ...end, row: done });
  else calls.answerWithEnd(end);
}

/** The same for a call that was taken from those that are open; `row`: how many of its rows were through; null: not known. */
export async function answerLost(
  { clock, counters, journal: { checkpoint, calls } }: Session,
  repeat: Repeat,
  call: ProcessCall,
  { row: done, ...end }: End & { readonly row: number | null },
): Promise<void> {
  const lost = lostCall(call, done, { checkpoint, before: [...calls], clock, end });
  const nothing = withoutResults(lost);
  const result = repeat !== null && isWorthRepeating(lost) ? await repeat(lost).catch(() => nothing) : nothing;
  counters.count(result, result.terminated === null ? 0 : lost.rows.indexOf(result.terminated.row) + 1);
  counters.noteError(end.reason);
  call.resolve(result);
}
