import {
  ToEngine,
  type CreatedHead,
  type CreateHead,
  type EndedHead,
  type ReportedHead,
  type RequestHead,
  type ResultHead,
  type SourceAnswer,
} from '../protocol.ts';
import type { EngineLink } from './link.ts';
import { ivm, type IsolatedVM } from './isolate.ts';
import { LoadError, Loader } from './loader.ts';
import { MemoryWatch } from './memory-watch.ts';
import { receivedTexts, sendableText } from './texts.ts';
import type { Frame } from '../frames.ts';
import type { Parcel } from '../prelude/run.ts';

const MEGABYTE = 1 << 20;
/** What the isolate itself, the prelude and the batches may take beside the script. */
const HEADROOM = 40;
/** The isolate's limit when the script has none. */
const UNLIMITED = 4096;

type Call = (...args: unknown[]) => unknown;

/** The prelude's functions, as references into the isolate. */
interface PreludeCalls {
  readonly open: Call;
  readonly deliver: Call;
  readonly resume: Call;
  readonly timer: Call;
  readonly finish: Call;
  readonly startLoading: Call;
  readonly endLoading: Call;
  readonly usage: Call;
}

const NAMES = ['open', 'deliver', 'resume', 'timer', 'finish', 'startLoading', 'endLoading', 'usage'] as const;

/** One sandbox: an isolate with the prelude and the script. */
export class Box {
  readonly #id: number;
  readonly #head: CreateHead;
  readonly #link: EngineLink;
  readonly #isolate: IsolatedVM.Isolate;
  readonly #progress = new SharedArrayBuffer(8);
  readonly #row = new Int32Array(this.#progress);
  readonly #loader: Loader;
  readonly #prelude: PreludeCalls;
  readonly #memory: MemoryWatch;
  #call = 0;
  #ended = false;
  /** What was collected when the isolate was ended from inside. */
  #last: { readonly reason: string; readonly parcel: Parcel | null } | null = null;
  #calls = 0;
  #nanoseconds = 0n;

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
    this.#loader = new Loader(this.#isolate, context, (request) => this.#requestSource(request));
    const gc = context.global.getSync('gc', { reference: true });
    this.#prelude = this.#startPrelude(context, preludeCode);
    this.#memory = new MemoryWatch(this.#isolate, () => void gc.applySync(undefined, []), memory);
  }

  /** Loads the script. */
  create(call: number): void {
    this.#call = call;
    this.#begin();
    const error = this.#load();
    if (error !== null) this.#end();
    const head: CreatedHead = error === null ? {} : { error };
    this.#link.send({ kind: ToEngine.CREATED, box: this.#id, call, head: JSON.stringify(head) });
  }

  /** Runs process_message for a batch. */
  process(frame: Frame, texts: readonly string[]): void {
    this.#call = frame.call;
    if (this.#ended) return this.#sendEnded();
    this.#begin();
    const reason = this.#guard(() => {
      this.#prelude.open(frame.head, transferable(frame.block), ...texts);
      let outcome = this.#resume();
      while (outcome.length === 1 && outcome[0] === undefined) {
        this.#begin();
        outcome = this.#resume();
      }
      return this.#reasonOf('process_message()', outcome);
    });
    this.#calls += Math.max(0, (this.#row[0] as number) + 1);
    this.#sendResult(reason);
    this.#checkMemory();
  }

  /** Runs timer_event. */
  timer(call: number, ns: number): void {
    this.#call = call;
    if (this.#ended) return this.#sendEnded();
    this.#begin();
    this.#row[0] = -1;
    const reason = this.#guard(() => this.#reasonOf('timer_event()', this.#prelude.timer(ns) as Outcome));
    this.#sendResult(reason);
    this.#checkMemory();
  }

  /** Between calls, when nothing but the script's own is held. */
  #checkMemory(): void {
    const reason = this.#ended ? null : this.#memory.excess();
    if (reason === null) return;
    this.#end();
    const head: EndedHead = { reason };
    this.#link.send({ kind: ToEngine.ENDED, box: this.#id, call: this.#call, head: JSON.stringify(head) });
  }

  report(call: number): void {
    const usage = this.#ended ? [0, 0, 0, 0] : (this.#prelude.usage() as number[]);
    const [instructions = 0, instructionsMaximum = 0, output = 0, outputMaximum = 0] = usage;
    const memory = this.#ended ? { script: 0, total: 0 } : this.#memory.measure();
    const head: ReportedHead = {
      memory: memory.script,
      memoryMaximum: this.#memory.maximum,
      isolate: memory.total,
      ...{ instructions, instructionsMaximum, output, outputMaximum },
      calls: this.#calls,
      nanoseconds: Number(this.#nanoseconds),
    };
    this.#link.send({ kind: ToEngine.REPORTED, box: this.#id, call, head: JSON.stringify(head) });
  }

  /** Lets go of the isolate. */
  dispose(): void {
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  /** Tells the engine which sandbox runs now: if the host dies, it was this one. */
  #begin(): void {
    this.#link.send({ kind: ToEngine.BEGIN, box: this.#id, call: this.#call, head: '' });
  }

  get #timeout(): number | undefined {
    const { callMs } = this.#head.limits;
    return callMs === 0 ? undefined : callMs + 100;
  }

  #startPrelude(context: IsolatedVM.Context, code: string): PreludeCalls {
    const compiled = this.#isolate.compileScriptSync(
      `'use strict';let $__n=0,$__t;(function(setup,progress,fetch,load,compile,end){const host={fetch,load,compile,end};` +
        `const started=${code}.start(setup,host,new Int32Array(progress));$__t=started.exhausted;$__n=1e9;return started.prelude})`,
    );
    const start = compiled.runSync(context, { reference: true }) as unknown as IsolatedVM.Reference<Call>;
    const { name, kind, config, limits } = this.#head;
    const setup = {
      ...{ name, kind, config },
      instructions: kind === 'input' ? 0 : limits.instructions,
      output: limits.output,
      processInject: limits.processInject,
      timerInject: limits.timerInject,
    };
    const prelude = start.applySync(
      undefined,
      [
        JSON.stringify(setup),
        new ivm.ExternalCopy(this.#progress).copyInto(),
        new ivm.Callback((variable: string) => this.#fetch(variable)),
        new ivm.Callback((module: string) => this.#inIsolate(() => this.#loader.require(module))),
        new ivm.Callback((parameters: string, body: string, scope: string) =>
          this.#inIsolate(() => this.#loader.compile(parameters, body, scope)),
        ),
        new ivm.Callback((reason: string) => this.#endFromInside(reason)),
      ],
      { result: { reference: true } },
    ) as unknown as IsolatedVM.Reference<Record<string, Call>>;
    const calls = NAMES.map((call) => {
      const reference = prelude.getSync(call, { reference: true }) as unknown as IsolatedVM.Reference<Call>;
      const timed = call === 'resume' || call === 'timer';
      const options =
        timed && this.#timeout !== undefined
          ? { result: { copy: true as const }, timeout: this.#timeout }
          : { result: { copy: true as const } };
      return [call, (...args: unknown[]) => reference.applySync(undefined, args as never[], options) as unknown];
    });
    return Object.fromEntries(calls) as PreludeCalls;
  }

  #load(): string | null {
    const { prelude, exports } = { prelude: this.#prelude, exports: null as IsolatedVM.Reference<unknown> | null };
    let namespace = exports;
    const failed = this.#guard(() => {
      prelude.startLoading();
      namespace = this.#loader.run(this.#timeout);
      return null;
    });
    if (failed !== null) return failed;
    const missing = prelude.endLoading(namespace === null ? null : (namespace as IsolatedVM.Reference<unknown>).derefInto()) as
      string | null;
    return missing ?? this.#memory.excess();
  }

  #resume(): Outcome {
    const started = process.hrtime.bigint();
    try {
      return this.#prelude.resume() as Outcome;
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
      if (this.#last !== null) return this.#last.reason;
      if (error instanceof LoadError) return error.message;
      if (!(error instanceof Error)) return String(error);
      if (error.message === 'Script execution timed out.') return `exceeded the time limit of ${this.#head.limits.callMs} ms`;
      if (this.#isolate.isDisposed) return `exceeded memory_limit of ${this.#head.limits.memory}`;
      return this.#located(`${error.name}: ${error.message}`, error.stack ?? '');
    }
  }

  /** A callback's errors go into the isolate as errors with a text and nothing else. */
  #inIsolate<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (this.#isolate.isDisposed || !(error instanceof Error)) throw error;
      const text = error instanceof LoadError ? error.message : this.#located(`${error.name}: ${error.message}`, error.stack ?? '');
      throw new Error(text, { cause: error });
    }
  }

  #endFromInside(reason: string): void {
    if (this.#last !== null) return;
    let parcel: Parcel | null = null;
    try {
      parcel = this.#prelude.finish(reason) as Parcel;
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
    if (this.#last === null && !this.#isolate.isDisposed) {
      try {
        parcel = this.#prelude.finish(reason) as Parcel;
      } catch (error) {
        reason ??= error instanceof Error ? error.message : String(error);
      }
    }
    if (reason !== null) this.#end();
    if (parcel === null) return this.#sendEnded(reason ?? 'the sandbox gave no result');
    const [head, arena, block] = parcel;
    const text = sendableText(arena);
    this.#link.send({
      kind: ToEngine.RESULT,
      box: this.#id,
      call: this.#call,
      head: text.wide ? `${head.slice(0, -1)},"wide":true}` : head,
      block: [new Uint8Array(block)],
      texts: [text.bytes],
    });
  }

  /** A result without anything but the reason why there is none. */
  #sendEnded(reason = 'the sandbox has ended'): void {
    this.#end();
    const head: ResultHead = {
      used: [],
      ...{ injected: 0, passed: 0, origins: -1, kinds: -1, origin: 0, timestamps: 0, uuids: null },
      headers: [null, null, null, null, null, null, null],
      fields: [],
      failures: [],
      encoded: null,
      ended: { reason, row: this.#row[0] as number },
    };
    this.#link.send({ kind: ToEngine.RESULT, box: this.#id, call: this.#call, head: JSON.stringify(head) });
  }
}

type Outcome = [string | null | undefined] | [string, string];

/** A block goes into the isolate without being copied. */
function transferable(block: ArrayBuffer): unknown {
  return new ivm.ExternalCopy(block, { transferOut: true }).copyInto({ transferIn: true, release: true });
}
