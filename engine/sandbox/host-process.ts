import { EventEmitter } from 'node:events';
import { ChildSupervisor, type ChildCommand, type ChildCrash } from './child-supervisor.ts';
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame, type Shared } from './frames.ts';
import { WeightWatch } from './process-weight.ts';
import { SAVING, ToEngine, ToHost } from './protocol.ts';
import { closeScratch, openScratch, ScratchReader, ScratchWriter } from './scratch.ts';

interface HostEvents {
  /** A frame that is about a sandbox. */
  frame: [Frame];
  crash: [HostCrash];
}

export interface HostCrash extends ChildCrash {
  /** The sandbox whose call it was serving, 0 for none. */
  readonly running: number;
  /** Why it was killed: that call took too long, the process too much memory, or it was asked for; null: it ended by itself. */
  readonly killed: 'overdue' | 'heavy' | 'asked' | null;
}

export interface HostOptions {
  /** Makes the code that goes before each script; called when the host is on its way. */
  readonly prelude: () => string;
  /** How long the host may take to start. */
  readonly startMs: number;
  /** Bytes of memory with which the host is killed. */
  readonly maxBytes: number;
  /** How many milliseconds a sandbox's call may take until the host is killed; Infinity: any. */
  readonly allowanceOf: (box: number, saving: boolean) => number;
}

/** How long a host that is due to be killed may still have answers under way. */
const SECOND_CHANCE_MS = 250;
/** A host's memory is looked at this often while it serves a call. */
const WEIGH_MS = 100;

/**
 * One host process as the engine sees it: frames both ways, what it is running, and a clock for that. A host that neither answers nor says that it is
 * getting on is killed.
 */
export class HostProcess extends EventEmitter<HostEvents> {
  readonly #child: ChildSupervisor;
  readonly #reader = new FrameReader();
  #shared: Shared | null = null;
  readonly #options: HostOptions;
  #running = 0;
  /** The call that it was given to serve; what is kept in the middle of it has no number of its own. */
  #call = -1;
  #killed: HostCrash['killed'] = null;
  #weight: WeightWatch | null = null;
  /** What went wrong on this side. */
  #fault = '';
  #timer: NodeJS.Timeout | null = null;
  #ended = false;
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
    this.#child.on('exit', () => this.#clearTimer());
    this.#child.input.on('error', () => undefined);
    this.#child.output.on('error', () => undefined);
    this.#child.output.on('data', (chunk: Buffer) => this.#receive(chunk, started.resolve));
    this.#timer = setTimeout(() => this.#child.kill(), options.startMs);
    this.send({ kind: ToHost.HELLO, box: 0, call: 0, head: JSON.stringify({ prelude: options.prelude(), shared: scratch !== null }) });
  }

  /** Large data goes through this file as long as the host lives. */
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

  get serving(): boolean {
    return this.#running !== 0;
  }

  get ended(): boolean {
    return this.#ended;
  }

  send(frame: OutgoingFrame): void {
    if (this.#ended) return;
    const { input } = this.#child;
    input.cork();
    for (const buffer of encodeFrame(frame, this.#shared)) if (buffer.byteLength > 0) input.write(buffer);
    input.uncork();
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearTimer();
    this.#stopWeighing();
    await this.#child.stop({ graceMs });
  }

  /** Ends the host at once, as if it had crashed. */
  kill(): void {
    this.#kill('asked');
  }

  #receive(chunk: Buffer, started: () => void): void {
    try {
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) this.#take(frame, started);
    } catch (error) {
      // What follows a broken frame means nothing.
      this.#fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#child.kill();
    }
  }

  #take(frame: Frame, started: () => void): void {
    if (frame.kind === ToEngine.BEGIN) {
      this.#begin(frame, frame.head === SAVING);
      return;
    }
    if (frame.kind === ToEngine.READY) {
      this.#clearTimer();
      started();
      return;
    }
    if (!this.#goesOn(frame)) this.#settle();
    this.emit('frame', frame);
  }

  /** Whether the host is still at the same call after this frame. */
  #goesOn({ kind, call }: Frame): boolean {
    if (kind === ToEngine.REQUEST || kind === ToEngine.PARTIAL) return true;
    // A state or a report in the middle of a call.
    return (kind === ToEngine.SAVED || kind === ToEngine.REPORTED) && (call === 0 || call === this.#call);
  }

  #begin({ box, call }: Frame, saving: boolean): void {
    this.#running = box;
    if (!saving) this.#call = call;
    this.#clearTimer();
    const allowance = this.#options.allowanceOf(box, saving);
    if (Number.isFinite(allowance)) this.#timer = setTimeout(() => this.#due(), allowance);
    if (this.pid === undefined || this.#weight !== null) return;
    this.#weight = new WeightWatch(this.pid, {
      maxBytes: this.#options.maxBytes,
      everyMs: WEIGH_MS,
      onTooHeavy: () => this.#kill('heavy'),
    });
  }

  #kill(reason: NonNullable<HostCrash['killed']>): void {
    this.#killed = reason;
    this.#child.kill();
  }

  #settle(): void {
    this.#running = 0;
    this.#call = -1;
    this.#clearTimer();
    this.#stopWeighing();
  }

  /** The engine itself may have been busy, with the answer waiting to be read. */
  #due(): void {
    this.#timer = setTimeout(() => this.#kill('overdue'), SECOND_CHANCE_MS);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #stopWeighing(): void {
    this.#weight?.stop();
    this.#weight = null;
  }

  #crashed(crash: ChildCrash): void {
    this.#clearTimer();
    this.#stopWeighing();
    if (this.#ended) return;
    this.#ended = true;
    this.emit('crash', { ...crash, said: this.#fault + crash.said, running: this.#running, killed: this.#killed });
  }
}
