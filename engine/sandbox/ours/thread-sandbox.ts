import type { End } from '../../api/ends.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { Serial } from '../../base/time/serial.ts';
import { MAX_COLUMNS } from './direct-script.ts';
import { SandboxEndedError } from '../contract/errors.ts';
import { MAX_VARIABLES } from '../hosts/host-line.ts';
import { Journal, type PastCall } from '../wire/journal.ts';
import { OutboundBatch } from '../wire/outbound.ts';
import type { ScriptPast } from '../hosts/remote-sandbox.ts';
import { unlessBusy } from '../contract/report-wait.ts';
import { NO_RESULT, trustedResultOf } from '../wire/result.ts';
import { NO_USE, ScriptCounters } from '../calls/script-counters.ts';
import type { Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState } from '../contract/types.ts';
import { ThreadLostError, type ScriptThread, type ThreadAnswer } from './script-thread.ts';
import type { ThreadPool } from './thread-pool.ts';

/** Code units of text in a batch, above which a sandbox takes it: what a decoder makes of it may be more than a thread can be held to. */
const MOST_TEXT = 1 << 21;

type ProcessCall = PastCall & { readonly kind: 'process' };

/** A script in a thread. */
interface Place {
  readonly thread: ScriptThread;
  readonly script: number;
}

/** Result of a call, with what is to be noted of it in its turn. */
interface Done {
  readonly result: SandboxResult;
  readonly rows: number;
  readonly answer: ThreadAnswer;
}

interface Waiting {
  readonly resolve: (result: SandboxResult | Promise<SandboxResult>) => void;
  readonly reject: (error: unknown) => void;
}

/** Counts and starts of a script that is to run in threads. */
export interface ThreadSandboxOptions {
  readonly spec: SandboxSpec;
  readonly pool: ThreadPool;
  /** Reads the script, with all that it imports. */
  readonly code: () => string;
  /** Counts of what it did elsewhere. */
  readonly counters?: ScriptCounters;
  /** Starts the sandbox that may go on. */
  readonly start: (past: ScriptPast) => Promise<Sandbox>;
}

/**
 * A bundled decoder that keeps nothing from one record to the next, in a thread of this process. When its thread ends, its calls are repeated: the one that was
 * under way, and all behind it, in a sandbox, as is one in which the script does more than our own code does; those of the other scripts of the thread in
 * another thread. Answers come in the order of the calls.
 */
export class ThreadSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly isHere = true;
  readonly #pool: ThreadPool;
  readonly #code: ThreadSandboxOptions['code'];
  readonly #counters: ScriptCounters;
  readonly #start: ThreadSandboxOptions['start'];
  readonly #variables = new Set(['Payload']);
  readonly #turns = new Serial();
  readonly #waiting = new Set<Waiting>();
  #place: Promise<Place | null>;
  /** The one that goes on, and its promise. */
  #sandbox: Sandbox | null = null;
  #starting: Promise<Sandbox> | null = null;
  #isStopped = false;
  #endedBy: End | null = null;
  #calls = 0;
  #workUs = 0;

  /** Starts it in a thread; null: its script does not load there. */
  static async start(options: ThreadSandboxOptions): Promise<ThreadSandbox | null> {
    const place = await placeIn(options);
    return place === null ? null : new ThreadSandbox(options, place);
  }

  private constructor({ spec, pool, code, counters = new ScriptCounters(), start }: ThreadSandboxOptions, place: Place) {
    this.spec = spec;
    this.#pool = pool;
    this.#code = code;
    this.#counters = counters;
    this.#start = start;
    this.#place = Promise.resolve(place);
  }

  get state(): SandboxState {
    if (this.#endedBy !== null) return 'terminated';
    return this.#sandbox?.state ?? (this.#isStopped ? 'stopped' : 'running');
  }

  get workMs(): number {
    return this.#workUs / 1000 + (this.#sandbox?.workMs ?? 0);
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    if (this.#isStopped || this.#endedBy !== null) return Promise.reject(this.#endError());
    const call: ProcessCall = { kind: 'process', id: ++this.#calls, batch, selection, clock: undefined };
    const done = this.#starting === null ? this.#inThread(call) : Promise.resolve(null);
    const { promise, resolve, reject } = Promise.withResolvers<SandboxResult>();
    const waiting = { resolve, reject };
    this.#waiting.add(waiting);
    void this.#turns.run(() => this.#settle(call, done, waiting));
    return promise;
  }

  timer(): Promise<SandboxResult> {
    return Promise.resolve(NO_RESULT);
  }

  async report(): Promise<SandboxReport> {
    if (this.#starting !== null) return (await this.#starting).report();
    await this.#measure();
    return this.#counters.report(this.spec, this.state, this.#counters.lastReport);
  }

  terminate(end: End): void {
    if (this.state !== 'running') return;
    this.#endedBy = end;
    this.#counters.noteError(end.reason);
    const [first, ...others] = this.#waiting;
    this.#waiting.clear();
    first?.resolve({ ...NO_RESULT, terminated: { ...end, row: -1 } });
    for (const { reject } of others) reject(this.#endError());
    this.#sandbox?.terminate?.(end);
    void this.#drop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turns.idle();
    await this.#drop();
    await (await this.#starting?.catch(() => null))?.stop();
  }

  async #drop(): Promise<void> {
    const place = await this.#place;
    place?.thread.drop(place.script);
  }

  #endError(): SandboxEndedError {
    const why = this.#endedBy === null ? 'was stopped' : `has ended: ${this.#endedBy.reason}`;
    return new SandboxEndedError(`sandbox ${this.spec.name} ${why}`, this.#endedBy);
  }

  /** Answers a call in its turn: nothing that comes behind one that a sandbox serves counts, as that may be its end. */
  async #settle(call: ProcessCall, underWay: Promise<Done | null>, waiting: Waiting): Promise<void> {
    const done = this.#starting === null ? await underWay : null;
    if (!this.#waiting.delete(waiting)) return;
    if (done === null) return waiting.resolve(this.#apart(call));
    const { result, rows, answer } = done;
    this.#counters.count(result, rows);
    this.#countWork(answer, rows);
    waiting.resolve(result);
  }

  /** The result of a call from a thread; null: a sandbox is to serve it. */
  async #inThread(call: ProcessCall): Promise<Done | null> {
    try {
      for (;;) {
        const place = await this.#placed();
        if (place === null) return null;
        const done = await this.#processIn(place, call);
        if (done !== 'lost') return done;
      }
    } catch {
      // The sandbox says what is wrong with it.
      return null;
    }
  }

  /** 'lost': the thread has ended before it came to the call. */
  async #processIn({ thread, script }: Place, call: ProcessCall): Promise<Done | null | 'lost'> {
    const sent = new OutboundBatch(call.batch, call.selection);
    try {
      const answer = await thread.process(script, sent, {
        variables: this.#variables,
        mostText: MOST_TEXT,
        allowedMs: this.spec.limits.callMs,
      });
      const made = answer?.result ?? null;
      if (answer === null || made === null) return null;
      const { result, head } = trustedResultOf(this.spec, call, made, sent);
      if (head.ended !== null || head.fields.length > MAX_COLUMNS) return null;
      for (const name of head.used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
      return { result, rows: sent.length, answer };
    } catch (error) {
      if (error instanceof ThreadLostError && !error.wasUnderWay) return 'lost';
      throw error;
    }
  }

  /** Its place in a thread, in another one when that has ended; null: it does not load there. */
  async #placed(): Promise<Place | null> {
    const last = this.#place;
    const place = await last;
    if (place?.thread.isLost !== true) return place;
    if (this.#place === last) this.#place = placeIn({ spec: this.spec, pool: this.#pool, code: this.#code });
    return this.#place;
  }

  #countWork({ work: { ms, cpu } }: ThreadAnswer, rows: number): void {
    const { calls, nanoseconds } = this.#counters.lastReport;
    const all = { calls: calls + rows, nanoseconds: nanoseconds + ms * 1e6 };
    const times = { samples: all.calls, nanoseconds: all.nanoseconds, profileSamples: 0, profileNanoseconds: 0 };
    this.#counters.lastReport = { ...this.#counters.lastReport, ...all, times };
    this.#workUs += cpu;
  }

  /** Measures its memory as an equal share of that of its thread: V8 does not tell the memory of one script. */
  async #measure(): Promise<void> {
    const place = await this.#place;
    if (place === null || place.thread.isLost || this.state !== 'running') return this.#noteMemory(0, 0);
    const { thread } = place;
    const measured = thread.memory().then(
      ({ now, before }) => this.#noteMemory(Math.max(0, Math.ceil((now - before) / Math.max(1, thread.scripts))), now),
      () => undefined,
    );
    await unlessBusy(measured, { isBusy: () => thread.open > 1, otherwise: () => undefined });
  }

  #noteMemory(memory: number, isolate: number): void {
    const { lastReport } = this.#counters;
    this.#counters.lastReport = { ...lastReport, memory, isolate, memoryMaximum: Math.max(memory, lastReport.memoryMaximum) };
  }

  async #apart(call: ProcessCall): Promise<SandboxResult> {
    if (this.#starting === null) {
      void this.#drop();
      this.#counters.lastReport = NO_USE;
      this.#starting = this.#start({ journal: new Journal(null), counters: this.#counters, answered: 0 });
    }
    const sandbox = (this.#sandbox = await this.#starting);
    return sandbox.process(call.batch, call.selection);
  }
}

async function placeIn({ spec, pool, code }: Pick<ThreadSandboxOptions, 'spec' | 'pool' | 'code'>): Promise<Place | null> {
  try {
    const text = code();
    const thread = pool.pick();
    const script = await thread.load(spec, text);
    return script === null ? null : { thread, script };
  } catch {
    // It is not as it was shipped, or the thread has ended meanwhile, perhaps by this very script: the sandbox that is started instead knows.
    return null;
  }
}
