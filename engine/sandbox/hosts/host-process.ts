import { EventEmitter } from 'node:events';
import { BytesUnderWay } from '../wire/bytes-under-way.ts';
import { ChildSupervisor, type ChildCommand, type ChildCrash } from './child-supervisor.ts';
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame, type Shared } from '../wire/frames.ts';
import { CallWatch, processorMs } from './call-watch.ts';
import { MemoryGuard, ownMemoryOf } from './memory-guard.ts';
import { SAVING, ToEngine, ToHost, type HelloHead } from '../contract/protocol.ts';
import { closeScratch, openScratch, ScratchReader, ScratchWriter } from '../wire/scratch.ts';

interface HostEvents {
  /** A frame for one sandbox. */
  frame: [Frame];
  crash: [HostCrash];
}

export interface HostCrash extends ChildCrash {
  /** Number of the sandbox whose call the host was serving; 0: none. */
  readonly running: number;
  /**
   * Reason of the kill by the engine: the call took too long, the process took too much memory, it did not start in time, what it sent cannot be read,
   * or `kill` was called; or it gave itself up because the machine kept it from its work; null: it was none of these.
   */
  readonly killed: 'overdue' | 'heavy' | 'late' | 'broken' | 'asked' | 'starved' | null;
}

export interface HostOptions {
  /** Makes the code that runs before each script; called once the host process was spawned. */
  readonly prelude: () => string;
  /** Time limit for the start of the host. */
  readonly startMs: number;
  /** Memory of its own in bytes above which the host is killed, whatever its sandboxes may hold. */
  readonly maxBytes: number;
  /** Milliseconds for which a sandbox's call may have the processor; Infinity: no limit. */
  readonly allowanceOf: (box: number, saving: boolean) => number;
  /** Milliseconds by which a call may exceed that on the clock before the host is killed. */
  readonly graceMs: number;
  /** Factor between that time and the time that calls may take on the clock of the host. */
  readonly patience: number;
}

/** The call that a host serves. */
export interface HostWork {
  readonly box: number;
  /** Its start, on the clock of `performance.now`. */
  readonly since: number;
  /** Messages of it that are through, as far as the host has said. */
  readonly done: number;
}

/** Delay before an overdue host is killed, for answers that are still to be read. */
const SECOND_CHANCE_MS = 250;
/** A host may take so much memory for each byte of its largest frame, which is copied on its way into an isolate and out of it. */
const COPIES = 4;

/**
 * Runs one host process: sends and receives its frames, tracks the call that it serves, and kills it when that call takes too long or the
 * process too much memory.
 */
export class HostProcess extends EventEmitter<HostEvents> {
  readonly #child: ChildSupervisor;
  readonly #reader = new FrameReader();
  #shared: Shared | null = null;
  readonly #options: HostOptions;
  #running = 0;
  /** Number of the call being served; -1: none. A state that is saved during a call does not change it. */
  #call = -1;
  #since = 0;
  #done = 0;
  #killed: HostCrash['killed'] = null;
  #guard: MemoryGuard | null = null;
  /** Bytes of memory that the host had before its first sandbox; null: not known yet. */
  #bare: number | null = null;
  /** Bytes that its sandboxes may take; Infinity: no limit. */
  #allowed = Infinity;
  /** Bytes of the largest frame that was sent. */
  #largest = 0;
  readonly #underWay = new BytesUnderWay();
  /** Numbers of the sandboxes that it was to create. */
  readonly #created = new Set<number>();
  /** Error of the engine's side while it read the host's frames. */
  #fault = '';
  #timer: NodeJS.Timeout | null = null;
  #watch: CallWatch | null = null;
  #ended = false;
  /** Whether no script has run in it, as far as what it sends says. */
  #isUntouched = true;
  readonly ready: Promise<void>;

  constructor(command: ChildCommand, options: HostOptions) {
    super();
    this.#options = options;
    const scratch = openScratch();
    this.#child = new ChildSupervisor(scratch === null ? command : { ...command, descriptor: scratch });
    if (scratch !== null) this.#share(scratch);
    const started = Promise.withResolvers<void>();
    this.ready = started.promise;
    this.#child.on('crash', (crash) => this.#crashed(crash));
    this.#child.on('exit', () => this.#atEnd());
    if (this.#child.pid !== undefined) this.#guard = MemoryGuard.of(this.#child.pid);
    this.#guard?.bound(options.maxBytes);
    this.#child.input.on('error', () => undefined);
    this.#child.output.on('error', () => undefined);
    this.#child.output.on('data', (chunk: Buffer) => this.#receive(chunk, started.resolve));
    this.#timer = setTimeout(() => this.#kill('late'), options.startMs);
    const hello: HelloHead = { prelude: options.prelude(), shared: scratch !== null, patience: options.patience };
    this.send({ kind: ToHost.HELLO, box: 0, call: 0, head: JSON.stringify(hello) });
  }

  /** Passes large parts of frames through this file, and closes it when the host ends. */
  #share(descriptor: number): void {
    this.#shared = { writer: new ScratchWriter(descriptor, 0), reader: new ScratchReader(descriptor, 1) };
    this.#reader.share(this.#shared);
    const close = (): void => closeScratch(descriptor);
    this.#child.once('crash', close);
    this.#child.once('exit', close);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** null: it serves none. */
  get work(): HostWork | null {
    return this.#running === 0 ? null : { box: this.#running, since: this.#since, done: this.#done };
  }

  get serving(): boolean {
    return this.#running !== 0;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Number of sandboxes that were ever on this host: what has ended may have left memory behind. */
  get sandboxes(): number {
    return this.#created.size;
  }

  /** Sets the bytes of memory that the host may take for its sandboxes; Infinity: no limit. */
  allow(bytes: number): void {
    this.#allowed = bytes;
    this.#bound();
  }

  #bound(): void {
    if (this.#bare === null) return;
    const forFrames = COPIES * this.#largest + this.#underWay.most;
    this.#guard?.bound(Math.min(this.#options.maxBytes, this.#bare + this.#allowed + forFrames));
  }

  #isReady(): void {
    this.#clearTimer();
    this.#bare = this.pid === undefined ? null : ownMemoryOf(this.pid);
    this.#bound();
  }

  send(frame: OutgoingFrame): void {
    if (this.#ended) return;
    this.#guard?.busy(true);
    if (frame.kind === ToHost.CREATE) this.#created.add(frame.box);
    this.#measure(frame);
    const { input } = this.#child;
    input.cork();
    for (const buffer of encodeFrame(frame, this.#shared)) if (buffer.byteLength > 0) input.write(buffer);
    input.uncork();
  }

  #measure({ kind, box, call, block = [], texts = [] }: OutgoingFrame): void {
    const bytes = [...block, ...texts].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const isLargest = bytes > this.#largest;
    if (isLargest) this.#largest = bytes;
    const isMost = kind === ToHost.PROCESS && this.#underWay.sent(box, call, bytes);
    if (isLargest || isMost) this.#bound();
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearTimer();
    await this.#child.stop({ graceMs });
  }

  /** Kills the host at once; that counts as a crash. */
  kill(): void {
    this.#kill('asked');
  }

  #receive(chunk: Buffer, started: () => void): void {
    try {
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) this.#take(frame, started);
    } catch (error) {
      // After an invalid frame, the rest of the stream cannot be read.
      this.#fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#kill('broken');
    }
  }

  #take(frame: Frame, started: () => void): void {
    if (frame.kind === ToEngine.BEGIN) {
      this.#note(frame);
      this.#begin(frame, frame.head === SAVING);
      return;
    }
    if (frame.kind === ToEngine.READY) {
      this.#isReady();
      started();
      return;
    }
    if (frame.kind === ToEngine.STARVED) {
      this.#kill('starved');
      return;
    }
    if (frame.kind === ToEngine.INSTRUMENTED) {
      if (this.#isUntouched) this.emit('frame', frame);
      this.#isUntouched = false;
      return;
    }
    if (frame.kind === ToEngine.RESULT) this.#underWay.answered(frame.box, frame.call);
    else if (frame.kind === ToEngine.STOPPED) this.#underWay.ended(frame.box);
    if (!this.#goesOn(frame)) this.#settle();
    this.emit('frame', frame);
  }

  /** Whether the host is still serving the same call after this frame. */
  #goesOn({ kind, call }: Frame): boolean {
    if (kind === ToEngine.REQUEST || kind === ToEngine.PARTIAL) return true;
    // A state or a report sent during a call.
    return (kind === ToEngine.SAVED || kind === ToEngine.REPORTED) && (call === 0 || call === this.#call);
  }

  /** Notes when a call began, and how far it has come. */
  #note({ box, call, head }: Frame): void {
    const isNew = box !== this.#running || (head !== SAVING && call !== this.#call);
    if (isNew) this.#since = performance.now();
    this.#done = isNew || head === SAVING ? 0 : Math.max(this.#done, Math.trunc(Number(head)) || 0);
  }

  #begin({ box, call }: Frame, saving: boolean): void {
    this.#running = box;
    if (!saving) this.#call = call;
    this.#clearTimer();
    const { pid } = this;
    if (pid === undefined) return;
    const { allowanceOf, graceMs } = this.#options;
    const allowedMs = allowanceOf(box, saving);
    const usedMs = (): number | null => processorMs(pid);
    if (Number.isFinite(allowedMs)) this.#watch = new CallWatch({ usedMs, allowedMs, graceMs, onDue: () => this.#due() });
    this.#guard?.busy(true);
  }

  #kill(reason: NonNullable<HostCrash['killed']>): void {
    this.#killed = reason;
    this.#child.kill();
  }

  #settle(): void {
    this.#running = 0;
    this.#call = -1;
    this.#clearTimer();
    this.#guard?.busy(false);
  }

  /** Waits a little before the kill: the engine itself may have been busy, with the answer not read yet. */
  #due(): void {
    this.#timer = setTimeout(() => this.#kill('overdue'), SECOND_CHANCE_MS);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#watch?.stop();
    this.#watch = null;
  }

  #atEnd(): void {
    this.#clearTimer();
    this.#guard?.release();
    this.#guard = null;
  }

  #crashed(crash: ChildCrash): void {
    let killed = this.#killed ?? (this.#guard?.heavy === true ? 'heavy' : null);
    // isolated-vm fails when a function of V8 does not hear its clock, and comes to its end later.
    if (killed === null && crash.signal === 'SIGSEGV' && this.#watch?.isLate(this.#options.patience)) killed = 'starved';
    this.#atEnd();
    if (this.#ended) return;
    this.#ended = true;
    this.emit('crash', { ...crash, said: this.#fault + crash.said, running: this.#running, killed });
  }
}
