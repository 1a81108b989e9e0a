import type { Frame, OutgoingFrame } from '../frames.ts';
import type { Outcome } from '../prelude/index.ts';
import type { Parcel } from '../prelude/run.ts';
import {
  SAVING,
  ToEngine,
  type CreatedHead,
  type CreateHead,
  type EndedHead,
  type GoOnHead,
  type ReportedHead,
  type RequestHead,
  type SavedHead,
  type SourceAnswer,
} from '../protocol.ts';
import { endedHead } from './empty-result.ts';
import { ivm, type IsolatedVM } from './isolate.ts';
import { LineProfile } from './line-profile.ts';
import type { EngineLink } from './link.ts';
import { LoadError, Loader } from './loader.ts';
import { MemoryWatch } from './memory-watch.ts';
import { startPrelude, type HostCallbacks, type PreludeCalls } from './prelude-binding.ts';
import { receivedTexts, sendableText } from './texts.ts';

const MEGABYTE = 1 << 20;
/** What the isolate itself, the prelude and the batches may take beside the script. */
const HEADROOM = 40;
/** Of that, what a batch may take at least. */
const BATCH_ALLOWANCE = 8 * MEGABYTE;
/** The isolate's limit in megabytes when the script has none. */
const UNLIMITED = 4096;
/** The clock is a little behind the script's own, so that what a script measures does not surprise it. */
const CLOCK_SLACK_MS = 100;

/** An input that is busy asks this often whether it may go on. */
const ASK_MS = 100;
const SHUTTING_DOWN = 'shutting down';

/** One sandbox: an isolate with the prelude and the script. */
export class Box {
  readonly #id: number;
  readonly #head: CreateHead;
  readonly #link: EngineLink;
  readonly #isolate: IsolatedVM.Isolate;
  readonly #row: Int32Array;
  readonly #loader: Loader;
  readonly #prelude: PreludeCalls;
  readonly #memory: MemoryWatch;
  #call = 0;
  /** Bytes that the current batch and what is made of it may take beside the script's own. */
  #allowance = BATCH_ALLOWANCE;
  #ended = false;
  /** When the engine last said that an input may go on. */
  #askedAt = 0;
  /** What was collected when the isolate was ended from inside. */
  #last: { readonly reason: string; readonly parcel: Parcel | null } | null = null;
  #rows = 0;
  #nanoseconds = 0n;
  #timers = 0;
  #timerNanoseconds = 0n;
  readonly #profile: LineProfile | null;
  /** The use of steps and output when a sandbox with a profile ended. */
  #lastUse: number[] = [];

  constructor(id: number, head: CreateHead, preludeCode: string, link: EngineLink) {
    this.#id = id;
    this.#head = head;
    this.#link = link;
    const { memory } = head.limits;
    this.#isolate = new ivm.Isolate({
      memoryLimit: memory === 0 ? UNLIMITED : Math.ceil(memory / MEGABYTE) + HEADROOM,
      // V8 has lost control of the isolate: only the end of the process ends it.
      onCatastrophicError: () => process.abort(),
    });
    const context = this.#isolate.createContextSync();
    this.#profile = head.profile === true ? new LineProfile() : null;
    this.#loader = new Loader(this.#isolate, context, (request) => this.#requestSource(request), this.#profile);
    const gc = context.global.getSync('gc', { reference: true });
    const progress = new SharedArrayBuffer(8);
    this.#row = new Int32Array(progress);
    const callbacks = this.#callbacks();
    this.#prelude = startPrelude(this.#isolate, context, preludeCode, {
      ...{ setup: this.#setup(), progress, profile: this.#profile?.cells ?? null, callMs: this.#callMs, callbacks },
    });
    this.#memory = new MemoryWatch(
      this.#isolate,
      () => void gc.applySync(undefined, []),
      head.profile === true ? `${head.kind} with a profile` : head.kind,
      memory,
    );
  }

  /** Loads the script; the frame may hold a state to go on from. */
  create(frame: Frame): void {
    const { call } = frame;
    this.#call = call;
    this.#begin();
    const error = this.#load() ?? this.#restore(frame);
    if (error !== null) this.#end();
    const head: CreatedHead = error === null ? {} : { error };
    this.#link.send({ kind: ToEngine.CREATED, box: this.#id, call, head: JSON.stringify(head) });
  }

  /** Runs process_message for a batch. */
  process(frame: Frame, texts: readonly string[]): void {
    this.#call = frame.call;
    if (this.#ended) return this.#sendEnded('the sandbox has ended');
    this.#begin();
    this.#allowance = BATCH_ALLOWANCE + 4 * (frame.block.byteLength + frame.texts.byteLength);
    this.#row[0] = -1;
    const reason = this.#guard(() => {
      this.#prelude.open(frame.head, transferable(frame.block), ...texts);
      let outcome = this.#timed(() => this.#prelude.resume());
      while (outcome.length === 1 && outcome[0] === undefined) {
        this.#begin();
        this.#pulse();
        outcome = this.#timed(() => this.#prelude.resume());
      }
      return this.#reasonOf('process_message()', outcome);
    });
    this.#rows += this.#row[0] + 1;
    if (reason !== null && !this.#isolate.isDisposed && this.#prelude.askedToEnd()) this.#preserve();
    this.#sendResult(reason);
    this.#checkMemory();
  }

  /** Runs timer_event. */
  timer(call: number, ns: number): void {
    this.#call = call;
    if (this.#ended) return this.#sendEnded('the sandbox has ended');
    this.#begin();
    this.#row[0] = -1;
    const started = process.hrtime.bigint();
    const reason = this.#guard(() => this.#reasonOf('timer_event()', this.#prelude.timer(ns)));
    this.#timers++;
    this.#timerNanoseconds += process.hrtime.bigint() - started;
    this.#sendResult(reason);
    this.#checkMemory();
  }

  /** Runs process_message of an input. */
  run(call: number): void {
    this.#call = call;
    if (this.#ended) return this.#sendEnded('the sandbox has ended');
    this.#begin();
    this.#row[0] = -1;
    const reason = this.#guard(() => this.#reasonOf('process_message()', this.#prelude.run()));
    if (reason !== null && !this.#isolate.isDisposed && this.#prelude.askedToEnd()) this.#preserve();
    this.#sendResult(reason);
    this.#checkMemory();
  }

  /** The state, before the script ends by its own or another's wish. */
  #preserve(): void {
    if (this.#head.preserve) this.save(0);
  }

  /** Sends the script's state; call 0: within another call. */
  save(call: number): void {
    if (call > 0) this.#call = call;
    this.#begin(SAVING);
    const to = { kind: ToEngine.SAVED, box: this.#id, call };
    const saved = this.#ended ? { error: 'the sandbox has ended' } : this.#saved();
    if ('error' in saved) {
      const head: SavedHead = saved;
      this.#link.send({ ...to, head: JSON.stringify(head) });
      return;
    }
    const { bytes, wide } = sendableText(saved.text);
    const head: SavedHead = { wide, version: saved.version };
    this.#link.send({ ...to, head: JSON.stringify(head), block: [new Uint8Array(saved.block)], texts: [bytes] });
  }

  report(call: number): void {
    const use = this.#ended ? this.#lastUse : this.#prelude.usage();
    const [instructions = 0, instructionsMaximum = 0, output = 0, outputMaximum = 0] = use;
    const memory = this.#ended ? { script: 0, total: 0 } : this.#memory.measure();
    const head: ReportedHead = {
      memory: memory.script,
      memoryMaximum: this.#memory.maximum,
      isolate: memory.total,
      ...{ instructions, instructionsMaximum, output, outputMaximum },
      calls: this.#rows,
      nanoseconds: Number(this.#nanoseconds),
      timers: this.#timers,
      timerNanoseconds: Number(this.#timerNanoseconds),
      ...(this.#profile === null ? {} : { profile: this.#profile.lines() }),
    };
    this.#link.send({ kind: ToEngine.REPORTED, box: this.#id, call, head: JSON.stringify(head) });
  }

  /** Lets go of the isolate. */
  dispose(): void {
    this.#end();
  }

  #end(): void {
    if (this.#profile !== null && !this.#ended && !this.#isolate.isDisposed) this.#lastUse = this.#useAtEnd();
    this.#ended = true;
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  #useAtEnd(): number[] {
    try {
      return this.#prelude.usage();
    } catch {
      return [];
    }
  }

  /** Tells the engine which sandbox runs now: if the host dies, it was this one. */
  #begin(what = ''): void {
    this.#link.send({ kind: ToEngine.BEGIN, box: this.#id, call: this.#call, head: what });
  }

  get #callMs(): number | undefined {
    const { callMs } = this.#head.limits;
    return callMs === 0 || this.#head.kind === 'input' ? undefined : callMs + CLOCK_SLACK_MS;
  }

  #setup(): Parameters<typeof startPrelude>[3]['setup'] {
    const { name, kind, config, limits } = this.#head;
    const { output, processInject, timerInject } = limits;
    return { name, kind, config, instructions: kind === 'input' ? 0 : limits.instructions, output, processInject, timerInject };
  }

  #callbacks(): HostCallbacks {
    return {
      fetch: (variable) => this.#fetch(variable as string),
      load: (name) => this.#inIsolate(() => this.#loader.require(name as string)),
      compile: (parameters, body, scope) =>
        this.#inIsolate(() => this.#loader.compile(parameters as string, body as string, scope as string)),
      pulse: () => this.#pulse(),
      flush: () => this.#flush(),
      end: (reason) => this.#endFromInside(reason as string),
    };
  }

  #load(): string | null {
    const loaded: { exports: IsolatedVM.Reference<unknown> | null } = { exports: null };
    const failed = this.#guard(() => {
      this.#prelude.startLoading();
      loaded.exports = this.#loader.run(this.#callMs);
      return null;
    });
    return failed ?? this.#prelude.endLoading(loaded.exports?.derefInto() ?? null) ?? this.#memory.excess();
  }

  /** Puts a state back. Returns why that failed, or null. */
  #restore(frame: Frame): string | null {
    const { state } = this.#head;
    if (state === null) return null;
    this.#begin(SAVING);
    const text = frame.texts.toString(state.wide ? 'utf16le' : 'latin1');
    const failed = this.#guard(() => {
      this.#prelude.restore(text, transferable(frame.block), state.version, ...this.#loader.exports());
      return null;
    });
    return failed === null ? null : `its data cannot be restored: ${failed}`;
  }

  #saved(): { readonly text: string; readonly block: ArrayBuffer; readonly version: number | null } | { readonly error: string } {
    const saved: ReturnType<PreludeCalls['save']>[] = [];
    const error = this.#guard(() => {
      saved.push(this.#prelude.save());
      return null;
    });
    const [first] = saved;
    return first === undefined ? { error: error ?? 'there is no state' } : { text: first[0], block: first[1], version: first[2] };
  }

  #timed(run: () => Outcome): Outcome {
    const started = process.hrtime.bigint();
    try {
      return run();
    } finally {
      this.#nanoseconds += process.hrtime.bigint() - started;
    }
  }

  /** Why the sandbox has to end after a call; null when it goes on. */
  #reasonOf(what: string, outcome: Outcome): string | null {
    if (outcome.length === 1) return outcome[0] ?? null;
    const [text, stack] = outcome;
    return `${what} ${this.#located(text, stack)}`;
  }

  #located(text: string, stack: string): string {
    const place = this.#loader.placeOf(stack);
    return place === '' ? text : `${place} ${text}`;
  }

  /** Runs code of the script. Returns why the sandbox has to end, or null. */
  #guard(run: () => string | null): string | null {
    try {
      return run();
    } catch (error) {
      return this.#reasonOfError(error);
    }
  }

  #reasonOfError(error: unknown): string {
    if (this.#last !== null) return this.#last.reason;
    if (error instanceof LoadError) return error.message;
    if (!(error instanceof Error)) return String(error);
    if (error.message === 'Script execution timed out.') return `exceeded the time limit of ${this.#head.limits.callMs} ms`;
    if (this.#isolate.isDisposed) return `exceeded memory_limit of ${this.#head.limits.memory}`;
    return this.#located(`${error.name}: ${error.message}`, error.stack ?? '');
  }

  /** A callback's errors go into the isolate as errors with a text and nothing else. */
  #inIsolate<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (this.#isolate.isDisposed || !(error instanceof Error)) throw error;
      throw new Error(this.#reasonOfError(error), { cause: error });
    }
  }

  /** Between calls, when nothing but the script's own is held. */
  #checkMemory(): void {
    const reason = this.#ended ? null : this.#memory.excess();
    if (reason === null) return;
    this.#end();
    const head: EndedHead = { reason };
    this.#link.send({ kind: ToEngine.ENDED, box: this.#id, call: this.#call, head: JSON.stringify(head) });
  }

  /** Now and then during a long call: a script that takes too much is stopped before V8 is in trouble. */
  #pulse(): void {
    const reason = this.#memory.excess(this.#allowance);
    if (reason !== null) this.#endFromInside(reason);
    else if (this.#head.kind === 'input' && performance.now() - this.#askedAt > ASK_MS) this.#askOn();
  }

  /** An input hears only here that it shall stop. */
  #askOn(): void {
    this.#stopUnless(this.#link.request(this.#id, this.#call, { want: 'go on' }));
  }

  /** Sends what an input has injected, and waits until that is taken. */
  #flush(): void {
    const parcel = this.#prelude.finish(null);
    this.#stopUnless(this.#link.exchange(this.#frameOf(ToEngine.PARTIAL, parcel)));
  }

  #stopUnless(answer: Frame): void {
    this.#askedAt = performance.now();
    if (!(JSON.parse(answer.head) as GoOnHead).stop) return;
    this.#preserve();
    this.#endFromInside(SHUTTING_DOWN);
  }

  #endFromInside(reason: string): void {
    if (this.#last !== null) return;
    let parcel: Parcel | null = null;
    try {
      parcel = this.#prelude.finish(reason);
    } catch {
      // Then what was collected is lost; the reason is not.
    }
    this.#last = { reason, parcel };
    this.#end();
  }

  #fetch(variable: string): void {
    const answer = this.#link.request(this.#id, this.#call, { want: 'variable', name: variable });
    this.#prelude.deliver(answer.head, transferable(answer.block), ...receivedTexts(answer));
  }

  #requestSource(request: RequestHead): SourceAnswer {
    return JSON.parse(this.#link.request(this.#id, this.#call, request).head) as SourceAnswer;
  }

  #sendResult(reason: string | null): void {
    let parcel = this.#last?.parcel ?? null;
    let ended = reason;
    if (this.#last === null && !this.#isolate.isDisposed) {
      try {
        parcel = this.#prelude.finish(reason);
      } catch (error) {
        ended ??= this.#reasonOfError(error);
      }
    }
    if (ended !== null) {
      this.#end();
      if (this.#profile !== null) this.report(0);
    }
    if (parcel === null) return this.#sendEnded(ended ?? 'the sandbox gave no result');
    this.#link.send(this.#frameOf(ToEngine.RESULT, parcel));
  }

  #frameOf(kind: number, [head, arena, block]: Parcel): OutgoingFrame {
    const { bytes, wide } = sendableText(arena);
    const fullHead = wide ? `${head.slice(0, -1)},"wide":true}` : head;
    return { kind, box: this.#id, call: this.#call, head: fullHead, block: [new Uint8Array(block)], texts: [bytes] };
  }

  #sendEnded(reason: string): void {
    this.#end();
    const head = JSON.stringify(endedHead(reason, this.#row[0] as number));
    this.#link.send({ kind: ToEngine.RESULT, box: this.#id, call: this.#call, head });
  }
}

/** A block goes into the isolate without being copied. */
function transferable(block: ArrayBuffer): unknown {
  return new ivm.ExternalCopy(block, { transferOut: true }).copyInto({ transferIn: true, release: true });
}
