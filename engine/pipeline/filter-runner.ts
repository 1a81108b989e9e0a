import type { End } from '../api/ends.ts';
import { every, type LongTimer } from '../base/time/long-timer.ts';
import type { ClockKind } from '../message/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import {
  NO_RESULT,
  type CallTimes,
  type Failure,
  type Held,
  type Sandbox,
  type SandboxResult,
  type TimedProcessor,
} from '../sandbox/contract/types.ts';
import { Serial } from '../base/time/serial.ts';
import { asOutcome, rowsAfter, withoutRow, type Outcome } from './call-outcome.ts';
import { MessageTicker, type Tick } from './clock.ts';
import type { Consumer } from './consumer.ts';
import { stepsOf } from './filter-steps.ts';
import { AckTracker } from './ack-tracker.ts';
import { comesBack, refusalOf } from './injection-rules.ts';
import { JoinedCalls } from './joined-calls.ts';
import { pluginTerminated, sandboxTerminated, type SlowFigures } from './messages.ts';
import { filterFields, outputFields, ownFields, problemField, runnerFields, sandboxFields, type PluginReport } from './plugin-report.ts';
import type { Injector } from './router.ts';
import { Subscription, type Routed, type Selection, type Selector } from './selection.ts';
import { callsToTime, isSlow, type SlowRule } from './slow-filter.ts';
import { Slots } from './slots.ts';

export interface FilterOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Only messages that are signed by this name. */
  readonly signer?: string | undefined;
  readonly sandbox: Sandbox;
  /** Of an output: what its script writes to. */
  readonly target?: OutputTarget;
  readonly router: Injector;
  /** Whole seconds between ticks; 0: none. */
  readonly tickerInterval: number;
  /** `mixed`: the wall clock, until it is sent messages of an input on the clock of the messages; from then on that, of all that it is sent. */
  readonly clock: ClockKind | 'mixed';
  readonly maxMessageLoops: number;
  /** One more tick when it is stopped. */
  readonly timerEventOnShutdown?: boolean;
  /** For a filter that was loaded while the service runs: it ends when it is slow. */
  readonly slow?: SlowRule | undefined;
  /** Keeps what it did not process when it has ended by itself: it stays in its buffer, or is read again at the next start. */
  readonly keepsRest?: boolean;
  readonly onFailures?: (failures: readonly Failure[]) => void;
  readonly onTerminated?: (end: End) => void;
  /** It has ended by itself and takes nothing more. */
  readonly onGone?: () => void;
  /** Number of messages that were waiting for it when it ended. */
  readonly onDropped?: (messages: number) => void;
  /** Told when it stops: the target did not take what came of so many messages, which no buffer keeps. */
  readonly onLeft?: ((messages: number) => void) | undefined;
}

/** The target that the script of an output writes to. */
export interface OutputTarget {
  /** Counts for reports. */
  readonly figures: Readonly<Record<string, number>>;
  /** The reason for which it takes nothing now; null: none. */
  readonly problem: string | null;
  reopen(): Promise<void>;
  closing(): void;
}

/** The reason of a filter's end, and the way in which its sandbox ends: by itself, without keeping its state, or in order. */
interface Ending {
  readonly end: End;
  readonly sandbox: 'has ended' | 'terminate' | 'stop';
  readonly slow?: SlowFigures;
}

/** Number of the messages of a batch, from the first on, that are processed. */
interface Progress {
  done: number;
  /** Number of all messages that the filter had processed then. */
  taken: number;
}

/** Batches of a filter that may be ended for being slow that are sent to its sandbox at once: the rest can be dropped. */
const SENT_AHEAD = 2;
const NOT_HELD: Held = { released: false, kept: 0 };
const NO_TIMES: CallTimes = { samples: 0, averageNs: 0 };

/**
 * Runs the script of a filter or an output: gives it the messages that it wants and its ticks, in one order, and routes what a
 * filter injects. A filter that breaks a rule of the router ends; what it injected before counts.
 */
export class FilterRunner implements Consumer {
  readonly name: string;
  readonly subscription: Subscription;
  readonly #options: FilterOptions;
  /** null: it is not, or not yet, on the clock of the messages, or has no ticks. */
  #ticker: MessageTicker | null;
  #interval: LongTimer | null;
  #waitsForClock: boolean;
  #pending = 0;
  #loop = 0;
  #ended = false;
  /** The reason for which it has ended by itself. */
  #endedBy: string | null = null;
  /** The tick that is under way. */
  #ticking: Promise<void> | null = null;
  /** Something was processed since the last tick. */
  #fresh = false;
  #tickedAt: bigint | null = null;
  /** Results are handled in the order of the calls. */
  readonly #results = new Serial();
  /** Callers that wait for calls; when it ends by itself, nobody waits for what was still to be done. */
  readonly #waiting = new Set<() => void>();
  #ending: Promise<void> = Promise.resolve();
  readonly #slots: Slots | null;
  /** null: its calls go one by one. */
  readonly #joined: JoinedCalls | null;
  readonly #acks = new AckTracker();
  #times = NO_TIMES;
  #processed = 0;
  #failures = 0;
  /** Messages that it took and did not process. */
  #dropped = 0;
  #undelivered = 0;

  constructor(options: FilterOptions) {
    this.name = options.name;
    this.#options = options;
    this.#slots = options.slow === undefined ? null : new Slots(SENT_AHEAD);
    const { matcher, signer, clock, tickerInterval, sandbox } = options;
    // Records that an output writes and holds belong to their call, and a filter that may be slow is judged after each call.
    this.#joined = sandbox.spec.kind === 'filter' && options.slow === undefined ? new JoinedCalls(sandbox) : null;
    const onMessages = clock === 'message';
    const ticks = tickerInterval > 0;
    this.#waitsForClock = clock === 'mixed';
    this.#ticker = ticks && onMessages ? new MessageTicker(tickerInterval) : null;
    this.#interval = ticks && !onMessages ? every(tickerInterval * 1000, () => this.#wallTick()) : null;
    // Where all inputs are on the clock of the messages, all their messages say the time; else those of inputs on that clock do.
    const everyBatch = (routed: Routed): boolean => this.#ticker !== null && (onMessages || routed.clock === 'message');
    this.subscription = new Subscription({ matcher, signer, everyBatch });
  }

  get pending(): number {
    return this.#ended ? 0 : this.#pending;
  }

  get ended(): boolean {
    return this.#ended;
  }

  async submit(selection: Selection): Promise<void> {
    await this.#processAll(selection);
  }

  async take(selection: Selection): Promise<{ readonly safe: Promise<void> }> {
    const { done, taken } = await this.#processAll(selection);
    return { safe: this.#acks.safe(done, taken) };
  }

  async #processAll(selection: Selection): Promise<Progress> {
    const { batch, rows, loop } = selection;
    const progress: Progress = { done: 0, taken: 0 };
    const left = this.#endedBy === null ? null : this.#left(0);
    if (left !== null && rows?.length !== 0) throw left;
    if (this.#ended) return progress;
    if (this.#waitsForClock && selection.clock === 'message' && rows?.length !== 0) this.#followMessages();
    const ticks = this.#ticksOf(selection);
    if (ticks.length === 0 && rows?.length === 0) return progress;
    this.#pending++;
    const steps: Promise<void>[] = [];
    for (const step of stepsOf(batch.length, rows, ticks)) {
      steps.push('ns' in step ? this.#timer(step.ns) : this.#process(batch, step.rows, loop, progress));
    }
    await this.#orOver(Promise.all(steps), progress).finally(() => this.#pending--);
    return progress;
  }

  /** The ticks during a batch. Injected messages carry the time of their making, so only an input's messages move the clock. */
  #ticksOf({ batch, rows, injected, clock }: Selection): readonly Tick[] {
    if (injected || this.#ticker === null) return [];
    // Batches on the wall clock that do not concern the filter say nothing of the time of its messages.
    if (this.#options.clock === 'message' || clock === 'message' || rows === null) return this.#ticker.advance(batch.timestamps);
    const timestamps = BigInt64Array.from(rows, (row) => batch.timestamps[row] as bigint);
    return this.#ticker.advance(timestamps).map(({ row, ns }) => ({ row: rows[row] ?? batch.length, ns }));
  }

  /** Leaves the wall clock for that of the messages. */
  #followMessages(): void {
    const { tickerInterval } = this.#options;
    this.#waitsForClock = false;
    this.#interval?.cancel();
    this.#interval = null;
    if (tickerInterval > 0) this.#ticker = new MessageTicker(tickerInterval);
    this.#calls.useClock?.('message');
  }

  /** The same, but over when the filter ends. A race with one promise for all calls would keep something of each call for ever. */
  #orOver(work: Promise<unknown>, progress: Progress): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const left = this.#left(progress.done);
        if (left === null) resolve();
        else reject(left);
      };
      this.#waiting.add(leave);
      void work.then(() => resolve(), reject).finally(() => this.#waiting.delete(leave));
    });
  }

  /** Error for the messages of a batch from number `done` on, when they are to be kept after the filter's end; null: they are dropped. */
  #left(done: number): NotDeliveredError | null {
    if (this.#options.keepsRest !== true) return null;
    return new NotDeliveredError(`it has ended: ${this.#endedBy ?? ''}`, false, { done });
  }

  /** On the message clock: a tick at the messages' time, when something has come since the last one. */
  idle(): Promise<boolean> {
    return this.#tickIfFresh(() => this.#ticker?.now ?? null);
  }

  /** The same on either clock: for a window, which is not to wait for the next tick. */
  refresh(): void {
    void this.#tickIfFresh(() => (this.#interval === null ? (this.#ticker?.now ?? null) : nowNs()));
  }

  async #tickIfFresh(time: () => bigint | null): Promise<boolean> {
    // A tick under way does not include messages that arrive during it, and there may be no later request: wait and tick again.
    while (time() !== null && this.#fresh && this.#ticking !== null) await this.#ticking;
    const now = time();
    if (now === null || !this.#fresh || this.#ended) return false;
    await this.#tick(now);
    return true;
  }

  async report(capacity: number): Promise<PluginReport> {
    const report = await this.#options.sandbox.report();
    const { target } = this.#options;
    const written = { ...ownFields(target?.figures), ...problemField(target?.problem) };
    const more = this.#isOutput ? { ...outputFields(report), ...written } : filterFields(report);
    return { name: this.name, fields: { ...runnerFields(this.#pending, capacity, this.subscription), ...sandboxFields(report), ...more } };
  }

  get #calls(): TimedProcessor {
    return this.#joined ?? this.#options.sandbox;
  }

  get #isOutput(): boolean {
    return this.#options.sandbox.spec.kind === 'output';
  }

  async reopen(): Promise<void> {
    await this.#options.target?.reopen();
  }

  closing(): void {
    this.#options.target?.closing();
  }

  async stop(): Promise<void> {
    this.#interval?.cancel();
    if (this.#options.timerEventOnShutdown === true && !this.#ended) this.#lastTick();
    await this.#results.idle();
    await this.#ending;
    this.#ended = true;
    await this.#options.sandbox.stop();
    this.#acks.end();
    if (this.#undelivered > 0) this.#options.onLeft?.(this.#undelivered);
  }

  /** The tick when the service stops, unless there was one at the same time already with nothing since then. */
  #lastTick(): void {
    const now = this.#ticker?.now ?? nowNs();
    if (this.#fresh || now !== this.#tickedAt) void this.#tick(now);
  }

  #wallTick(): void {
    if (!this.#ended && this.#ticking === null) void this.#tick(nowNs());
  }

  /** Resolves when what came of it has been through. */
  #tick(ns: bigint): Promise<void> {
    // Waits no longer than the filter lives: a stopping service may no longer take what the tick injects.
    const ticking = this.#orOver(this.#timer(ns), { done: 0, taken: 0 })
      .catch(() => undefined)
      .finally(() => (this.#ticking = null));
    this.#ticking = ticking;
    return ticking;
  }

  #process(batch: MessageBatch, rows: Uint32Array | null, loop: number, progress: Progress): Promise<void> {
    this.#fresh = true;
    const { slow } = this.#options;
    const timed = slow === undefined ? 0 : callsToTime(slow, this.#pending, this.#times);
    const messages = rows?.length ?? batch.length;
    const call = (): Promise<SandboxResult> => (timed > 0 ? this.#calls.process(batch, rows, timed) : this.#calls.process(batch, rows));
    return this.#enqueue(call, messages, (result) => {
      this.#loop = loop;
      const missed = result.terminated === null ? 0 : rowsAfter(result.terminated.row, batch.length, rows);
      const done = result.terminated === null ? messages : Math.max(0, messages - missed - 1);
      this.#acks.note(done, result.held ?? NOT_HELD);
      progress.done += done;
      progress.taken = this.#acks.taken;
      this.#dropped += missed;
      this.#processed += messages - missed;
      this.#failures += result.failures.length;
    });
  }

  #timer(ns: bigint): Promise<void> {
    this.#fresh = false;
    this.#tickedAt = ns;
    return this.#enqueue(
      () => this.#calls.timer(ns),
      0,
      ({ held = NOT_HELD }) => this.#acks.note(0, held),
    );
  }

  /** Handles a call's result after those of the calls before it; what it injects may then go around on its own. */
  async #enqueue(call: () => Promise<SandboxResult>, messages: number, before: (result: SandboxResult) => void): Promise<void> {
    let caused: Promise<void> = Promise.resolve();
    let undelivered: NotDeliveredError | undefined;
    const settled = this.#send(call).catch(asOutcome);
    const turn = this.#results.run(async () => {
      const result = await settled;
      if (this.#ended) {
        this.#dropped += messages;
        return;
      }
      ({ undelivered } = result);
      if (undelivered === undefined) {
        before(result);
        caused = this.#absorb(result);
      } else if (undelivered.final)
        caused = this.#end({
          end: { code: 'output.undelivered', reason: undelivered.message, said: undelivered.message },
          sandbox: 'stop',
        });
    });
    void turn.then(() => this.#slots?.free());
    await turn;
    await caused;
    if (undelivered === undefined) return;
    this.#undelivered += messages - undelivered.done;
    throw undelivered;
  }

  async #send(call: () => Promise<SandboxResult>): Promise<Outcome> {
    await this.#slots?.take();
    return this.#ended ? NO_RESULT : call();
  }

  async #absorb(result: SandboxResult): Promise<void> {
    if (result.failures.length > 0) this.#options.onFailures?.(result.failures);
    const refusal = result.injected === null ? null : refusalOf(this.#options, this.#loop, result.injected);
    const allowed = refusal === null ? result.injected : refusal.allowed;
    const done: Promise<void>[] = [];
    if (allowed !== null && allowed.length > 0) done.push(this.#options.router.inject(allowed, this.#loop + 1));
    if (refusal !== null) done.push(this.#end({ end: refusal.end, sandbox: 'terminate' }));
    else if (result.terminated !== null) done.push(this.#end({ end: withoutRow(result.terminated), sandbox: 'has ended' }));
    else done.push(this.#judge(result));
    await Promise.all(done);
  }

  /** Ends the filter when it is slow and inputs wait for it. */
  async #judge({ times }: SandboxResult): Promise<void> {
    const { slow, router } = this.#options;
    if (slow === undefined || times === undefined) return;
    this.#times = times;
    const { averageNs: matchNs } = this.subscription;
    if (!isSlow(slow, this.#pending, times, matchNs)) return;
    const waiting = { FilterChanLength: this.#pending, MatchChanLength: 0, RouterChanLength: router.pending };
    const reason =
      `the sandbox is slow and blocks the router: process_message takes ${times.averageNs} ns and matching ${Math.trunc(matchNs)} ns on ` +
      `average, and max_process_duration is ${slow.maxProcessDuration}`;
    const figures = { ProcessMessageCount: this.#processed, ProcessMessageFailures: this.#failures, ProcessMessageSamples: times.samples };
    const averages = { ProcessMessageAvgDuration: times.averageNs, MatchAvgDuration: matchNs };
    const end: End = { code: 'filter.slow', reason, limit: slow.maxProcessDuration };
    await this.#end({ end, sandbox: 'stop', slow: { ...figures, ...averages, ...waiting } });
  }

  #end(ending: Ending): Promise<void> {
    this.#ended = true;
    this.#endedBy = ending.end.reason;
    this.#interval?.cancel();
    const { sandbox, keepsRest, onTerminated, onGone, onDropped } = this.#options;
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    this.#ending = settled;
    const { end } = ending;
    if (ending.sandbox === 'terminate') sandbox.terminate?.(end);
    const stopped = ending.sandbox === 'has ended' ? Promise.resolve() : sandbox.stop();
    onTerminated?.(end);
    onGone?.();
    for (const leave of this.#waiting) leave();
    const told = this.#tell(ending);
    void Promise.allSettled([stopped, told, this.#results.idle()]).then(() => {
      if (this.#dropped > 0 && keepsRest !== true) onDropped?.(this.#dropped);
      resolve();
    });
    return told;
  }

  /** The message about its end. One that its own matcher selects says less. */
  async #tell({ end: { reason }, slow }: Ending): Promise<void> {
    const { sandbox, router } = this.#options;
    const { hostname, pid } = sandbox.spec;
    const head = { plugin: this.name, reason, hostname, pid, timestamp: nowNs() };
    const message = sandboxTerminated({ ...head, slow });
    const isForItself = !this.#isOutput && comesBack(this.#options, message);
    return router.inject(isForItself ? pluginTerminated({ ...head, type: 'SandboxFilter' }) : message, 0);
  }
}
