import type { PreparedText } from '../../base/product/prepared.ts';
import { Serial } from '../../base/time/serial.ts';
import type { Call, WorkCall } from '../calls/calls.ts';
import { NO_USE } from '../calls/script-counters.ts';
import type { Seat, Session } from '../calls/session.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import { unlessBusy } from '../contract/report-wait.ts';
import type { SandboxResult, SandboxSpec } from '../contract/types.ts';
import { MAX_VARIABLES } from '../hosts/host-line.ts';
import { OutboundBatch } from '../wire/outbound.ts';
import { trustedResultOf } from '../wire/result.ts';
import { MAX_COLUMNS } from './direct-script.ts';
import { ThreadLostError, type ScriptThread, type ThreadAnswer } from './script-thread.ts';
import type { ThreadPool } from './thread-pool.ts';

/** Code units of text in a batch, above which a sandbox takes it: what a decoder makes of it may be more than a thread can be held to. */
const MOST_TEXT = 1 << 21;

type ProcessCall = WorkCall & { readonly kind: 'process' };

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

interface ThreadOptions {
  readonly pool: ThreadPool;
  /** Reads the script, with all that it imports. */
  readonly code: () => PreparedText;
}

/**
 * A bundled decoder that keeps nothing from one record to the next, in a thread of this process. When its thread ends, its calls are repeated: the one that was
 * under way, and all behind it, in a sandbox, as is one in which the script does more than our own code does; those of the other scripts of the thread in
 * another thread. Answers come in the order of the calls.
 */
export class ThreadSeat implements Seat {
  readonly #session: Session;
  readonly #options: ThreadOptions;
  readonly #variables = new Set(['Payload']);
  readonly #turns = new Serial();
  #place: Promise<Place | null>;
  #hasLeft = false;

  /** Loads the script in a thread; null: it does not load there. */
  static async start(session: Session, options: ThreadOptions): Promise<ThreadSeat | null> {
    const place = await placeIn(session.spec, options);
    return place === null ? null : new ThreadSeat(session, options, place);
  }

  private constructor(session: Session, options: ThreadOptions, place: Place) {
    this.#session = session;
    this.#options = options;
    this.#place = Promise.resolve(place);
  }

  serve(call: Call): void {
    const work = call as ProcessCall;
    const done = this.#inThread(work);
    void this.#turns.run(() => this.#settle(work, done));
  }

  /** Measures its memory as an equal share of that of its thread: V8 does not tell the memory of one script. */
  async use(): Promise<ReportedHead> {
    const place = await this.#place;
    if (place === null || place.thread.isLost || !this.#session.alive) return this.#noteMemory(0, 0);
    const { thread } = place;
    const known = (): ReportedHead => this.#session.counters.lastReport;
    const measured = thread
      .memory()
      .then(({ now, before }) => this.#noteMemory(Math.max(0, Math.ceil((now - before) / Math.max(1, thread.scripts))), now), known);
    return unlessBusy(measured, { isBusy: () => thread.open > 1, otherwise: known });
  }

  drop(): void {
    this.#hasLeft = true;
    void this.#place.then((place) => place?.thread.drop(place.script));
  }

  async leave(): Promise<void> {
    await this.#turns.idle();
    this.drop();
  }

  /** Answers a call in its turn: nothing that comes behind one that a sandbox serves counts, as that may be its end. */
  async #settle(call: ProcessCall, underWay: Promise<Done | null>): Promise<void> {
    const done = this.#hasLeft ? null : await underWay;
    if (this.#hasLeft) return;
    const { calls, counters } = this.#session;
    if (done === null) {
      this.drop();
      counters.lastReport = NO_USE;
      return this.#session.moveOn();
    }
    calls.take('process', call.id);
    this.#countWork(done.answer, done.rows);
    this.#session.answered(call, done.result, done.rows);
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
    const { spec } = this.#session;
    const sent = new OutboundBatch(call.batch, call.selection);
    try {
      const answer = await thread.process(script, sent, {
        variables: this.#variables,
        mostText: MOST_TEXT,
        allowedMs: spec.limits.callMs,
      });
      const made = answer?.result ?? null;
      if (answer === null || made === null) return null;
      const { result, head } = trustedResultOf(spec, call, made, sent);
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
    if (this.#place === last) this.#place = placeIn(this.#session.spec, this.#options);
    return this.#place;
  }

  #countWork({ work: { ms, cpu } }: ThreadAnswer, rows: number): void {
    const { counters } = this.#session;
    const { calls, nanoseconds } = counters.lastReport;
    const all = { calls: calls + rows, nanoseconds: nanoseconds + ms * 1e6 };
    const times = { samples: all.calls, nanoseconds: all.nanoseconds, profileSamples: 0, profileNanoseconds: 0 };
    counters.lastReport = { ...counters.lastReport, ...all, times };
    this.#session.worked(cpu);
  }

  #noteMemory(memory: number, isolate: number): ReportedHead {
    const { counters } = this.#session;
    const { lastReport } = counters;
    return (counters.lastReport = { ...lastReport, memory, isolate, memoryMaximum: Math.max(memory, lastReport.memoryMaximum) });
  }
}

async function placeIn(spec: SandboxSpec, { pool, code }: ThreadOptions): Promise<Place | null> {
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
