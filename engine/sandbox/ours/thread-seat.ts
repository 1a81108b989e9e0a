import { Serial } from '../../base/time/serial.ts';
import { pastOf, type Call, type WorkCall } from '../calls/calls.ts';
import { NO_USE } from '../calls/script-counters.ts';
import type { Seat, Session } from '../calls/session.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import { unlessBusy } from '../contract/report-wait.ts';
import { keepsNothing } from '../contract/types.ts';
import type { PastCall } from '../wire/journal.ts';
import { isLargeState } from './direct-script.ts';
import { ThreadPlace, type Done, type ThreadOptions } from './thread-place.ts';

/** Most calls that go to the thread together. */
const TOGETHER = 512;

/** Calls that go to the thread together, and what comes of them. */
interface Group {
  readonly calls: WorkCall[];
  readonly done: PromiseWithResolvers<readonly Done[]>;
}

/**
 * A bundled script in a thread of this process. When its thread ends, its calls are repeated: those that were under way, and all behind them, in a sandbox, as is
 * one in which the script does more than our own code does; those of the other scripts of the thread that keep nothing in another thread. Answers come in the
 * order of the calls. The calls of a script that keeps something, often a few for each batch, go to the thread together.
 */
export class ThreadSeat implements Seat {
  readonly #session: Session;
  readonly #place: ThreadPlace;
  readonly #keeps: boolean;
  readonly #turns = new Serial();
  /** Calls that are about to go to the thread. */
  #group: Group | null = null;
  #hasLeft = false;

  /** Loads the script in a thread; null: it does not load there. */
  static async start(session: Session, options: ThreadOptions): Promise<ThreadSeat | null> {
    const keeps = !keepsNothing(session.spec);
    const place = await ThreadPlace.start(session.spec, options, keeps);
    return place === null ? null : new ThreadSeat(session, place, keeps);
  }

  private constructor(session: Session, place: ThreadPlace, keeps: boolean) {
    this.#session = session;
    this.#place = place;
    this.#keeps = keeps;
  }

  /** Repeats calls that were answered elsewhere: the script is then as it was after them. One that fails here fails with all behind it. */
  repeat(calls: readonly PastCall[]): void {
    for (let from = 0; from < calls.length; from += TOGETHER) void this.#place.serve(calls.slice(from, from + TOGETHER));
  }

  serve(call: Call): void {
    const work = call as WorkCall;
    const group = (this.#group ??= this.#newGroup());
    const at = group.calls.push(work) - 1;
    void this.#turns.run(() => this.#settle(work, group, at));
    if (!this.#keeps || group.calls.length >= TOGETHER) this.#send(group);
  }

  /** Measures its memory as an equal share of that of its thread: V8 does not tell the memory of one script. */
  async use(): Promise<ReportedHead> {
    const thread = await this.#place.thread();
    if (thread === null || !this.#session.alive) return this.#noteMemory(0, 0);
    const known = (): ReportedHead => this.#session.counters.lastReport;
    const measured = thread
      .memory()
      .then(({ now, before }) => this.#noteMemory(Math.max(0, Math.ceil((now - before) / Math.max(1, thread.scripts))), now), known);
    return unlessBusy(measured, { isBusy: () => thread.open > 1, otherwise: known });
  }

  drop(): void {
    this.#hasLeft = true;
    this.#place.drop();
  }

  async leave(): Promise<void> {
    await this.#turns.idle();
    this.drop();
  }

  /** Calls that come at once are a group. */
  #newGroup(): Group {
    const group = { calls: [], done: Promise.withResolvers<readonly Done[]>() };
    queueMicrotask(() => this.#send(group));
    return group;
  }

  /** Sends the calls that wait, unless others have come since. */
  #send(group: Group | null): void {
    if (group === null || this.#group !== group) return;
    this.#group = null;
    void this.#place.serve(group.calls).then(group.done.resolve);
  }

  /** Answers a call in its turn: nothing that comes behind one that a sandbox serves counts, as that may be its end. */
  async #settle(call: WorkCall, group: Group, at: number): Promise<void> {
    const done = this.#hasLeft ? undefined : (await group.done.promise)[at];
    if (this.#hasLeft) return;
    if (done === undefined) return this.#goOnElsewhere();
    this.#session.calls.take(call.kind, call.id);
    this.#countWork(call, done);
    if (this.#keeps) this.#keep(call, done);
    this.#session.answered(call, done.result, done.rows);
  }

  #goOnElsewhere(): void {
    this.drop();
    this.#session.counters.lastReport = NO_USE;
    this.#session.moveOn();
  }

  /** Notes a call that was done, and has the state when it is time to: with all calls so far, which are answered before it. */
  #keep(call: WorkCall, { result, globals, work }: Done): void {
    const { journal, spec } = this.#session;
    if (!journal.add(pastOf(call, result.done), globals, work.cpu)) return;
    this.#send(this.#group);
    const saved = this.#place.save();
    void this.#turns.run(async () => {
      const { state, cpu } = await saved;
      if (this.#hasLeft) return;
      journal.saved(state, cpu);
      if (state !== null && isLargeState(spec, state)) this.#goOnElsewhere();
    });
  }

  #countWork({ kind }: WorkCall, { work, rows }: Done): void {
    const { counters } = this.#session;
    const { lastReport: last } = counters;
    const nanoseconds = work.ms * 1e6;
    if (kind === 'timer') {
      counters.lastReport = { ...last, timers: last.timers + 1, timerNanoseconds: last.timerNanoseconds + nanoseconds };
    } else {
      const all = { calls: last.calls + rows, nanoseconds: last.nanoseconds + nanoseconds };
      const times = { samples: all.calls, nanoseconds: all.nanoseconds, profileSamples: 0, profileNanoseconds: 0 };
      counters.lastReport = { ...last, ...all, times };
    }
    this.#session.worked(work.cpu);
  }

  #noteMemory(memory: number, isolate: number): ReportedHead {
    const { counters } = this.#session;
    const { lastReport } = counters;
    return (counters.lastReport = { ...lastReport, memory, isolate, memoryMaximum: Math.max(memory, lastReport.memoryMaximum) });
  }
}
