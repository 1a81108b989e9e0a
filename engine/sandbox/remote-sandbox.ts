import type { MessageBatch } from '../message/batch.ts';
import { CallQueue, pastOf, type Call, type Pending, type RunCall } from './calls.ts';
import { ForgedResultError, SandboxEndedError, SandboxLoadError } from './errors.ts';
import type { Frame, OutgoingFrame } from './frames.ts';
import { Journal, type PastCall } from './journal.ts';
import { OutboundBatch } from './outbound.ts';
import type { SavedScript } from './preservation.ts';
import {
  ToEngine,
  ToHost,
  type CreatedHead,
  type CreateHead,
  type EndedHead,
  type GoOnHead,
  type ReportedHead,
  type RequestHead,
  type ResultHead,
  type SavedHead,
} from './protocol.ts';
import { resultOf } from './result.ts';
import type { ScriptSources } from './sources.ts';
import { StateFile } from './state-file.ts';
import type { InputSandbox, InputStatus, SandboxReport, SandboxResult, SandboxSpec, SandboxState, Termination } from './types.ts';

/** Where a sandbox's frames go. */
export interface Host {
  send(frame: OutgoingFrame): void;
  kill(): void;
}

/** A sandbox remembers at most this many variables to send ahead. */
const MAX_VARIABLES = 256;
/** Of the last error, this much is kept. */
const MAX_ERROR = 255;
/** An input that is to stop has this long to hear it. */
const INPUT_GRACE_MS = 2_000;

const NO_USE: ReportedHead = {
  ...{
    memory: 0,
    memoryMaximum: 0,
    isolate: 0,
    instructions: 0,
    instructionsMaximum: 0,
    output: 0,
    outputMaximum: 0,
    calls: 0,
    nanoseconds: 0,
    timers: 0,
    timerNanoseconds: 0,
  },
};

export interface RemoteSandboxOptions {
  readonly id: number;
  readonly spec: SandboxSpec;
  readonly sources: ScriptSources;
  /** The state to begin with. */
  readonly state: SavedScript | null;
  readonly onEnd: (sandbox: RemoteSandbox) => void;
}

/**
 * A sandbox on some host. Calls wait in a list until they are answered, so that they can be sent again to a successor when the host dies; what
 * was answered is only repeated there as far as the script's state needs it, and its results are dropped.
 */
export class RemoteSandbox implements InputSandbox {
  readonly spec: SandboxSpec;
  readonly id: number;
  readonly #sources: ScriptSources;
  readonly #onEnd: (sandbox: RemoteSandbox) => void;
  readonly #journal: Journal;
  #host: Host | null = null;
  #state: SandboxState | 'starting' = 'starting';
  readonly #calls = new CallQueue();
  readonly #file: StateFile;
  /** Batches at the host, by call. */
  readonly #sent = new Map<number, OutboundBatch>();
  #created: Pending<void> | null = null;
  #stopping: Promise<void> | null = null;
  #stopped: (() => void) | null = null;
  /** Variables that the script reads: their columns go along with each batch. */
  readonly #variables: Set<string>;
  #lastError: string | null = null;
  #processed = 0;
  #failures = 0;
  #injected = 0;
  #lastReport: ReportedHead = NO_USE;

  constructor({ id, spec, sources, state, onEnd }: RemoteSandboxOptions) {
    this.id = id;
    this.spec = spec;
    this.#sources = sources;
    this.#onEnd = onEnd;
    this.#journal = new Journal(state);
    this.#file = new StateFile(spec.preservation, (reason) => this.#noteError(reason));
    this.#variables = new Set(spec.kind === 'decoder' ? ['Payload'] : []);
  }

  get state(): SandboxState {
    return this.#state === 'starting' ? 'running' : this.#state;
  }

  /** It neither ended nor was stopped. */
  get alive(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  /** Starts on a host. Resolves when the script's top level has run; rejects with a SandboxLoadError. */
  start(host: Host): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#created = { resolve, reject };
      this.#sendCreate(host);
    });
  }

  /** Goes on at another host, because the one it was on is gone: with the state it had, and the calls that are open. */
  moveTo(host: Host): void {
    this.#journal.interrupted();
    this.#sent.clear();
    this.#sendCreate(host);
    for (const call of this.#journal.calls) this.#send(call);
    for (const call of this.#calls.open) this.#send(call);
    if (this.#stopped !== null) this.#sendStop();
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    return this.#enqueue((id, pending) => ({ kind: 'process', id, batch, selection, ...pending }));
  }

  timer(ns: bigint): Promise<SandboxResult> {
    return this.#enqueue((id, pending) => ({ kind: 'timer', id, ns, ...pending }));
  }

  run(take: (batch: MessageBatch) => Promise<void>): Promise<InputStatus | Termination> {
    return this.#enqueue((id, pending) => ({ kind: 'run', id, take, ...pending }));
  }

  async report(): Promise<SandboxReport> {
    const use = this.alive ? await this.#measure() : NO_USE;
    const { limits } = this.spec;
    const { memoryMaximum, instructionsMaximum, outputMaximum, calls, nanoseconds, timers, timerNanoseconds, profile } = this.#lastReport;
    return {
      state: this.state,
      lastError: this.#lastError,
      processed: this.#processed,
      failures: this.#failures,
      injected: this.#injected,
      memory: { current: use.memory, maximum: memoryMaximum, limit: limits.memory },
      isolateMemory: use.isolate,
      instructions: { current: use.instructions, maximum: instructionsMaximum, limit: limits.instructions },
      output: { current: use.output, maximum: outputMaximum, limit: limits.output },
      averageNs: calls === 0 ? 0 : Math.trunc(nanoseconds / calls),
      timers,
      timerAverageNs: timers === 0 ? 0 : Math.trunc(timerNanoseconds / timers),
      ...(profile === undefined ? {} : { profile }),
    };
  }

  /** The use of resources; none when the sandbox ends meanwhile. */
  async #measure(): Promise<ReportedHead> {
    try {
      this.#lastReport = await this.#enqueue<ReportedHead>((id, pending) => ({ kind: 'report', id, ...pending }));
      return this.#lastReport;
    } catch {
      return NO_USE;
    }
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
      await this.#save().then(
        (state) => this.#file.write(state),
        () => undefined,
      );
    }
    if (this.alive) {
      // An input has no clock over it: one that does not hear that it shall stop is stopped with its host.
      const timer = running ? setTimeout(() => this.#host?.kill(), INPUT_GRACE_MS) : undefined;
      await new Promise<void>((resolve) => {
        this.#stopped = resolve;
        this.#sendStop();
      });
      clearTimeout(timer);
    }
    await this.#file.settled();
  }

  #sendStop(): void {
    this.#host?.send({ kind: ToHost.STOP, box: this.id, call: 0, head: '' });
  }

  #save(): Promise<SavedScript> {
    return this.#enqueue((id, pending) => ({ kind: 'save', id, ...pending }), true);
  }

  /** Ends the sandbox for good: its host died while it was running, or it broke a limit. The next call gets the reason as its result. */
  terminate(reason: string): void {
    this.#end(reason, true);
  }

  /** Takes a frame of the host that is about this sandbox. */
  receive(frame: Frame): void {
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
        void this.#receivePart(frame);
        break;
      case ToEngine.REPORTED:
        this.#receiveReport(frame);
        break;
      case ToEngine.SAVED:
        this.#receiveSaved(frame);
        break;
      case ToEngine.ENDED:
        this.terminate((JSON.parse(frame.head) as EndedHead).reason);
        break;
      case ToEngine.STOPPED:
        this.#finishStop();
        break;
    }
  }

  #enqueue<T>(make: (id: number, pending: Pending<T>) => Call, last = false): Promise<T> {
    if (!this.alive || (this.#stopping !== null && !last)) {
      return Promise.reject(new SandboxEndedError(`sandbox ${this.spec.name} is ${this.alive ? 'being stopped' : this.state}`));
    }
    const { call, answer } = this.#calls.add(make);
    this.#send(call);
    return answer;
  }

  #sendCreate(host: Host): void {
    this.#host = host;
    const { name, kind, script, config, limits, preservation, profile = false } = this.spec;
    const { checkpoint } = this.#journal;
    const state = checkpoint?.head ?? null;
    const head: CreateHead = { name, kind, script, config, limits, preserve: preservation !== undefined, state, profile };
    const parts = checkpoint === null ? {} : { block: [checkpoint.block], texts: [checkpoint.text] };
    host.send({ kind: ToHost.CREATE, box: this.id, call: 0, head: JSON.stringify(head), ...parts });
  }

  #send(call: PastCall | Call): void {
    const to = { box: this.id, call: call.id };
    if (call.kind === 'process') {
      const sent = new OutboundBatch(call.batch, call.selection);
      this.#sent.set(call.id, sent);
      const { head, block, texts } = sent.open(this.#variables);
      this.#host?.send({ kind: ToHost.PROCESS, ...to, head: JSON.stringify(head), block, texts });
    } else if (call.kind === 'timer') {
      this.#host?.send({ kind: ToHost.TIMER, ...to, head: JSON.stringify({ ns: String(call.ns) }) });
    } else {
      const kinds = { report: ToHost.REPORT, save: ToHost.SAVE, run: ToHost.RUN };
      this.#host?.send({ kind: kinds[call.kind], ...to, head: '' });
    }
  }

  #answer(frame: Frame): void {
    const request = JSON.parse(frame.head) as RequestHead;
    const answer = { kind: ToHost.ANSWER, box: this.id, call: frame.call };
    if (request.want === 'go on') return this.#goOn(frame.call);
    if (request.want !== 'variable') {
      this.#host?.send({ ...answer, head: JSON.stringify(this.#sources.answer(request)) });
      return;
    }
    const delivery = this.#sent.get(frame.call)?.deliver(request.name);
    if (delivery === undefined) this.#host?.send({ ...answer, head: '{"columns":[],"texts":[]}' });
    else this.#host?.send({ ...answer, head: JSON.stringify(delivery.head), block: delivery.block, texts: delivery.texts });
  }

  #receiveCreated({ error }: CreatedHead): void {
    const created = this.#created;
    this.#created = null;
    if (error === undefined) {
      if (this.#state === 'starting') this.#state = 'running';
      created?.resolve();
      return;
    }
    this.#end(error, true);
    created?.reject(new SandboxLoadError(this.spec.name, error));
  }

  #goOn(call: number): void {
    const head: GoOnHead = { stop: this.#stopping !== null };
    this.#host?.send({ kind: ToHost.ANSWER, box: this.id, call, head: JSON.stringify(head) });
  }

  /** A piece of what an input injects. It goes on when that was taken. */
  async #receivePart(frame: Frame): Promise<void> {
    const call = this.#calls.open[0];
    if (call?.kind !== 'run' || call.id !== frame.call) return;
    try {
      await this.#takePart(call, frame);
      this.#goOn(frame.call);
    } catch (error) {
      this.#end(textOf(error), true);
    }
  }

  async #takePart(call: RunCall, frame: Frame): Promise<ResultHead> {
    const { result, head } = resultOf(this.spec, { kind: 'timer', id: call.id, ns: 0n }, frame, undefined);
    if (head === null) throw new ForgedResultError(result.terminated?.reason ?? '');
    if (result.injected !== null) {
      this.#processed += result.injected.length;
      this.#injected += result.injected.length;
      await call.take(result.injected);
    }
    return head;
  }

  /** The end of an input's process_message. */
  async #receiveRunEnd(call: RunCall, frame: Frame): Promise<void> {
    try {
      const { ended, status } = await this.#takePart(call, frame);
      if (status !== null && status.code < 0) this.#noteFailure(status.text);
      call.resolve(status ?? { reason: ended?.reason ?? '', row: -1 });
      if (ended !== null && this.#stopping === null) this.#end(ended.reason, false);
    } catch (error) {
      call.resolve({ reason: textOf(error), row: -1 });
      this.#end(textOf(error), false);
    }
  }

  #noteFailure(reason: string): void {
    this.#failures++;
    this.#noteError(reason);
  }

  #noteError(reason: string): void {
    if (reason !== '') this.#lastError = reason.slice(0, MAX_ERROR);
  }

  #receiveResult(frame: Frame): void {
    const run = this.#calls.take('run', frame.call);
    if (run !== undefined) {
      void this.#receiveRunEnd(run, frame);
      return;
    }
    const sent = this.#sent.get(frame.call);
    this.#sent.delete(frame.call);
    const call = this.#calls.take('process', frame.call) ?? this.#calls.take('timer', frame.call);
    if (call === undefined) return this.#receiveRepeated(frame);
    const { result, head } = resultOf(this.spec, call, frame, sent);
    if (head === null) this.#sendStop();
    else this.#learn(head);
    this.#count(result, head?.ended === undefined || head.ended === null ? (sent?.length ?? 0) : head.ended.row + 1);
    call.resolve(result);
    if (result.terminated !== null) this.#end(result.terminated.reason, false);
    else if (this.#journal.add(pastOf(call), head?.globals ?? 0)) this.#checkpoint();
  }

  /** The result of a call that was answered before: it only brought the state back. */
  #receiveRepeated(frame: Frame): void {
    const { ended } = JSON.parse(frame.head) as ResultHead;
    if (ended !== null && this.alive) this.terminate(`repeating its last calls failed: ${String(ended.reason)}`);
  }

  /** One that comes unasked, before the sandbox ends, is the last. */
  #receiveReport(frame: Frame): void {
    const report = JSON.parse(frame.head) as ReportedHead;
    if (frame.call === 0) this.#lastReport = report;
    else this.#calls.take('report', frame.call)?.resolve(report);
  }

  #learn({ used }: ResultHead): void {
    for (const name of used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
  }

  #checkpoint(): void {
    this.#save().then(
      (state) => {
        this.#journal.saved(state);
        this.#file.offer(state);
      },
      () => this.#journal.saved(null),
    );
  }

  #receiveSaved(frame: Frame): void {
    const head = JSON.parse(frame.head) as SavedHead;
    const state = 'error' in head ? null : { head, text: frame.texts, block: new Uint8Array(frame.block) };
    // Call 0: the script asked to be stopped, and its state was saved before that.
    if (frame.call === 0) {
      if (state !== null) this.#file.write(state);
      return;
    }
    const call = this.#calls.take('save', frame.call);
    if (state !== null) call?.resolve(state);
    else call?.reject(new SandboxEndedError(`the state of ${this.spec.name} cannot be saved: ${(head as { error: string }).error}`));
  }

  #count({ injected, failures }: SandboxResult, rows: number): void {
    this.#injected += injected?.length ?? 0;
    this.#failures += failures.length;
    this.#processed += rows;
    this.#noteError(failures.at(-1)?.reason ?? '');
  }

  /** @param answer the call under way gets the reason as its result; later ones are rejected */
  #end(reason: string, answer: boolean): void {
    if (!this.alive) return;
    this.#state = 'terminated';
    this.#noteError(reason);
    this.#created?.reject(new SandboxLoadError(this.spec.name, reason));
    this.#leave(`sandbox ${this.spec.name} has ended: ${reason}`, answer ? reason : null);
    this.#sendStop();
  }

  #finishStop(): void {
    if (!this.alive) return;
    this.#state = 'stopped';
    this.#leave(`sandbox ${this.spec.name} was stopped`, null);
  }

  #leave(why: string, reason: string | null): void {
    this.#created = null;
    this.#calls.fail(new SandboxEndedError(why), reason);
    this.#stopped?.();
    this.#onEnd(this);
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
