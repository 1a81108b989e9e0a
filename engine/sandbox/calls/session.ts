import type { End } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { ClockKind } from '../../message/types.ts';
import { endOf, SandboxEndedError } from '../contract/errors.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import {
  NO_RESULT,
  keepsNothing,
  type InputSandbox,
  type InputStatus,
  type Sandbox,
  type SandboxReport,
  type SandboxResult,
  type SandboxSpec,
  type SandboxState,
  type ScriptSource,
  type Stall,
  type Termination,
} from '../contract/types.ts';
import type { Journal } from '../wire/journal.ts';
import { writeState, type SavedScript } from '../wire/preservation.ts';
import { CallQueue, type Call, type Pending, type WorkCall } from './calls.ts';
import { NO_USE, ScriptCounters } from './script-counters.ts';
import { processWhole } from './whole-call.ts';

/**
 * A place where the script of a session runs. It answers the calls in order (`Session.answered`); with the first one that it cannot serve, the session goes on
 * elsewhere (`Session.moveOn`).
 */
export interface Seat {
  /** Serves a call behind the earlier ones, which need not be answered yet. */
  serve(call: Call): void;
  /** Measures what the script uses. */
  use(): Promise<ReportedHead>;
  /** Has the script's state after the calls so far. Absent: it has none for a file. */
  save?(): Promise<SavedScript>;
  /** See `InputSandbox.checkpoint`. */
  checkpoint?(): void;
  /** Answers the call under way when the session is ended from outside. Absent: it gets the end alone. @param begun it was under way */
  answerFirst?(end: End, begun: boolean): Promise<void>;
  /** Lets go of the script at once. @param end null: it was stopped */
  drop(end: End | null): void;
  /** Lets go of the script after the calls that are open. */
  leave(): Promise<void>;
}

interface SessionOptions {
  /** The state to begin with, and the calls since then. */
  readonly journal: Journal;
  /** Has it go on in another seat (`sit`), when its first one cannot serve a call. Absent: it never leaves that. */
  readonly next?: ((session: Session) => Promise<unknown>) | undefined;
}

/**
 * The life of a script: its calls in order, its past, its counts and its end. Calls wait until they are answered, so that they go along when the script moves to
 * another seat; what was answered is only repeated there as far as the script's state needs it.
 */
export class Session implements Sandbox, InputSandbox {
  readonly spec: SandboxSpec;
  readonly journal: Journal;
  readonly counters = new ScriptCounters();
  /** Calls that are not answered. */
  readonly calls = new CallQueue();
  readonly isHere: boolean;
  /** The way in which it holds others up, as those see it who look after its seat; null: it does not. */
  stall: Stall | null = null;
  /** The clock of its calls; undefined: that of its specification. */
  clock: ClockKind | undefined;
  readonly #next: SessionOptions['next'];
  /** null: it is on its way to the next one. */
  #seat: Seat | null = null;
  /** Resolves when it has arrived there: to null, or why it has not. */
  #moved: Promise<Error | null> = Promise.resolve(null);
  #state: SandboxState = 'running';
  #endedBy: End | null = null;
  #stopping: Promise<void> | null = null;
  readonly #closing = Promise.withResolvers<void>();
  /** Resolves when it has ended, and all calls are answered. */
  readonly closed = this.#closing.promise;
  /** Microseconds; undefined: no seat has measured any. */
  #work: number | undefined;

  constructor(spec: SandboxSpec, { journal, next }: SessionOptions) {
    this.spec = spec;
    this.journal = journal;
    this.#next = next;
    this.isHere = next !== undefined;
  }

  get seat(): Seat | null {
    return this.#seat;
  }

  get state(): SandboxState {
    return this.#state;
  }

  /** It neither ended nor was stopped. */
  get alive(): boolean {
    return this.#state === 'running';
  }

  /** Whether it is to stop. */
  get stopping(): boolean {
    return this.#stopping !== null;
  }

  get workMs(): number | undefined {
    return this.#work === undefined ? undefined : this.#work / 1000;
  }

  /** Why it takes no calls. */
  get refusal(): SandboxEndedError {
    const ended = this.#endedBy === null ? 'was stopped' : `has ended: ${this.counters.lastError ?? ''}`;
    return new SandboxEndedError(`sandbox ${this.spec.name} ${this.alive ? 'is being stopped' : ended}`, this.#endedBy);
  }

  process(batch: MessageBatch, selection: Uint32Array | null, timed = 0): Promise<SandboxResult> {
    return keepsNothing(this.spec)
      ? processWhole({ process: (part, rows) => this.#process(part, rows, timed) }, batch, selection)
      : this.#process(batch, selection, timed);
  }

  #process(batch: MessageBatch, selection: Uint32Array | null, timed: number): Promise<SandboxResult> {
    const { clock } = this;
    return this.ask((id, pending) => ({ kind: 'process', id, batch, selection, timed, clock, ...pending }));
  }

  timer(ns: bigint): Promise<SandboxResult> {
    if (this.isHere && this.spec.kind === 'decoder') return Promise.resolve(NO_RESULT);
    return this.ask((id, pending) => ({ kind: 'timer', id, ns, ...pending }));
  }

  run(take: (batch: MessageBatch) => Promise<void>, source?: ScriptSource): Promise<InputStatus | Termination> {
    return this.ask((id, pending) => ({ kind: 'run', id, take, source, ...pending }));
  }

  useClock(clock: ClockKind): void {
    this.clock = clock;
  }

  checkpoint(): void {
    this.#seat?.checkpoint?.();
  }

  async report(): Promise<SandboxReport> {
    if (this.#seat === null) await this.#moved;
    const use = (this.alive ? await this.#seat?.use() : null) ?? NO_USE;
    return { ...this.counters.report(this.spec, this.state, use), workMs: this.workMs, stall: this.stall ?? undefined };
  }

  async save(path: string): Promise<void> {
    if (this.#seat === null) await this.#moved;
    const state = await this.#seat?.save?.();
    if (state !== undefined) await writeState(path, state);
  }

  /**
   * Ends the script for good. The next call gets the end as its result.
   * @param begun that call was under way
   */
  terminate(end: End, begun = true): void {
    this.end(end, async () => this.#seat?.answerFirst?.(end, begun) ?? this.calls.answerWithEnd(end));
  }

  /** Stops after the calls that are open. The preserved state is in its file then. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // The calls that are open may have it go on in another seat.
    for (let left: Seat | null = null; ;) {
      if (this.#seat === null) await this.#moved;
      if (this.#seat === left) break;
      left = this.#seat;
      await left?.leave();
    }
    this.stopped();
    await this.closed;
  }

  /** Adds a call. @param last also while it is being stopped */
  ask<T>(make: (id: number, pending: Pending<T>) => Call, last = false): Promise<T> {
    if (!this.alive || (this.stopping && !last)) return Promise.reject(this.refusal);
    const { call, answer } = this.calls.add(make);
    this.#seat?.serve(call);
    return answer;
  }

  /** Takes its seat, which serves the calls that are open. */
  sit(seat: Seat): void {
    this.#seat = seat;
    for (const call of [...this.calls.open]) seat.serve(call);
  }

  /** Its seat serves none of the calls that are open: it goes on in the next one. */
  moveOn(): void {
    this.#seat = null;
    this.#moved = this.#moveOn();
  }

  async #moveOn(): Promise<Error | null> {
    try {
      await this.#next?.(this);
      return null;
    } catch (error) {
      this.end({ ...endOf(error), reason: messageOf(error) });
      return error as Error;
    }
  }

  /** Answers a call that was taken from those that are open. @param rows how many of its rows were through */
  answered(call: WorkCall, result: SandboxResult, rows: number): void {
    this.counters.count(result, rows);
    call.resolve(result);
    if (result.terminated !== null) this.end(result.terminated);
  }

  /** Adds processor time that a call has taken, in microseconds. */
  worked(microseconds: number): void {
    this.#work = (this.#work ?? 0) + microseconds;
  }

  /**
   * The script has ended.
   * @param answer answers the call under way before the others are rejected
   */
  end({ row: _, ...end }: End & { readonly row?: number }, answer: () => Promise<void> = async () => undefined): void {
    if (!this.alive) return;
    this.#state = 'terminated';
    this.#endedBy = end;
    this.counters.noteError(end.reason);
    this.#seat?.drop(end);
    const ended = new SandboxEndedError(`sandbox ${this.spec.name} has ended: ${end.reason}`, end);
    // One that did not arrive in its seat knows more of why.
    void answer().then(async () => this.#close((await this.#moved) ?? ended));
  }

  /** Its seat has let go of it. */
  stopped(): void {
    if (!this.alive) return;
    this.#state = 'stopped';
    this.#seat?.drop(null);
    this.#close(this.refusal);
  }

  #close(why: Error): void {
    this.calls.fail(why);
    this.#closing.resolve();
  }
}
