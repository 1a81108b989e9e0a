import { EventEmitter } from 'node:events';
import { ChildSupervisor, type ChildCommand, type ChildCrash } from './child-supervisor.ts';
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame } from './frames.ts';
import { ToEngine, ToHost } from './protocol.ts';

interface HostEvents {
  /** A frame that is about a sandbox. */
  frame: [Frame];
  crash: [HostCrash];
}

export interface HostCrash extends ChildCrash {
  /** The sandbox whose call it was serving, 0 for none. */
  readonly running: number;
  /** It was killed because that call took too long. */
  readonly overdue: boolean;
}

/** How long a host that is due to be killed may still have answers under way. */
const SECOND_CHANCE_MS = 250;

/**
 * One host process as the engine sees it: frames both ways, what it is running, and a clock for that. A host that neither answers nor says that it is
 * getting on is killed.
 */
export class HostProcess extends EventEmitter<HostEvents> {
  readonly #child: ChildSupervisor;
  readonly #reader = new FrameReader();
  readonly #allowanceOf: (box: number) => number;
  #running = 0;
  #overdue = false;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;
  readonly ready: Promise<void>;

  /**
   * @param prelude makes the code that goes before each script; called when the host is on its way
   * @param allowanceOf how many milliseconds a sandbox's call may take until the host is killed; Infinity: any
   * @param startMs how long the host may take to start
   */
  constructor(command: ChildCommand, prelude: () => string, startMs: number, allowanceOf: (box: number) => number) {
    super();
    this.#allowanceOf = allowanceOf;
    this.#child = new ChildSupervisor(command);
    const started = Promise.withResolvers<void>();
    this.ready = started.promise;
    this.#child.on('crash', (crash) => this.#crashed(crash));
    this.#child.on('exit', () => this.#clearTimer());
    this.#child.input.on('error', () => undefined);
    this.#child.output.on('error', () => undefined);
    this.#child.output.on('data', (chunk: Buffer) => this.#receive(chunk, started.resolve));
    this.#timer = setTimeout(() => this.#child.kill(), startMs);
    this.send({ kind: ToHost.HELLO, box: 0, call: 0, head: JSON.stringify({ prelude: prelude() }) });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#ended;
  }

  send(frame: OutgoingFrame): void {
    if (this.#ended) return;
    const { input } = this.#child;
    input.cork();
    for (const buffer of encodeFrame(frame)) if (buffer.byteLength > 0) input.write(buffer);
    input.uncork();
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearTimer();
    await this.#child.stop({ graceMs });
  }

  /** Ends the host at once, as if it had crashed. */
  kill(): void {
    this.#child.kill();
  }

  #receive(chunk: Buffer, started: () => void): void {
    try {
      this.#reader.push(chunk, (frame) => this.#take(frame, started));
    } catch {
      // What follows a broken frame means nothing.
      this.#child.kill();
    }
  }

  #take(frame: Frame, started: () => void): void {
    if (frame.kind === ToEngine.BEGIN) {
      this.#begin(frame.box);
      return;
    }
    if (frame.kind === ToEngine.READY) {
      this.#clearTimer();
      started();
      return;
    }
    if (frame.kind !== ToEngine.REQUEST) this.#settle();
    this.emit('frame', frame);
  }

  #begin(box: number): void {
    this.#running = box;
    this.#clearTimer();
    const allowance = this.#allowanceOf(box);
    if (Number.isFinite(allowance)) this.#timer = setTimeout(() => this.#due(), allowance);
  }

  #settle(): void {
    this.#running = 0;
    this.#clearTimer();
  }

  /** The engine itself may have been busy, with the answer waiting to be read. */
  #due(): void {
    this.#timer = setTimeout(() => {
      this.#overdue = true;
      this.#child.kill();
    }, SECOND_CHANCE_MS);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #crashed(crash: ChildCrash): void {
    this.#clearTimer();
    if (this.#ended) return;
    this.#ended = true;
    this.emit('crash', { ...crash, running: this.#running, overdue: this.#overdue });
  }
}
