import type { End } from '../../api/ends.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { ClockKind } from '../../message/types.ts';
import { SandboxEndedError } from '../contract/errors.ts';
import { Journal, type PastCall } from '../wire/journal.ts';
import type { SavedScript } from '../wire/preservation.ts';
import type { ScriptPast } from '../hosts/remote-sandbox.ts';
import { NO_RESULT } from '../wire/result.ts';
import { NO_USE, ScriptCounters } from '../calls/script-counters.ts';
import type { Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState } from '../contract/types.ts';
import { DirectScript, type Served } from './direct-script.ts';

/** Batches that whoever has many is to give before the first result: calls are served together, and a thread that looks after the time is started for all of them. */
export const DIRECT_BATCHES = 16;
/** Calls are served at once when so many wait, or messages of them: the start of that thread takes as long as a thousand messages. */
const MOST_WAITING = { calls: 512, rows: 1 << 15 };
/** Milliseconds without a further call after which those that wait are served. */
const QUIET_MS = 1;
/** A state is had after so many calls, or messages of them: the batches of all calls since then are held. */
const STATE_DUE = { calls: 8, rows: 1 << 14 };
/** The share of a script's memory limit that its state may take here. One with more goes on in a sandbox, where the limit is held exactly. */
const STATE_SHARE = 1 / 8;

/** Characters of records after which a decoder goes on in a thread: less is read before that has started. */
const LONG_INPUT = 1 << 20;

/** The way into a thread of its own for a decoder that has much to read. */
export interface Onward {
  /** Starts it in one, with its counts so far; null: it does not start. */
  start(counters: ScriptCounters): Promise<Sandbox | null>;
}

export interface DirectSandboxOptions {
  /** Reads the script, with all that it imports. */
  readonly code: () => string;
  /** SIGINT breaks calls. */
  readonly interruptible: boolean;
  /** Absent: it stays here. */
  readonly onward?: Onward | undefined;
}

interface Waiting {
  readonly call: PastCall;
  readonly resolve: (result: SandboxResult | Promise<SandboxResult>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A bundled script that runs in this process. Where something goes beyond what our own code does, it goes on in a sandbox with the call in which that was: from
 * the state that it had before, unless it is a decoder that needs nothing of earlier calls.
 */
export class DirectSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly isHere = true;
  readonly #counters = new ScriptCounters();
  readonly #start: (past?: ScriptPast) => Promise<Sandbox>;
  /** null: nothing of earlier calls is needed. */
  readonly #journal: Journal | null;
  #script: DirectScript | null;
  /** The one that goes on, and its promise. */
  #sandbox: Sandbox | null = null;
  #starting: Promise<Sandbox> | null = null;
  #waiting: Waiting[] = [];
  /** Messages of the calls that wait. */
  #rows = 0;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #endedBy: End | null = null;
  #calls = 0;
  #answered = 0;
  #clock: ClockKind | undefined;
  /** null: it stays here, or is on its way. */
  #onward: Onward | null;
  /** Characters of the records so far. */
  #length = 0;

  /**
   * @param start starts the sandbox that may go on
   * @throws {InterruptedError}; {Error} when the script does not load here
   */
  constructor(spec: SandboxSpec, start: (past?: ScriptPast) => Promise<Sandbox>, { code, interruptible, onward }: DirectSandboxOptions) {
    this.spec = spec;
    this.#start = start;
    this.#journal = spec.kind === 'decoder' && spec.stateless === true ? null : new Journal(null, STATE_DUE);
    this.#onward = this.#journal === null ? (onward ?? null) : null;
    this.#script = new DirectScript(spec, code(), interruptible);
  }

  get state(): SandboxState {
    if (this.#endedBy !== null) return 'terminated';
    return this.#sandbox?.state ?? (this.#isStopped ? 'stopped' : 'running');
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    const answer = this.#add({ kind: 'process', id: ++this.#calls, batch, selection, clock: this.#clock });
    if (this.#onward !== null) this.#lookFurther(this.#onward, batch);
    this.#serveInTime();
    return answer;
  }

  timer(ns: bigint): Promise<SandboxResult> {
    if (this.spec.kind === 'decoder') return Promise.resolve(NO_RESULT);
    const answer = this.#add({ kind: 'timer', id: ++this.#calls, ns });
    this.#serveInTime();
    return answer;
  }

  useClock(clock: ClockKind): void {
    this.#clock = clock;
  }

  async report(): Promise<SandboxReport> {
    return this.#starting === null ? this.#counters.report(this.spec, this.state, NO_USE) : (await this.#starting).report();
  }

  terminate(end: End): void {
    if (this.state !== 'running') return;
    this.#endedBy = end;
    this.#counters.noteError(end.reason);
    this.#script = null;
    const [first, ...others] = this.#take();
    first?.resolve({ ...NO_RESULT, terminated: { ...end, row: -1 } });
    for (const { reject } of others) reject(this.#endError());
    this.#sandbox?.terminate?.(end);
  }

  async stop(): Promise<void> {
    this.#serve();
    this.#isStopped = true;
    this.#script = null;
    await (await this.#starting?.catch(() => null))?.stop();
  }

  #add(call: PastCall): Promise<SandboxResult> {
    if (this.#isStopped || this.#endedBy !== null) return Promise.reject(this.#endError());
    if (this.#script === null) return this.#apart(call);
    this.#rows += rowsOf(call);
    return new Promise((resolve, reject) => this.#waiting.push({ call, resolve, reject }));
  }

  #endError(): SandboxEndedError {
    const why = this.#endedBy === null ? 'was stopped' : `has ended: ${this.#endedBy.reason}`;
    return new SandboxEndedError(`sandbox ${this.spec.name} ${why}`, this.#endedBy);
  }

  /** Goes on elsewhere when there is much to read: until that has started it is read here. */
  #lookFurther(onward: Onward, { payload }: MessageBatch): void {
    if (payload !== null && payload.constant === undefined) this.#length += payload.text.length;
    if (this.#length < LONG_INPUT) return;
    this.#onward = null;
    void onward.start(this.#counters).then((sandbox) => {
      if (sandbox === null) return;
      if (this.#script === null) return sandbox.stop();
      this.#serve();
      this.#script = null;
      this.#sandbox = sandbox;
      this.#starting ??= Promise.resolve(sandbox);
      return undefined;
    });
  }

  #serveInTime(): void {
    if (this.#waiting.length === 0) return;
    if (this.#waiting.length >= MOST_WAITING.calls || this.#rows >= MOST_WAITING.rows) this.#serve();
    else if (this.#timer === null) this.#timer = setTimeout(() => this.#serve(), QUIET_MS);
    else this.#timer.refresh();
  }

  #take(): readonly Waiting[] {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#rows = 0;
    return waiting;
  }

  /** Serves the calls that wait. */
  #serve(): void {
    const waiting = this.#take();
    if (waiting.length === 0) return;
    const from = performance.now();
    const served = this.#served(waiting);
    if (served === null) return;
    this.#countTime(waiting.slice(0, served.length), performance.now() - from);
    if (served.length < waiting.length) this.#script = null;
    for (const [i, { call, resolve }] of waiting.entries()) {
      const result = served[i]?.result;
      if (result !== undefined) this.#counters.count(result, rowsOf(call));
      resolve(result ?? this.#apart(call));
    }
  }

  /** The results as far as they come from here; null: the user ends the process, and all that wait know it. */
  #served(waiting: readonly Waiting[]): readonly Served[] | null {
    try {
      const from = performance.now();
      const served = this.#script?.serve(waiting.map(({ call }) => call)) ?? [];
      if (this.#journal !== null) this.#keep(this.#journal, waiting, served, (performance.now() - from) * 1000);
      return served;
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return null;
    }
  }

  /** Notes what was done, and has the state when it is time to. @param microseconds that all calls have taken */
  #keep(journal: Journal, waiting: readonly Waiting[], served: readonly Served[], microseconds: number): void {
    let isDue = false;
    for (const [i, { globals }] of served.entries()) {
      const { call } = waiting[i] as Waiting;
      this.#answered = call.id;
      isDue = journal.add(call, globals, microseconds / served.length) || isDue;
    }
    // After a call that has failed the state is that of no number of calls.
    if (!isDue || served.length < waiting.length) return;
    const from = performance.now();
    const state = this.#script?.state() ?? null;
    journal.saved(state, (performance.now() - from) * 1000);
    if (state !== null && this.#isTooLarge(state)) this.#script = null;
  }

  #isTooLarge({ text, block }: SavedScript): boolean {
    const { memory } = this.spec.limits;
    return memory > 0 && text.byteLength + block.byteLength > memory * STATE_SHARE;
  }

  /** The average of a call counts what the engine does around it, too. */
  #countTime(done: readonly Waiting[], milliseconds: number): void {
    const { calls, nanoseconds } = this.#counters.lastReport;
    const rows = done.reduce((sum, { call }) => sum + rowsOf(call), 0);
    this.#counters.lastReport = { ...NO_USE, calls: calls + rows, nanoseconds: nanoseconds + milliseconds * 1e6 };
  }

  async #apart(call: PastCall): Promise<SandboxResult> {
    this.#starting ??= this.#start(
      this.#journal === null ? undefined : { journal: this.#journal, counters: this.#counters, answered: this.#answered },
    );
    const sandbox = (this.#sandbox = await this.#starting);
    if (call.kind === 'timer') return sandbox.timer(call.ns);
    if (call.clock !== undefined) sandbox.useClock?.(call.clock);
    return sandbox.process(call.batch, call.selection);
  }
}

const rowsOf = (call: PastCall): number => (call.kind === 'timer' ? 0 : (call.selection?.length ?? call.batch.length));
