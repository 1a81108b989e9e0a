import type { PreparedText } from '../../base/product/prepared.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { backingOf } from '../../message/latin-text.ts';
import { pastOf, type Call, type ProcessCall, type WorkCall } from '../calls/calls.ts';
import { NO_USE } from '../calls/script-counters.ts';
import type { Seat, Session } from '../calls/session.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import { keepsNothing } from '../contract/types.ts';
import type { ThreadSeat } from './thread-seat.ts';
import { DirectScript, isLargeState, type Served } from './direct-script.ts';

/** Batches that whoever has many is to give before the first result: calls are served together, and a thread that looks after the time is started for all of them. */
export const DIRECT_BATCHES = 16;
/** Calls are served at once when so many wait, or messages of them: the start of that thread takes as long as a thousand messages. */
const MOST_WAITING = { calls: 512, rows: 1 << 15 };
/** Milliseconds without a further call after which those that wait are served. */
const QUIET_MS = 1;
/** A script goes on in a thread after so many characters of records, if it is a decoder, or messages; or after calls were served so many times, as each starts one that looks after the clock. */
const MUCH = { characters: 480 << 10, rows: 1 << 13, turns: 8 };
/** Characters of records in a call on average, from which on whoever gives them to a decoder reads what there is, and waits for nothing. */
const BULK = 1 << 16;
/** Messages of a call on average, below which it stays: the way to a thread and back would take longer than the call. */
const FEW_ROWS = 64;

interface HereOptions {
  /** The script, with all that it imports. */
  readonly code: PreparedText;
  /** SIGINT breaks calls. */
  readonly interruptible: boolean;
  /** Has a seat in a thread for a script that has much to do; null: it does not load there. Absent: it stays here. */
  readonly onward?: ((session: Session) => Promise<ThreadSeat | null>) | undefined;
}

/**
 * A bundled script that runs in this process. Where something goes beyond what our own code does, it goes on in a sandbox with the call in which that was: from
 * the state that it had before, unless it is a decoder that needs nothing of earlier calls.
 */
export class HereSeat implements Seat {
  readonly #session: Session;
  /** null: it has left, or is to with the next call. */
  #script: DirectScript | null;
  #waiting: WorkCall[] = [];
  /** Messages of the calls that wait. */
  #rows = 0;
  #timer: NodeJS.Timeout | null = null;
  /** undefined: it stays here, or is on its way. */
  #onward: HereOptions['onward'];
  /** It is about to go on in a thread: calls wait for that. */
  #isPacking = false;
  /** Its work so far. */
  readonly #work = { calls: 0, rows: 0, characters: 0 };
  /** Times that calls were served. */
  #turns = 0;

  /** @throws {InterruptedError}; {Error} when the script does not load here */
  constructor(session: Session, { code, interruptible, onward }: HereOptions) {
    this.#session = session;
    // An encoder reads all of a message: the way to a thread takes longer than the work.
    this.#onward = session.spec.kind === 'encoder' ? undefined : onward;
    this.#script = new DirectScript(session.spec, code, interruptible);
  }

  serve(call: Call): void {
    if (this.#script === null) return this.#session.moveOn();
    const work = call as WorkCall;
    this.#waiting.push(work);
    this.#rows += rowsOf(work);
    if (this.#onward !== undefined && work.kind === 'process') this.#lookFurther(this.#onward, work);
    if (this.#isPacking) return;
    if (this.#waiting.length >= MOST_WAITING.calls || this.#rows >= MOST_WAITING.rows) this.#serveAll();
    else if (this.#timer === null) this.#timer = setTimeout(() => this.#serveAll(), QUIET_MS);
    else this.#timer.refresh();
  }

  use(): Promise<ReportedHead> {
    return Promise.resolve(NO_USE);
  }

  drop(): void {
    this.#take();
    this.#script = null;
  }

  async leave(): Promise<void> {
    this.#serveAll();
    this.#script = null;
  }

  /**
   * Goes on in a thread when there is much to do. Until that has started, calls wait: the code of a script is not compiled twice. The first records of a bulk
   * are decoded meanwhile, and those that come bit by bit, as someone may wait to see them.
   */
  #lookFurther(onward: NonNullable<HereOptions['onward']>, call: ProcessCall): void {
    const { spec, journal } = this.#session;
    const work = this.#work;
    work.calls++;
    work.rows += rowsOf(call);
    work.characters += charactersOf(call.batch);
    const isMuch = spec.kind === 'decoder' ? work.characters >= MUCH.characters : work.rows >= MUCH.rows;
    if (!isMuch && this.#turns < MUCH.turns) return;
    if (!keepsNothing(spec) && work.rows < FEW_ROWS * work.calls) return;
    this.#onward = undefined;
    const leaving = onward(this.#session);
    const isBulk = keepsNothing(spec) && work.characters >= BULK * work.calls;
    if (isBulk) this.#serveAll();
    this.#isPacking = isBulk || (!keepsNothing(spec) && journal.isWhole);
    void leaving.then((seat) => this.#leaveFor(seat));
  }

  /** @param seat null: there is none, and it stays */
  #leaveFor(seat: ThreadSeat | null): void {
    const { journal } = this.#session;
    if (seat === null || !this.#isPacking) this.#serveAll();
    this.#isPacking = false;
    if (seat === null) return;
    if (this.#script === null || !journal.isWhole) return seat.drop();
    this.drop();
    // Repeated calls restore the state of the script there.
    seat.repeat(journal.calls);
    this.#session.sit(seat);
  }

  #take(): readonly WorkCall[] {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#rows = 0;
    return waiting;
  }

  /** Serves the calls that wait. */
  #serveAll(): void {
    const waiting = this.#take();
    if (waiting.length === 0) return;
    this.#turns++;
    const { calls } = this.#session;
    const from = performance.now();
    try {
      const served = this.#script?.serve(waiting) ?? [];
      if (!keepsNothing(this.#session.spec)) this.#keep(waiting, served, (performance.now() - from) * 1000);
      this.#countTime(waiting.slice(0, served.length), performance.now() - from);
      for (const [i, { result }] of served.entries()) {
        const call = waiting[i] as WorkCall;
        calls.take(call.kind, call.id);
        this.#session.answered(call, result, result.done ?? rowsOf(call));
      }
      if (served.length === waiting.length) return;
      this.#script = null;
      this.#session.moveOn();
    } catch (error) {
      // The user ends the process, and all that wait know it.
      calls.fail(error as Error);
    }
  }

  /** Notes what was done, and has the state when it is time to. @param microseconds that all calls have taken */
  #keep(waiting: readonly WorkCall[], served: readonly Served[], microseconds: number): void {
    const { journal } = this.#session;
    let isDue = false;
    for (const [i, { result, globals }] of served.entries()) {
      isDue = journal.add(pastOf(waiting[i] as WorkCall, result.done), globals, microseconds / served.length) || isDue;
    }
    // After a call that has failed the state is that of no number of calls.
    if (!isDue || served.length < waiting.length) return;
    const from = performance.now();
    const state = this.#script?.state() ?? null;
    journal.saved(state, (performance.now() - from) * 1000);
    if (state !== null && isLargeState(this.#session.spec, state)) this.#script = null;
  }

  /** The average of a call counts what the engine does around it, too. */
  #countTime(done: readonly WorkCall[], milliseconds: number): void {
    const { counters } = this.#session;
    const { calls, nanoseconds } = counters.lastReport;
    const rows = done.reduce((sum, call) => sum + rowsOf(call), 0);
    counters.lastReport = { ...NO_USE, calls: calls + rows, nanoseconds: nanoseconds + milliseconds * 1e6 };
  }
}

const charactersOf = ({ payload }: MessageBatch): number =>
  payload === null || payload.constant !== undefined ? 0 : backingOf(payload).length;
const rowsOf = (call: WorkCall): number => (call.kind === 'timer' ? 0 : (call.selection?.length ?? call.batch.length));
