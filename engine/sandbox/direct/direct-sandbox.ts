import type { MessageBatch } from '../../message/batch.ts';
import { SandboxEndedError } from '../errors.ts';
import { SandboxBook, NO_USE } from '../sandbox-book.ts';
import { NO_RESULT } from '../result.ts';
import type { Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState } from '../types.ts';
import { DirectScript } from './direct-script.ts';

/**
 * Batches that are decoded at once when so many are given at a time: whoever has many gives so many before the first result. Each call starts a thread that looks
 * after its time, but the records of all batches are in memory.
 */
export const DIRECT_BATCHES = 4;
/** Milliseconds without a further batch after which those that wait are decoded. */
const QUIET_MS = 1;

interface Waiting {
  readonly batch: MessageBatch;
  readonly resolve: (result: SandboxResult | Promise<SandboxResult>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A bundled decoder that runs in this process. Where something goes beyond what our own code does, it goes on in a sandbox: with the batch in which that was,
 * for it needs nothing of those before.
 */
export class DirectSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly #book = new SandboxBook();
  readonly #start: () => Promise<Sandbox>;
  #script: DirectScript | null;
  /** The one that goes on, and its promise. */
  #sandbox: Sandbox | null = null;
  #starting: Promise<Sandbox> | null = null;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  /**
   * @param start starts the sandbox that may go on
   * @param interruptible SIGINT breaks calls
   * @throws {InterruptedError}; {Error} when the script does not load here
   */
  constructor(spec: SandboxSpec, start: () => Promise<Sandbox>, interruptible: boolean) {
    this.spec = spec;
    this.#start = start;
    this.#script = new DirectScript(spec, interruptible);
  }

  get state(): SandboxState {
    return this.#sandbox?.state ?? (this.#isStopped ? 'stopped' : 'running');
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    if (this.#isStopped) return Promise.reject(new SandboxEndedError(`sandbox ${this.spec.name} was stopped`));
    if (this.#script === null || selection !== null) return this.#apart(batch, selection);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      if (this.#waiting.length === DIRECT_BATCHES) this.#decode();
      else if (this.#timer === null) this.#timer = setTimeout(() => this.#decode(), QUIET_MS);
      else this.#timer.refresh();
    });
  }

  async timer(): Promise<SandboxResult> {
    return Promise.resolve(NO_RESULT);
  }

  async report(): Promise<SandboxReport> {
    return this.#starting === null ? this.#book.report(this.spec, this.state, NO_USE) : (await this.#starting).report();
  }

  async stop(): Promise<void> {
    this.#decode();
    this.#isStopped = true;
    this.#script = null;
    await (await this.#starting?.catch(() => null))?.stop();
  }

  /** Decodes the batches that wait. */
  #decode(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    const from = performance.now();
    const results = this.#results(waiting);
    if (results === null) return;
    if (results.length < waiting.length) this.#script = null;
    else this.#countTime(waiting, performance.now() - from);
    for (const [i, { batch, resolve }] of waiting.entries()) {
      const result = results[i];
      if (result !== undefined) this.#book.count(result, batch.length);
      resolve(result ?? this.#apart(batch, null));
    }
  }

  /** The results as far as they come from here; null: the user ends the process, and all that wait know it. */
  #results(waiting: readonly Waiting[]): readonly SandboxResult[] | null {
    try {
      return this.#script?.process(waiting.map(({ batch }) => batch)) ?? [];
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return null;
    }
  }

  /** The average of a call counts what the engine does around it, too. */
  #countTime(decoded: readonly Waiting[], milliseconds: number): void {
    const { calls, nanoseconds } = this.#book.lastReport;
    const rows = decoded.reduce((sum, { batch }) => sum + batch.length, 0);
    this.#book.lastReport = { ...NO_USE, calls: calls + rows, nanoseconds: nanoseconds + milliseconds * 1e6 };
  }

  async #apart(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    this.#starting ??= this.#start();
    this.#sandbox = await this.#starting;
    return this.#sandbox.process(batch, selection);
  }
}
