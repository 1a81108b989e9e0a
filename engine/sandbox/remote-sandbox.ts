import type { MessageBatch } from '../message/batch.ts';
import { takeRows } from '../message/gather.ts';
import { composeDecoded, composeFiltered, type Composed } from './compose.ts';
import { encodedResult } from './encoded.ts';
import { ForgedResultError, SandboxEndedError, SandboxLoadError } from './errors.ts';
import type { Frame, OutgoingFrame } from './frames.ts';
import { readResult, type ReceivedResult } from './inbound.ts';
import { OutboundBatch } from './outbound.ts';
import { ToEngine, ToHost, type CreatedHead, type CreateHead, type EndedHead, type ReportedHead, type RequestHead } from './protocol.ts';
import type { ScriptSources } from './sources.ts';
import type { Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState } from './types.ts';

/** Where a sandbox's frames go. */
export interface Host {
  send(frame: OutgoingFrame): void;
}

interface Pending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

type Call =
  | ({
      readonly kind: 'process';
      readonly id: number;
      readonly batch: MessageBatch;
      readonly selection: Uint32Array | null;
      sent: OutboundBatch | null;
    } & Pending<SandboxResult>)
  | ({ readonly kind: 'timer'; readonly id: number; readonly ns: bigint } & Pending<SandboxResult>)
  | ({ readonly kind: 'report'; readonly id: number } & Pending<ReportedHead>);

/** A sandbox remembers at most this many variables to send ahead. */
const MAX_VARIABLES = 256;
/** Of the last error, this much is kept. */
const MAX_ERROR = 255;

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
  },
};

/**
 * A sandbox on some host. Calls wait in a list until they are answered, so that they can be sent again to a successor when the host dies; what
 * was answered is not sent again.
 */
export class RemoteSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly #id: number;
  readonly #sources: ScriptSources;
  readonly #onEnd: (sandbox: RemoteSandbox) => void;
  #host: Host | null = null;
  #state: SandboxState | 'starting' = 'starting';
  #calls: Call[] = [];
  #nextCall = 1;
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

  constructor(id: number, spec: SandboxSpec, sources: ScriptSources, onEnd: (sandbox: RemoteSandbox) => void) {
    this.#id = id;
    this.spec = spec;
    this.#sources = sources;
    this.#onEnd = onEnd;
    this.#variables = new Set(spec.kind === 'decoder' ? ['Payload'] : []);
  }

  get state(): SandboxState {
    return this.#state === 'starting' ? 'running' : this.#state;
  }

  get id(): number {
    return this.#id;
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

  /** Goes on at another host, because the one it was on is gone: the script starts anew and open calls are served there. */
  moveTo(host: Host): void {
    if (this.#stopping !== null) return this.#finishStop();
    this.#sendCreate(host);
    for (const call of this.#calls) this.#send(call);
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    return this.#enqueue((id, pending) => ({ kind: 'process', id, batch, selection, sent: null, ...pending }));
  }

  timer(ns: bigint): Promise<SandboxResult> {
    return this.#enqueue((id, pending) => ({ kind: 'timer', id, ns, ...pending }));
  }

  async report(): Promise<SandboxReport> {
    const use = this.alive ? await this.#measure() : NO_USE;
    const { limits } = this.spec;
    return {
      state: this.state,
      lastError: this.#lastError,
      processed: this.#processed,
      failures: this.#failures,
      injected: this.#injected,
      memory: { current: use.memory, maximum: this.#lastReport.memoryMaximum, limit: limits.memory },
      isolateMemory: use.isolate,
      instructions: { current: use.instructions, maximum: this.#lastReport.instructionsMaximum, limit: limits.instructions },
      output: { current: use.output, maximum: this.#lastReport.outputMaximum, limit: limits.output },
      averageNs: this.#lastReport.calls === 0 ? 0 : Math.trunc(this.#lastReport.nanoseconds / this.#lastReport.calls),
    };
  }

  /** The use of resources; what was known last when the sandbox ends meanwhile. */
  async #measure(): Promise<ReportedHead> {
    try {
      this.#lastReport = await this.#enqueue<ReportedHead>((id, pending) => ({ kind: 'report', id, ...pending }));
      return this.#lastReport;
    } catch {
      return NO_USE;
    }
  }

  stop(): Promise<void> {
    if (!this.alive) return Promise.resolve();
    this.#stopping ??= new Promise((resolve) => {
      this.#stopped = resolve;
      this.#host?.send({ kind: ToHost.STOP, box: this.#id, call: 0, head: '' });
    });
    return this.#stopping;
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
      case ToEngine.REPORTED:
        this.#receiveReport(frame);
        break;
      case ToEngine.ENDED:
        this.terminate((JSON.parse(frame.head) as EndedHead).reason);
        break;
      case ToEngine.STOPPED:
        this.#finishStop();
        break;
    }
  }

  #enqueue<T>(make: (id: number, pending: Pending<T>) => Call): Promise<T> {
    if (!this.alive || this.#stopping !== null) {
      return Promise.reject(new SandboxEndedError(`sandbox ${this.spec.name} is ${this.alive ? 'being stopped' : this.state}`));
    }
    return new Promise((resolve, reject) => {
      const call = make(this.#nextCall++, { resolve, reject });
      this.#calls.push(call);
      this.#send(call);
    });
  }

  #sendCreate(host: Host): void {
    this.#host = host;
    const { name, kind, script, config, limits } = this.spec;
    const head: CreateHead = { name, kind, script, config, limits };
    host.send({ kind: ToHost.CREATE, box: this.#id, call: 0, head: JSON.stringify(head) });
  }

  #send(call: Call): void {
    const to = { box: this.#id, call: call.id };
    if (call.kind === 'process') {
      call.sent = new OutboundBatch(call.batch, call.selection);
      const { head, block, texts } = call.sent.open(this.#variables);
      this.#host?.send({ kind: ToHost.PROCESS, ...to, head: JSON.stringify(head), block, texts });
    } else if (call.kind === 'timer') {
      this.#host?.send({ kind: ToHost.TIMER, ...to, head: JSON.stringify({ ns: String(call.ns) }) });
    } else {
      this.#host?.send({ kind: ToHost.REPORT, ...to, head: '' });
    }
  }

  #answer(frame: Frame): void {
    const request = JSON.parse(frame.head) as RequestHead;
    const answer = { kind: ToHost.ANSWER, box: this.#id, call: frame.call };
    if (request.want !== 'variable') {
      this.#host?.send({ ...answer, head: JSON.stringify(this.#sources.answer(request)) });
      return;
    }
    const call = this.#calls[0];
    const delivery = call?.kind === 'process' ? call.sent?.deliver(request.name) : undefined;
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
    this.#end(error, false);
    created?.reject(new SandboxLoadError(this.spec.name, error));
  }

  #receiveResult(frame: Frame): void {
    const call = this.#calls[0];
    if (call === undefined || call.id !== frame.call || call.kind === 'report') return;
    this.#calls.shift();
    let result: SandboxResult;
    try {
      result = this.#resultOf(call, frame);
    } catch (error) {
      if (!(error instanceof ForgedResultError)) throw error;
      this.#host?.send({ kind: ToHost.STOP, box: this.#id, call: 0, head: '' });
      result = { ...NO_RESULT, terminated: { reason: error.message, row: -1 } };
    }
    this.#count(call, result);
    call.resolve(result);
    if (result.terminated !== null) this.#end(result.terminated.reason, false);
  }

  #resultOf(call: Call & { readonly kind: 'process' | 'timer' }, frame: Frame): SandboxResult {
    const rows = call.kind === 'process' ? (call.sent as OutboundBatch).length : 0;
    const received = readResult(frame, rows, call.kind === 'process' ? (call.sent as OutboundBatch).texts : []);
    for (const name of received.head.used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
    this.#checkCounts(received, call.kind);
    const { injected, origins } = this.#compose(call, received);
    const { failures, ended } = received.head;
    const selection = call.kind === 'process' ? call.selection : null;
    const rowOf = (row: number): number => (row < 0 || selection === null ? row : (selection[row] as number));
    const encoded = this.spec.kind === 'encoder' ? encodedResult(frame, received, rows, selection) : {};
    return {
      ...encoded,
      injected,
      origins: injected === null ? null : originsOf(origins, injected.length, selection),
      failures: failures.map(([row, reason]) => ({ row: rowOf(row), reason })),
      terminated: ended === null ? null : { reason: ended.reason, row: rowOf(Math.min(ended.row, rows - 1)) },
    };
  }

  #compose(call: Call, received: ReceivedResult): Composed {
    if (this.spec.kind === 'decoder' && call.kind === 'process') {
      const source = call.selection === null ? call.batch : takeRows(call.batch, call.selection);
      return composeDecoded(received, source);
    }
    if (this.spec.kind === 'filter') return composeFiltered(received, this.spec);
    if (this.spec.kind === 'encoder') return { injected: null, origins: null };
    return { injected: received.injected, origins: received.origins };
  }

  /** The prelude counts injections; what it is worth depends on the script, so they are counted here again. */
  #checkCounts(received: ReceivedResult, kind: 'process' | 'timer'): void {
    const { head, origins } = received;
    if (this.spec.kind === 'output' && head.injected > 0) throw new ForgedResultError('an output injected a message');
    if (this.spec.kind === 'encoder' && head.injected > 0) throw new ForgedResultError('an encoder injected a message');
    if (this.spec.kind !== 'filter') return;
    if (head.passed > 0) throw new ForgedResultError('a filter passed a message on');
    const { processInject, timerInject } = this.spec.limits;
    if (kind === 'timer') {
      if (head.injected > timerInject) throw new ForgedResultError(`a filter injected more than max_timer_inject of ${timerInject}`);
      return;
    }
    let row = -1;
    let count = 0;
    for (const origin of origins ?? []) {
      count = origin === row ? count + 1 : 1;
      row = origin;
      if (count > processInject) throw new ForgedResultError(`a filter injected more than max_process_inject of ${processInject}`);
    }
  }

  #count(call: Call, result: SandboxResult): void {
    this.#injected += result.injected?.length ?? 0;
    this.#failures += result.failures.length;
    if (call.kind !== 'process') return;
    const rows = call.sent?.length ?? 0;
    this.#processed += result.terminated === null ? rows : Math.max(0, result.terminated.row + 1);
    const last = result.failures.at(-1);
    if (last !== undefined && last.reason !== '') this.#lastError = last.reason.slice(0, MAX_ERROR);
  }

  #receiveReport(frame: Frame): void {
    const call = this.#calls[0];
    if (call === undefined || call.id !== frame.call || call.kind !== 'report') return;
    this.#calls.shift();
    call.resolve(JSON.parse(frame.head) as ReportedHead);
  }

  /** @param answer the call under way gets the reason as its result; later ones are rejected */
  #end(reason: string, answer: boolean): void {
    if (!this.alive) return;
    this.#state = 'terminated';
    this.#lastError = reason.slice(0, MAX_ERROR);
    const calls = this.#calls;
    this.#calls = [];
    this.#created?.reject(new SandboxLoadError(this.spec.name, reason));
    this.#created = null;
    for (const [i, call] of calls.entries()) {
      if (answer && i === 0 && call.kind !== 'report') call.resolve({ ...NO_RESULT, terminated: { reason, row: -1 } });
      else call.reject(new SandboxEndedError(`sandbox ${this.spec.name} has ended: ${reason}`));
    }
    this.#stopped?.();
    this.#onEnd(this);
  }

  #finishStop(): void {
    if (!this.alive) return;
    this.#state = 'stopped';
    const calls = this.#calls;
    this.#calls = [];
    for (const call of calls) call.reject(new SandboxEndedError(`sandbox ${this.spec.name} was stopped`));
    this.#stopped?.();
    this.#onEnd(this);
  }
}

const NO_RESULT: SandboxResult = { injected: null, origins: null, failures: [], terminated: null };

/** The input row of each message; null when they are the same. */
function originsOf(origins: Uint32Array | null, length: number, selection: Uint32Array | null): Uint32Array | null {
  if (selection === null) return origins;
  const rows = new Uint32Array(length);
  for (let i = 0; i < length; i++) rows[i] = selection[origins === null ? i : (origins[i] as number)] as number;
  return rows;
}
