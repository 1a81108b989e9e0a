import type { End } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { ClockKind } from '../../message/types.ts';
import { CallQueue, pastOf, type Call, type Pending } from '../calls/calls.ts';
import { CrashRetry } from './crash-retry.ts';
import { readEnd } from '../contract/ends.ts';
import { endBy, SandboxEndedError, SandboxLoadError } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import { HostLine, type Host } from './host-line.ts';
import { InputRun } from './input-run.ts';
import { Journal } from '../wire/journal.ts';
import { LostResults } from './lost-results.ts';
import { writeState, type SavedScript } from '../wire/preservation.ts';
import { ToEngine, type CreatedHead, type ReportedHead, type RequestHead, type ResultHead } from '../contract/protocol.ts';
import type { LostCall } from './repeat.ts';
import { resultOf } from '../wire/result.ts';
import { NO_USE, ScriptCounters } from '../calls/script-counters.ts';
import type { ScriptSources } from '../code/sources.ts';
import { StateFile, type OnStateProblem } from './state-file.ts';
import { StateKeeper } from './state-keeper.ts';
import { UseMeter } from './use-meter.ts';
import { processWhole } from './whole-call.ts';
import type {
  InputSandbox,
  InputStatus,
  SandboxReport,
  SandboxResult,
  SandboxSpec,
  SandboxState,
  ScriptSource,
  Termination,
  Stall,
} from '../contract/types.ts';

/** An input that is to stop has this long to hear it. */
const INPUT_GRACE_MS = 2_000;

/** Calls of a script that were answered elsewhere. */
export interface ScriptPast {
  readonly journal: Journal;
  readonly counters: ScriptCounters;
  /** Number of the last one. */
  readonly answered: number;
}

export interface RemoteSandboxOptions {
  readonly id: number;
  readonly spec: SandboxSpec;
  readonly sources: ScriptSources;
  /** The state to begin with. */
  readonly state: SavedScript | null;
  /** Calls and state from which the script goes on, when it ran elsewhere before. */
  readonly past?: ScriptPast | undefined;
  readonly onEnd: (sandbox: RemoteSandbox) => void;
  readonly onStateProblem?: OnStateProblem | undefined;
  /** Has the results of a call once more; null: they stay lost. */
  readonly repeat: ((lost: LostCall) => Promise<SandboxResult>) | null;
}

/**
 * A sandbox on some host. Calls wait in a list until they are answered, so that they can be sent again to a successor when the host dies; what
 * was answered is only repeated there as far as the script's state needs it, and its results are dropped.
 */
export class RemoteSandbox implements InputSandbox {
  readonly spec: SandboxSpec;
  readonly id: number;
  readonly #line: HostLine;
  readonly #counters: ScriptCounters;
  readonly #onEnd: (sandbox: RemoteSandbox) => void;
  readonly #canRepeat: boolean;
  readonly #lost: LostResults;
  /** Waits for what is had once more. */
  #repeating: Promise<void> = Promise.resolve();
  readonly #journal: Journal;
  #state: SandboxState | 'starting' = 'starting';
  #endedBy: End | null = null;
  readonly #calls: CallQueue;
  /** The clock of its calls; undefined: that of its specification. */
  #clock: ClockKind | undefined;
  readonly #file: StateFile;
  #created: Pending<void> | null = null;
  #stopping: Promise<void> | null = null;
  #stopped: (() => void) | null = null;
  readonly #keeper: StateKeeper;
  readonly #input: InputRun;
  readonly #meter: UseMeter;
  readonly #crashes = new CrashRetry();
  /** The way in which it holds others up, as the pool sees it; null: it does not. */
  stall: Stall | null = null;
  #workUs = 0;

  constructor({ id, spec, sources, state, past, onEnd, onStateProblem = () => undefined, repeat }: RemoteSandboxOptions) {
    this.id = id;
    this.spec = spec;
    this.#line = new HostLine(id, spec, sources);
    this.#onEnd = onEnd;
    this.#canRepeat = repeat !== null;
    this.#journal = past?.journal ?? new Journal(state);
    this.#counters = past?.counters ?? new ScriptCounters();
    this.#calls = new CallQueue(past?.answered);
    this.#file = new StateFile(spec, this.#counters, onStateProblem);
    this.#lost = new LostResults({
      calls: this.#calls,
      journal: this.#journal,
      counters: this.#counters,
      clock: () => this.#clock,
      repeat,
    });
    this.#keeper = new StateKeeper({
      name: spec.name,
      calls: this.#calls,
      journal: this.#journal,
      file: this.#file,
      save: (checkpoint) => this.#save(checkpoint),
      goesOn: () => this.alive && !this.stopping,
    });
    this.#meter = new UseMeter({
      counters: this.#counters,
      ask: () => this.#enqueue<ReportedHead>((id, pending) => ({ kind: 'report', id, ...pending })),
      isBusy: () => this.#line.hostServes,
    });
    this.#input = new InputRun({
      spec,
      line: this.#line,
      counters: this.#counters,
      calls: this.#calls,
      alive: () => this.alive,
      stopping: () => this.stopping,
      persist: () => this.#keeper.persist(),
      terminate: (end) => this.terminate(end),
      ended: (end) => this.#end(end),
    });
  }

  get state(): SandboxState {
    return this.#state === 'starting' ? 'running' : this.#state;
  }

  get workMs(): number {
    return this.#workUs / 1000;
  }

  /** It neither ended nor was stopped. */
  get alive(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  /** Starts on a host. Resolves when the script's top level has run; rejects with a SandboxLoadError. */
  start(host: Host): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#created = { resolve, reject };
      this.#create(host);
    });
  }

  /** Creates the sandbox at a host, with the state that it had. */
  #create(host: Host): void {
    this.#line.create(host, this.#journal.checkpoint);
    for (const call of this.#journal.calls) this.#line.send(call);
  }

  /** Goes on at another host, because the one it was on is gone: with the state it had, and the calls that are open. */
  moveTo(host: Host): void {
    this.#input.moved();
    this.#create(host);
    for (const call of this.#calls.open) this.#line.send(call);
    if (this.#stopped !== null) this.#line.stop();
  }

  /** Whether its call may be tried on another host, after the one that served it crashed. */
  mayTryAgain(): boolean {
    return this.#canRepeat && this.#crashes.mayTryAgain(this.#calls.open[0]);
  }

  process(batch: MessageBatch, selection: Uint32Array | null, timed = 0): Promise<SandboxResult> {
    const process = (part: MessageBatch, rows: Uint32Array | null): Promise<SandboxResult> => this.#process(part, rows, timed);
    return this.spec.kind === 'decoder' && this.spec.stateless === true
      ? processWhole({ process }, batch, selection)
      : process(batch, selection);
  }

  #process(batch: MessageBatch, selection: Uint32Array | null, timed: number): Promise<SandboxResult> {
    const clock = this.#clock;
    return this.#enqueue((id, pending) => ({ kind: 'process', id, batch, selection, timed, clock, ...pending }));
  }

  useClock(clock: ClockKind): void {
    this.#clock = clock;
  }

  timer(ns: bigint): Promise<SandboxResult> {
    return this.#enqueue((id, pending) => ({ kind: 'timer', id, ns, ...pending }));
  }

  run(take: (batch: MessageBatch) => Promise<void>, source?: ScriptSource): Promise<InputStatus | Termination> {
    return this.#enqueue((id, pending) => ({ kind: 'run', id, take, source, ...pending }));
  }

  async report(): Promise<SandboxReport> {
    const report = this.#counters.report(this.spec, this.state, this.alive ? await this.#meter.measure() : NO_USE);
    return this.stall === null ? report : { ...report, stall: this.stall };
  }

  async save(path: string): Promise<void> {
    await writeState(path, await this.#save());
  }

  /** See `CallQueue.waiting`. */
  get waiting(): number | null {
    return this.#calls.waiting;
  }

  /** Messages of answered calls. */
  get processed(): number {
    return this.#counters.processed;
  }

  /** Whether it is to stop. */
  get stopping(): boolean {
    return this.#stopping !== null;
  }

  /** Stops after the calls that are open. What is to be preserved is in its file then. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // An input that is running saves its state when it hears that it shall stop.
    const running = this.#calls.open.some((call) => call.kind === 'run');
    if (this.#file.wanted && this.alive && !running) {
      await this.#keeper.write();
    }
    if (this.alive) {
      // An input has no clock over it: one that does not hear that it shall stop is stopped with its host.
      const timer = running ? setTimeout(() => this.#line.kill(), INPUT_GRACE_MS) : undefined;
      await new Promise<void>((resolve) => {
        this.#stopped = resolve;
        this.#line.stop();
      });
      clearTimeout(timer);
    }
    await this.#repeating;
    await this.#file.settled();
  }

  #save(checkpoint = false): Promise<SavedScript> {
    return this.#enqueue((id, pending) => ({ kind: 'save', id, checkpoint, ...pending }), true);
  }

  /**
   * Ends the sandbox for good: its host died while it was running, or it broke a limit. The next call gets the end as its result.
   * @param begun that call was under way
   */
  terminate(end: End, begun = true): void {
    this.#end(end, () => this.#lost.answerFirst(end, begun ? null : 0));
  }

  /** Takes a frame of the host that is about this sandbox. One that it cannot take is its end, not that of its neighbours. */
  receive(frame: Frame): void {
    try {
      this.#receive(frame);
    } catch (error) {
      this.terminate(endBy('sandbox.protocol', `its host sent what no host sends: ${messageOf(error)}`));
    }
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case ToEngine.CREATED:
        this.#receiveCreated(JSON.parse(frame.head) as CreatedHead);
        break;
      case ToEngine.REQUEST:
        this.#answer(frame);
        break;
      case ToEngine.RESULT:
        this.#receiveResult(frame);
        break;
      case ToEngine.PARTIAL:
        void this.#input.receivePart(frame);
        break;
      case ToEngine.REPORTED:
        this.#receiveReport(frame);
        break;
      case ToEngine.SAVED:
        this.#keeper.receive(frame);
        break;
      case ToEngine.ENDED:
        this.terminate(readEnd(JSON.parse(frame.head)), false);
        break;
      case ToEngine.STOPPED:
        this.#finishStop();
        break;
    }
  }

  #enqueue<T>(make: (id: number, pending: Pending<T>) => Call, last = false): Promise<T> {
    if (!this.alive || (this.#stopping !== null && !last)) {
      const why = this.alive
        ? 'is being stopped'
        : this.#state === 'terminated'
          ? `has ended: ${this.#counters.lastError ?? ''}`
          : 'was stopped';
      return Promise.reject(new SandboxEndedError(`sandbox ${this.spec.name} ${why}`, this.#endedBy));
    }
    const { call, answer } = this.#calls.add(make);
    this.#line.send(call);
    return answer;
  }

  #answer(frame: Frame): void {
    const request = JSON.parse(frame.head) as RequestHead;
    if (request.want === 'go on') this.#input.goOn(frame.call);
    else if (request.want === 'input') void this.#input.read(frame.call, request);
    else this.#line.answer(frame.call, request);
  }

  #receiveCreated(head: CreatedHead): void {
    const end = head.end === undefined ? null : readEnd(head.end);
    const created = this.#created;
    this.#created = null;
    if (end === null) {
      if (this.#state === 'starting') this.#state = 'running';
      this.#file.noteUnkept('missing from its preserved data, and not made by its top level', head.missing ?? []);
      created?.resolve();
      return;
    }
    this.#end(end);
    created?.reject(new SandboxLoadError(this.spec, end));
  }

  #receiveResult(frame: Frame): void {
    const run = this.#calls.take('run', frame.call);
    if (run !== undefined) {
      void this.#input.receiveEnd(run, frame);
      return;
    }
    const sent = this.#line.takeSent(frame.call);
    const call = this.#calls.take('process', frame.call) ?? this.#calls.take('timer', frame.call);
    if (call === undefined) return this.#receiveRepeated(frame);
    const { result, head } = resultOf(this.spec, call, frame, sent);
    const ended = head?.ended ?? null;
    if (head?.lost === true && ended !== null && call.kind === 'process') {
      this.#end(ended, () => this.#lost.answer(call, ended, ended.row));
      return;
    }
    if (head === null) this.#line.stop();
    else this.#line.learn(head.used);
    const through = result.done ?? sent?.length ?? 0;
    const { globals = 0, cpu = 0 } = head ?? {};
    this.#workUs += Math.max(0, cpu);
    this.#counters.count(result, ended === null ? through : ended.row + 1);
    call.resolve(result);
    if (result.terminated !== null) this.#end(result.terminated);
    else this.#keeper.answered(this.#journal.add(pastOf(call, result.done), globals, cpu));
  }

  /** The result of a call that was answered before: it only brought the state back, or ended the script with less room than before. */
  #receiveRepeated(frame: Frame): void {
    const { ended } = JSON.parse(frame.head) as ResultHead;
    if (ended !== null && this.alive) this.terminate(readEnd(ended));
  }

  /** One that comes unasked, before the sandbox ends, is the last. */
  #receiveReport(frame: Frame): void {
    const report = JSON.parse(frame.head) as ReportedHead;
    if (frame.call === 0) this.#counters.lastReport = report;
    else this.#calls.take('report', frame.call)?.resolve(report);
  }

  checkpoint(): void {
    this.#keeper.checkpoint();
  }

  /** @param answer answers the call under way before the others are rejected */
  #end({ row: _, ...end }: End & { readonly row?: number }, answer: () => Promise<void> = async () => undefined): void {
    if (!this.alive) return;
    this.#state = 'terminated';
    this.#endedBy = end;
    this.#counters.noteError(end.reason);
    this.#created?.reject(new SandboxLoadError(this.spec, end));
    this.#created = null;
    this.#onEnd(this);
    this.#line.stop();
    this.#repeating = answer().then(() =>
      this.#rejectOpenCalls(new SandboxEndedError(`sandbox ${this.spec.name} has ended: ${end.reason}`, end)),
    );
  }

  #finishStop(): void {
    if (!this.alive) return;
    this.#state = 'stopped';
    this.#created?.reject(new SandboxLoadError(this.spec, { code: 'sandbox.stopped', reason: 'it was stopped' }));
    this.#created = null;
    this.#onEnd(this);
    this.#rejectOpenCalls(new SandboxEndedError(`sandbox ${this.spec.name} was stopped`));
  }

  #rejectOpenCalls(why: SandboxEndedError): void {
    this.#calls.fail(why);
    this.#stopped?.();
  }
}
