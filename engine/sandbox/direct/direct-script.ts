import { basename } from 'node:path';
import { constants, createContext, Script, type Context } from 'node:vm';
import { MAX_VARIABLES } from '../host-line.ts';
import type { PastCall } from '../journal.ts';
import { OutboundBatch } from '../outbound.ts';
import type { SavedScript } from '../preservation.ts';
import type { EntryPoints } from '../prelude/run.ts';
import type { Outcome, Prelude } from '../prelude/index.ts';
import type { HostCalls, Setup } from '../prelude/state.ts';
import { preludeStart } from '../prelude-start.ts';
import { preludeCode } from '../bundle.ts';
import { ownResultOf } from '../result.ts';
import { sentConfig } from '../sent-config.ts';
import { textPiece } from '../texts.ts';
import type { SandboxResult, SandboxSpec } from '../types.ts';
import { scriptCode } from './script-code.ts';

/** A script cannot go on here: it ended, or asked for what only a sandbox has. */
class NotHereError extends Error {
  override readonly name = 'NotHereError';
}

/** The process was sent SIGINT while the script ran; those who listen to it were told. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** With more columns in a batch a decoder may come to the memory limit of a sandbox, which is to say so. */
const MAX_COLUMNS = 512;
/** The function of the context that a call with a time limit runs. */
const GUARDED = '$__d';

/** Result of a call, and how many global variables the script has then. */
export interface Served {
  readonly result: SandboxResult;
  readonly globals: number;
}

type Start = (setup: string, progress: SharedArrayBuffer, profile: null, ...callbacks: readonly unknown[]) => Prelude;

/**
 * A bundled script that runs in this process, in a context of its own, with the same prelude as in a sandbox: so its results are the same, without the way
 * into another process and back. Only our own code may run so.
 */
export class DirectScript {
  readonly #spec: SandboxSpec;
  readonly #interruptible: boolean;
  readonly #context: Context = createContext(constants.DONT_CONTEXTIFY);
  readonly #prelude: Prelude;
  readonly #go = new Script(`${GUARDED}()`);
  /** The function that a call with a time limit runs. */
  #work: () => unknown = () => undefined;
  /** Variables that the script reads: their columns are delivered with each batch. */
  readonly #variables: Set<string>;
  /** The batch that is processed. */
  #sent: OutboundBatch | null = null;
  #ended = false;

  /** Loads the script. @param interruptible SIGINT breaks calls @throws {InterruptedError}; {Error} when it does not load here */
  constructor(spec: SandboxSpec, interruptible: boolean) {
    this.#spec = spec;
    this.#interruptible = interruptible;
    this.#variables = new Set(spec.kind === 'decoder' ? ['Payload'] : []);
    const callbacks = this.#callbacks();
    const names = Object.keys(callbacks) as (keyof HostCalls)[];
    const start = this.#run(preludeStart(preludeCode(), names), '(prelude)') as Start;
    this.#prelude = start(JSON.stringify(setupOf(spec)), new SharedArrayBuffer(8), null, ...names.map((name) => callbacks[name]));
    Object.defineProperty(this.#context, GUARDED, { value: () => this.#work() });
    this.#limited(() => {
      this.#prelude.startLoading();
      const exports = this.#run(scriptCode(spec.script), basename(spec.script)) as EntryPoints;
      this.#expectNoEnd(this.#prelude.endLoading(exports));
    });
  }

  /**
   * Runs calls, for no longer than a call may take.
   * @returns the results of the calls up to the first one that a sandbox has to serve: that one has left this script in no state to go on
   * @throws {InterruptedError}
   */
  serve(calls: readonly PastCall[]): Served[] {
    const served: Served[] = [];
    try {
      this.#limited(() => {
        for (const call of calls) served.push(call.kind === 'process' ? this.#process(call) : this.#tick(call));
      });
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      // The sandbox says what becomes of the others.
    }
    return served;
  }

  /** The state after the calls so far; null: it cannot be had. */
  state(): SavedScript | null {
    try {
      let saved: ReturnType<Prelude['save']> | null = null;
      this.#limited(() => (saved = this.#prelude.save(true)));
      const [text, block, version] = saved as unknown as ReturnType<Prelude['save']>;
      const { wide } = textPiece(text);
      return { head: { wide, version }, text: Buffer.from(text, wide ? 'utf16le' : 'latin1'), block: new Uint8Array(block) };
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      return null;
    }
  }

  #process(call: PastCall & { readonly kind: 'process' }): Served {
    const sent = (this.#sent = new OutboundBatch(call.batch, call.selection));
    const { head, block, texts } = sent.open(this.#variables);
    const opened = call.clock === undefined ? head : { ...head, clock: call.clock };
    this.#prelude.open(JSON.stringify(opened), joined(block), ...texts.map(({ text }) => text));
    while (this.#isUnfinished(this.#prelude.resume(sent.length)));
    return this.#finish(call, sent);
  }

  #tick(call: PastCall & { readonly kind: 'timer' }): Served {
    this.#expectNoEnd(this.#prelude.timer(String(call.ns)));
    return this.#finish(call, null);
  }

  #finish(call: PastCall, sent: OutboundBatch | null): Served {
    const [head, arena, block] = this.#prelude.finish(null);
    if (typeof block === 'number') throw new NotHereError('a result in memory that is not shared');
    const served = ownResultOf(this.#spec, call, { head, arena, block }, sent);
    const { ended, fields, used } = served.head;
    if (ended !== null || fields.length > MAX_COLUMNS) throw new NotHereError('it ended, or may take more memory than a sandbox allows');
    for (const name of used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
    return { result: served.result, globals: served.head.globals };
  }

  #deliver(variable: string): void {
    if (this.#sent === null) this.#end();
    const { head, block, texts } = this.#sent.deliver(variable);
    this.#prelude.deliver(JSON.stringify(head), joined(block), ...texts.map(({ text }) => text));
  }

  #isUnfinished(outcome: Outcome): boolean {
    if (outcome.length === 1 && outcome[0] === undefined) return true;
    this.#expectNoEnd(outcome);
    return false;
  }

  #expectNoEnd(outcome: Outcome): void {
    if (this.#ended || outcome.length !== 1 || outcome[0] !== null) throw new NotHereError('it ended');
  }

  /** Runs work of the script, for no longer than a call may take, and until SIGINT comes if that is wished: a thread looks after that, so this is nothing to do for each batch. */
  #limited(work: () => void): void {
    this.#work = work;
    try {
      this.#go.runInContext(this.#context, { timeout: this.#spec.limits.callMs, breakOnSigint: this.#interruptible });
    } catch (error) {
      throw isInterrupt(error) ? passInterrupt(error) : error;
    }
  }

  #run(code: string, filename: string): unknown {
    return compiled(code, filename).runInContext(this.#context);
  }

  #callbacks(): { readonly [name in keyof HostCalls]: (...args: never[]) => unknown } {
    const unknownHere = (): never => this.#end();
    return {
      fetch: (variable: string) => this.#deliver(variable),
      load: unknownHere,
      compile: (parameters: string, body: string, scope: string) =>
        this.#run(`(function(${scope}){'use strict';return function(${parameters}){\n${body}\n}})`, 'compiled'),
      pulse: () => false,
      flush: unknownHere,
      read: unknownHere,
      end: unknownHere,
    };
  }

  /** The script may catch this error; that it has ended is known all the same. */
  #end(): never {
    this.#ended = true;
    throw new NotHereError('it ended');
  }
}

/** Compiled scripts by their text: a configuration is checked with the scripts that run then, and all of them have the same prelude. */
const scripts = new Map<string, Script>();

function compiled(code: string, filename: string): Script {
  const known = scripts.get(code);
  if (known !== undefined) return known;
  const script = new Script(code, { filename });
  scripts.set(code, script);
  return script;
}

/** Errors of a limited call are made in the context of the script. */
const isInterrupt = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';

/** Passes on the SIGINT that has broken a script: nobody else hears of it. */
function passInterrupt(cause: unknown): InterruptedError {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
  return new InterruptedError('interrupted', { cause });
}

function setupOf({ name, kind, config, limits, ticks = false, clock = 'wall' }: SandboxSpec): Setup {
  const { instructions, output, memory, processInject, timerInject } = limits;
  const ports = { ticks, writes: false, reads: '' } as const;
  return {
    name,
    kind,
    config: sentConfig(config),
    instructions,
    output,
    memory,
    processInject,
    timerInject,
    clock,
    ...ports,
    stateless: false,
    hints: false,
  };
}

function joined(pieces: readonly Uint8Array[]): ArrayBuffer {
  const block = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    block.set(piece, at);
    at += piece.byteLength;
  }
  return block.buffer;
}
