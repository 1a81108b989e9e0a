import type { End } from '../../api/ends.ts';
import type { Frame } from '../wire/frames.ts';
import type { Outcome } from '../prelude/index.ts';
import type { EndInside } from '../prelude/state/state.ts';
import {
  SAVING,
  type CreateHead,
  type GoOnHead,
  type HelloHead,
  type InputForm,
  type LookupRequest,
  type TextPlace,
  type TimerHead,
} from '../contract/protocol.ts';
import { BoxLine, type SavedState } from './box-line.ts';
import { CallClock } from './call-clock.ts';
import { EndReasons, TOP_LEVEL } from './end-reasons.ts';
import { BATCH_ALLOWANCE, newIsolate, setupOf, timeLimits, type TimeLimits } from './isolate-limits.ts';
import { ivm, type IsolatedVM } from './isolate.ts';
import { LineProfile } from './line-profile.ts';
import type { EngineLink } from './link.ts';
import { Loader } from './loader.ts';
import { MemoryWatch } from './memory-watch.ts';
import { startPrelude, type HostCallbacks, type PreludeCalls } from './prelude-binding.ts';
import { receivedTexts } from '../wire/texts.ts';
import { InputReader } from './input-reader.ts';
import { ResultMemory, type TakenParcel } from './result-memory.ts';
import { LAST_RESORT } from './relief.ts';
import { ScriptGuard } from './script-guard.ts';
import { ScriptUse } from './script-use.ts';
import { TextMemory } from './text-memory.ts';
import { DEFAULT_SAMPLING } from '../contract/types.ts';

/** An input that is busy asks this often whether it may go on. */
const ASK_MS = 100;
const SHUTTING_DOWN: End = { code: 'sandbox.stopped', reason: 'shutting down' };
const HAS_ENDED: End = { code: 'sandbox.ended', reason: 'the sandbox has ended' };
const NO_STATE: End = { code: 'sandbox.protocol', reason: 'there is no state' };
const NO_RESULT: End = { code: 'sandbox.protocol', reason: 'the sandbox gave no result' };
/** A batch that takes longer is looked after so often; a little less than the prelude's own time slice. */
const PULSE_MS = 40;

/** One sandbox: an isolate with the prelude and the script. */
export class Box {
  readonly #head: CreateHead;
  readonly #line: BoxLine;
  readonly #isolate: IsolatedVM.Isolate;
  readonly #row: Int32Array;
  readonly #loader: Loader;
  readonly #reasons: EndReasons;
  readonly #limits: TimeLimits;
  readonly #prelude: PreludeCalls;
  readonly #memory: MemoryWatch;
  readonly #gc: (options?: typeof LAST_RESORT) => void;
  /** Bytes that the current batch and what is made of it may take beside the script's own. */
  #allowance = BATCH_ALLOWANCE;
  #ended = false;
  /** The time at which the engine last said that an input may go on. */
  #askedAt = 0;
  /** End and collected output, when the isolate was ended from inside. */
  #last: { readonly end: End; readonly parcel: TakenParcel | null } | null = null;
  readonly #guard: ScriptGuard;
  readonly #use: ScriptUse;
  readonly #results = new ResultMemory((memory) => this.#prelude.share(memory));
  readonly #texts = new TextMemory((memory) => this.#prelude.shareTexts(memory));
  readonly #clock: CallClock;
  readonly #reader = new InputReader(
    (head) => this.#line.request(head),
    () => this.#keepState(),
  );
  readonly #profile: LineProfile | null;
  /** Places of what its state could not keep and its top level has not made. */
  #missing: readonly string[] = [];

  constructor(id: number, head: CreateHead, { prelude, patience }: Pick<HelloHead, 'prelude' | 'patience'>, link: EngineLink) {
    this.#head = head;
    this.#isolate = newIsolate(head.limits);
    this.#limits = timeLimits(head, patience);
    const context = this.#isolate.createContextSync();
    this.#profile = head.profile === true ? new LineProfile() : null;
    this.#loader = new Loader(this.#isolate, context, (request) => this.#line.requestSource(request), this.#profile, head.stateless);
    this.#reasons = new EndReasons(head, this.#loader);
    const gc = context.global.getSync('gc', { reference: true });
    this.#gc = (options) => void gc.applySync(undefined, options === undefined ? [] : [options], { arguments: { copy: true } });
    const progress = new SharedArrayBuffer(8);
    this.#row = new Int32Array(progress);
    this.#clock = new CallClock(head.sampling ?? DEFAULT_SAMPLING, this.#row, (until) => this.#prelude.resume(until));
    this.#line = new BoxLine(id, link, this.#clock.times);
    this.#guard = new ScriptGuard({
      limits: this.#limits,
      callMs: head.limits.callMs,
      patience,
      isolate: this.#isolate,
      reasons: this.#reasons,
      endedBy: () => this.#last?.end ?? null,
      onStarved: () => this.#line.starved(),
    });
    const callbacks = this.#callbacks();
    this.#prelude = startPrelude(this.#isolate, context, prelude, {
      setup: setupOf(head),
      progress,
      profile: this.#profile?.cells ?? null,
      callbacks,
      ...this.#limits,
    });
    this.#memory = new MemoryWatch(
      this.#isolate,
      () => this.#gc(),
      head.profile === true ? `${head.kind} with a profile` : head.kind,
      head.limits.memory,
    );
    this.#use = new ScriptUse({ prelude: this.#prelude, memory: this.#memory, clock: this.#clock, profile: this.#profile });
  }

  /** Loads the script; the frame may hold a state to go on from. */
  create(frame: Frame): void {
    this.#line.call = frame.call;
    this.#line.begin(this.#head.kind === 'input' ? SAVING : '');
    const end = this.#load() ?? this.#restore(frame);
    if (end !== null) this.#end();
    this.#line.created(end === null ? { missing: this.#missing } : { end });
  }

  /** Runs process_message for a batch. */
  process(frame: Frame, places: readonly TextPlace[]): void {
    this.#line.call = frame.call;
    if (this.#ended) return this.#sendEnded(HAS_ENDED);
    this.#line.begin();
    const bytes = frame.block.byteLength + frame.texts.byteLength;
    this.#allowance = BATCH_ALLOWANCE + 4 * bytes;
    this.#memory.note(3 * bytes);
    this.#row[0] = -1;
    const end = this.#guard.run('in process_message', () => {
      const texts = this.#head.kind === 'decoder' ? this.#texts.delivered(frame, places) : receivedTexts(frame, places);
      this.#prelude.open(frame.head, transferable(frame.block), ...texts);
      let beganAt = performance.now();
      for (;;) {
        const outcome = this.#resume();
        if (!rowsAreLeft(outcome)) return this.#reasons.ofOutcome('process_message()', outcome);
        if (performance.now() - beganAt > PULSE_MS) {
          this.#line.begin(String(this.#clock.done));
          this.#lookBetweenRows();
          beganAt = performance.now();
        }
      }
    });
    this.#clock.finish();
    if (end !== null && !this.#isolate.isDisposed && this.#prelude.askedToEnd()) this.#preserve();
    this.#sendResult(end);
    if (!this.#ended) this.#results.fit();
    this.#checkMemory();
  }

  /** Goes on with the batch for a while, and looks at the memory when it is time to. */
  #resume(): Outcome {
    const before = this.#clock.done;
    this.#guard.begin();
    const outcome = this.#clock.resume(this.#memory.due);
    const end = rowsAreLeft(outcome) ? this.#memory.passed(this.#clock.done - before, this.#allowance) : null;
    if (end === null) return outcome;
    this.#endFromInside(end);
    return [end];
  }

  /** Runs timer_event. */
  timer(call: number, { ns, lookups }: TimerHead): void {
    this.#line.call = call;
    if (this.#ended) return this.#sendEnded(HAS_ENDED);
    this.#line.begin();
    this.#row[0] = -1;
    const run = (): End | null => this.#reasons.ofOutcome('timer_event()', this.#prelude.timer(ns, lookups));
    const end = this.#use.timed(() => this.#guard.run('in timer_event', run));
    this.#sendResult(end);
    this.#checkMemory();
  }

  /** Runs process_message of an input. */
  run(call: number): void {
    this.#line.call = call;
    if (this.#ended) return this.#sendEnded(HAS_ENDED);
    this.#line.begin();
    this.#row[0] = -1;
    const end = this.#guard.run('in process_message', () => this.#reasons.ofOutcome('process_message()', this.#prelude.run()));
    if (end !== null && !this.#isolate.isDisposed && this.#prelude.askedToEnd()) this.#preserve();
    this.#sendResult(end);
    this.#checkMemory();
  }

  /** The state, before the script ends by its own or another's wish. */
  #preserve(): void {
    if (this.#head.preserve) this.save(0);
  }

  /**
   * Sends the script's state; call 0: within another call.
   * @param checkpoint it is only for going on after this host's end
   */
  save(call: number, checkpoint = false): void {
    if (call > 0) this.#line.call = call;
    this.#line.begin(SAVING);
    const ended = this.#ended;
    const saved = ended ? HAS_ENDED : this.#saved(checkpoint);
    this.#line.saved(call, 'reason' in saved ? { error: saved.reason } : saved);
    // The isolate had no room for it, or the script came to no end.
    if ('reason' in saved && call > 0 && !ended && this.#isolate.isDisposed) this.#endBetweenCalls(saved);
  }

  report(call: number): void {
    this.#line.reported(call, this.#use.head(this.#ended));
  }

  get memoryLimit(): number {
    return this.#head.limits.memory;
  }

  /** Collects the garbage of its script. */
  collect(trims = false): void {
    if (!this.#isolate.isDisposed) this.#gc(trims ? LAST_RESORT : undefined);
  }

  /** Lets go of the isolate. */
  dispose(): void {
    this.#end();
  }

  #end(): void {
    if (this.#profile !== null && !this.#ended && !this.#isolate.isDisposed) this.#use.keep();
    this.#ended = true;
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  #callbacks(): HostCallbacks {
    return {
      fetch: (variable) => this.#fetch(variable as string),
      text: (number) => this.#texts.text(number as number),
      load: (name) => this.#inIsolate(() => this.#loader.require(name as string)),
      compile: (parameters, body, scope) =>
        this.#inIsolate(() => this.#loader.compile(parameters as string, body as string, scope as string)),
      lookup: (name, column, value) => this.#lookup({ name, column, value } as Omit<LookupRequest, 'want'>),
      pulse: () => this.#pulse(),
      flush: () => this.#flush(),
      read: (form, rest, globals) => this.#read(form as InputForm, rest as number, globals as number),
      end: (end) => this.#endFromInside(this.#reasons.located(JSON.parse(end as string) as EndInside)),
    };
  }

  #load(): End | null {
    const loaded: { exports: IsolatedVM.Reference<unknown> | null } = { exports: null };
    const failed = this.#guard.run(TOP_LEVEL, () => {
      this.#prelude.startLoading();
      loaded.exports = this.#loader.run(this.#limits.loadMs, (made) => this.#line.instrumented(made));
      const end = this.#reasons.ofOutcome('', this.#prelude.endLoading(loaded.exports?.derefInto() ?? null));
      return end === null ? null : this.#loader.explained(end);
    });
    return failed ?? this.#memory.excess();
  }

  /** Puts a state back. Returns the end when that failed, or null. */
  #restore(frame: Frame): End | null {
    const { state } = this.#head;
    if (state === null) return null;
    this.#line.begin(SAVING);
    const text = frame.texts.toString(state.wide ? 'utf16le' : 'latin1');
    const failed = this.#guard.run('while its state was put back', () => {
      this.#missing = this.#prelude.restore(text, transferable(frame.block), state.version, ...this.#loader.exports());
      return null;
    });
    if (failed === null) return null;
    const reason = `its data cannot be restored: ${failed.reason}`;
    return failed.code === 'script.throws' ? { ...failed, code: 'state.restore', reason, said: reason } : { ...failed, reason };
  }

  #saved(checkpoint: boolean): SavedState | End {
    const saved: ReturnType<PreludeCalls['save']>[] = [];
    const end = this.#guard.run('while its state was kept', () => {
      saved.push(this.#prelude.save(checkpoint));
      return null;
    });
    const [first] = saved;
    return first === undefined ? (end ?? NO_STATE) : { text: first[0], block: first[1], version: first[2], unkept: first[3] };
  }

  /** Has so many rows of the next batch timed one by one. */
  time(rows: number): void {
    this.#clock.times.want(rows);
  }

  /** A callback's errors go into the isolate as errors with a text and nothing else. */
  #inIsolate<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (this.#isolate.isDisposed || !(error instanceof Error)) throw error;
      throw new Error(this.#guard.endOf(error).reason, { cause: error });
    }
  }

  /** Between calls, when nothing but the script's own is held. */
  #checkMemory(): void {
    const end = this.#ended ? null : this.#memory.excess();
    if (end !== null) this.#endBetweenCalls(end);
  }

  #endBetweenCalls(end: End): void {
    this.#end();
    this.#line.ended(end);
  }

  /** Now and then during a long call: a script that takes too much is stopped before V8 is in trouble. Returns whether it takes too much. */
  #pulse(): boolean {
    if (this.#memory.excess(this.#allowance) !== null) return true;
    if (this.#head.kind === 'input' && performance.now() - this.#askedAt > ASK_MS) this.#askOn();
    return false;
  }

  #lookBetweenRows(): void {
    const end = this.#memory.excess(this.#allowance);
    if (end !== null) this.#endFromInside(end);
  }

  /** An input hears only here that it shall stop. */
  #askOn(): void {
    this.#stopUnless(this.#line.request({ want: 'go on' }));
  }

  /** Sends what an input has injected, and waits until that is taken. */
  #flush(): void {
    this.#stopUnless(this.#line.partial(this.#finish(null)));
  }

  #stopUnless(answer: Frame): void {
    this.#askedAt = performance.now();
    if ((JSON.parse(answer.head) as GoOnHead).stop) this.#shutDown();
  }

  #shutDown(): void {
    this.#preserve();
    this.#endFromInside(SHUTTING_DOWN);
  }

  /** Brings an input what it reads. */
  #read(form: InputForm, rest: number, globals: number): void {
    const answer = this.#reader.read(form, rest, globals);
    if (answer === null) this.#shutDown();
    else this.#prelude.takeInput(answer.head, transferable(answer.block), ...receivedTexts(answer));
  }

  /** Makes the state of an input known in the middle of its call. */
  #keepState(): void {
    this.save(this.#line.call);
    this.#line.begin();
  }

  #endFromInside(end: End): void {
    if (this.#last !== null) return;
    let parcel: TakenParcel | null = null;
    try {
      parcel = this.#finish(JSON.stringify(end));
    } catch {
      // Then what was collected is lost; the reason is not.
    }
    this.#last = { end, parcel };
    this.#end();
  }

  #fetch(variable: string): void {
    this.#clock.waiting(() => this.#fetchColumn(variable));
  }

  #fetchColumn(variable: string): void {
    const answer = this.#line.request({ want: 'variable', name: variable });
    this.#prelude.deliver(answer.head, transferable(answer.block), ...receivedTexts(answer));
  }

  /** The engine's answer, as JSON: it has the files of lookups, the host has none. */
  #lookup(asked: Omit<LookupRequest, 'want'>): string {
    let answer = '';
    this.#clock.waiting(() => (answer = this.#line.request({ want: 'lookup', ...asked }).head));
    return answer;
  }

  #finish(end: string | null): TakenParcel {
    return this.#results.taken(this.#prelude.finish(end));
  }

  #sendResult(end: End | null): void {
    let parcel = this.#last?.parcel ?? null;
    let ended = end;
    if (this.#last === null && !this.#isolate.isDisposed) {
      try {
        parcel = this.#finish(end === null ? null : JSON.stringify(end));
      } catch (error) {
        ended ??= this.#guard.endOf(error);
      }
    }
    if (ended !== null) {
      this.#end();
      if (this.#profile !== null) this.report(0);
    }
    if (parcel === null) return this.#sendEnded(ended ?? NO_RESULT, true);
    this.#line.result(parcel);
  }

  #sendEnded(end: End, lost = false): void {
    this.#end();
    this.#line.nothing(end, this.#row[0] as number, lost);
  }
}

function rowsAreLeft(outcome: Outcome): boolean {
  return outcome.length === 1 && outcome[0] === undefined;
}

/** A block goes into the isolate without being copied. */
function transferable(block: ArrayBuffer): unknown {
  return new ivm.ExternalCopy(block, { transferOut: true }).copyInto({ transferIn: true, release: true });
}
