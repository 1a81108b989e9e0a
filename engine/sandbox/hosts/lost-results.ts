import type { End } from '../../api/ends.ts';
import type { ClockKind } from '../../message/types.ts';
import type { CallQueue, ProcessCall } from '../calls/calls.ts';
import type { Journal } from '../wire/journal.ts';
import { isWorthRepeating, lostCall, withoutResults, type LostCall } from './repeat.ts';
import type { ScriptCounters } from '../calls/script-counters.ts';
import type { SandboxResult } from '../contract/types.ts';

interface Owner {
  readonly calls: CallQueue;
  readonly journal: Journal;
  readonly counters: ScriptCounters;
  readonly clock: () => ClockKind | undefined;
  /** Has the results of a call once more; null: they stay lost. */
  readonly repeat: ((lost: LostCall) => Promise<SandboxResult>) | null;
}

/** Answers the call that was under way when its sandbox ended: its results were lost with the sandbox, and are had once more where that is possible. */
export class LostResults {
  readonly #owner: Owner;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /**
   * The first open call gets the end as its result, with what it had brought before.
   * @param done how many of its rows were through; null: not known
   */
  async answerFirst(end: End, done: number | null): Promise<void> {
    const { calls } = this.#owner;
    const [call] = calls.open;
    if (call?.kind === 'process' && calls.take('process', call.id)) await this.answer(call, end, done);
    else calls.answerWithEnd(end);
  }

  /** @param done how many rows of the call were through; null: not known */
  async answer(call: ProcessCall, end: End, done: number | null): Promise<void> {
    const { counters, clock, journal, repeat } = this.#owner;
    const { checkpoint, calls } = journal;
    const lost = lostCall(call, done, { checkpoint, before: [...calls], clock: clock(), end });
    const nothing = withoutResults(lost);
    const result = repeat !== null && isWorthRepeating(lost) ? await repeat(lost).catch(() => nothing) : nothing;
    counters.count(result, result.terminated === null ? 0 : lost.rows.indexOf(result.terminated.row) + 1);
    counters.noteError(end.reason);
    call.resolve(result);
  }
}
