import { constants, createContext, type Context } from 'node:vm';
import { CompiledCode } from '../../base/product/compiled-code.ts';
import type { PreparedText } from '../../base/product/prepared.ts';
import type { Text } from '../../message/latin-text.ts';
import type { EntryPoints } from '../prelude/run.ts';
import type { Outcome, Prelude } from '../prelude/index.ts';
import type { HostCalls } from '../prelude/state/state.ts';
import { preludeStart } from './prelude-start.ts';

/** A script cannot go on here: it ended, or asked for what only a sandbox has. */
export class NotHereError extends Error {
  override readonly name = 'NotHereError';
}

/** A result of the engine's own code: its head as JSON, its texts, and its block. */
export interface OwnResult {
  readonly head: string;
  readonly arena: string;
  readonly block: ArrayBuffer;
}

/** Columns on their way to the script: their head as JSON, their block, and their texts. */
export interface OpenedParcel {
  readonly head: string;
  readonly block: ArrayBuffer;
  readonly texts: readonly Text[];
}

/** The state of a script: its description, its bytes, and the version that the script gives it. */
export interface OwnState {
  readonly text: string;
  readonly block: ArrayBuffer;
  readonly version: number | null;
}

type Start = (setup: string, progress: SharedArrayBuffer, profile: null, ...callbacks: readonly unknown[]) => Prelude;

/**
 * A bundled script in a context of its own, with the same prelude as in a sandbox, in whatever thread makes it: so its results are the same. Only our own
 * code may run so.
 */
export class ScriptContext {
  readonly #context: Context = createContext(constants.DONT_CONTEXTIFY);
  readonly #prelude: Prelude;
  /** Code that is kept with the first result: the functions that a script needs are compiled then. */
  readonly #unkept = new Set<CompiledCode>();
  #ended = false;

  /**
   * @param setup its `Setup` as JSON
   * @param fetch brings the columns of a variable that the script reads and that did not come with the batch
   */
  constructor(setup: string, prelude: PreparedText, fetch: (variable: string) => OpenedParcel) {
    const callbacks = this.#callbacks(fetch);
    const names = Object.keys(callbacks) as (keyof HostCalls)[];
    const start = this.#run({ ...prelude, text: preludeStart(prelude.text, names) }, '(prelude)') as Start;
    this.#prelude = start(setup, new SharedArrayBuffer(8), null, ...names.map((name) => callbacks[name]));
  }

  get context(): Context {
    return this.#context;
  }

  /** Runs the script's top level. @throws {Error} when it does not load here */
  load(code: PreparedText, filename: string): void {
    this.#prelude.startLoading();
    const exports = this.#run(code, filename) as EntryPoints;
    this.#expectNoEnd(this.#prelude.endLoading(exports));
  }

  /** Runs process_message for all rows of a batch. @throws {NotHereError} */
  process({ head, block, texts }: OpenedParcel, rows: number): OwnResult {
    this.#prelude.open(head, block, ...texts);
    while (this.#isUnfinished(this.#prelude.resume(rows)));
    return this.#finish();
  }

  /** Runs timer_event. @throws {NotHereError} */
  timer(ns: bigint): OwnResult {
    this.#expectNoEnd(this.#prelude.timer(String(ns)));
    return this.#finish();
  }

  save(): OwnState {
    const [text, block, version] = this.#prelude.save(true);
    return { text, block, version };
  }

  /** Ends it. The script may catch this error; that it has ended is known all the same. */
  end(): never {
    this.#ended = true;
    throw new NotHereError('it ended');
  }

  #finish(): OwnResult {
    const [head, arena, block] = this.#prelude.finish(null);
    if (typeof block === 'number') throw new NotHereError('a result in memory that is not shared');
    for (const code of this.#unkept) code.keep();
    this.#unkept.clear();
    return { head, arena, block };
  }

  #isUnfinished(outcome: Outcome): boolean {
    if (outcome.length === 1 && outcome[0] === undefined) return true;
    this.#expectNoEnd(outcome);
    return false;
  }

  #expectNoEnd(outcome: Outcome): void {
    if (this.#ended || outcome.length !== 1 || outcome[0] !== null) throw new NotHereError('it ended');
  }

  #run(prepared: PreparedText, filename: string): unknown {
    const code = compiled(prepared, filename);
    if (!code.isKept) this.#unkept.add(code);
    return code.script.runInContext(this.#context);
  }

  #callbacks(fetch: (variable: string) => OpenedParcel): { readonly [name in keyof HostCalls]: (...args: never[]) => unknown } {
    const unknownHere = (): never => this.end();
    return {
      fetch: (variable: string) => {
        const { head, block, texts } = fetch(variable);
        this.#prelude.deliver(head, block, ...texts);
      },
      text: unknownHere,
      load: unknownHere,
      lookup: unknownHere,
      compile: (parameters: string, body: string, scope: string) =>
        this.#run({ text: `(function(${scope}){'use strict';return function(${parameters}){\n${body}\n}})`, path: null }, 'compiled'),
      pulse: () => false,
      flush: unknownHere,
      read: unknownHere,
      end: unknownHere,
    };
  }
}

/** Compiled scripts by their text: a configuration is checked with the scripts that run then, and all of them have the same prelude. */
const scripts = new Map<string, CompiledCode>();

function compiled(prepared: PreparedText, filename: string): CompiledCode {
  const known = scripts.get(prepared.text);
  if (known !== undefined) return known;
  const code = new CompiledCode(prepared, filename);
  scripts.set(prepared.text, code);
  return code;
}
